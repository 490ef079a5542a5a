"""Names that only one file means stand in one file of their folder, so that the files of a folder
can be compiled as one unit."""

import collections
import pathlib
import re
import unittest

from source_tree import ROOT, code_files

ADVICE = "give it a name that says what it is of, or share it in a header"
# Their folders are compiled into one library: all that is below counts as one folder.
WHOLE = ("cli", "engine")
# Their files are programs of their own.
APART = ("tests/bench", "tests/fuzz")

# What is no code: raw strings, comments, strings, characters (and no digit separators).
NO_CODE = re.compile(
    r'R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"'
    r"|//[^\n]*|/\*.*?\*/"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'",
    re.DOTALL,
)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\\\n]|\\[\s\S])*", re.MULTILINE)
DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
UNDEFINE = re.compile(r"^[ \t]*#[ \t]*undef[ \t]+(\w+)", re.MULTILINE)

BOUND = re.compile(r"[{}();]")
SCOPE = re.compile(r'(?:inline )?namespace ?([\w:]*)|extern ""')
ALIAS = re.compile(r"(?:using|namespace) (\w+) ?= ?(.+)")
TYPE = re.compile(
    r"(?:struct|class|union|enum(?: class| struct)?) (\w+)(?: final)?(?: ?:(?!:)[^(){}]*)? ?\{\}"
)
TYPE_START = re.compile(r"(?:struct|class|union|enum)\b[^()=]*$")
# Before a name that is no one's but the file's, outside of an unnamed namespace.
INTERNAL = re.compile(r"(?:inline )?(?:static|constexpr)\b")
CONSTANT = re.compile(r"const\b[^(]*$")
NO_NAME = re.compile(
    r"(?:using|typedef|static_assert|extern|friend|template)\b|.*\boperator\b"
    r"|(?:struct|class|union|enum(?: class)?) \w+(?: ?:(?!:) ?\w+)?$"
)
LAST_NAME = re.compile(r"[\w>\]*&] ?\b(\w+) ?(?:\[[^\]]*\] ?)*$")


def statements(code):
    """(in an unnamed namespace?, text) of all that stands outside of functions and types; what
    stands in braces is left out."""
    scopes, parts, start, braces, parens = [], "", 0, 0, 0
    for bound in BOUND.finditer(code):
        mark = bound.group()
        if braces:
            braces += {"{": 1, "}": -1}.get(mark, 0)
            if braces:
                continue
            parts += "{}"
            start = bound.end()
            if not parens and is_function(parts) and not continues(code, start):
                yield "" in scopes, plain(parts)
                parts = ""
            continue
        if mark in "()":
            parens += 1 if mark == "(" else -1
            continue
        text = parts + code[start : bound.start()]
        if mark == "{":
            scope = None if parens else SCOPE.fullmatch(plain(text))
            if scope:
                scopes.append(scope.group(1))
                text = ""
            else:
                braces = 1
            parts = text
        elif parens:
            continue
        elif mark == ";":
            yield "" in scopes, plain(text)
            parts = ""
        elif scopes:
            scopes.pop()
            parts = ""
        start = bound.end()


def plain(text):
    """On one line, without attributes and the parameters of a template."""
    text = " ".join(re.sub(r"\[\[.*?\]\]", "", text, flags=re.DOTALL).split())
    if not text.startswith("template"):
        return text
    depth = 0
    for at, letter in enumerate(text):
        depth += {"<": 1, ">": -1}.get(letter, 0)
        if letter == ">" and depth == 0:
            return text[at + 1 :].strip()
    return text


def is_function(text):
    text = plain(text)
    before = re.sub(r"\(.*", "", text)
    return "(" in text and "=" not in before and not TYPE_START.match(before)


def continues(code, at):
    """After a closed brace: of a member's initializer, not of a body."""
    rest = code[at : at + 200].lstrip()
    return rest.startswith((",", "{", ";", ")"))


def without_angles(text):
    while True:
        less = re.sub(r"<[^<>]*>", "", text)
        if less == text:
            return text
        text = less


def internal_name(statement, unnamed):
    """(name, what an alias means or "") of a statement that means something in its file alone."""
    if alias := ALIAS.fullmatch(statement):
        return alias.group(1), alias.group(2)
    if kind := TYPE.match(statement):
        return kind.group(1), ""
    if NO_NAME.match(statement):
        return None
    head = without_angles(re.split(r"=|\{", statement)[0])
    if not (unnamed or INTERNAL.match(head) or CONSTANT.match(head)):
        return None
    name = LAST_NAME.search(head.split("(")[0].strip())
    return (name.group(1), "") if name else None


def macros(text):
    return set(DEFINE.findall(text)) - set(UNDEFINE.findall(text))


def names_of(text, header=False):
    """{name: what it means as an alias, or ""} of what a file has for itself; of a header that has
    a value, is a type or an alias."""
    text = NO_CODE.sub(lambda it: '""' if '"' in it.group()[:2] else " ", text)
    found = {name: "" for name in macros(text)}
    for unnamed, statement in statements(DIRECTIVE.sub("", text)):
        if header and is_function(statement):
            continue
        if name := internal_name(statement, unnamed):
            found[name[0]] = name[1]
    return found


def folder_of(path):
    return path.parts[0] if path.parts[0] in WHOLE else path.parent.as_posix()


def shared_names(texts):
    """A sentence for each name that two files of a folder have for themselves, or one and a header
    of the folder. `texts`: {path: text}. The same alias may stand in each file."""
    places = collections.defaultdict(list)
    for path, text in texts.items():
        if path.parent.as_posix() in APART:
            continue
        for name, meaning in names_of(text, path.suffix == ".h").items():
            places[folder_of(path), name].append((path, meaning))
    findings = []
    for (_, name), found in sorted(places.items()):
        meanings = {meaning for _, meaning in found}
        sources = [path for path, _ in found if path.suffix == ".cc"]
        if len(found) < 2 or not sources or (len(meanings) == 1 and "" not in meanings):
            continue
        files = ", ".join(sorted(path.as_posix() for path, _ in found))
        findings.append(f"{name} stands in {files}: {ADVICE}")
    return findings


class Names(unittest.TestCase):
    def test_a_folder_is_one_unit(self):
        findings = shared_names({path: (ROOT / path).read_text() for path in code_files()})
        self.assertFalse(findings, "\n" + "\n".join(findings))

    def test_the_folders_that_are_named_are_there(self):
        for folder in WHOLE + APART:
            self.assertTrue((ROOT / folder).is_dir(), folder)


class Finder(unittest.TestCase):
    """The check itself."""

    def found(self, text, header=False):
        return names_of(text, header)

    def internal(self, text):
        return set(names_of("namespace reprise {\nnamespace {\n" + text + "\n}\n}\n"))

    def test_what_an_unnamed_namespace_holds_is_found(self):
        for text, name in (
            ("constexpr size_t kMost = 4;", "kMost"),
            ("constexpr std::array<std::pair<int, int>, 2> kPairs = {{{1, 2}, {3, 4}}};", "kPairs"),
            ("constexpr char kDigits[] = \"0123\";", "kDigits"),
            ("const auto kCase = [] { return 1; }();", "kCase"),
            ("std::string shown(const Card& card) { return card.name; }", "shown"),
            ("[[noreturn]] void refuse(int code, const Hint& hint = {}) { throw code; }", "refuse"),
            ("template <typename List = std::list<int>>\nbool has(const List& list) {}", "has"),
            ("const Card* find_card(std::string_view id) { return nullptr; }", "find_card"),
            ("std::function<void(int)> g_told;", "g_told"),
            ("struct Row { int a; };", "Row"),
            ("class Reader final : public Source { };", "Reader"),
            ("enum class Kind : uint8_t { kOne, kTwo };", "Kind"),
            ("using Rows = std::vector<Row>;", "Rows"),
            ("namespace fs = std::filesystem;", "fs"),
        ):
            with self.subTest(text):
                self.assertEqual(self.internal(text), {name})

    def test_what_stands_behind_it_is_found_too(self):
        text = """
            Reader::Reader(int a) : x_a{a}, x_b(2) { go(); }
            int first() { return 1; }
            constexpr int kTable[] = {1, 2};
            struct Row { int a; } ;
            int last() { return 2; }"""
        self.assertEqual(self.internal(text), {"first", "kTable", "Row", "last"})

    def test_what_others_may_mean_too_is_not(self):
        for text in (
            "struct Row;",
            "using kit::Json;",
            "bool operator==(const Row& a, const Row& b) { return true; }",
            "void Reader::read(int a) { constexpr int kMost = 4; }",
            "struct Reader::State { int a; };",
            'static_assert(sizeof(int) == 4, "as here");',
            'extern "C" int outside(int);',
            'TEST_CASE("a case") { const int kMost = 4; }',
            "// int commented() {}",
            "/* constexpr int kMost = 4; */",
        ):
            with self.subTest(text):
                self.assertEqual(self.internal(text), set())

    def test_outside_of_it_what_is_internal_is_found(self):
        text = """namespace reprise {
            static int counted(int a) { return a; }
            constexpr int kMost = 4;
            const Table kTable = {1};
            int shared(const char* text = "}") { return '{'; }
            const Row& row_of(int a) { return kRow; }
            }"""
        self.assertEqual(set(self.found(text)), {"counted", "kMost", "kTable"})

    def test_texts_do_not_confuse_it(self):
        text = """
            constexpr const char* kText = R"({"a": "}"; // )";
            constexpr char kQuote = '"';
            constexpr int kMillion = 1'000'000;
            #define LOOKS_LIKE_A(brace) { \\
              brace
            int last() { return 2; }"""
        names = {"kText", "kQuote", "kMillion", "LOOKS_LIKE_A", "last"}
        self.assertEqual(self.internal(text), names)

    def test_macros_are_found_unless_they_end_in_their_file(self):
        text = "#define ONE 1\n# define TWO(a) a\n#undef ONE\n// #define THREE\n"
        self.assertEqual(set(self.found(text)), {"TWO"})

    def test_of_headers_functions_are_not(self):
        text = "constexpr int kMost = 4;\nstruct Row { int a; };\ninline int one() { return 1; }"
        self.assertEqual(set(self.found(text, header=True)), {"kMost", "Row"})


class SharedNames(unittest.TestCase):
    ONE = "namespace {\nint one() { return 1; }\n}\n"
    ALIAS = "namespace {\nusing Json = nlohmann::%s;\n}\n"

    def found(self, **texts):
        paths = {name.replace("__", "/").replace("_h", ".h"): text for name, text in texts.items()}
        return shared_names(
            {
                pathlib.PurePosixPath(name if name.endswith(".h") else name + ".cc"): text
                for name, text in paths.items()
            }
        )

    def test_a_name_in_two_files_of_a_folder_is_told(self):
        self.assertEqual(
            self.found(cli__a=self.ONE, cli__b=self.ONE),
            [f"one stands in cli/a.cc, cli/b.cc: {ADVICE}"],
        )

    def test_other_folders_and_programs_of_one_file_may_have_it(self):
        self.assertEqual(
            self.found(cli__a=self.ONE, json__a=self.ONE, processes__board__a=self.ONE), []
        )
        self.assertEqual(self.found(tests__fuzz__a=self.ONE, tests__fuzz__b=self.ONE), [])

    def test_folders_of_one_library_count_as_one(self):
        self.assertEqual(len(self.found(engine__a=self.ONE, engine__cron__b=self.ONE)), 1)

    def test_a_name_of_a_header_is_told(self):
        header = "constexpr int kMost = 1;"
        source = "namespace {\nconstexpr int kMost = 1;\n}"
        self.assertEqual(len(self.found(cli__a_h=header, cli__b=source)), 1)
        self.assertEqual(self.found(cli__a_h=header, cli__b_h=header), [])

    def test_an_alias_may_stand_twice_when_it_means_the_same(self):
        json, ordered = self.ALIAS % "json", self.ALIAS % "ordered_json"
        self.assertEqual(self.found(cli__a=json, cli__b=json), [])
        self.assertEqual(len(self.found(cli__a=json, cli__b=ordered)), 1)


if __name__ == "__main__":
    unittest.main()
