"""Each bench notices what it is there for: it is given a careless program, or damage that nobody
finds.

The others have that beside them: oracle_test.py, crowd_test.py, planted_test.py; tests/power,
tests/simulation and tests/fuzz.
"""

import unittest
from unittest import mock

import bench
import concurrency_test
import cut_test
import damage_test
import drive_kill_test
import durability_test
import flip_test
import home_kill_test
import repair_test
import scenario
import sync_test
from bench import BENCH, CARELESS, UNLOCKED
from double_kill_test import Pairs
from fault_sweep_test import failed
from kill_sweep_test import killed
from scenario import RUN, Scenario
from scenarios import OK, checklist
from sweep import sweep
from traps import faults, kills


def preloaded(library):
    """All commands run with this library."""
    clean = bench.environment
    changed = mock.Mock(side_effect=lambda **more: clean(LD_PRELOAD=library, **more))
    return mock.patch.multiple(bench, environment=changed), mock.patch.multiple(
        scenario, environment=changed
    )


def post():
    """Anew each time: a scenario keeps the home that it was given."""
    return Scenario("a small result", "task:post", (RUN, "t1", *OK), checklist(2, 1))


class CanFail(unittest.TestCase):
    def preload(self, library):
        for patch in preloaded(library):
            patch.start()
            self.addCleanup(patch.stop)

    def complaints(self, case, name):
        """Of this test, up to its first failure."""
        result = unittest.TestResult()
        result.failfast = True
        unittest.TestSuite([case(name)]).run(result)
        self.assertEqual(result.testsRun, 1)
        return [text for _, text in (*result.failures, *result.errors)]

    def complains(self, case, name, of):
        found = self.complaints(case, name)
        self.assertTrue(found, "nothing was noticed")
        self.assertRegex(found[0], of)


class CarelessProgram(CanFail):
    def setUp(self):
        self.preload(CARELESS)

    def sweeps(self, traps, check, of):
        failures, _ = sweep(post(), traps, check)
        self.assertTrue(failures, "nothing was noticed")
        self.assertRegex(failures[0], of)

    def test_the_kill_sweep(self):
        self.sweeps(kills, killed, "acknowledged record is gone")

    def test_the_double_kill(self):
        pairs = Pairs(post())
        self.sweeps(kills, pairs.again, "acknowledged record is gone")

    def test_the_fault_sweep(self):
        self.sweeps(lambda calls: faults(calls, str(BENCH)), failed, "RECORDS_MISSING")

    def test_the_kills_of_a_drive(self):
        self.complains(drive_kill_test.Drive, "test_with_the_mock", "AssertionError")

    def test_the_kills_of_commands_without_a_run(self):
        with mock.patch.object(home_kill_test, "environment", bench.environment):
            name = "test_a_configuration_is_the_old_one_or_the_new_one"
            self.complains(home_kill_test.AgentConfig, name, "AssertionError")

    def test_durability(self):
        self.complains(
            durability_test.Durability, "test_what_is_acknowledged_is_synced", "ahead of the disk"
        )

    def test_a_failed_sync(self):
        self.complains(sync_test.FailedSync, "test_the_commit_is_cut_off_again", "StopIteration")


class WithoutLocks(CanFail):
    def test_concurrency(self):
        self.preload(UNLOCKED)
        for _ in range(5):  # it takes two at the same moment
            if self.complaints(
                concurrency_test.Concurrency, "test_different_results_for_one_effect"
            ):
                return
        self.fail("nothing was noticed")


class NothingIsFound(CanFail):
    """To a reader that finds no damage a run looks as if there were none."""

    def blind(self, case, verb, name):
        """`verb` is what does the damage, in a copy of the template if that is not there yet."""

        def nothing(self, *_, **__):
            return type(self).home.copy() if "home" in vars(type(self)) else self.template.copy()

        with mock.patch.object(case, verb, nothing):
            self.complains(case, name, "AssertionError")

    def test_cut(self):
        for name in (
            "test_acknowledged_records_are_missed",
            "test_without_a_witness_whole_commits_are_kept",
        ):
            self.blind(cut_test.Cut, "cut", name)

    def test_flip(self):
        for name in (
            "test_a_flipped_bit_is_found_and_its_line_is_named",
            "test_no_command_writes_behind_a_flipped_bit",
            "test_without_a_witness_only_the_last_commit_can_pass_for_torn",
        ):
            self.blind(flip_test.Flip, "flipped", name)

    def test_damage(self):
        for name in (
            "test_swapped_records_are_found",
            "test_a_record_taken_out_is_found",
            "test_a_record_put_in_twice_is_found",
            "test_an_empty_journal_is_found",
        ):
            self.blind(damage_test.Records, "put", name)

    def test_repair(self):
        for name in (
            "test_records_that_are_gone",
            "test_swapped_records",
            "test_a_record_that_is_cut",
            "test_a_torn_tail_needs_no_consent",
        ):
            self.blind(repair_test.Repair, "damaged", name)


if __name__ == "__main__":
    unittest.main()
