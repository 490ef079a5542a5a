"""A command line for every command of the table: a new one is looked at without an entry."""

import json
import subprocess

import harness

# What an argument of that name may be. All others are "x".
VALUES = {
    "EFFECT": "t1",
    "WORKER": "w1",
    "MSGID": "m1",
    "SHELL": "bash",
    "NAME": "note",
    "K=V": "a=1",
    "KEY=VALUE": "runtime=native",
    "COMMAND": "task:post",
    "STATUS": "doing",
    "FROM": "y",
    "TO": "x",
    "EVENT": "r/1",
    "FILE": "main.mjs",
    "FILE|DIR": "main.mjs",
    "PROCESS": "main.mjs",
    "DEST": "../copy",
    "VERB": "list",
}
# What a command needs besides, or must have so that it ends at once.
WORDS = {
    "channel:allow": ["--user", "ada"],
    "channel:delete": ["--yes"],
    "channel:deny": ["--user", "ada"],
    "executor:add": ["--type", "mock"],
    "heartbeat:install": ["--cron"],
    "heartbeat:run-now": ["--no-wait"],
    "message:delay": ["--delay", "1h"],
    "message:route": ["--explain", "m1"],
    "process:test": ["--script", "answers.json"],
    "run:assign-process": ["--entry", "main.mjs", "--yes"],
    "run:cancel": ["--iterate"],
    "run:delete": ["--yes"],
    "run:rewind": ["--before", "t1", "--yes"],
    "run:wait": ["--timeout", "0s"],
    "run:watch": ["--wait-for", "0s"],
    "schedule:add": ["--command", "true", "--every", "1h"],
    "task:exec": ["--", "true"],
    "task:post": ["--status", "ok", "--value-inline", "1", "--iterate"],
    "task:progress": ["--value-inline", "1"],
    "worker:route": ["--command", "input"],
}


def commands():
    """All commands, as `reprise help --json` describes them."""
    printed = subprocess.run(
        [harness.BINARY, "help", "--json"],
        capture_output=True,
        text=True,
        check=True,
        timeout=harness.TIMEOUT_S,
    )
    return json.loads(printed.stdout)["commands"]


def takes_run(command):
    return bool(command["positionals"]) and command["positionals"][0]["name"] == "RUN"


def words_of(command, run):
    """The command line, with `run` for RUN."""
    words = [command["name"]]
    for positional in command["positionals"]:
        name = positional["name"]
        if command["name"] == "help" and name == "VERB":
            continue
        words.append(str(run) if name == "RUN" else VALUES.get(name, "x"))
    return words + WORDS.get(command["name"], [])
