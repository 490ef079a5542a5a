"""2 to 32 processes iterate, post, claim, signal, mend and read one run and one index, and some of
them are killed: the journal is that of some serial order, nothing acknowledged is lost, nothing is
there twice.

1,000 rounds; with REPRISE_NIGHTLY=1 ten thousand; REPRISE_CRASH_ROUNDS says how many. Each round is
drawn from a seed, which a failure prints (what the kernel makes of it is another matter).
"""

import copy
import os
import unittest

from bench import UNLOCKED
from crowd import MOST, Crowd, Ledger, Member, Violation, whole_commits

NIGHTLY = "REPRISE_NIGHTLY" in os.environ
STRIDE = int(os.environ.get("REPRISE_CRASH_STRIDE", 1))
ROUNDS = int(os.environ.get("REPRISE_CRASH_ROUNDS", 10_000 if NIGHTLY else 1_000 // STRIDE))
SEED = int(os.environ.get("REPRISE_CRASH_SEED", 1))


class CrowdTest(unittest.TestCase):
    def test_a_crowd_writes_what_some_order_of_them_would_have_written(self):
        crowd = Crowd(SEED)
        for number in range(ROUNDS):
            try:
                crowd.round(MOST if number % 50 == 49 else None)
            except Violation as broken:
                self.fail(f"REPRISE_CRASH_SEED={SEED}, round {number}, run {crowd.run}: {broken}")
        crowd.finish()
        print(dict(crowd.done))
        self.assertGreater(crowd.done["killed"], 0)

    def test_a_program_without_locks_is_caught(self):
        crowd = Crowd(SEED, LD_PRELOAD=UNLOCKED)
        with self.assertRaises((Violation, AssertionError)):
            for _ in range(400):
                crowd.round(12)


class LedgerTest(unittest.TestCase):
    """Each kind of broken journal is seen."""

    @classmethod
    def setUpClass(cls):
        crowd = Crowd(SEED)
        post = Member(
            ("task:post", crowd.run, "t1", "--status", "ok", "--value-inline", "1"), "t1", "1"
        )
        sent = Member(("run:signal", crowd.run, "x", "--value-inline", '"v"'), value='"v"')
        claim = Member(("task:claim", crowd.run, "t1", "--worker", "w"), worker="w")
        crowd.home.must("run:iterate", crowd.run, now=None)
        cls.before = crowd.read()
        for each in (claim, sent, post):
            force = ("--force",) if each is post else ()
            each.exit = crowd.home.run(*each.words, *force, now=None).exit
        crowd.home.must("run:iterate", crowd.run, now=None)
        cls.members = (claim, sent, post)
        cls.after = crowd.read()

    def follow(self, records, members=None):
        Ledger(self.before).follow(records, members or self.members)

    def broken(self, records, members=None):
        for number, record in enumerate(records, 1):
            record["seq"] = number
        with self.assertRaises(Violation):
            self.follow(records, members)

    def test_the_true_journal_is_accepted(self):
        self.follow(self.after)

    def test_what_is_lost_or_twice_is_seen(self):
        for at in range(len(self.before), len(self.after)):
            record = self.after[at]
            if record["type"] != "EFFECT_REQUESTED":
                with self.subTest("lost", type=record["type"]):
                    self.broken(copy.deepcopy(self.after[:at] + self.after[at + 1 :]))
            with self.subTest("twice", type=record["type"]):
                self.broken(copy.deepcopy([*self.after, record]))

    def test_a_change_of_what_was_recorded_is_seen(self):
        changed = copy.deepcopy(self.after)
        changed[0]["at"] = "2026-01-01T00:00:00.000Z"
        self.broken(changed)

    def test_what_was_refused_must_not_be_there(self):
        for kind in range(3):
            members = copy.deepcopy(self.members)
            members[kind].exit = 4
            with self.subTest(members[kind].words[0]):
                self.broken(copy.deepcopy(self.after), members)

    def test_half_a_commit_is_left_out(self):
        self.assertEqual(whole_commits(b'{"seq":1,"more":true}\n{"seq":2,"n":2}'), [])


if __name__ == "__main__":
    unittest.main()
