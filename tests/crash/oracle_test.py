"""The oracle must be able to say no: broken runs are put before it."""

import shutil
import unittest
from unittest import mock

import scenarios
from bench import drive
from hook_cases import identity
from oracle import Oracle, Violation, fingerprint
from scenarios import RUN, SCENARIOS


def named(name):
    return next(each for each in SCENARIOS if str(each) == name)


POST = named("task:post, a small result")


class OracleTest(unittest.TestCase):
    def setUp(self):
        self.oracle = Oracle(POST)
        self.home = POST.template.copy()

    def refused(self, why, check):
        with self.assertRaisesRegex(Violation, why):
            check(self.home)

    def test_an_unharmed_run_is_fine(self):
        self.oracle.check(self.home)

    def test_a_done_command_is_fine(self):
        self.home.must(*POST.line)
        self.oracle.check(self.home)

    def test_a_lost_record_is_found_even_when_the_witness_is_lost_with_it(self):
        journal = self.home.segments(RUN)[-1]
        lines = journal.read_bytes().splitlines(keepends=True)
        journal.write_bytes(b"".join(lines[:-1]))
        (self.home.run_dir(RUN) / "state" / "head").unlink()
        shutil.rmtree(self.home.run_dir(RUN) / "state")
        self.assertEqual(self.home.run("run:verify", RUN).exit, 0, "this damage leaves no trace")
        self.refused("acknowledged record is gone", self.oracle.check_journal)

    def test_a_damaged_record_is_found(self):
        scenarios.damage_last_byte(self.home)
        self.refused("acknowledged record is gone or changed", self.oracle.check_journal)

    def test_a_lost_run_is_found(self):
        shutil.rmtree(self.home.run_dir(RUN))
        self.refused("acknowledged record is gone", self.oracle.check_journal)

    def test_another_result_is_found(self):
        self.home.must("task:post", RUN, "t1", "--status", "ok", "--value-inline", "1")
        self.refused("never wrote", self.oracle.check_journal)

    def test_a_record_too_many_is_found(self):
        self.home.must(*POST.line)
        self.home.must("run:iterate", RUN)
        self.refused("never wrote", self.oracle.check_journal)

    def test_half_a_commit_is_found(self):
        self.oracle.ends.remove(len(self.oracle.after))
        self.home.must(*POST.line)
        self.refused("half a commit", self.oracle.check_journal)

    def test_another_end_is_found(self):
        self.home.must(*POST.line)
        (action,) = drive(self.home, RUN, 1)["nextActions"]
        words = ("--status", "ok", "--value-inline", '{"exitCode":3}')
        self.home.must("task:post", RUN, action["effectId"], *words)
        with self.assertRaises(AssertionError):
            self.oracle.check_end(self.home)

    def test_a_leftover_file_is_found(self):
        (self.home.run_dir(RUN) / "tasks" / "t7").mkdir()
        (self.home.run_dir(RUN) / "tasks" / "t7" / "half").write_text("")
        self.refused("files", self.oracle.check)

    def test_a_state_that_was_judged_is_known_by_every_byte(self):
        state = self.home.run_dir(RUN) / "state" / "state.json"
        before = fingerprint(self.home)
        self.assertEqual(before, fingerprint(self.home.copy()))
        state.write_bytes(state.read_bytes()[:-1])
        self.assertNotEqual(before, fingerprint(self.home))

    def test_a_wrong_exit_code_is_found(self):
        answer = self.home.run("run:iterate", "no-such-run")
        with self.assertRaisesRegex(Violation, "exit code"):
            self.oracle.check_failure(self.home, answer, None)

    def test_an_acknowledged_record_that_is_not_there_is_found(self):
        answer = POST.template.copy().run(*POST.line)
        with self.assertRaisesRegex(Violation, "not recorded"):
            self.oracle.check_failure(self.home, answer, None)


class Besides(unittest.TestCase):
    """What must hold of more than the run."""

    def test_an_event_that_never_reaches_the_hook_is_found(self):
        hook = named("heartbeat, events for a hook")
        oracle, home = Oracle(hook), hook.template.copy()
        name = identity(home)
        with (home.path / "hooks" / "bell.log").open("a") as log:
            log.write(f"d memory/{name} 7\n")
        with self.assertRaisesRegex(AssertionError, f"never told of {{'memory/7/{name}'}}"):
            oracle.check(home)

    def test_another_history_of_a_run_that_was_told_is_found(self):
        beat = named("heartbeat, a worker that hangs")
        oracle, home = Oracle(beat), beat.template.copy()
        home.must(*beat.line)
        home.must("message:post", RUN, "hello", "--id", "m1", "--author", "anna")
        with self.assertRaisesRegex(Violation, "another history"):
            oracle.check_end(home)


class Enumeration(unittest.TestCase):
    def test_a_writing_command_without_a_scenario_is_named(self):
        fewer = [each for each in SCENARIOS if each.command != "task:post"]
        with mock.patch.object(scenarios, "SCENARIOS", fewer):
            self.assertEqual(scenarios.without_scenario(), ["task:post"])


if __name__ == "__main__":
    unittest.main()
