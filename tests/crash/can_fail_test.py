"""Each bench notices what it is there for: it is given a careless program, or damage that nobody
finds.

The others have that beside them: oracle_test.py, crowd_test.py, planted_test.py; tests/power,
tests/simulation and tests/fuzz.
"""

import unittest
from unittest import mock

import bench
import channel_kill_test
import concurrency_test
import cut_test
import damage_test
import drive_kill_test
import durability_test
import flip_test
import home_kill_test
import repair_test
import scenario
import starved_test
import surroundings_test
import sync_test
from bench import AHEAD, BENCH, CARELESS, UNLOCKED, Home, create_script, drive
from double_kill_test import Pairs
from fault_sweep_test import failed
from kill_sweep_test import killed
from scenario import RUN, Scenario
from scenarios import OK, checklist
from surroundings_test import YEAR_SECONDS
from sweep import sweep
from traps import faults, kills


USERS = (bench, channel_kill_test, home_kill_test, scenario, surroundings_test)


def preloaded(library, **variables):
    """All commands run with this library."""
    clean = bench.environment

    def changed(**more):
        return clean(**{"LD_PRELOAD": library, **variables, **more})

    return [mock.patch.object(module, "environment", changed) for module in USERS]


def post():
    """Anew each time: a scenario keeps the home that it was given."""
    return Scenario("a small result", "task:post", (RUN, "t1", *OK), checklist(2, 1))


class CanFail(unittest.TestCase):
    def preload(self, library, **variables):
        for patch in preloaded(library, **variables):
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

    def test_the_kills_of_a_deletion(self):
        name = "test_repeating_it_does_the_rest"
        self.complains(channel_kill_test.Delete, name, "AssertionError")

    def test_the_kills_of_commands_without_a_run(self):
        name = "test_a_configuration_is_the_old_one_or_the_new_one"
        self.complains(home_kill_test.AgentConfig, name, "AssertionError")

    @unittest.skipUnless(surroundings_test.ROOT, "only root can mount a small disk")
    def test_a_full_disk(self):
        self.complains(surroundings_test.Privileged, "test_a_full_disk", "AssertionError")

    def test_durability(self):
        self.complains(
            durability_test.Durability, "test_what_is_acknowledged_is_synced", "ahead of the disk"
        )

    def test_a_failed_sync(self):
        self.complains(sync_test.FailedSync, "test_the_commit_is_cut_off_again", "StopIteration")


class DoneAllTheSame(CanFail):
    def test_memory_that_runs_out(self):
        """A command that fails, and says that it is done."""
        case, judge = post(), starved_test.Starved().judge
        done = case.template.copy().run(*case.line)

        def says_done(*words, **options):
            return done, starved_test.sprung_by(*words, **options)[1]

        failures, _ = sweep(case, lambda _: starved_test.allocations(case), judge, says_done)
        self.assertTrue(failures, "nothing was noticed")
        self.assertRegex(failures[0], "acknowledged, but not recorded")


class BlindToSurroundings(CanFail):
    def test_a_clock_that_is_behind(self):
        """To a program that believes in one clock, the journal's, nothing is behind."""
        self.preload(AHEAD, CLOCK_AHEAD_S=str(YEAR_SECONDS))
        self.complains(surroundings_test.Clock, "test_readers_warn", "warnings")
        self.complains(surroundings_test.Clock, "test_writers_refuse", "AssertionError")

    @unittest.skipUnless(surroundings_test.ROOT, "only root can become somebody else")
    def test_who_may_only_read(self):
        with mock.patch.object(surroundings_test, "NOBODY", ()):
            name = "test_a_run_that_may_only_be_read"
            self.complains(surroundings_test.Privileged, name, "AssertionError")

    def test_where_a_run_is(self):
        """Decisions that come from elsewhere than the journal, as another seed makes them."""

        def another(_):
            home = Home()
            create_script(home, steps=2, random=True)
            for action in drive(home, RUN, 1)["nextActions"]:
                bench.post(home, RUN, action)
            return home

        with mock.patch.object(Home, "copy", another):
            name = "test_in_another_place_and_time"
            self.complains(surroundings_test.Moved, name, "AssertionError")


class WithoutLocks(CanFail):
    def test_locks_that_are_held(self):
        self.preload(UNLOCKED)
        for name in (
            "test_a_held_lock_is_waited_for_no_longer_than_asked",
            "test_the_replacement_is_what_counts",
        ):
            self.complains(surroundings_test.Lock, name, "AssertionError")

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
