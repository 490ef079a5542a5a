"""Every command that writes, in the situations in which it writes something.

A new command joins the sweeps with an entry in SCENARIOS; until then they fail and say so.
"""

import json
import os
import re
import subprocess

from bench import (
    PARENT,
    PROCESS,
    WAITS,
    Home,
    create_checklist,
    create_script,
    drive,
    post,
    result_of,
)
from aged import age
from beat_cases import HOME_BEATS
from board_cases import BOARD_CASES
from channel_scenarios import CHANNEL_SCENARIOS
from history_cases import HISTORY_CASES
from hook_cases import HOOK_CASES, all_told
from loop_cases import LOOP_CASES, evaluated
from memory_cases import MEMORY_CASES
from schedule_cases import SCHEDULE_CASES, overdue
from scenario import RUN, Scenario, due, nothing

SEGMENT = f"runs/{RUN}/journal/00000001.jsonl"
LARGE_INPUTS = json.dumps({"steps": ["a"], "more": "x" * 70_000})
LARGE = json.dumps({"success": True, "exitCode": 0, "stdout": "x" * 70_000, "stderr": ""})


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


def aged(prepare):
    """The same run as version 0.1.0 would have left it."""

    def prepare_aged(home):
        prepare(home)
        age(home.run_dir(RUN))

    return prepare_aged


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


# Told by its process, a claimer that asks again is told the same.
CLAIMER = ("--worker", "w", "--pid", str(os.getpid()))
CREATE = ("--run-id", RUN, "--simulated", "--if-absent")
OK = ("--status", "ok", "--value-inline", '{"success":true,"exitCode":0}')
SAME = ("--status", "ok", "--value-inline", result_of({"kind": "shell", "label": "step-1"}))
FROM_STDIN = ("--status", "ok", "--value", "-")
SCRIPT = ("--entry", str(PROCESS), "--input", "steps=1", "--input", "brief=true")
NEWER = (RUN, "--rules", "newest", "--yes")
OTHER = ("--entry", str(PROCESS.parent / "other.mjs"), "--process-id", "other")
STEPS = ("--input", 'steps=["a","b"]')
# The files of the index are swept by commands that only ask; scripts go on in processes of their
# own.
BEATS = (
    (("a result", "heartbeat", (), due(checklist(2, 1, answered=True))), RUN),
    (("a child that ended", "heartbeat", (), due(parent(1, ended=True))), RUN),
    (("a schedule", "heartbeat", (), due(overdue)), "schedules"),
    (("a tick", "heartbeat", (), due(evaluated)), "subconscious"),
)

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
    Scenario("newer rules, a script", "run:assign-process", NEWER, aged(script(1, 1, True))),
    Scenario("newer rules, a checklist", "run:assign-process", NEWER, aged(checklist(2, 1))),
    Scenario("after an error", "run:retry", (RUN,), failed),
    Scenario("a script", "run:rewind", (RUN, "--before", "t1", "--yes"), script(1, 1, True)),
    Scenario("the first time, a script", "run:iterate", (RUN,), script(1, brief=True)),
    Scenario("side by side, a script", "run:iterate", (RUN,), script(1, 1, answered=True)),
    Scenario(
        "the last time, a script", "run:iterate", (RUN,), script(1, 1, answered=True, brief=True)
    ),
    Scenario("the first time, a checklist", "run:iterate", (RUN,), checklist()),
    Scenario("the last time, a checklist", "run:iterate", (RUN,), checklist(2, 2, answered=True)),
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
    Scenario("a script", "run:rebuild-state", (RUN,), script(1, 1, answered=True, brief=True)),
    Scenario("a checklist", "run:rebuild-state", (RUN,), checklist(3, 2)),
    *(Scenario(*case, long=True, every=2) for case in HISTORY_CASES),
    *(Scenario(*case, run="memory", focus=at, varies=True) for *case, at in MEMORY_CASES),
    *(
        Scenario(*case, run=run, focus=f"runs/{run}", varies=True, describes=case[0] == "a tick")
        for case, run in BEATS
    ),
    *(
        Scenario(
            *case,
            run=run,
            others=others,
            focus=at,
            varies=True,
            describes=run != "board",
            every=8,
        )
        for case, run, others, at in HOME_BEATS
    ),
    *(
        Scenario(
            *case,
            run="memory",
            focus=at,
            varies=True,
            outside=(1,) if case[1] == "hook:retry" else (),
            holds=all_told,
            every=3,
        )
        for case, at in HOOK_CASES
    ),
    *(
        Scenario(*case, run=run, focus=at, varies=True) for case, run, at in BOARD_CASES
    ),
    *(
        Scenario(
            *case, run="subconscious", focus=at, varies=True, describes=case[0] == "a tick"
        )
        for *case, at in LOOP_CASES
    ),
    *(Scenario(*case, run="schedules") for case in SCHEDULE_CASES),
    Scenario("a torn tail", "run:repair-journal", (RUN,), torn, mends=True),
    Scenario("a corrupt record", "run:repair-journal", (RUN, "--accept-loss"), corrupt, mends=True),
    *CHANNEL_SCENARIOS,
)


def writing_commands():
    """As the binary itself says."""
    commands = Home().must("help", now=None)["commands"]
    return {command["name"] for command in commands if command["writes"]}


# Killed and repeated they have another history, with a lost attempt in it: drive_kill_test.py.
# channel:delete takes runs away: channel_kill_test.py.
COMPOSED = {"task:exec", "run:drive", "run:start", "channel:delete"}


def without_scenario():
    return sorted(writing_commands() - COMPOSED - {scenario.command for scenario in SCENARIOS})


def comparable(home, document):
    """Without what may differ between homes: where they are, seeds and identities of runs, tokens
    of claims."""
    text = json.dumps(document).replace(str(home.path), "HOME")
    text = re.sub(r'"(seed|identity)": "[0-9a-f]+"', r'"\1": "CHANCE"', text)
    text = re.sub(r"/[0-9a-f]{32}\b", "/IDENTITY", text)
    return json.loads(re.sub(r"\bc[0-9]+-[0-9a-f]{8}\b", "TOKEN", text))
