"""No two types of the product have one name.

The linker takes one of two equal symbols without a word: of two classes with one name, objects of
one were destroyed as if they were of the other.
"""

import pathlib
import tempfile
import unittest

from cxx_scan import linked_types
from source_tree import ROOT, code_files

TESTS = "tests"


def types_named_twice(root):
    """A sentence for each type whose name another one has."""
    first, findings = {}, []
    for path in code_files(root):
        if path.parts[0] == TESTS:
            continue
        for line, name in linked_types((root / path).read_text(encoding="utf-8")):
            place = f"{path}:{line}"
            if name in first:
                findings.append(f"{place}: {name} is also a type at {first[name]}; rename one, "
                                "or put it into an unnamed namespace")
            first.setdefault(name, place)
    return findings


class Types(unittest.TestCase):
    def test_no_name_is_given_twice(self):
        findings = types_named_twice(ROOT)
        self.assertFalse(findings, "\n" + "\n".join(findings))

    def test_types_are_seen(self):
        header = (ROOT / "engine" / "executors" / "executor.h").read_text()
        names = [name for _, name in linked_types(header)]
        self.assertEqual(names, ["reprise::Work", "reprise::Outcome", "reprise::WorkEvents"])


class Finder(unittest.TestCase):
    """The check itself."""

    def names(self, text):
        return list(linked_types(text))

    def test_both_places_are_named(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, text in (
                ("cli/a.h", "namespace reprise {\n\nstruct Same { int x; };\n}\n"),
                ("engine/b.cc", "namespace reprise {\nclass Same {\n  Same();\n};\n}\n"),
                ("engine/c.cc", "namespace reprise {\nnamespace {\nclass Same {};\n}\n}\n"),
                ("tests/d.cc", "namespace reprise {\nclass Same {};\n}\n"),
            ):
                (root / path).parent.mkdir(exist_ok=True)
                (root / path).write_text(text)
            findings = types_named_twice(root)
        self.assertEqual(len(findings), 1, findings)
        self.assertIn("engine/b.cc:2: reprise::Same is also a type at cli/a.h:3", findings[0])

    def test_every_kind_of_definition(self):
        for definition, name in (
            ("class A {};", "A"),
            ("class A final : public B<C>, D::E {\n public:\n  A() : x{1} {}\n};", "A"),
            ("struct [[nodiscard]] alignas(16) A {};", "A"),
            ("struct A::Inner {};", "A::Inner"),
            ("enum class A : int { k1, k2 };", "A"),
            ("enum A { k1 };", "A"),
            ("union A { int i; };", "A"),
            ("template <typename T, std::enable_if_t<(1 < 2), int> = 0>\nclass A {};", "A"),
            ("template <>\nstruct A<std::pair<int, int>> {};", "A<std::pair<int,int>>"),
            ('extern "C" {\nstruct A {};\n}', "A"),
            ("struct A {} object;", "A"),
            ("typedef struct {\n  struct { int i; } b;\n} A;", "A"),
        ):
            with self.subTest(definition=definition):
                self.assertEqual([found for _, found in self.names(definition)], [name])

    def test_what_has_a_name_of_its_own_or_none_is_not_meant(self):
        for text in (
            "class A;\nenum class B : int;\nfriend struct C;",
            "namespace {\nstruct A { struct B {}; };\n}",
            "namespace a { namespace {\nclass B {};\n} }",
            "void f() { struct A {}; }",
            "struct A f() { return {}; }\nstruct A b = {1};\nauto c = [] { struct D {}; };",
            "enum { k1, k2 };",
            "// class A {};\n/* struct B {}; */ const char* c = \"struct C {};\";",
            'auto text = R"x(struct A { " )" };)x";',
            "#define A \\\n  struct B {};\nchar brace = '{'; int n = 1'000'000;",
        ):
            with self.subTest(text=text):
                self.assertEqual(self.names(text), [])

    def test_scopes_are_part_of_the_name(self):
        text = "namespace a::b {\nclass C {\n public:\n  struct D {};\n};\n}\nstruct E {};\n"
        self.assertEqual(self.names(text), [(2, "a::b::C"), (4, "a::b::C::D"), (7, "E")])

    def test_a_text_that_cannot_be_read_is_an_error(self):
        for text in ("namespace a {\n", "}\n"):
            with self.subTest(text=text), self.assertRaises(ValueError):
                self.names(text)


if __name__ == "__main__":
    unittest.main()
