"""The subconscious loop: tasks, a tick that is open, cards that wait, failed and were approved."""

from authoring import go_on

ACTION = "tidy up"
BY = ("--by", "anna")
MOCK = {
    "executors": {"mock": {"type": "mock", "answers": [
        {"kind": "evaluate", "value": {"evaluations": [
            {"taskId": "task-1", "decision": "noop", "reason": "nothing"},
            {"taskId": "task-4", "decision": "escalate", "reason": "urgent"}]}},
        {"kind": "act", "value": "One memory is new."},
        {"kind": "agent", "value": f"Three are urgent.\nRECOMMENDED ACTION: {ACTION}"},
    ]}},
    "match": [{"kind": kind, "executor": "mock"} for kind in ("evaluate", "act", "agent")],
}  # fmt: skip


def evaluation(**by_task):
    found = [{"taskId": task.replace("_", "-"), "decision": decision, "reason": "because"}
             for task, decision in by_task.items()]  # fmt: skip
    return {"evaluations": found}


def tasks(home):
    home.write("config.json", MOCK)
    home.write("HEARTBEAT.md", "# Look at\n\n- Look at the disks\n- [ ] Send the digest\n")
    home.do("heartbeat:tasks", "add", "Check urgent mails", *BY)
    home.do("heartbeat:tasks", "add", "Post the news", "--recurrence", "0 9 * * 1-5",
            "--tz", "Europe/Berlin", *BY)  # fmt: skip
    home.do("heartbeat:tasks", "add", "Once", "--recurrence", "once", "--intent", "read")
    home.do("heartbeat:tasks", "disable", "task-2", *BY)


def tick(home, *posts):
    home.do("heartbeat:run-now", "--no-wait")
    for value in posts:
        action = home.iterate("subconscious")["nextActions"][-1]
        home.post("subconscious", action["effectId"], value, "--iterate")


def evaluating(home):
    tasks(home)
    tick(home)


def card_waits(home):
    tasks(home)
    tick(home, evaluation(task_1="noop", task_4="escalate"), f"RECOMMENDED ACTION: {ACTION}")


def card_failed(home):
    card_waits(home)
    (card,) = [action for action in home.iterate("subconscious")["nextActions"]
               if action["kind"] == "breakpoint"]  # fmt: skip
    home.do("approval:approve", "subconscious", card["effectId"], *BY, "--iterate")
    action = home.iterate("subconscious")["nextActions"][-1]
    home.post("subconscious", action["effectId"], error={"name": "AgentFailed", "message": "no"})
    home.iterate("subconscious")


def begun(home):
    """Something with full permission was begun, and the loop is paused."""
    tasks(home)
    home.do("heartbeat:tasks", "edit", "task-4", "--intent", "write")
    tick(home, evaluation(task_4="act"))
    home.do("heartbeat:pause", "--reason", "on holiday", *BY)


def look(home):
    home.ask("heartbeat:tasks")
    home.ask("heartbeat:status")
    home.ask("heartbeat:log", "--all")
    home.ask("heartbeat:log", "--task", "task-4")


def change(home):
    look(home)
    home.ask("heartbeat:tasks", "add", "Look again", "--key", "k")
    home.ask("heartbeat:tasks", "edit", "task-4", "--title", "Check mails")
    home.ask("heartbeat:tasks", "enable", "task-2")
    home.ask("heartbeat:tasks", "remove", "task-6")
    home.ask("heartbeat:pause", *BY)
    home.ask("heartbeat:resume", *BY)
    home.ask("heartbeat:abandon", "task-4", "--key", "a")
    look(home)
    go_on()(home)
    look(home)


def retry_the_card(home):
    look(home)
    cards = home.ask("task:list", "subconscious", "--kind", "breakpoint")["tasks"]
    home.ask("approval:show", "subconscious", cards[-1]["effectId"])
    home.ask("approval:retry", "subconscious", cards[-1]["effectId"], "--repeat-key", "k", *BY)
    home.clock = "2026-01-05T09:00:00Z"
    home.ask("heartbeat")
    go_on()(home)
    look(home)


def perform(home):
    look(home)
    home.clock = "2026-01-05T08:10:00Z"
    home.ask("heartbeat:run-now")
    look(home)
    home.ask("run:drive", "subconscious", "--dry-run")
    home.ask("run:events", "subconscious", "--all")


HOMES = {
    "loop-open": (False, evaluating, {"change": change, "perform": perform}),
    "loop-card": (False, card_waits, {"change": change, "retry": retry_the_card}),
    "loop-failed": (False, card_failed, {"retry": retry_the_card}),
    "loop-begun": (False, begun, {"change": change}),
}
