"""Who may include whom. The arrows of docs/ARCHITECTURE.md, and nothing else."""

import pathlib
import re
import tempfile
import unittest

from source_tree import ROOT, code_files

# What a folder may include of the project. The longest matching prefix of a file's path decides.
LAYERS = {
    "json": ["json"],
    "unicode": ["unicode"],
    "schemas": ["schemas"],
    "journal": ["journal", "json"],
    "engine": ["engine", "journal", "schemas"],
    "engine/process": ["engine/process"],
    "processes": ["processes", "engine/process", "json", "unicode"],
    "cli": ["cli", "engine", "journal", "json", "schemas"],
    # The one place that names the built-in processes.
    "cli/catalogue.cc": ["cli", "engine", "journal", "schemas", "processes"],
    "tests": ["cli", "engine", "journal", "json", "processes", "schemas", "tests",
              "unicode"],
}
# processes/ are apart from each other: one built-in process does not know the next. They share
# only their kit.
APART = "processes"
KIT = "processes/kit"

# Headers that the build writes.
GENERATED = ["processes/script/embedded_js.h"]

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')
# Nothing here does I/O, reads a clock or a random source.
PURE = "engine/process"
PURE_STANDARD = {
    "algorithm",
    "array",
    "cstddef",
    "cstdint",
    "functional",
    "map",
    "memory",
    "optional",
    "span",
    "string",
    "string_view",
    "utility",
    "variant",
    "vector",
    "stddef.h",
    "stdint.h",
}
STANDARD_INCLUDE = re.compile(r"^\s*#\s*include\s+<([^>]+)>")


def is_below(path, folder):
    return path == folder or path.startswith(folder + "/")


def allowed_for(path):
    return LAYERS[max((key for key in LAYERS if is_below(path, key)), key=len)]


def forbidden_includes(root):
    """A sentence for each include that breaks a layer."""
    findings = []
    for path in code_files(root):
        name = path.as_posix()
        for number, line in enumerate((root / path).read_text().splitlines(), 1):
            where = f"{name}:{number}"
            if match := INCLUDE.match(line):
                findings += check_include(root, name, where, match.group(1))
            match = STANDARD_INCLUDE.match(line)
            if match and is_below(name, PURE) and match.group(1) not in PURE_STANDARD:
                findings.append(f"{where}: <{match.group(1)}> has no place in {PURE}")
    return findings


def check_include(root, name, where, included):
    if not (root / included).is_file() and included not in GENERATED:
        return [f'{where}: "{included}" is not a path from the root']
    if not any(is_below(included, folder) for folder in allowed_for(name)):
        return [f"{where}: {name.split('/')[0]} may not include {included}"]
    other_process = is_below(name, APART) and is_below(included, APART)
    kit = is_below(included, KIT)
    if other_process and not kit and name.split("/")[:2] != included.split("/")[:2]:
        return [f"{where}: one process may not include another ({included})"]
    return []


class Layers(unittest.TestCase):
    def test_every_include_follows_an_arrow(self):
        self.assertEqual(forbidden_includes(ROOT), [])


class PlantedViolations(unittest.TestCase):
    """The check itself: each planted include must be found."""

    CASES = [
        ("journal/a.cc", '#include "engine/run.h"', "journal may not include engine/run.h"),
        ("engine/a.cc", '#include "cli/text.h"', "engine may not include cli/text.h"),
        ("engine/a.cc", '  #  include "processes/x/y.h"', "may not include processes/x/y.h"),
        ("engine/process/a.h", '#include "engine/run.h"', "may not include engine/run.h"),
        ("engine/process/a.h", "#include <fstream>", "<fstream> has no place"),
        ("processes/z/a.cc", '#include "engine/run.h"', "may not include engine/run.h"),
        ("processes/z/a.cc", '#include "journal/clock.h"', "may not include journal/clock.h"),
        ("processes/z/a.cc", '#include "processes/x/y.h"', "one process may not include another"),
        ("cli/a.cc", '#include "processes/x/y.h"', "cli may not include processes/x/y.h"),
        ("schemas/a.cc", '#include "cli/text.h"', "schemas may not include cli/text.h"),
        ("cli/a.cc", '#include "../engine/run.h"', "is not a path from the root"),
        ("cli/a.cc", '#include "engine/gone.h"', "is not a path from the root"),
    ]
    HEADERS = ["engine/run.h", "cli/text.h", "processes/x/y.h", "processes/kit/y.h",
               "journal/clock.h"]

    def plant(self, root, path, line):
        for name in self.HEADERS:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text("#pragma once\n")
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(line + "\n")
        return forbidden_includes(root)

    def test_each_is_found(self):
        for path, line, expected in self.CASES:
            with self.subTest(line=line, path=path), tempfile.TemporaryDirectory() as folder:
                findings = self.plant(pathlib.Path(folder), path, line)
                self.assertEqual(len(findings), 1, findings)
                self.assertIn(expected, findings[0])

    def test_what_is_allowed_is_not(self):
        allowed = [
            ("cli/catalogue.cc", '#include "processes/x/y.h"'),
            ("cli/a.cc", '#include "engine/run.h"'),
            ("processes/x/a.cc", '#include "processes/x/y.h"'),
            ("processes/x/a.cc", '#include "processes/kit/y.h"'),
            ("engine/process/a.h", "#include <string>"),
        ]
        for path, line in allowed:
            with self.subTest(line=line), tempfile.TemporaryDirectory() as folder:
                self.assertEqual(self.plant(pathlib.Path(folder), path, line), [])


if __name__ == "__main__":
    unittest.main()
