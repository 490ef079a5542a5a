"""A home of its own for each test, the real binary, and what its commands answer."""

import atexit
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PROCESS = HERE / "processes" / "steps.mjs"
PARENT = HERE / "processes" / "parent.mjs"
WAITS = HERE / "processes" / "waits.mjs"
sys.path.append(str(HERE.parent / "e2e"))

# The clock of simulated runs stands still: two that did the same are the same byte for byte.
NOW = "2026-01-01T00:00:00Z"


def _program(variable):
    path = os.path.abspath(os.environ.get(variable, ""))
    if not os.access(path, os.X_OK):
        sys.exit(f"${variable} must name a program; docs/testing.md says which")
    return path


REPRISE = _program("REPRISE_BINARY")
TRAP = _program("REPRISE_CRASH_TRAP")
AHEAD = _program("REPRISE_CRASH_AHEAD")
CARELESS = _program("REPRISE_CRASH_CARELESS")
UNLOCKED = _program("REPRISE_CRASH_UNLOCKED")
STARVED = _program("REPRISE_CRASH_STARVED")
FILL = _program("REPRISE_CRASH_FILL")

# They need the path and the variable.
from harness import SANITIZER_OPTIONS, TIMEOUT_S, Answer, fresh_folder  # noqa: E402

BENCH = fresh_folder("reprise-crash-")
atexit.register(shutil.rmtree, BENCH, ignore_errors=True)
_numbers = itertools.count(1)


def fresh_path():
    return BENCH / str(next(_numbers))


def environment(**changes):
    clean = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(BENCH),
        "USER": "tester",
        "LC_ALL": "C",
        "TZ": "UTC",
        # Heartbeats do what a scenario is about, and no more.
        "REPRISE_VISOR_BOOTSTRAP_BULLETIN": "false",
        # Leak checking needs ptrace for itself, and libraries are put before the sanitizer.
        "ASAN_OPTIONS": f"{SANITIZER_OPTIONS}:detect_leaks=0:verify_asan_link_order=0",
    }
    return {**clean, **changes}


class Home:
    """A home with runs in it. Commands get JSON output and the clock of simulated runs."""

    def __init__(self, path=None):
        self.path = path or fresh_path()
        self.path.mkdir(exist_ok=True)

    def copy(self):
        path = fresh_path()
        shutil.copytree(self.path, path, symlinks=True)
        return Home(path)

    def remove(self):
        shutil.rmtree(self.path)

    def command(self, *words, now=NOW):
        clock = ("--now", now) if now else ()
        return [REPRISE, *words, "--json", "--home", str(self.path), *clock]

    def run(self, *words, now=NOW, stdin="", before=(), env=None, cwd="/"):
        """`before` are words in front of the command: a trap, another user. What the command runs
        finds the home in its environment."""
        done = subprocess.run(
            [*before, *self.command(*words, now=now)],
            input=stdin,
            capture_output=True,
            text=True,
            cwd=cwd,
            env={**(environment() if env is None else env), "REPRISE_HOME": str(self.path)},
            timeout=TIMEOUT_S,
            check=False,
        )
        return Answer(words, done)

    def must(self, *words, **options):
        answer = self.run(*words, **options)
        if answer.exit != 0:
            raise AssertionError(answer)
        return answer.json

    def run_dir(self, run):
        return self.path / "runs" / run

    def segments(self, run):
        return sorted((self.run_dir(run) / "journal").glob("*.jsonl"))

    def journal(self, run):
        return b"".join(segment.read_bytes() for segment in self.segments(run))

    def events(self, run, after=0):
        words = ("--after", str(after)) if after else ()
        return self.must("run:events", run, "--all", *words)["events"]


def result_of(action):
    """What the outside world answers: the same to the same question."""
    if action["kind"] == "model":
        return json.dumps({"text": action["label"]})
    if action["kind"] in ("worker", "branch", "compaction"):
        return json.dumps({"summary": action["label"]})
    return json.dumps({"success": True, "exitCode": 0, "stdout": action["label"], "stderr": ""})


def post(home, run, action):
    if "childRunId" in action:
        return drive(home, action["childRunId"])  # which tells its parent
    words = ["--status", "ok", "--value-inline", result_of(action)]
    if "claim" in action:
        words.append("--force")  # the claimer is a scenario's, and will not post
    return home.must("task:post", run, action["effectId"], *words)


def drive(home, run, rounds=None):
    """Iterates and posts until the run ends, well or not, or asks for nothing, or `rounds` are
    over; the last iterate's document."""
    for done in itertools.count(1):
        answer = home.run("run:iterate", run)
        if answer.exit not in (0, 1):
            raise AssertionError(answer)
        state = answer.json
        if state["status"] != "waiting" or done == rounds or not state["nextActions"]:
            return state
        for action in state["nextActions"]:
            post(home, run, action)


def create_script(home, run="r", **inputs):
    words = [f"--input={name}={json.dumps(value)}" for name, value in inputs.items()]
    home.must("run:create", "--run-id", run, "--entry", str(PROCESS), "--simulated", *words)


def create_checklist(home, run="r", steps=3):
    listed = json.dumps([f"step-{i}" for i in range(1, steps + 1)])
    words = ("--process", "checklist", "--simulated", f"--input=steps={listed}")
    home.must("run:create", "--run-id", run, *words)
