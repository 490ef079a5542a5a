"""Every byte of the journal flipped in turn: it is always found, and the place is named."""

import unittest

from bench import Home, create_checklist, drive
from scenarios import RUN
from sweep import EVERY


class Flip(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = Home()
        create_checklist(cls.home, steps=2)
        drive(cls.home, RUN, 2)
        cls.journal = cls.home.journal(RUN)
        cls.events = cls.home.events(RUN)

    def places(self):
        return range(0, len(self.journal), 1 if EVERY else 5)

    def flipped(self, place, bit, witness=True):
        home = self.home.copy()
        self.addCleanup(home.remove)
        damaged = bytearray(self.journal)
        damaged[place] ^= bit
        home.segments(RUN)[0].write_bytes(damaged)
        if not witness:
            (home.run_dir(RUN) / "state" / "head").unlink()
        return home

    def test_a_flipped_bit_is_found_and_its_line_is_named(self):
        for place in self.places():
            bit = 1 << place % 8
            with self.subTest(place=place, bit=bit):
                home = self.flipped(place, bit)
                verdict = home.run("run:verify", RUN)
                self.assertEqual(verdict.exit, 1, verdict)
                line = 1 + self.journal[:place].count(b"\n")
                found = verdict.json["journal"]["damage"]
                self.assertIn(found["line"], (line, line + 1), verdict)
                reader = home.run("run:events", RUN)
                self.assertEqual(reader.exit, 5, reader)
                self.assertEqual(reader.json["error"]["code"], "JOURNAL_CORRUPT", reader)

    def test_no_command_writes_behind_a_flipped_bit(self):
        for place in self.places()[::8]:
            with self.subTest(place=place):
                home = self.flipped(place, 4)
                (home.run_dir(RUN) / "state" / "state.json").unlink()
                before = home.journal(RUN)
                words = ("--status", "ok", "--value-inline", "1")
                for command in (("run:iterate", RUN), ("task:post", RUN, "t2", *words)):
                    answer = home.run(*command)
                    self.assertEqual(answer.exit, 5, answer)
                self.assertEqual(home.journal(RUN), before)

    def test_without_a_witness_only_the_last_commit_can_pass_for_torn(self):
        begin = self.journal.rindex(b"\n", 0, -1) + 1
        for place in self.places():
            with self.subTest(place=place):
                home = self.flipped(place, 2, witness=False)
                answer = home.run("run:events", RUN, "--all")
                if place < begin - 1:
                    self.assertEqual(answer.exit, 5, answer)
                else:
                    # The newline in front of it is also the end of the record before.
                    kept = -1 if place >= begin else -2
                    self.assertEqual(answer.json["events"], self.events[:kept], answer)


if __name__ == "__main__":
    unittest.main()
