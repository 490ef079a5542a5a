"""The commands of the subconscious loop, in the situations in which they write."""

import json

ACTION = "tidy up"
MOCK = {
    "executors": {
        "mock": {
            "type": "mock",
            "answers": [
                {
                    "kind": "evaluate",
                    "value": {"evaluations": [{"taskId": "task-4", "decision": "escalate"}]},
                },
                {"kind": "agent", "value": f"RECOMMENDED ACTION: {ACTION}"},
            ],
        }
    },
    "match": [{"kind": "evaluate", "executor": "mock"}, {"kind": "agent", "executor": "mock"}],
}
RUN = "subconscious"
LOOK = ("add", "Look", "--key", "k", "--by", "anna")
ACT = '{"evaluations":[{"taskId":"task-4","decision":"act"}]}'


def nothing(_):
    """Not even a folder of runs."""


def looking(home):
    """A loop with a task."""
    (home.path / "runs").mkdir()
    home.must("heartbeat:tasks", *LOOK)


def evaluated(home):
    """A loop with a task and an executor that evaluates: the next beat opens a tick."""
    looking(home)
    (home.path / "config.json").write_text(json.dumps(MOCK))


def paused(home):
    looking(home)
    home.must("heartbeat:pause", "--by", "anna")


def failed_card(home):
    """What was approved has failed."""
    looking(home)
    (home.path / "config.json").write_text(json.dumps(MOCK))
    home.must("heartbeat:run-now", "--no-wait")
    evaluation = '{"evaluations":[{"taskId":"task-4","decision":"escalate"}]}'
    home.must("task:post", RUN, "t1", "--status", "ok", "--value-inline", evaluation, "--iterate")
    advice = json.dumps(f"RECOMMENDED ACTION: {ACTION}")
    home.must("task:post", RUN, "t2", "--status", "ok", "--value-inline", advice, "--iterate")
    home.must("approval:approve", RUN, "t3", "--by", "anna", "--iterate")
    home.must("task:post", RUN, "t4", "--status", "error", "--iterate")


def sending(home):
    """Something with full permission was begun, and is not resolved."""
    looking(home)
    home.must("heartbeat:tasks", "edit", "task-4", "--intent", "write")
    home.must("heartbeat:run-now", "--no-wait")
    home.must("task:post", RUN, "t1", "--status", "ok", "--value-inline", ACT, "--iterate")


BY = ("--by", "anna")
DISABLE = ("disable", "task-1", "--key", "k", *BY)
RUN_ONLY = f"runs/{RUN}"

# (name, command, words, prepare, stdin, traps at calls on paths that hold this)
LOOP_CASES = (
    ("the first of a home", "heartbeat:tasks", LOOK, nothing, "", "runs"),
    ("of a loop", "heartbeat:tasks", DISABLE, looking, "", RUN_ONLY),
    ("a tick", "heartbeat:run-now", ("--no-wait", "--key", "k"), looking, "", RUN_ONLY),
    ("a loop", "heartbeat:pause", BY, looking, "", RUN_ONLY),
    ("a loop", "heartbeat:resume", BY, paused, "", RUN_ONLY),
    ("what is begun", "heartbeat:abandon", ("task-4", "--key", "k", *BY), sending, "", RUN_ONLY),
    (
        "a card",
        "approval:retry",
        (RUN, "t3", "--repeat-key", "k", *BY),
        failed_card,
        "",
        RUN_ONLY,
    ),
)
