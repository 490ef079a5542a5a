"""Runs that are not simulated: work that was performed, claims of processes, what heartbeats begin;
damaged runs; and commands about the home itself."""

import json

from authoring import go_on

MOCK = {
    # The sandbox of this machine is nobody's concern here.
    "executors": {"mock": {"type": "mock", "value": {"image": "made", "text": "an answer"}}},
    "match": [{"kind": "ci-job", "executor": "mock"}, {"kind": "model", "executor": "mock"}],
    "drive": {"jobs": 1},
    "visor": {"bootstrapBulletin": False},
}


def performed(home):
    home.write("config.json", MOCK)
    home.do("run:start", "small.mjs", "name=job", "--run-id", "driven")
    steps = ("run:start", "builtin:checklist", "--run-id")
    home.do(*steps, "steps", 'steps=["echo one","echo two >&2"]')
    home.do(*steps, "no", 'steps=["echo no; exit 3","true"]', exit=1)
    home.begin("asks", "steps.mjs", steps=0)
    home.do("task:exec", "asks", "t1", "--worker", "w", "--", "echo", "left")
    home.do("task:exec", "asks", "t2", "--", "sh", "-c", "echo oops >&2; exit 4", exit=4)
    home.begin("claimed", "patient.mjs")
    home.do("task:claim", "claimed", "--key", "plain", "--worker", "w", "--pid", "1")
    home.do("task:claim", "claimed", "--key", "timed", "--worker", "w", "--lease", "1h")
    home.create("auto", "small.mjs", "--autodrive", name="auto")
    home.begin("sleeping", "waits.mjs", **{"from": 2})
    home.begin("child", "waits.mjs", **{"from": 6})


def drive_on(home):
    home.ask("task:exec", "claimed", "--key", "shaped", "--", "echo", '{"image":"made"}')
    home.ask("task:exec", "claimed", "--key", "retried", "--", "false")
    home.ask("run:drive", "asks", "--dry-run")
    home.ask("run:drive", "asks")
    home.ask("task:logs", "asks", "t2", "--stderr")
    home.ask("approval:approve", "asks", "t3", "--by", "ada")
    home.ask("run:drive", "asks")
    home.ask("run:drive", "child")
    home.ask("visor:status")
    home.ask("heartbeat", "--dry-run")
    home.ask("heartbeat", "--drive")
    home.ask("visor:status")
    home.ask("run:status", "auto")
    home.ask("task:claim", "claimed", "--key", "plain", "--worker", "other")
    home.ask("run:start", "small.mjs", "name=new", "--run-id", "new")
    home.ask("run:start", "small.mjs", "name=new", "--run-id", "new", "--dry-run")
    home.ask("message:post", "talk", "hello", "--id", "m1", "--author", "anna", "--drive",
             "--setting", "memory.recall=false")  # fmt: skip
    home.clock = "2026-01-07T08:00:00Z"
    go_on("sleeping", "claimed")(home)


def ask_the_home(home):
    work = {"runDir": "/tmp", "run": "r", "effect": "t1", "attempt": 1, "kind": "ci-job",
            "definition": {}}  # fmt: skip
    home.ask("init", "/corpus/homes/made")
    home.ask("config:show", "--origin")
    home.ask("config:show", "drive.jobs")
    home.ask("config:path")
    home.ask("trust", "--show")
    home.ask("trust")
    home.ask("trust", "--revoke")
    home.ask("doctor")
    home.ask("doctor", "--fix")
    home.ask("backup", "/corpus/homes/copy", "--verify")
    home.ask("executor:list")
    home.ask("executor:add", "lint", "--match", "task=lint", "--", "./lint-worker", "--json")
    home.ask("executor:test", "mock", "--kind", "ci-job", "--prompt", "go")
    order = {"work": work, "executor": {"name": "mock", **MOCK["executors"]["mock"]}}
    home.ask("executor:perform", stdin=json.dumps(order))
    home.ask("heartbeat:install", "--cron")
    home.ask("heartbeat:install", "--systemd")
    home.ask("process:check", "steps.mjs", "older.cjs")
    home.ask("process:check", "wrong.mjs")


def damaged(home):
    for run in ("torn", "corrupt", "cut", "whole"):
        home.begin(run, "checklist", steps=["make", "make test"])
        home.post(run, "t1", {"success": True, "exitCode": 0, "stdout": "made"}, "--iterate")

    def change(run, how):
        journal = home.path / "runs" / run / "journal" / "00000001.jsonl"
        journal.write_bytes(how(journal.read_bytes()))

    change("torn", lambda bytes: bytes + b'{"seq":5,"type":"EFFECT_RESOLVED","at":"20')
    change("corrupt", lambda bytes: bytes[:-4] + b"?" + bytes[-3:])
    change("cut", lambda bytes: bytes[: bytes.rfind(b"\n", 0, len(bytes) - 1) + 1])


def repair(home):
    for run in ("torn", "corrupt", "cut", "whole"):
        for words in (("--dry-run",), (), ("--accept-loss",), ()):
            # Whether a run may be told the time stands in what is damaged.
            home.ask("run:repair-journal", run, *words, now=False)
    home.ask("run:list")
    go_on()(home)


HOMES = {
    "performed": (True, performed, {"drive-on": drive_on, "home": ask_the_home}),
    "damaged": (False, damaged, {"repair": repair}),
}
