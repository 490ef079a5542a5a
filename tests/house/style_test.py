"""The rules of style that a machine can check. docs/ARCHITECTURE.md says why."""

import re
import unittest

from source_tree import CODE_FOLDERS, ROOT, code_files, script_files

MAX_FILE_LINES = 400
MAX_LINE_COLUMNS = 100
MAX_FUNCTION_LINES = 70

# Spelled so that this file does not hold the words itself.
LEFTOVERS = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|X" + r"XX|HA" + r"CK)\b")
# A definition at namespace or class level ends with its opening brace at the end of a line.
FUNCTION_START = re.compile(r"^(?: {2}){0,2}[A-Za-z_~].*\)[^;=]*\{$")
NOT_A_FUNCTION = re.compile(
    r"^\s*(?:namespace|class|struct|enum|union|extern|if|for|while|switch|do|else|TEST_CASE)\b"
)


def lines_of(path):
    return (ROOT / path).read_text(encoding="utf-8").split("\n")


def long_functions(lines):
    """(first line, length) of every definition that is too long; its closing brace ends it."""
    found = []
    for start, line in enumerate(lines):
        if not FUNCTION_START.match(line) or NOT_A_FUNCTION.match(line):
            continue
        indent = line[: len(line) - len(line.lstrip())]
        for end in range(start + 1, len(lines)):
            if lines[end].startswith(indent + "}"):
                if end - start + 1 > MAX_FUNCTION_LINES:
                    found.append((start + 1, end - start + 1))
                break
    return found


class Style(unittest.TestCase):
    def check(self, paths, rule):
        findings = [
            f"{path}:{number}: {text}"
            for path in paths
            for number, text in rule(path, lines_of(path))
        ]
        self.assertFalse(findings, "\n" + "\n".join(findings))

    def test_every_folder_of_code_is_looked_at(self):
        built = sorted(path.parent.name for path in ROOT.glob("*/CMakeLists.txt"))
        self.assertEqual(built, sorted(CODE_FOLDERS))

    def test_files_are_short(self):
        def rule(_, lines):
            if len(lines) - 1 > MAX_FILE_LINES:
                yield 1, f"{len(lines) - 1} lines; split the file: {MAX_FILE_LINES} are the most"

        self.check(code_files() + script_files(), rule)

    def test_lines_are_short(self):
        def rule(_, lines):
            for number, line in enumerate(lines, 1):
                if len(line) > MAX_LINE_COLUMNS:
                    yield number, f"{len(line)} columns; {MAX_LINE_COLUMNS} are the most"

        self.check(code_files() + script_files(), rule)

    def test_functions_fit_on_a_screen(self):
        def rule(_, lines):
            for number, length in long_functions(lines):
                yield number, f"a function of {length} lines; {MAX_FUNCTION_LINES} are the most"

        self.check(code_files(), rule)

    def test_no_tabs_and_no_trailing_blanks(self):
        def rule(_, lines):
            for number, line in enumerate(lines, 1):
                if "\t" in line:
                    yield number, "a tab; use spaces"
                if line != line.rstrip():
                    yield number, "blanks at the end of the line"

        self.check(code_files() + script_files(), rule)

    def test_headers_are_included_once(self):
        def rule(path, lines):
            if path.suffix == ".h" and "#pragma once" not in lines:
                yield 1, "no #pragma once"

        self.check(code_files(), rule)

    def test_headers_say_what_they_are_for(self):
        def rule(path, lines):
            if path.suffix == ".h" and not lines[0].startswith(("//", "/*")):
                yield 1, "a header begins with a comment: its contract"

        self.check(code_files(), rule)

    def test_nothing_is_left_for_later(self):
        def rule(_, lines):
            for number, line in enumerate(lines, 1):
                if LEFTOVERS.search(line):
                    yield number, "do it, or write it down where people look for it"

        self.check(code_files() + script_files(), rule)

    def test_files_end_with_a_newline(self):
        def rule(_, lines):
            if lines[-1] != "":
                yield len(lines), "no newline at the end of the file"

        self.check(code_files() + script_files(), rule)


class LongFunctions(unittest.TestCase):
    """The check itself."""

    def function(self, length, indent=""):
        body = [indent + "  step();"] * (length - 2)
        return [indent + "void run(int count) {", *body, indent + "}"]

    def test_one_line_too_many_is_found(self):
        self.assertEqual(long_functions(self.function(MAX_FUNCTION_LINES + 1)), [(1, 71)])
        self.assertEqual(long_functions(self.function(MAX_FUNCTION_LINES + 1, "  ")), [(1, 71)])

    def test_the_longest_allowed_is_not(self):
        self.assertEqual(long_functions(self.function(MAX_FUNCTION_LINES)), [])


if __name__ == "__main__":
    unittest.main()
