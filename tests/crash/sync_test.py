"""A sync that fails is never believed afterwards."""

import errno
import unittest

from disk import Disk
from scenarios import OK, RUN, SEGMENT, checklist
from bench import Home, drive
from traps import list_calls, spring

POST = ("task:post", RUN, "t1", *OK)


def nth(calls, name, subject):
    return next(call.nth for call in calls if call.name == name and subject in call.subject)


class FailedSync(unittest.TestCase):
    def setUp(self):
        self.home = Home()
        checklist(steps=2, rounds=1)(self.home)
        self.before = self.home.journal(RUN)
        whole = self.home.copy()
        _, calls = list_calls(whole, POST)
        self.after = whole.journal(RUN)
        self.sync = f"fail:fdatasync:{nth(calls, 'fdatasync', SEGMENT)}:{errno.EIO}"

    def post(self, trap):
        answer, sprung = spring(self.home, POST, trap)
        self.assertTrue(sprung)
        self.assertEqual(answer.exit, 8, answer)
        self.assertEqual(answer.json["error"]["code"], "SYSTEM_ERROR", answer)

    def test_the_commit_is_cut_off_again(self):
        self.post(self.sync)
        self.assertEqual(self.home.journal(RUN), self.before)
        self.assertEqual(self.home.must(*POST)["recorded"], True)
        self.assertEqual(self.home.journal(RUN), self.after)

    def leave_unsynced(self):
        """Neither the sync nor the cut works: the commit stays where it is, not durable."""
        witness = (self.home.run_dir(RUN) / "state" / "head").read_bytes()
        self.post(f"{self.sync},fail:ftruncate:1+:{errno.EIO}")
        self.assertEqual(self.home.journal(RUN), self.after)
        self.assertEqual((self.home.run_dir(RUN) / "state" / "head").read_bytes(), witness)

    def test_what_was_not_synced_is_written_again_before_it_is_acknowledged(self):
        self.leave_unsynced()
        disk = Disk(self.home.path)
        disk.doubt(SEGMENT)
        answer, calls = list_calls(self.home, POST)
        for call in calls:
            disk.apply(call)
        self.assertEqual(answer.json["recorded"], False, answer)
        self.assertNotIn(SEGMENT, disk.bytes)
        self.assertEqual(self.home.journal(RUN), self.after)

    def test_a_second_failing_sync_acknowledges_nothing(self):
        self.leave_unsynced()
        self.post(f"fail:fdatasync:1+:{errno.EIO}")
        self.assertEqual(drive(self.home, RUN)["status"], "completed")

    def test_bytes_that_the_disk_lost_were_never_acknowledged(self):
        lost = {
            "gone": self.before,
            "zeros": self.before + bytes(len(self.after) - len(self.before)),
            "half gone": self.after[: (len(self.before) + len(self.after)) // 2],
            "the first half zeros": self.before + bytes(99) + self.after[len(self.before) + 99 :],
        }
        self.leave_unsynced()
        for what, journal in lost.items():
            with self.subTest(what):
                home = self.home.copy()
                home.segments(RUN)[0].write_bytes(journal)
                self.assertEqual(home.must("run:verify", RUN)["journal"]["records"], 2)
                self.assertEqual(home.must(*POST)["recorded"], True)
                self.assertEqual(home.journal(RUN), self.after)
                self.assertEqual(drive(home, RUN)["status"], "completed")


if __name__ == "__main__":
    unittest.main()
