"""The commands of channels that write."""

import json

from bench import post
from scenario import RUN, Scenario, nothing

CHANNEL = (RUN, "--simulated", "--if-absent")
# A time that is over: what waits for one waits for ever in the benches, whose clock stands still.
LATER = ("--not-before", "2025-12-31T00:00:00Z")
GO_ON = ("--command", "continue", "--text", "this one")
AUTHOR = ("--author", "anna")
KEY = ("--key", "k", "--by", "anna")
POST = ("hello", "--id", "m9", *AUTHOR)


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


CHANNEL_SCENARIOS = (
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
)
