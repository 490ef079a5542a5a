"""The commands of agents and of the board, in the situations in which they write. What they write
to are the runs agents and board."""

WHO = ("--by", "anna", "--key", "k")


def nothing(home):
    (home.path / "runs").mkdir()


def project(*commands, channel=False):
    """A home with a project, and what else was done to its board."""

    def prepare(home):
        nothing(home)
        linked = ()
        if channel:
            home.must("channel:create", "web", "--simulated")
            linked = ("--channel", "web")
        home.must("project:create", "site", *linked, "--by", "anna")
        for words in commands:
            home.must(*words, "--by", "anna")

    return prepare


def apart(home):
    """A project, and a channel that does not work for it."""
    project()(home)
    home.must("channel:create", "web", "--simulated")


def agent(home):
    nothing(home)
    home.must("agent:create", "scout", now=None)
    (home.path / "agents" / "scout" / "HEARTBEAT.md").write_text("Look around.\n")


ADD = ("board:add", "site", "fix the login")
PROPOSE = (*ADD, "--status", "pending_approval")
READY = (*ADD, "--channel", "web")

# (name, command, words, prepare), run, traps at calls on paths that hold this
BOARD_CASES = (
    (("the first of all", "project:create", ("site", *WHO), nothing), "board", "runs"),
    (
        ("a channel", "project:link", ("site", "web", *WHO), apart),
        "board",
        "runs/board",
    ),
    (("a card", "board:add", (*ADD[1:], *WHO), project()), "board", "runs/board"),
    (("a card", "board:move", ("card-1", "done", *WHO), project(ADD)), "board", "runs/board"),
    (
        ("a card that gets a worker", "board:move", ("card-1", "ready", *WHO),
         project(READY, channel=True)),
        "board",
        "runs",
    ),
    (
        ("to a channel", "board:assign", ("card-1", "--channel", "web", *WHO),
         project(ADD, channel=True)),
        "board",
        "runs/board",
    ),
    (("a proposal", "board:approve", ("card-1", *WHO), project(PROPOSE)), "board", "runs/board"),
    (("a card", "board:remove", ("card-1", *WHO), project(ADD)), "board", "runs/board"),
    (
        ("the first of all", "agent:heartbeat", ("scout", "--run-now", "--key", "k"), agent),
        "agents",
        "runs",
    ),
)
