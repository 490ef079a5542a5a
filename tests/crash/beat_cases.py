"""What a heartbeat tells the home's own runs: agents, the board, the visor."""

from board_cases import READY, agent, nothing, project
from scenario import RUN, due

EARLIER = "2025-12-31T23:30:00Z"
BULLETIN = ("--set", "visor.bootstrapBulletin=true")
PLAIN = ("--setting", "memory.recall=false")
OVERNIGHT = ("--worker", "w", "--lease", "24h")


def beating(home):
    """An agent that has a heartbeat."""
    agent(home)
    home.must("agent:config", "scout", "heartbeat.enabled=true", now=None)


def reported(home):
    """A card's worker has ended, and nobody told the board."""
    project(READY, ("board:move", "card-1", "ready"), channel=True)(home)
    (action,) = home.must("run:iterate", "web")["nextActions"]
    value = '{"summary":"it is fixed"}'
    words = ("--status", "ok", "--value-inline", value, "--iterate")
    home.must("task:post", "web", action["effectId"], *words)


def hanging(home):
    """A worker that was begun half an hour ago."""
    nothing(home)
    home.must("channel:create", RUN, "--simulated", *PLAIN, now=EARLIER)
    home.must("worker:spawn", RUN, "tidy up", now=EARLIER)
    home.must("run:iterate", RUN, now=EARLIER)
    home.must("task:claim", RUN, "--next", *OVERNIGHT, now=EARLIER)


# (name, command, words, prepare), run, other runs that it tells, traps at calls on paths that hold
# this
HOME_BEATS = (
    (("an agent's", "heartbeat", (), due(beating)), "agents", ("agent-scout",), "runs/agent"),
    (("the news of a channel", "heartbeat", (), due(reported)), "board", ("web",), "runs/board"),
    (("the first bulletin", "heartbeat", BULLETIN, due(nothing)), "visor", (), "runs"),
    (("a worker that hangs", "heartbeat", (), due(hanging)), "visor", (RUN,), "runs"),
)
