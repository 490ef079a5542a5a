"""run:drive, run:start and task:exec killed at any system call, or with one that fails: no result
is lost or recorded twice, nothing that they began goes on, and the next one goes on without waiting
for the dead one's lease.

A killed drive leaves a lost attempt in the history, so the other sweeps' oracle, which wants the
same history as without harm, does not fit: what must hold is said here."""

import itertools
import json
import os
import pathlib
import select
import time
import unittest

from bench import BENCH, NOW, TIMEOUT_S, Home, environment
from harness import validate
from sweep import EVERY, STRIDE
from traps import faults, kills, list_calls, spring

RUN = "r"
STEPS = 3
MOCK = {
    "executors": {"fake": {"type": "mock", "value": {"exitCode": 0, "success": True}}},
    "match": [{"kind": "shell", "executor": "fake"}],
    "drive": {"minFreeBytes": 0},
}
SHELL = {"drive": {"minFreeBytes": 0}}
# Of the calls of a drive that runs programs: it makes many while it waits.
SHELL_SAMPLE = 1 if EVERY else 24


def configured(config):
    home = Home()
    (home.path / "runs").mkdir()
    (home.path / "config.json").write_text(json.dumps(config))
    return home


def checklist(home, command, now):
    steps = f"--input=steps={json.dumps([command] * STEPS)}"
    words = ("--run-id", RUN, "--process", "checklist", steps)
    simulated = ("--simulated",) if now else ()
    home.must("run:create", *words, *simulated, now=now)


def events_of(answer):
    """Those that were written as a whole."""
    lines = [line for line in answer.out.split("\n")[:-1] if line]
    return [json.loads(line) for line in lines]


class Killed(unittest.TestCase):
    def resolutions(self, home, now):
        """By effect: the attempts that have a result."""
        found = {}
        for record in home.must("run:events", RUN, "--all", now=now)["events"]:
            validate(record["data"], record["type"])
            if record["type"] == "EFFECT_RESOLVED":
                found.setdefault(record["data"]["effectId"], []).append(record["data"]["attempt"])
        return found

    def sweep(self, template, words, now, sample=1, after_kill=lambda home: None, traps_of=None):
        complete = template.copy()
        _, calls = list_calls(complete, words, now=now)
        complete.remove()
        sprung_count = 0
        traps = traps_of(calls) if traps_of else kills(calls, EVERY)
        traps = itertools.islice(traps, 0, None, STRIDE * sample)
        for call, trap in traps:
            with self.subTest(trap=trap, call=str(call)):
                home = template.copy()
                answer, sprung = spring(home, words, trap, now=now)
                sprung_count += sprung
                after_kill(home)
                self.check(home, answer, words, now)
                home.remove()
        self.assertGreater(sprung_count, 0)


class Exec(Killed):
    def check(self, home, _, words, now):
        """What is recorded stays, and is not done again; else the next one does it."""
        done = self.resolutions(home, now)
        answer = home.run(*words, now=now)
        self.assertEqual(answer.exit, 4 if done else 0, answer)
        results = self.resolutions(home, now)
        self.assertEqual({effect: len(attempts) for effect, attempts in results.items()}, {"t1": 1})
        self.assertLessEqual(done.items(), results.items())
        self.assertEqual(home.run("run:verify", RUN, now=now).exit, 0)

    def test_a_command_is_taken_over(self):
        home = configured({})
        checklist(home, "make", NOW)
        home.must("run:iterate", RUN)
        self.sweep(home, ("task:exec", RUN, "t1", "--", "true"), NOW)


class Drive(Killed):
    def check(self, home, killed, words, now):
        """After the kill: what was told is recorded, and the next drive ends the run."""
        told = [event for event in events_of(killed) if event.get("event") == "finished"]
        if (home.run_dir(RUN)).exists():
            recorded = self.resolutions(home, now)
            for event in told:
                self.assertEqual(recorded.get(event["effectId"]), [event["attempt"]], killed)
        answer = home.run(*words, now=now)
        self.assertEqual(answer.exit, 0, (killed, answer))
        self.assertEqual(events_of(answer)[-1]["status"], "completed", answer)
        results = self.resolutions(home, now)
        self.assertEqual(sorted(results), [f"t{n}" for n in range(1, STEPS + 1)], answer)
        self.assertTrue(all(len(attempts) == 1 for attempts in results.values()), results)
        verdict = home.run("run:verify", RUN, now=now)
        self.assertEqual(verdict.exit, 0, verdict)

    def test_with_the_mock(self):
        home = configured(MOCK)
        checklist(home, "make", NOW)
        self.sweep(home, ("run:drive", RUN), NOW)

    def test_a_fault_with_the_mock(self):
        """A call that fails once: the drive goes on, or says why not and loses nothing. (A fault
        that lasts has it try again for long, so it is left to the sweep of everything.)"""

        def once(calls):
            all_of_them = faults(calls, str(BENCH), EVERY)
            return (each for each in all_of_them if EVERY or "+:" not in each[1])

        home = configured(MOCK)
        checklist(home, "make", NOW)
        self.sweep(home, ("run:drive", RUN), NOW, 1 if EVERY else 4, traps_of=once)

    def test_start_with_the_mock(self):
        steps = f"steps={json.dumps(['make'] * STEPS)}"
        flags = ("--run-id", RUN, "--if-absent", "--simulated")
        words = ("run:start", "builtin:checklist", steps, *flags)
        self.sweep(configured(MOCK), words, NOW, sample=3)

    def test_with_programs(self):
        """The work hangs, so that the kill finds it running; behind the kill nothing is left."""
        gate = "test -e $REPRISE_HOME/open || { : > $REPRISE_HOME/begun; exec sleep 600; }"
        home = configured(SHELL)
        checklist(home, gate, None)

        def after_kill(killed):
            (killed.path / "open").touch()
            self.assertEqual(self.wait_for_none(killed), [])

        (home.path / "open").touch()
        self.sweep(home, ("run:drive", RUN), None, SHELL_SAMPLE, after_kill)

    def test_while_a_program_runs(self):
        """Killed from outside, with the work in full flight."""
        import subprocess

        home = configured(SHELL)
        checklist(home, "test -e $REPRISE_HOME/open || { : > $REPRISE_HOME/begun; "
                        "(sleep 600 & setsid sleep 600 & wait) ; }", None)
        drive = subprocess.Popen(
            home.command("run:drive", RUN, now=None), env=environment(), cwd="/",
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.wait_until(lambda: (home.path / "begun").exists())
        drive.kill()
        out, _ = drive.communicate(timeout=TIMEOUT_S)
        self.assertEqual(self.wait_for_none(home), [])
        (home.path / "open").touch()
        answer = home.run("run:drive", RUN, now=None)
        self.assertEqual(answer.exit, 0, (out, answer))
        self.assertTrue(all(len(a) == 1 for a in self.resolutions(home, None).values()))
        home.remove()

    def wait_until(self, holds):
        deadline = time.monotonic() + TIMEOUT_S
        while not holds():
            self.assertLess(time.monotonic(), deadline, "it never came")
            select.select([], [], [], 0.005)

    def wait_for_none(self, home):
        """What still runs of the work of this home's runs, once it had time to end."""
        deadline = time.monotonic() + 30
        while (left := self.working_in(home)) and time.monotonic() < deadline:
            select.select([], [], [], 0.005)
        return left

    def working_in(self, home):
        mark = f"REPRISE_HOME={home.path}".encode()
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == os.getpid():
                continue
            try:
                if mark in (entry / "environ").read_bytes().split(b"\0"):
                    found.append((entry / "cmdline").read_bytes().replace(b"\0", b" "))
            except OSError:
                pass
        return found


if __name__ == "__main__":
    unittest.main()
