"""The program of today reads, verifies, indexes, shows all that version 0.1.0 made, and goes on."""

import json
import lzma
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "e2e"))

import comparison  # noqa: E402
import player  # noqa: E402
import world  # noqa: E402
from harness import BINARY, fresh_folder  # noqa: E402

RECORDED = HERE / "0.1.0"
SHOWN = 40
HINT = "what is meant to be so is declared in tests/corpus/changes.json, with its reason"


class Homes(tarfile.TarFile):
    """Modes and times are those of the corpus; whoever unpacks it is the owner."""

    extraction_filter = staticmethod(lambda member, path: member)

    def chown(self, *_, **__):
        pass


def listed(name):
    return comparison.Rules.of_file(HERE / name)


def changed_journals(folder, sums):
    """(home, what differs) for each home whose journals are not those that were recorded."""
    for home, recorded in sums.items():
        found = list(comparison.unequal(recorded, player.journals(folder / "pristine" / home)))
        if found:
            yield home, found


class Corpus(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = fresh_folder("reprise-corpus-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        with Homes.open(RECORDED / "homes.tar.xz") as homes:
            homes.extractall(cls.folder)
        cls.text = lzma.open(RECORDED / "documents.jsonl.xz", "rt").read()
        cls.rows = [json.loads(line) for line in cls.text.splitlines()]
        cls.sums = json.loads((RECORDED / "sums.json").read_text())

    def test_1_the_journals_are_those_that_were_recorded(self):
        self.assertEqual(list(changed_journals(self.folder, self.sums)), [])
        self.assertEqual({row["home"] for row in self.rows}, set(self.sums))

    def test_2_each_command_has_a_row_or_a_reason(self):
        said = subprocess.run([BINARY, "help", "--json"], capture_output=True, check=True).stdout
        commands = {command["name"] for command in json.loads(said)["commands"]}
        asked = {row["words"][0] for row in self.rows if "words" in row}
        excused = json.loads((HERE / "uncovered.json").read_text())
        self.assertEqual(sorted(commands - asked - set(excused)), [])
        self.assertEqual(sorted(set(excused) & asked), [], "listed, and asked all the same")

    def test_3_the_program_of_today_answers_the_same_and_goes_on_in_the_same_way(self):
        (self.folder / "questions").write_text(self.text)
        paths = ("/corpus/questions", "/corpus/answers")
        world.run(BINARY, os.environ["CORPUS_STANDSTILL"], self.folder, "player.py", *paths)
        answers = [json.loads(line) for line in (self.folder / "answers").read_text().splitlines()]
        ignored, changes = listed("ignored.json"), listed("changes.json")
        found = comparison.undeclared(self.rows, answers, ignored, changes)
        if found:
            told = "\n".join(str(difference) for difference in found[:SHOWN])
            self.fail(f"{len(found)} differences; {HINT}\n{told}")
        self.assertEqual(changes.unused(), [], "declared, and not there any more")


def row(said, exit=0):
    return {"home": "h", "course": "c", "words": ["run:status"], "exit": exit, "said": said}


class Comparison(unittest.TestCase):
    """It finds what is not the same."""

    def compared(self, was, now, ignored=(), changes=()):
        rules = (comparison.Rules(list(ignored)), comparison.Rules(list(changes)))
        found = comparison.undeclared([was], [now], *rules)
        return [difference.pointer for difference in found], rules[1].unused()

    def test_each_difference_is_found_at_its_place(self):
        was = {"a": 1, "b": [1, 2, {"c": None}], "d/e": "x"}
        for now, pointers in (
            (was, []),
            ({**was, "a": 1.0}, ["/a"]),
            ({**was, "a": True}, ["/a"]),
            ({**was, "f": None}, ["/f"]),
            ({"a": 1, "b": was["b"]}, ["/d~1e"]),
            ({**was, "b": [1, 2, {"c": 0}]}, ["/b/2/c"]),
            ({**was, "b": [0, 1, 2, {"c": None}]}, ["/b/0"]),
            ({**was, "b": [1, {"c": None}]}, ["/b/1"]),
            ("text", [""]),
        ):
            with self.subTest(now):
                self.assertEqual(self.compared(row(was), row(now))[0], pointers)
        self.assertEqual(self.compared(row(was), row(was, exit=1))[0], ["exit"])

    def test_a_journal_that_goes_on_otherwise_is_found(self):
        was = {"home": "h", "course": "c", "journals": {"runs": {"r": "sum"}}}
        now = {**was, "journals": {"runs": {"r": "other", "s": "new"}}}
        self.assertEqual(self.compared(was, now)[0], ["/runs/r", "/runs/s"])

    def test_rules_name_differences_by_command_home_and_pointer(self):
        was, now = row({"a": [{"at": 1}], "b": 1}), row({"a": [{"at": 2}], "b": 1})
        rule = {"pointer": "/a/*/at", "reason": "time"}
        for given, left in (
            (rule, []),
            ({**rule, "pointer": "/**/at"}, []),
            ({**rule, "pointer": "/**"}, []),
            ({**rule, "command": "run:*", "home": "h", "course": "c"}, []),
            ({**rule, "command": "task:*"}, ["/a/0/at"]),
            ({**rule, "home": "other"}, ["/a/0/at"]),
            ({**rule, "pointer": "/a"}, ["/a/0/at"]),
            ({**rule, "pointer": "/*/at"}, ["/a/0/at"]),
        ):
            with self.subTest(given):
                self.assertEqual(self.compared(was, now, ignored=[given])[0], left)
                unused = [given] if left else []
                self.assertEqual(self.compared(was, now, changes=[given]), (left, unused))
        self.assertEqual(self.compared(was, was, changes=[rule]), ([], [rule]))

    def test_a_rule_without_a_reason_is_refused(self):
        for wrong in ({"pointer": "/a"}, {"reason": "r"}, {"pointer": "/a", "reason": "r", "x": 1}):
            with self.assertRaises(ValueError):
                comparison.Rules([wrong])

    def test_a_journal_of_which_one_byte_changed_is_found(self):
        folder = fresh_folder("reprise-corpus-")
        self.addCleanup(shutil.rmtree, folder)
        journal = folder / "pristine" / "h" / "runs" / "r" / "journal"
        journal.mkdir(parents=True)
        segment = journal / "00000001.jsonl"
        segment.write_bytes(b"one\n")
        sums = {"h": player.journals(folder / "pristine" / "h")}
        self.assertEqual(list(changed_journals(folder, sums)), [])
        segment.write_bytes(b"one\r")
        self.assertEqual([home for home, _ in changed_journals(folder, sums)], ["h"])


if __name__ == "__main__":
    unittest.main()
