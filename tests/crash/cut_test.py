"""The journal cut at every byte: torn, missing or clean, and never accepted wrongly."""

import json
import unittest

from bench import Home, create_script, drive, post
from scenarios import RUN
from sweep import EVERY


class Cut(unittest.TestCase):
    """Four commits; the last one is of two records."""

    @classmethod
    def setUpClass(cls):
        cls.home = Home()
        create_script(cls.home, steps=1)
        (action,) = drive(cls.home, RUN, 1)["nextActions"]
        post(cls.home, RUN, action)
        cls.older_witness = cls.witness(cls.home).read_bytes()
        cls.home.must("run:iterate", RUN)
        cls.journal = cls.home.journal(RUN)
        cls.events = cls.home.events(RUN)
        cls.ends = cls.commit_ends()

    @staticmethod
    def witness(home):
        return home.run_dir(RUN) / "state" / "head"

    @classmethod
    def commit_ends(cls):
        """Bytes up to the end of each commit, and the records until there."""
        at, ends = 0, {}
        for line in cls.journal.splitlines(keepends=True):
            at += len(line)
            record = json.loads(line)
            if "n" in record:
                ends[at] = record["seq"]
        return ends

    def cut(self, size, witness=None):
        home = self.home.copy()
        self.addCleanup(home.remove)
        home.segments(RUN)[0].write_bytes(self.journal[:size])
        if witness is None:
            self.witness(home).unlink()
        else:
            self.witness(home).write_bytes(witness)
        return home

    def offsets(self, begin, end):
        """All that lie near the end of a commit, of the others a sample."""
        near = {at + step for at in self.ends for step in range(-3, 4)}
        return [at for at in range(begin, end) if EVERY or at in near or at % 7 == 0]

    def test_the_last_commit_has_two_records(self):
        *_, before, last = self.ends.values()
        self.assertEqual((len(self.ends), last - before), (4, 2))

    def test_acknowledged_records_are_missed(self):
        newest = self.witness(self.home).read_bytes()
        for size in self.offsets(0, len(self.journal)):
            with self.subTest(size=size):
                home = self.cut(size, newest)
                answer = home.run("run:events", RUN, "--all")
                self.assertEqual(answer.exit, 5, answer)
                self.assertEqual(answer.json["error"]["code"], "JOURNAL_RECORDS_MISSING", answer)
                verdict = home.run("run:verify", RUN)
                self.assertEqual(verdict.exit, 1, verdict)
                self.assertEqual(verdict.json["problems"][0]["kind"], "missing", verdict)

    def test_without_a_witness_whole_commits_are_kept(self):
        first = min(self.ends)
        for size in self.offsets(0, len(self.journal) + 1):
            with self.subTest(size=size):
                home = self.cut(size)
                if size < first:
                    self.assertEqual(home.run("run:events", RUN).exit, 5)
                    continue
                kept = max(end for end in self.ends if end <= size)
                self.assertEqual(home.events(RUN), self.events[: self.ends[kept]])
                verdict = home.must("run:verify", RUN)
                self.assertEqual(verdict["journal"]["tornBytes"], size - kept)

    def test_what_the_witness_does_not_know_is_all_or_nothing(self):
        begin = sorted(self.ends)[-2]
        for size in self.offsets(begin, len(self.journal) + 1):
            with self.subTest(size=size):
                home = self.cut(size, self.older_witness)
                kept = max(end for end in self.ends if end <= size)
                self.assertEqual(home.events(RUN), self.events[: self.ends[kept]])
                self.go_on(home, self.journal[kept:size])

    def go_on(self, home, torn):
        """A writer sets the torn bytes aside, and the run goes on as if they had never been."""
        home.must("run:iterate", RUN)
        self.assertEqual(home.events(RUN), self.events)
        folder = home.run_dir(RUN) / "journal" / "torn"
        kept = [path.read_bytes() for path in folder.iterdir()] if folder.exists() else []
        self.assertEqual(kept, [torn] if torn else [])
        self.assertEqual(drive(home, RUN)["status"], "completed")


if __name__ == "__main__":
    unittest.main()
