"""run:repair-journal says what it would do, asks before it loses, and destroys nothing."""

import unittest

from bench import Home, create_checklist, drive
from scenarios import RUN

REPAIR = ("run:repair-journal", RUN)


def lines_of(journal):
    return journal.splitlines(keepends=True)


class Repair(unittest.TestCase):
    """A checklist at its third step: header, creation, t1, its result, t2, its result, t3."""

    @classmethod
    def setUpClass(cls):
        cls.template = Home()
        create_checklist(cls.template, steps=4)
        drive(cls.template, RUN, 3)
        cls.journal = cls.template.journal(RUN)
        cls.events = cls.template.events(RUN)

    def damaged(self, journal):
        home = self.template.copy()
        self.addCleanup(home.remove)
        home.segments(RUN)[0].write_bytes(journal)
        return home

    def repair(self, home, *words):
        return home.run(*REPAIR, *words, now=None)

    def files(self, home):
        return {
            str(path.relative_to(home.path)): path.read_bytes()
            for path in home.run_dir(RUN).rglob("*")
            if path.is_file() and path.name != "run.lock"
        }

    def check(self, journal, kept_records, kept_bytes):
        """Refused without consent, and with it nothing is destroyed and the run goes on."""
        home = self.damaged(journal)
        before = self.files(home)
        plan = self.repair(home, "--dry-run")
        self.assertEqual(plan.exit, 0, plan)
        self.assertEqual((plan.json["needed"], plan.json["repaired"]), (True, False), plan)
        self.assertEqual(plan.json["droppedBytes"], len(journal) - kept_bytes, plan)
        refused = self.repair(home)
        self.assertEqual(refused.exit, 2, refused)
        self.assertEqual(refused.json["error"]["code"], "LOSS_NOT_ACCEPTED", refused)
        self.assertEqual(self.files(home), before, "a plan and a refusal change nothing")

        repaired = self.repair(home, "--accept-loss")
        self.assertEqual(repaired.exit, 0, repaired)
        self.assertTrue(repaired.json["repaired"], repaired)
        for part in ("droppedBytes", "droppedRecords"):
            self.assertEqual(repaired.json[part], plan.json[part], "the plan was right")
        self.assertEqual(home.events(RUN), self.events[:kept_records])
        self.kept(home, repaired, journal[kept_bytes:])
        self.settled(home)

    def kept(self, home, repaired, bytes_set_aside):
        if not bytes_set_aside:
            self.assertNotIn("keptIn", repaired.json)
            return
        path = repaired.json["keptIn"]
        self.assertTrue(path.startswith("journal/"), path)
        self.assertEqual((home.run_dir(RUN) / path).read_bytes(), bytes_set_aside)

    def settled(self, home):
        again = self.repair(home, "--accept-loss")
        self.assertEqual((again.exit, again.json["needed"]), (0, False), again)
        home.must("run:verify", RUN)
        self.assertEqual(drive(home, RUN)["status"], "completed")

    def test_a_flipped_byte_in_each_record(self):
        lines = lines_of(self.journal)
        begin = len(lines[0]) + len(lines[1])
        for number, line in enumerate(lines[2:], 2):
            with self.subTest(line=number):
                middle = begin + len(line) // 2
                flipped = bytes([self.journal[middle] ^ 1])
                self.check(
                    self.journal[:middle] + flipped + self.journal[middle + 1 :], number - 1, begin
                )
            begin += len(line)

    def test_records_that_are_gone(self):
        lines = lines_of(self.journal)
        for number in range(2, len(lines)):
            with self.subTest(lines=number):
                kept = b"".join(lines[:number])
                self.check(kept, number - 1, len(kept))

    def test_a_record_that_is_cut(self):
        lines = lines_of(self.journal)
        kept = b"".join(lines[:4])
        self.check(kept + lines[4][:50], 3, len(kept))

    def test_swapped_records(self):
        lines = lines_of(self.journal)
        kept = b"".join(lines[:3])
        self.check(kept + lines[4] + lines[3] + b"".join(lines[5:]), 2, len(kept))

    def test_a_torn_tail_needs_no_consent(self):
        torn = b'{"seq":7,"type":"EFF'
        home = self.damaged(self.journal + torn)
        repaired = self.repair(home)
        self.assertEqual(repaired.exit, 0, repaired)
        self.assertTrue(repaired.json["repaired"], repaired)
        self.assertEqual(home.journal(RUN), self.journal)
        self.kept(home, repaired, torn)
        self.settled(home)

    def test_a_whole_journal_is_left_alone(self):
        home = self.damaged(self.journal)
        before = home.journal(RUN)
        self.settled(home.copy())
        self.assertFalse(self.repair(home).json["needed"])
        self.assertEqual(home.journal(RUN), before)

    def test_a_run_without_its_creation_is_lost(self):
        lines = lines_of(self.journal)
        for journal in (b"", lines[0], lines[0] + lines[1][:-9], self.journal[1:]):
            with self.subTest(size=len(journal)):
                home = self.damaged(journal)
                answer = self.repair(home, "--accept-loss")
                self.assertEqual(answer.exit, 5, answer)
                self.assertEqual(answer.json["error"]["code"], "JOURNAL_LOST", answer)
                self.assertEqual(home.journal(RUN), journal)


if __name__ == "__main__":
    unittest.main()
