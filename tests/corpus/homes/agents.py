"""Agents and their heartbeats, projects and the board, the visor and its bulletins."""

from authoring import go_on

BY = ("--by", "anna")
PLAIN = ("--setting", "routing.policy=direct", "--setting", "memory.recall=false")
EARLIER, LATER = "2026-01-05T07:00:00Z", "2026-01-05T09:00:00Z"


def agents(home):
    home.do("agent:create", "scout", "--model", "tiny", "--heartbeat", "-", stdin="Look around.\n")
    home.do("agent:create", "coder", "--runtime", "command", "--instructions", "-",
            "--setting", "tools.permission=read", stdin="Be brief.\n")  # fmt: skip
    home.do("agent:config", "scout", "heartbeat.enabled=true", "heartbeat.intervalMinutes=30")
    home.do("agent:heartbeat", "scout", "--run-now")
    (asked,) = home.iterate("agents")["nextActions"]
    home.post("agents", asked["effectId"], "The disk is nearly full.", "--iterate")
    home.clock = LATER
    home.do("heartbeat", "--set", "visor.bootstrapBulletin=false")


def beat(home):
    home.ask("agent:list")
    for agent in ("scout", "coder"):
        home.ask("agent:show", agent)
        home.ask("agent:config", agent)
    home.ask("agent:heartbeat", "scout")
    home.ask("agent:config", "coder", "selectedModel=large")
    home.ask("agent:create", "third", "--if-absent")
    home.ask("heartbeat:status")
    home.clock = "2026-01-05T10:00:00Z"
    home.ask("heartbeat")
    home.ask("agent:heartbeat", "scout", "--run-now", "--key", "k")
    go_on()(home)
    home.ask("agent:heartbeat", "scout")


def board(home):
    home.do("agent:create", "coder")
    home.do("channel:create", "web", "--simulated", *PLAIN)
    home.do("channel:create", "apart", "--simulated", *PLAIN)
    home.do("project:create", "site", "--name", "The site", "--channel", "web", *BY)
    home.do("project:create", "empty", "--description", "Nothing yet", *BY)
    home.do("board:add", "site", "update the changelog", "--priority", "high", *BY)
    home.do("board:add", "site", "fix the login", "--channel", "web", "--status", "ready", *BY)
    home.do("board:add", "site", "write a tutorial", "--status", "pending_approval", *BY)
    home.do("board:add", "site", "done already", *BY)
    home.do("board:move", "card-4", "done", "--reason", "it is merged", *BY)
    home.do("board:add", "site", "ask first", "--channel", "web", "--status", "ready", *BY)
    home.do("board:add", "site", "by mistake", *BY)
    home.do("board:remove", "card-6", "--reason", "by mistake", *BY)
    home.do("branch:spawn", "web", "look at it\n- [ ] compress the images")
    actions = home.iterate("web")["nextActions"]
    workers = [action["effectId"] for action in actions if action["kind"] == "worker"]
    home.post("web", workers[0], {"summary": "it is fixed"}, "--iterate")
    home.do("heartbeat", "--set", "visor.bootstrapBulletin=false")
    home.clock = LATER


def manage(home):
    home.ask("project:list")
    home.ask("project:show", "site")
    home.ask("board:list", "--all")
    home.ask("board:list", "site", "--status", "needs_review")
    for card in range(1, 7):
        home.ask("board:show", f"card-{card}")
    home.ask("project:link", "empty", "apart", "--past", *BY)
    home.ask("project:link", "empty", "apart", "--unlink", *BY)
    home.ask("project:create", "third", "--key", "k", *BY)
    home.ask("board:add", "empty", "first", "--key", "f", *BY)
    home.ask("board:approve", "card-3", "--ready", *BY)
    home.ask("board:assign", "card-1", "--channel", "web", "--agent", "coder", *BY)
    home.ask("board:move", "card-1", "ready", *BY)
    home.ask("board:move", "card-4", "ready", *BY)
    home.ask("board:assign", "card-3", "--nobody", *BY)
    home.ask("board:remove", "card-3", *BY)
    home.ask("heartbeat")
    go_on("web", "apart")(home)
    home.ask("heartbeat")
    home.ask("board:list", "--all")
    home.ask("run:events", "board", "--all")


def watched(home):
    """A worker that hangs, a bulletin, a memory."""
    home.clock = EARLIER
    home.do("channel:create", "web", "--simulated", *PLAIN)
    home.do("worker:spawn", "web", "tidy up")
    home.do("task:claim", "web", "--next", "--worker", "w", "--lease", "24h")
    home.do("memory:save", "Ship it", "--kind", "goal")
    home.do("heartbeat")
    home.clock = "2026-01-05T08:00:00Z"
    home.do("heartbeat")
    home.do("memory:save", "It is shipped", "--kind", "decision")


def watch(home):
    home.ask("visor:status")
    home.ask("visor:status", "--set", "visor.workerTimeoutSeconds=1", now=False)
    bulletins = home.ask("bulletin:list", "--all")["bulletins"]
    home.ask("bulletin:show")
    for one in bulletins:
        home.ask("bulletin:show", one["bulletinId"])
    home.ask("channel:show", "web")
    home.clock = LATER
    home.ask("heartbeat", "--dry-run")
    home.ask("heartbeat")
    home.ask("bulletin:list", "--all")
    go_on("web", "visor")(home)


HOMES = {
    "agents": (False, agents, {"beat": beat}),
    "board": (False, board, {"manage": manage}),
    "visor": (False, watched, {"watch": watch}),
}
