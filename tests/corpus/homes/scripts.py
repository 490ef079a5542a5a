"""Scripts that wait for each thing, ended in each way, whose course was changed; checklists."""

import json

from authoring import go_on

# The waits of waits.mjs, in their order.
WAITS = ("task", "person", "time", "signal", "bounded", "limited", "child")


def in_flight(home):
    for place, name in enumerate(WAITS):
        home.begin(f"for-{name}", "waits.mjs", **{"from": place})
    home.do("task:claim", "for-limited", "t1", "--worker", "w", "--lease", "2h")
    home.begin("halfway", "waits.mjs")
    home.post("halfway", "make", {"success": True, "exitCode": 0, "stdout": "made"}, "--iterate")
    home.begin("answered", "steps.mjs", steps=1)
    home.post("answered", "t1", {"success": True, "exitCode": 0, "stdout": "one"})
    home.create("fresh", "steps.mjs")
    home.do("run:create", "--run-id", "bare", "--simulated", "--input", "steps=1")
    home.begin("paused", "steps.mjs")
    home.do("run:pause", "paused", "--reason", "the disk is full")
    home.begin("racing", "races.mjs", items=["a", "b", "c"])
    home.post("racing", "t2", {"image": "slow and steady"}, "--iterate")
    home.begin("older", "older.cjs", "--label", "team=web", topic="hooks")
    home.begin("older-answered", "older.cjs", topic="cursors")
    home.post("older-answered", "t1", "All about cursors", "--iterate")
    signals(home)


def signals(home):
    """Sent before they are awaited, never awaited, and taken."""
    home.begin("chat", "chat.mjs")
    home.do("run:signal", "chat", "message", "--value-inline", '"hello"', "--key", "mail-17")
    home.iterate("chat")
    home.do("run:signal", "chat", "message", "--value-inline", '"are you there?"')
    home.do("run:signal", "chat", "other", "--value-inline", '{"never":"awaited"}')
    home.create("told-before", "chat.mjs")
    for text in ("one", "two"):
        home.do("run:signal", "told-before", "message", "--value-inline", f'"{text}"')
    home.begin("cancelled-open", "cleans.mjs")
    home.do("run:cancel", "cancelled-open", "--reason", "not needed")


def change_what_is_in_flight(home):
    """Each command that changes the course of a run."""
    home.ask("run:resume", "paused", "--reason", "there is room")
    home.ask("run:pause", "chat", "--reason", "quiet")
    home.ask("run:halt", "answered", "--reason", "enough")
    home.ask("run:cancel", "older", "--reason", "no", "--iterate")
    home.ask("task:cancel", "racing", "t3", "--reason", "not needed")
    home.ask("run:signal", "for-signal", "news", "--value-inline", "[1,2]", "--key", "n")
    home.ask("run:signal", "for-signal", "news", "--value-inline", "[1,2]", "--key", "n")
    home.ask("run:assign-process", "bare", "--entry", "steps.mjs")
    home.ask("run:assign-process", "halfway", "--entry", "steps.mjs", "--dry-run")
    home.ask("run:assign-process", "halfway", "--entry", "steps.mjs", "--yes", "--abandon")
    home.ask("run:rewind", "older-answered", "--before", "t1", "--dry-run")
    home.ask("run:rewind", "older-answered", "--before", "t1", "--yes")
    home.ask("run:rebuild-state", "for-person")
    for words in ((), ("--if-absent",), ("--if-absent", "--input", "other=1"), ("--dry-run",)):
        home.ask("run:create", "--run-id", "new", "--entry", "steps.mjs", "--simulated", *words)
    home.ask("run:create", "--run-id", "list", "--process", "checklist", "--input", 'steps=["a"]',
             "--simulated", "--label", "team=web", "--request", "a list")  # fmt: skip
    home.ask("process:check", ".", "--against-open")
    home.ask("process:test", "steps.mjs", "--script", "steps.answers.json")
    for run in ("paused", "bare", "halfway", "older-answered", "new", "list"):
        home.drive(run)


def read_in_flight(home):
    """Queries, pages, and commands that end at once."""
    home.ask("run:list", "--status", "waiting", "--waiting-for", "signal")
    home.ask("run:list", "--label", "team=web", "--limit", "1")
    home.ask("run:list", "--limit", "3", "--after", "for-person")
    home.ask("event:tail", "--limit", "1")
    home.ask("run:wait", "for-person", "--for", "people")
    home.ask("run:status", "for-time", "--exit-status")
    home.ask("approval:show", "for-person", "--key", "ask")
    home.ask("task:show", "halfway", "--key", "make")


def ended(home):
    ok = {"success": True, "exitCode": 0, "stdout": "made"}
    failed = {"success": False, "exitCode": 2, "stderr": "no rule"}
    no_room = {"name": "JobFailed", "message": "no capacity", "data": {"code": 17}}
    home.create("completed", "steps.mjs", steps=1)
    home.drive("completed")
    home.begin("caught", "catches.mjs")
    home.post("caught", "t1", error={"name": "CommandFailed", "message": "no", "data": failed})
    home.iterate("caught")
    home.post("caught", "t2", None, error=no_room)
    home.drive("caught")
    home.begin("caught-waits", "catches.mjs")
    home.post("caught-waits", "t1", failed, "--iterate")
    home.post("caught-waits", "t2", error=no_room)
    for run in ("failed", "retried"):
        home.begin(run, "catches.mjs", rethrow=True)
        home.post(run, "t1", ok, "--iterate")
        home.post(run, "t2", error=no_room)
        home.iterate(run)
    home.do("run:retry", "retried")
    home.begin("threw", "small.mjs", name="bad", how="throw")
    home.post("threw", "t1", 1)
    home.iterate("threw")
    home.begin("halted-itself", "small.mjs", name="short", how="halt")
    home.post("halted-itself", "t1", {"left": 0})
    home.iterate("halted-itself")
    home.begin("halted", "steps.mjs")
    home.do("run:halt", "halted", "--reason", "wrong branch")
    home.begin("cleaned", "cleans.mjs")
    home.do("run:cancel", "cleaned", "--reason", "not needed")
    home.drive("cleaned")
    home.begin("cleaning", "cleans.mjs")
    home.do("run:cancel", "cleaning")
    home.iterate("cleaning")
    changed(home, ok)
    home.create("put-away", "steps.mjs", steps=1)
    home.drive("put-away")
    home.create("put-away-family", "family_of_one.mjs")
    home.drive("put-away-family")
    home.do("run:archive", "put-away", "put-away-family")
    home.do("run:create", "--run-id", "deleted", "--simulated")
    home.do("run:delete", "deleted", "--yes", "--force")


def changed(home, ok):
    """Histories in which not every record counts."""
    home.begin("rewound", "steps.mjs")
    home.post("rewound", "t1", ok, "--iterate")
    home.do("run:rewind", "rewound", "--before", "t1", "--reason", "wrong branch", "--yes")
    home.iterate("rewound")
    home.begin("other-code", "steps.mjs", steps=1)
    home.post("other-code", "t1", ok, "--iterate")
    home.do("run:assign-process", "other-code", "--entry", "catches.mjs", "--yes")
    home.iterate("other-code")


def read_archive(home):
    away = ("--runs-dir", "/corpus/homes/ended/archive")
    home.ask("run:list", "--all", *away)
    for run in ("put-away", "put-away-family", "put-away-family.t1"):
        for command in ("run:status", "run:verify", "run:events", "run:output"):
            home.ask(command, run, *away)
    home.ask("run:watch", "completed", "--after", "3")
    home.ask("run:watch", "failed")
    home.ask("run:wait", "completed")
    home.ask("run:archive", "completed", "caught", "--dry-run")
    home.ask("run:archive", "completed", "caught")
    home.ask("run:delete", "halted", "--dry-run")
    home.ask("run:delete", "halted")
    home.ask("run:delete", "halted", "--yes")
    home.ask("run:retry", "failed", "--dry-run")
    home.ask("run:retry", "failed")
    home.ask("run:retry", "threw")
    home.ask("run:list", "--all")


def checklists(home):
    """The built-in process for steps, blobs, and a journal of two segments."""
    home.begin("steps", "checklist", steps=["make", "make test"])
    home.begin("half", "checklist", steps=["make", "make test"])
    home.post("half", "t1", {"success": True, "exitCode": 0, "stdout": "x" * 70_000})
    home.begin("failed-step", "checklist", steps=["make", "make test"])
    home.post("failed-step", "t1", {"success": False, "exitCode": 1, "stdout": ""}, "--iterate")
    home.create("blob", "checklist", steps=["a"], more="y" * 70_000)
    home.create("segments", "checklist", steps=[f"step-{n}" for n in range(142)])
    journal = home.path / "runs" / "segments" / "journal"
    home.iterate("segments")
    for effect in range(1, 142):
        if (journal / "00000002.jsonl").exists():
            break
        value = {"exitCode": 0, "stdout": "z" * 60_000}
        home.ask("task:post", "segments", f"t{effect}", "--status", "ok", "--value", "-",
                 "--iterate", stdin=json.dumps(value))  # fmt: skip


def family(home):
    home.begin("together", "family.mjs")
    home.begin("parts", "family.mjs")
    for child in ("t1", "t2", "t3"):
        home.iterate(f"parts.{child}")
    home.post("parts.t1", "t1", 1, "--iterate")
    home.post("parts.t2", "t1", 2)
    home.iterate("parts.t5", "--children")
    home.begin("untold", "family_of_one.mjs")
    home.iterate("untold", "--children")
    # The child ends while its parent is elsewhere: nobody has told it.
    aside = home.path / "aside"
    (home.path / "runs" / "untold").rename(aside)
    home.post("untold.t1", "t1", {"image": "g"})
    home.ask("run:iterate", "untold.t1")
    aside.rename(home.path / "runs" / "untold")
    home.begin("stopped", "family.mjs")
    home.do("run:cancel", "stopped", "--reason", "no")


def go_on_with_children(home):
    home.ask("run:iterate", "parts", "--children")
    home.ask("run:iterate", "stopped", "--children")
    home.ask("run:tree", "parts", "--depth", "1")
    home.ask("run:list", "--parent", "parts")
    go_on()(home)


HOMES = {
    "flight": (False, in_flight, {
        "read": read_in_flight,
        "change": change_what_is_in_flight,
        "go-on": go_on(),
        "late": go_on("for-bounded", "for-limited", "for-time", late=True),
    }),
    "ended": (False, ended, {
        "archive": read_archive,
        "go-on": go_on("caught-waits", "retried", "rewound", "other-code", "cleaning"),
    }),
    "checklists": (False, checklists, {
        "go-on": go_on("steps", "half", "failed-step", "blob"), "segment": go_on("segments"),
    }),
    "family": (False, family, {"go-on": go_on_with_children}),
}  # fmt: skip
