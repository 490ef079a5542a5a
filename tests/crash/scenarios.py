"""Every command that writes, in the situations in which it writes something.

A new command joins the sweeps with an entry in SCENARIOS; until then they fail and say so.
"""

import dataclasses
import functools
import json
import os
import re
import subprocess
from collections.abc import Callable

from bench import (
    PARENT,
    PROCESS,
    WAITS,
    Home,
    create_checklist,
    create_script,
    drive,
    environment,
    post,
    result_of,
)
from memory_cases import MEMORY_CASES

RUN = "r"
SEGMENT = f"runs/{RUN}/journal/00000001.jsonl"
LARGE_INPUTS = json.dumps({"steps": ["a"], "more": "x" * 70_000})
LARGE = json.dumps({"success": True, "exitCode": 0, "stdout": "x" * 70_000, "stderr": ""})


@dataclasses.dataclass(frozen=True)
class Scenario:
    name: str
    command: str
    words: tuple  # what follows the command
    prepare: Callable[[Home], None]  # makes the home in which the command is then given
    stdin: str = ""
    mends: bool = False  # until it is done the run may be unreadable
    warm: bool = True  # the script engine's start-up cache is there
    long: bool = False  # what can fail in it can mostly fail in a shorter one
    unsynced: bool = False  # its journal reaches beyond the witness
    run: str = RUN  # whose journal is judged
    focus: str = ""  # traps only at calls on paths that hold this: the rest is swept elsewhere

    def __str__(self):
        return f"{self.command}, {self.name}"

    @property
    def line(self):
        return (self.command, *self.words)

    def options(self, home):
        """How it is given, besides the words."""
        cache = {} if self.warm else {"XDG_CACHE_HOME": str(home.path / "cache")}
        # A command that mends reads no clock: whether the run may set it stands in what is damaged.
        clock = {"now": None} if self.mends else {}
        return {"stdin": self.stdin, "env": environment(**cache), **clock}

    @functools.cached_property
    def template(self):
        home = Home()
        self.prepare(home)
        return home

    @functools.cached_property
    def acknowledged(self):
        """What the journal must hold whatever happens: all of it, or what `prepare` kept of it."""
        kept = self.template.path / "acknowledged"
        return kept.read_bytes() if kept.exists() else self.template.journal(self.run)


def nothing(home):
    (home.path / "runs").mkdir()


def bare(home):
    inputs = ('--input=steps=["a"]', "--input=brief=true")
    home.must("run:create", "--run-id", RUN, "--simulated", *inputs)


def script(steps=0, rounds=None, answered=False, brief=False):
    """A script that was driven for some rounds; with the results of the last questions posted."""

    def prepare(home):
        create_script(home, steps=steps, random=True, brief=brief)
        if rounds is not None:
            advance(home, rounds, answered)

    return prepare


def checklist(steps=3, rounds=None, answered=False):
    def prepare(home):
        create_checklist(home, steps=steps)
        if rounds is not None:
            advance(home, rounds, answered)

    return prepare


def advance(home, rounds, answered):
    state = drive(home, RUN, rounds)
    if answered:
        for action in state["nextActions"]:
            post(home, RUN, action)


def indexed(home):
    """Somebody has asked about all runs: writers leave marks in changes.log."""
    checklist(2, 1)(home)
    home.must("run:list", now=None)


def keep_acknowledged(home):
    (home.path / "acknowledged").write_bytes(home.journal(RUN))


def posted(home):
    checklist(2, 1)(home)
    home.must("task:post", RUN, "t1", *OK)


def given_up(home):
    """The timer of a signal that came in time: a result of it comes late."""
    home.must("run:create", "--run-id", RUN, "--simulated", "--entry", str(WAITS))
    home.must("run:iterate", RUN)
    home.must("run:signal", RUN, "a")
    home.must("run:iterate", RUN)


def late(home):
    given_up(home)
    home.must("task:post", RUN, "t1", *OK)


def failed(home):
    script(1, 1)(home)
    home.must("task:post", RUN, "t1", "--status", "error", "--error-inline", '"no"')
    home.run("run:iterate", RUN)  # which says that the run failed


def claimed(home):
    checklist(2, 1)(home)
    home.must("task:claim", RUN, "t1", *CLAIMER)


def lost(home):
    """The claim's process is no more."""
    checklist(2, 1)(home)
    gone = subprocess.Popen(["sleep", "60"])
    home.must("task:claim", RUN, "t1", "--pid", str(gone.pid))
    gone.kill()
    gone.wait()


def paused(home):
    checklist(2, 1)(home)
    home.must("run:pause", RUN)


def asking(home):
    """Everything but the last question is answered."""
    script(1, 2, answered=True)(home)
    home.must("run:iterate", RUN)


def parent(rounds=None, ended=False):
    """A run with a child; with `ended` the child has ended and nobody told the parent."""

    def prepare(home):
        entry = ("--entry", str(PARENT), "--input", "steps=1")
        home.must("run:create", "--run-id", RUN, "--simulated", *entry)
        if rounds is not None:
            state = drive(home, RUN, rounds)
        if ended:
            keep = home.path / "kept"
            home.run_dir(RUN).rename(keep)
            (action,) = state["nextActions"]
            drive(home, action["childRunId"])
            keep.rename(home.run_dir(RUN))

    return prepare


def torn(home):
    """A writer died in the middle of its write."""
    checklist(rounds=1)(home)
    keep_acknowledged(home)
    with home.segments(RUN)[-1].open("ab") as journal:
        journal.write(b'{"seq":4,"type":"EFFECT_RESOLVED","at":"20')


def unsettled(home):
    """A writer died between its write and its sync: a whole commit lies behind the witness."""
    checklist(rounds=1)(home)
    keep_acknowledged(home)
    witness = home.run_dir(RUN) / "state" / "head"
    before = witness.read_bytes()
    advance(home, 1, answered=True)
    witness.write_bytes(before)


def corrupt(home):
    """The last acknowledged record is damaged."""
    checklist(rounds=1)(home)
    keep_acknowledged(home)
    advance(home, 1, answered=True)
    damage_last_byte(home)


def damage_last_byte(home):
    journal = home.segments(RUN)[-1]
    whole = journal.read_bytes()
    journal.write_bytes(whole[:-4] + b"?" + whole[-3:])


def full_segment(home):
    """The next commit begins a new segment."""
    create_checklist(home, steps=142)
    value = json.dumps({"exitCode": 0, "stdout": "x" * 60_000})
    while home.segments(RUN)[0].stat().st_size < 8 * 1024 * 1024:
        (action,) = drive(home, RUN, 1)["nextActions"]
        words = ("--status", "ok", "--value-inline", value)
        home.must("task:post", RUN, action["effectId"], *words)


def channel(*posts, answered=False):
    """A channel in which these messages were posted; with `answered` the first has its reply."""

    def prepare(home):
        plain = ("--setting", "routing.policy=direct", "--setting", "memory.recall=false")
        home.must("channel:create", RUN, "--simulated", *plain)
        for name in posts:
            home.must("message:post", RUN, name, "--id", name, *AUTHOR)
        if answered:
            state = home.must("run:iterate", RUN)
            post(home, RUN, state["nextActions"][0])

    return prepare


def held(home):
    channel("m1", "m2")(home)
    home.must("channel:hold", RUN)


def above(home):
    home.must("channel:create", "above", "--simulated", "--platform", "discord")


def working(waiting=False):
    """A channel with a worker; with `waiting` it has come back with a question."""

    def prepare(home):
        channel()(home)
        mode = ("--mode", "interactive")
        home.must("worker:spawn", RUN, "tidy up", *mode)
        if waiting:
            (action,) = home.must("run:iterate", RUN)["nextActions"]
            value = json.dumps({"status": "waiting", "report": "which?"})
            words = ("--status", "ok", "--value-inline", value, "--iterate")
            home.must("task:post", RUN, action["effectId"], *words)

    return prepare


# Told by its process, a claimer that asks again is told the same.
CLAIMER = ("--worker", "w", "--pid", str(os.getpid()))
CREATE = ("--run-id", RUN, "--simulated", "--if-absent")
CHANNEL = (RUN, "--simulated", "--if-absent")
LATER = ("--not-before", "2026-01-02T00:00:00Z")
GO_ON = ("--command", "continue", "--text", "this one")
AUTHOR = ("--author", "anna")
KEY = ("--key", "k", "--by", "anna")
POST = ("hello", "--id", "m9", *AUTHOR)
OK = ("--status", "ok", "--value-inline", '{"success":true,"exitCode":0}')
SAME = ("--status", "ok", "--value-inline", result_of({"kind": "shell", "label": "step-1"}))
FROM_STDIN = ("--status", "ok", "--value", "-")
SCRIPT = ("--entry", str(PROCESS), "--input", "steps=1", "--input", "brief=true")
OTHER = ("--entry", str(PROCESS.parent / "other.mjs"), "--process-id", "other")
STEPS = ("--input", 'steps=["a","b"]')

SCENARIOS = (
    Scenario("a script", "run:create", (*CREATE, *SCRIPT), nothing),
    Scenario(
        "a script, cold engine",
        "run:create",
        (*CREATE, *SCRIPT),
        nothing,
        warm=False,
        focus="/cache",
    ),
    Scenario(
        "the first in a home",
        "run:create",
        (*CREATE, "--process", "checklist", *STEPS),
        lambda home: None,
        focus="/runs",
    ),
    Scenario("a checklist", "run:create", (*CREATE, "--process", "checklist", *STEPS), nothing),
    Scenario(
        "large inputs",
        "run:create",
        (*CREATE, "--process", "checklist", "--inputs", "-"),
        nothing,
        LARGE_INPUTS,
    ),
    Scenario("a checklist", "run:assign-process", (RUN, "--process", "checklist"), bare),
    Scenario("a script", "run:assign-process", (RUN, "--entry", str(PROCESS)), bare),
    Scenario("other code", "run:assign-process", (RUN, *OTHER, "--yes"), script(1, 1, True)),
    Scenario("after an error", "run:retry", (RUN,), failed),
    Scenario("a script", "run:rewind", (RUN, "--before", "t1", "--yes"), script(1, 1, True)),
    Scenario("the first time, a script", "run:iterate", (RUN,), script(1, brief=True)),
    Scenario("side by side, a script", "run:iterate", (RUN,), script(1, 1, answered=True)),
    Scenario(
        "the last time, a script", "run:iterate", (RUN,), script(1, 1, answered=True, brief=True)
    ),
    Scenario(
        "after 100 events, a script",
        "run:iterate",
        (RUN,),
        script(33, 32, answered=True, brief=True),
        long=True,
    ),
    Scenario("the first time, a checklist", "run:iterate", (RUN,), checklist()),
    Scenario("the last time, a checklist", "run:iterate", (RUN,), checklist(2, 2, answered=True)),
    Scenario(
        "after 100 events, a checklist",
        "run:iterate",
        (RUN,),
        checklist(51, 50, answered=True),
        long=True,
    ),
    Scenario("nothing new", "run:iterate", (RUN,), checklist(2, 1)),
    Scenario("behind a torn tail", "run:iterate", (RUN,), torn),
    Scenario("behind an unsynced commit", "run:iterate", (RUN,), unsettled, unsynced=True),
    Scenario("a small result", "task:post", (RUN, "t1", *OK), checklist(2, 1)),
    Scenario(
        "in a home with an index", "task:post", (RUN, "t1", *OK), indexed, focus="changes.log"
    ),
    Scenario("a large result", "task:post", (RUN, "t1", *FROM_STDIN), checklist(2, 1), LARGE),
    Scenario(
        "with logs",
        "task:post",
        (RUN, "t1", *OK, "--stdout-file", str(PROCESS), "--stderr-file", str(PROCESS)),
        checklist(2, 1),
    ),
    Scenario(
        "and iterate, a script",
        "task:post",
        (RUN, "t1", *OK, "--iterate"),
        script(2, 1, brief=True),
    ),
    Scenario("the same again", "task:post", (RUN, "t1", *OK), posted),
    Scenario("too late", "task:post", (RUN, "t1", *OK), given_up),
    Scenario("too late, the same again", "task:post", (RUN, "t1", *OK), late),
    Scenario("after 100 events", "task:post", (RUN, "t50", *OK), checklist(51, 50), long=True),
    Scenario("behind a torn tail", "task:post", (RUN, "t1", *OK), torn),
    Scenario("the same again, unsynced", "task:post", (RUN, "t1", *SAME), unsettled, unsynced=True),
    Scenario("a free effect", "task:claim", (RUN, "t1", *CLAIMER), checklist(2, 1)),
    Scenario("a lost effect", "task:claim", (RUN, "t1", *CLAIMER), lost),
    Scenario("for longer", "task:extend", (RUN, "t1", "--force", "--lease", "20m"), claimed),
    Scenario("a claim", "task:release", (RUN, "t1", "--force"), claimed),
    Scenario("small", "task:progress", (RUN, "t1", "--value-inline", "1"), checklist(2, 1)),
    Scenario("large", "task:progress", (RUN, "t1", "--value", "-"), checklist(2, 1), LARGE),
    Scenario("a lost claim", "run:iterate", (RUN,), lost),
    Scenario("of a checklist", "task:cancel", (RUN, "t1", "--reason", "no"), checklist(2, 1)),
    Scenario("to a checklist", "run:signal", (RUN, "stop", "--key", "k"), checklist(2, 1)),
    Scenario(
        "with a large value",
        "run:signal",
        (RUN, "stop", "--key", "k", "--value", "-"),
        checklist(2, 1),
        LARGE,
    ),
    Scenario("a checklist", "run:halt", (RUN, "--reason", "enough"), checklist(2, 1)),
    Scenario("a script", "run:halt", (RUN,), script(1, 1, answered=True)),
    Scenario("a checklist", "run:pause", (RUN, "--reason", "wait"), checklist(2, 1)),
    Scenario("a checklist", "run:resume", (RUN,), paused),
    Scenario("a checklist", "run:cancel", (RUN, "--reason", "no"), checklist(2, 1)),
    Scenario("and iterate, a checklist", "run:cancel", (RUN, "--iterate"), checklist(2, 1)),
    Scenario("never iterated", "run:cancel", (RUN,), checklist()),
    Scenario("a breakpoint", "approval:approve", (RUN, "t4", "--by", "anna"), asking),
    Scenario("a breakpoint", "approval:deny", (RUN, "t4", "--comment", "no"), asking),
    Scenario("that makes a child", "run:iterate", (RUN,), parent()),
    Scenario("with a child that ended", "run:iterate", (RUN,), parent(1, ended=True)),
    Scenario("and its child", "run:iterate", (RUN, "--children"), parent(1)),
    Scenario("and its child", "run:cancel", (RUN, "--iterate"), parent(1)),
    Scenario(
        "into a new segment", "run:iterate", (RUN,), full_segment, long=True, focus="/journal"
    ),
    Scenario("a channel", "channel:create", (*CHANNEL, "--name", "General"), nothing),
    Scenario("a thread", "channel:create", (*CHANNEL, "--parent", "above"), above),
    Scenario("its settings", "channel:config", (RUN, "--setting", "prefix=!", *KEY[:2]), channel()),
    Scenario("an agent's run", "channel:stop", (RUN, *KEY), channel("m1", "m2")),
    Scenario("an agent's run, and hold", "channel:stop", (RUN, "--hold", *KEY), channel("m1")),
    Scenario("a queue", "channel:hold", (RUN, *KEY), channel("m1", "m2")),
    Scenario("a queue", "channel:release", (RUN, *KEY), held),
    Scenario("an agent's run", "channel:recover", (RUN, *KEY), channel("m1", "m2")),
    Scenario("a session", "channel:close", (RUN, *KEY), channel("m1", answered=True)),
    Scenario("a user", "channel:allow", (RUN, "--user", "anna", *KEY), channel()),
    Scenario("a user", "channel:deny", (RUN, "--user", "anna", *KEY), channel()),
    Scenario("to an idle channel", "message:post", (RUN, *POST), channel()),
    Scenario("to a busy channel", "message:post", (RUN, *POST), channel("m1")),
    Scenario("the same again", "message:post", (RUN, "m1", "--id", "m1", *AUTHOR), channel("m1")),
    Scenario("that makes the channel", "message:post", (RUN, *POST, "--simulated"), nothing),
    Scenario("a large one", "message:post", (RUN, "-", *POST[1:]), channel(), "x" * 70_000),
    Scenario("an agent's run", "message:interrupt", (RUN, *POST), channel("m1", "m2")),
    Scenario("that waits", "message:cancel", (RUN, "m2", *KEY), channel("m1", "m2")),
    Scenario("a queue", "message:reorder", (RUN, "m3", "m2", *KEY[:2]), channel("m1", "m2", "m3")),
    Scenario("that waits", "message:delay", (RUN, "m2", *LATER, *KEY[:2]), channel("m1", "m2")),
    Scenario("interactive", "worker:spawn", (RUN, "tidy up", *KEY[:2]), channel()),
    Scenario("that waits", "worker:route", (RUN, "w1", *GO_ON, *KEY[:2]), working(waiting=True)),
    Scenario("that works", "worker:cancel", (RUN, "w1", *KEY[:2]), working()),
    Scenario("with a prompt", "branch:spawn", (RUN, "compare", *KEY[:2]), channel()),
    Scenario("a script", "run:rebuild-state", (RUN,), script(1, 1, answered=True, brief=True)),
    Scenario("a checklist", "run:rebuild-state", (RUN,), checklist(3, 2)),
    *(Scenario(*case, run="memory", focus=focus) for *case, focus in MEMORY_CASES),
    Scenario("a torn tail", "run:repair-journal", (RUN,), torn, mends=True),
    Scenario("a corrupt record", "run:repair-journal", (RUN, "--accept-loss"), corrupt, mends=True),
)


def writing_commands():
    """As the binary itself says."""
    commands = Home().must("help", now=None)["commands"]
    return {command["name"] for command in commands if command["writes"]}


# task:claim, task:extend and task:post one after the other, each of which is swept. Killed and
# repeated it has another history, with a lost attempt in it: tests/e2e/exec_test.py.
# run:drive and run:start leave a lost attempt, too: drive_kill_test.py. channel:delete takes runs
# away: channel_kill_test.py.
COMPOSED = {"task:exec", "run:drive", "run:start", "channel:delete"}


def without_scenario():
    return sorted(writing_commands() - COMPOSED - {scenario.command for scenario in SCENARIOS})


def comparable(home, document):
    """Without what may differ between homes: where they are, seeds of runs, tokens of claims."""
    text = json.dumps(document).replace(str(home.path), "HOME")
    text = re.sub(r'"seed": "[0-9a-f]+"', '"seed": "SEED"', text)
    return json.loads(re.sub(r"\bc[0-9]+-[0-9a-f]{8}\b", "TOKEN", text))
