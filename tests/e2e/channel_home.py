"""A home with channels, and the tests' own model: results are posted with task:post."""

import json

import harness

MODEL = {"text": "an answer"}
MOCK = {
    "executors": {"model": {"type": "mock", "value": MODEL}},
    "match": [{"kind": "model", "executor": "model"}],
}


class ChannelHome(harness.Home):
    def configure(self, document):
        self.home.mkdir(exist_ok=True)
        (self.home / "config.json").write_text(json.dumps(document))

    def channel(self, name="c", *words):
        # The router and the memory have cases of their own: here every message is answered.
        plain = ("--setting", "routing.policy=direct", "--setting", "memory.recall=false")
        return self.ok("channel:create", name, *plain, *words)

    def say(self, text, *words, channel="c", **options):
        return self.ok("message:post", channel, text, *words, **options)

    def show(self, channel="c"):
        return self.ok("channel:show", channel)["channel"]

    def queue(self, channel="c"):
        return [message["msgId"] for message in self.show(channel)["queue"]]

    def messages(self, channel="c", *words):
        return self.ok("message:list", channel, *words)["messages"]

    def contents(self, channel="c"):
        return [(row["role"], row["content"]) for row in self.messages(channel, "--all")]

    def open(self, kind="model", channel="c"):
        """The open effects of a kind, by id."""
        pending = self.ok("channel:show", channel)["pending"]
        return [effect["effectId"] for effect in pending if effect["kind"] == kind]

    def answer(self, channel="c", now=(), **result):
        """Answers what the agent is asked, as an executor would."""
        (effect,) = self.open(channel=channel)
        value = json.dumps({**MODEL, **result})
        words = ("--status", "ok", "--value-inline", value, "--iterate", *now)
        return self.ok("task:post", channel, effect, *words)

    def events(self, kind, run="c"):
        """The payloads of the domain events of a type."""
        return [
            record["data"]["payload"]
            for record in self.records(run)
            if record["type"] == "EVENT_EMITTED" and record["data"]["type"] == kind
        ]

    def claimed(self, run="c"):
        return [event["msgId"] for event in self.events("message.claimed", run)]


main = harness.main
