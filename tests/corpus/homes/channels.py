"""Conversations: in the middle of a turn, with queues, workers, branches, threads, rights."""

import json

from authoring import go_on

PLAIN = ("--setting", "routing.policy=direct", "--setting", "memory.recall=false")
BY = ("--by", "anna")


def say(home, channel, text, name, *words):
    home.do("message:post", channel, text, "--id", name, "--author", "anna", *words)


def channel(home, name, *words):
    home.do("channel:create", name, "--simulated", *PLAIN, *words)


def reply(home, name, value=None, error=None, posted=True):
    """Posts the result of the oldest open effect of a channel."""
    action = home.iterate(name)["nextActions"][0]
    if error:
        return home.post(name, action["effectId"], error=error)
    return home.post(name, action["effectId"], value, *(("--iterate",) if posted else ()))


def talking(home):
    channel(home, "turn", "--name", "Turn")
    for number in (1, 2, 3):
        say(home, "turn", f"question {number}", f"m{number}")
    usage = {"promptTokens": 12, "completionTokens": 5}
    turns = [{"kind": "tool_use", "tool": "Read", "input": {"file": "a"}, "id": "u1"}]
    said = {"text": "answer 1", "sessionId": "s1", "usage": usage, "turns": turns, "model": "tiny"}
    reply(home, "turn", said)
    home.do("task:claim", "turn", "--next", "--worker", "w", "--lease", "1h")
    progress = json.dumps({"turn": {"kind": "message", "text": "answer 2, so f"}})
    effect = home.iterate("turn")["nextActions"][0]["effectId"]
    home.do("task:progress", "turn", effect, "--value-inline", progress, "--force")
    channel(home, "answered")
    say(home, "answered", "hello", "m1")
    reply(home, "answered", {"text": "hello, anna"}, posted=False)
    channel(home, "held")
    say(home, "held", "one", "m1")
    say(home, "held", "two", "m2", "--priority", "2")
    say(home, "held", "later", "m3", "--delay", "10m")
    home.do("channel:stop", "held", "--hold", "--reason", "wait", *BY)
    channel(home, "asks")
    say(home, "asks", "deploy it", "m1", "--mode", "plan")
    reply(home, "asks", {"text": "", "plan": "1. build\n2. deploy"})
    channel(home, "failing")
    say(home, "failing", "hello", "m1")
    reply(home, "failing", error={"name": "ModelFailed", "message": "no such model"})
    home.do("message:post", "threads", "what is new?", "--id", "m1", "--author", "anna",
            "--simulated", *PLAIN)  # fmt: skip
    home.do("channel:create", "thread", "--parent", "threads", "--simulated")
    say(home, "thread", "apart", "m1")
    channel(home, "private", "--owner", "anna", "--member", "bob")
    say(home, "private", "mine", "m1")
    home.do("message:post", "private", "not mine", "--id", "m2", "--author", "eve")
    say(home, "private", "by the way", "m3", "--context")
    full(home)


def full(home):
    """Its context has to be folded."""
    limits = ("--setting", "contextWindow=400", "--setting", "compactor.keepMessages=2",
              "--setting", "compactor.keepTokens=20")  # fmt: skip
    channel(home, "full", *limits)
    for number in range(1, 5):
        say(home, "full", f"{number} " + "word " * 60, f"m{number}")
        actions = home.iterate("full")["nextActions"]
        if any(action["kind"] == "compaction" for action in actions):
            break
        reply(home, "full", {"text": "and " * 40})


def settle(home):
    """Every command that changes a conversation."""
    key = ("--key", "k", *BY)
    home.ask("message:post", "turn", "question 4", "--id", "m4", "--author", "anna")
    home.ask("message:post", "turn", "question 4", "--id", "m4", "--author", "anna")
    home.ask("message:reorder", "turn", "m4", "m3", *key[:2])
    home.ask("message:delay", "turn", "m3", "--delay", "1h")
    home.ask("message:cancel", "turn", "m4", *key)
    home.ask("message:interrupt", "turn", "no, the other", "--id", "m5", "--author", "anna")
    home.ask("message:route", "turn", "--explain", "please implement the fix")
    home.ask("message:list", "turn", "--all")
    home.ask("channel:config", "turn", "--setting", "prefix=!", "--name", "Turned")
    home.ask("channel:config", "turn")
    home.ask("channel:stop", "turn", "--reason", "enough", *key)
    home.ask("channel:hold", "answered", *key)
    home.ask("channel:release", "held", *key)
    home.ask("channel:recover", "failing", *key)
    home.ask("channel:close", "answered", "--reason", "done", *key)
    home.ask("channel:allow", "turn", "--user", "anna", "--as", "owner")
    home.ask("channel:allow", "turn", "--role", "guests")
    home.ask("channel:deny", "turn", "--role", "guests")
    home.ask("channel:delete", "threads", "--dry-run")
    home.ask("channel:delete", "threads")
    home.ask("channel:delete", "threads", "--yes", *BY)
    home.ask("channel:create", "new", "--simulated", "--name", "New", "--label", "a=b")
    home.ask("channel:list", "--all")
    for name in ("turn", "answered", "held", "failing", "new"):
        home.ask("channel:show", name)
        home.ask("run:events", name, "--all")


def read_channels(home):
    home.ask("channel:list", "--all")
    home.ask("channel:list", "--parent", "threads")
    for name in ("turn", "answered", "held", "asks", "failing", "threads", "thread", "private",
                 "full"):  # fmt: skip
        home.ask("channel:show", name)
        home.ask("channel:config", name)
        home.ask("message:list", name, "--all")
    home.ask("message:list", "turn", "--limit", "1")


def working(home):
    """Workers and branches in each state."""
    channel(home, "work")
    home.do("worker:spawn", "work", "tidy up", "--title", "Tidy", "--tool", "file")
    home.do("worker:spawn", "work", "release", "--mode", "interactive", "--task-id", "task-7")
    home.do("worker:spawn", "work", "never begun")
    home.do("worker:spawn", "work", "count", "--entry", "small.mjs", "--inputs", "-",
            stdin='{"name":"count"}')  # fmt: skip
    home.do("worker:spawn", "work", "write it down")
    home.do("worker:spawn", "work", "fail")
    home.do("branch:spawn", "work", "compare the two designs")
    home.do("branch:spawn", "work", "what is to be done?\ntodo: write a tutorial")
    home.do("task:claim", "work", "--key", "worker:w1", "--worker", "w", "--lease", "2h")
    home.post("work", "worker:w2", {"status": "waiting", "report": "which?"}, "--iterate")
    home.do("worker:cancel", "work", "w3", "--reason", "not needed")
    made = {"kind": "text", "title": "Notes", "mediaType": "text/plain", "content": "x" * 3000}
    home.post("work", "worker:w5", {"summary": "written", "artifact": made}, "--iterate")
    home.post("work", "worker:w6", {"status": "failed", "error": "no disk"}, "--iterate")
    state = home.iterate("work")
    branch = [action for action in state["nextActions"] if action["kind"] == "branch"][-1]
    home.post("work", branch["effectId"], {"summary": "a tutorial is missing"}, "--iterate")


def go_on_with_workers(home):
    home.ask("worker:list", "work", "--all")
    home.ask("branch:list", "work", "--all")
    for worker in ("w1", "w2", "w3", "w4", "w5", "w6"):
        home.ask("worker:show", "work", worker)
    for branch in ("b1", "b2"):
        home.ask("branch:show", "work", branch)
    for artifact in home.ask("artifact:list", "work", "--all")["artifacts"]:
        home.ask("artifact:show", "work", artifact["artifactId"])
    home.ask("channel:show", "work")
    home.ask("message:list", "work", "--all")
    home.ask("worker:route", "work", "w2", "--command", "continue", "--text", "this one")
    home.ask("worker:cancel", "work", "w1", "--reason", "enough")
    home.ask("worker:spawn", "work", "one more", "--key", "k")
    home.ask("branch:spawn", "work", "think again", "--key", "b")
    go_on()(home)
    home.ask("channel:show", "work")
    home.ask("worker:list", "work", "--all")


HOMES = {
    "channels": (False, talking, {"read": read_channels, "settle": settle, "go-on": go_on()}),
    "workers": (False, working, {"go-on": go_on_with_workers}),
}
