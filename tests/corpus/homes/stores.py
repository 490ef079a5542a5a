"""Memories, schedules, and hooks that events did not reach."""

import json
import shutil

from authoring import go_on


def memory(home):
    rain = ("--scope", "project:weather", "--importance", "0.9")
    home.do("memory:save", "It rains in Hamburg", *rain)
    home.do("memory:save", "Anna prefers short answers", "--scope", "channel:web", "--key", "a")
    home.do("memory:save", "We deploy on Fridays", "--kind", "decision", "--source", "person:anna")
    by_bob = ("--kind", "decision", "--metadata", '{"by":"bob"}')
    home.do("memory:save", "We deploy on Mondays", *by_bob)
    home.do("memory:save", "Write the changelog", "--kind", "todo", "--expires", "1h")
    home.do("memory:save", "It was a test")
    ids = [one["memoryId"] for one in home.do("memory:list", "--all")["memories"]]
    ids.reverse()
    home.do("memory:link", ids[3], ids[2], "--relation", "supersedes", "--provenance", "anna")
    home.do("memory:link", ids[0], ids[1], "--relation", "about", "--weight", "0.5")
    home.do("memory:forget", ids[5], "--reason", "it was a test")
    home.do("memory:recall", "rain", "hamburg")
    home.begin("learns", "learns.mjs", told="Bob prefers long answers")


def remember(home):
    home.ask("memory:list", "--all", "--hidden")
    home.ask("memory:list", "--scope", "global", "--limit", "1")
    for one in home.ask("memory:list", "--all")["memories"]:
        home.ask("memory:show", one["memoryId"])
    home.ask("memory:recall", "fridays", "--explain", "--no-record")
    exported = home.ask("memory:export")
    home.ask("memory:import", "-", "--dry-run", stdin=json.dumps(exported))
    more = {"memories": [{"memoryId": "x1", "note": "It snows"}], "links": []}
    home.ask("memory:import", "-", stdin=json.dumps(more))
    home.ask("memory:recall", "what", "does", "anna", "like", "--key", "k")
    saved = home.ask("memory:save", "Cows give milk", "--id", "m3")
    home.ask("memory:save", "It hails", "--kind", "fact")
    home.ask("memory:link", "m3", "m5", "--relation", "contradicts")
    home.ask("memory:forget", "m5", "m7")
    home.clock = "2026-03-01T08:00:00Z"
    home.ask("memory:recall", "deploy", "--explain")
    home.ask("memory:list", "--all")
    go_on()(home)
    return saved


def schedules(home):
    make = ("--command", "make")
    home.do("channel:create", "general", "--simulated", "--setting", "routing.policy=direct",
            "--setting", "memory.recall=false")  # fmt: skip
    home.do("schedule:add", "--cron", "30 9 * * MON-FRI", "--tz", "Europe/Berlin", *make,
            "--name", "space")  # fmt: skip
    home.do("schedule:add", "News?", "--every", "90m", "--channel", "general", "--name", "news",
            "--as", "anna", "--auto-delete", "1h")  # fmt: skip
    home.do("schedule:add", "--at", "2026-01-05T12:00", "--entry", "steps.mjs", "--input",
            "steps=1", "--name", "once")  # fmt: skip
    home.do("schedule:add", "--every", "1h", *make, "--name", "off", "--disabled")
    home.do("schedule:add", "--cron", "@daily", "--entry", "builtin:checklist", "--input",
            'steps=["make"]', "--name", "daily")  # fmt: skip
    home.do("schedule:add", "--every", "2h", *make, "--name", "gone")
    home.do("schedule:remove", "gone")
    home.do("schedule:run-now", "space")
    state = home.iterate("schedules")
    home.post("schedules", state["nextActions"][0]["effectId"], {"success": True, "exitCode": 0})
    home.clock = "2026-01-05T10:00:00Z"
    home.do("heartbeat", "--set", "visor.bootstrapBulletin=false")


def fire(home):
    home.ask("schedule:list")
    home.ask("schedule:log", "--all")
    for name in ("space", "news", "once", "off", "daily"):
        home.ask("schedule:show", name)
    home.ask("heartbeat", "--dry-run")
    home.ask("schedule:edit", "off", "--every", "3h", "--key", "e")
    home.ask("schedule:enable", "off")
    home.ask("schedule:disable", "space")
    home.ask("schedule:run-now", "daily", "--key", "r")
    home.ask("schedule:remove", "once")
    home.ask("schedule:add", "--every", "5h", "--command", "df", "--name", "df", "--key", "d")
    home.clock = "2026-01-06T10:00:00Z"
    home.ask("heartbeat", "--set", "visor.bootstrapBulletin=false")
    home.ask("schedule:log", "--all")
    home.ask("schedule:list")
    home.ask("message:list", "general")
    go_on()(home)


# The hook takes what comes while there is an agent called ear. What reached it stands in `told`.
RECEIVER = 'test -e "$REPRISE_HOME/agents/ear" && cat >> "$REPRISE_HOME/told"'
HOOKS = {
    "hooks": {
        "bell": {"types": ["steps.done", "memory.*"], "command": ["/bin/sh", "-c", RECEIVER]},
        "parked": {"types": ["steps.done"], "command": ["/bin/false"], "attempts": 1},
    }
}
QUIET = ("--set", "visor.bootstrapBulletin=false")


def hooks(home):
    home.write("config.json", HOOKS)
    (home.path / "runs").mkdir(parents=True)
    home.do("agent:create", "ear")
    home.do("heartbeat", *QUIET)
    home.begin("told", "steps.mjs", steps=0)
    (home.path / "agents").rename(home.path / "aside")
    home.do("memory:save", "It rains")
    home.begin("untold", "steps.mjs", steps=0)
    shutil.rmtree(home.path / "aside")
    # A command without a configuration tells nobody, as one that died before it could.
    (home.path / "config.json").rename(home.path / "aside")
    home.do("memory:save", "It snows")
    (home.path / "aside").rename(home.path / "config.json")


def deliver(home):
    home.ask("hook:list")
    home.ask("heartbeat", "--dry-run")
    home.ask("event:tail", "--type", "steps.*")
    home.ask("hook:retry", "parked")
    home.clock = "2026-01-05T09:00:00Z"
    home.ask("heartbeat", *QUIET)
    home.ask("hook:list", "bell")
    home.ask("agent:create", "ear")
    home.ask("hook:retry", "bell")
    home.ask("hook:list")
    go_on("told", "untold")(home)


HOMES = {
    "memory": (False, memory, {"remember": remember}),
    "schedules": (False, schedules, {"fire": fire}),
    "hooks": (False, hooks, {"deliver": deliver}),
}
