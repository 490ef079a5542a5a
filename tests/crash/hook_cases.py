"""What becomes of events that a hook is told of. The hook is a command that appends each event to a
file of the home; all are events of the run memory, which is what the oracle judges. Besides, each
event must arrive."""

import json

RUN = "memory"
# A beat leaves an event for a while to the command that recorded it.
EARLIER, LATER = "2025-12-31T23:00:00Z", "2026-01-01T01:00:00Z"
# Half an event has no end of line, and half a line does not spoil the next one.
RECEIVER = (
    'read -r event && test ! -e "${REPRISE_HOME:?}/deaf" && '
    'printf "\\n%s %s\\n" "$REPRISE_EVENT_ID" "$event" >> "$REPRISE_HOME/told"'
)
HOOKS = {"hooks": {"bell": {"types": ["memory.saved"], "command": ["/bin/sh", "-c", RECEIVER]}}}
MANY = 100


def hooked(home):
    """A hook that waits for events."""
    (home.path / "runs").mkdir()
    (home.path / "config.json").write_text(json.dumps(HOOKS))
    (home.path / "told").touch()
    home.must("heartbeat", now=EARLIER)


def untold(home, *notes):
    """Saved by commands that told nobody, as if they had died."""
    memories = [{"memoryId": f"x{n}", "note": note} for n, note in enumerate(notes)]
    (home.path / "config.json").rename(home.path / "aside")
    home.must("memory:import", "-", stdin=json.dumps({"memories": memories}), now=EARLIER)
    (home.path / "aside").rename(home.path / "config.json")


def left(home):
    """An event that the hook did not take, and two of which nobody told it."""
    hooked(home)
    (home.path / "deaf").touch()
    home.must("memory:save", "It rains", now=EARLIER)
    (home.path / "deaf").unlink()
    untold(home, "It snows", "It hails")
    home.must("run:list", now=None)


def long_log(home):
    """So many events were delivered that the log is worth a new file; the last one was not."""
    hooked(home)
    untold(home, *(f"note {number}" for number in range(MANY + 1)))
    name = identity(home)
    with (home.path / "hooks" / "bell.log").open("a") as log, (home.path / "told").open("a") as out:
        for event in saved(home)[:-1]:
            payload = json.dumps({"payload": event["data"]["payload"]})
            log.write(f"d {RUN}/{name} {event['seq']}\n")
            out.write(f"{event_id(event, name)} {payload}\n")
    home.must("run:list", now=None)


def identity(home):
    return home.events(RUN)[0]["data"]["identity"]


def event_id(event, name):
    return f"{RUN}/{event['seq']}/{name}"


def saved(home):
    return [event for event in home.events(RUN) if event["type"] == "EVENT_EMITTED"]


def told(home):
    """(id, event) for each whole line that the hook wrote."""
    for line in (home.path / "told").read_text().splitlines():
        name, _, event = line.partition(" ")
        try:
            yield name, json.loads(event)
        except json.JSONDecodeError:
            continue


def all_told(home):
    """Each event is told in the end, and told again it is the same event with the same id."""
    home.must("heartbeat", now=LATER)
    (hook,) = home.must("hook:list", now=None)["hooks"]
    if hook["undelivered"]:
        raise AssertionError(hook)
    name = identity(home)
    payloads = {event_id(event, name): event["data"]["payload"] for event in saved(home)}
    lost = set(payloads) - {name for name, _ in told(home)}
    if lost:
        raise AssertionError(f"the hook was never told of {lost}")
    for name, event in told(home):
        if event["payload"] != payloads[name]:
            raise AssertionError(f"{name} is another event: {event}")


SAVE = ("It thaws", "--key", "k")

# (name, command, words, prepare), traps at calls on paths that hold this
HOOK_CASES = (
    (("events for a hook", "heartbeat", (), left), "hooks/"),
    (("events for a hook, while it takes them", "heartbeat", (), left), "/told"),
    (("a hook with a long log", "heartbeat", (), long_log), "hooks/"),
    (("what a hook did not take", "hook:retry", (), left), "hooks/"),
    (("that tells a hook", "memory:save", SAVE, hooked), "hooks/"),
)
