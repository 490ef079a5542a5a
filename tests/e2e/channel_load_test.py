"""Many posters on one channel, killed at random, and many channels side by side."""

import concurrent.futures
import os
import random
import subprocess

import channel_home
import harness

POSTERS = 16
MESSAGES = 4
CHANNELS = int(os.environ.get("REPRISE_CHANNELS", "200"))
JOBS = 8


class Load(channel_home.ChannelHome):
    def post(self, channel, name, kill_after_s=None):
        """True when the post was acknowledged."""
        process = subprocess.Popen(
            [harness.BINARY, "message:post", channel, name, "--id", name],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=self.environment,
            cwd=self.work,
        )
        try:
            error = process.communicate(timeout=kill_after_s or harness.TIMEOUT_S)[1]
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return False
        self.assertEqual(process.returncode, 0, error)
        return True

    def poster(self, number):
        """Says its messages one after the other; one that was killed is said again."""
        chance = random.Random(number)
        for message in range(MESSAGES):
            self.insist("c", f"p{number}-{message}", chance)

    def insist(self, channel, name, chance):
        """Killed up to twice, then left alone."""
        for _ in range(2):
            if self.post(channel, name, kill_after_s=chance.uniform(0.001, 0.3)):
                return
        self.assertTrue(self.post(channel, name))

    def test_nothing_is_lost_doubled_or_out_of_order(self):
        self.configure(channel_home.MOCK)
        self.channel()
        with concurrent.futures.ThreadPoolExecutor(POSTERS) as pool:
            list(pool.map(self.poster, range(POSTERS)))
        self.ok("run:verify", "c")
        said = [row["msgId"] for row in self.messages("c", "--all") if row["role"] == "user"]
        expected = {f"p{i}-{k}" for i in range(POSTERS) for k in range(MESSAGES)}
        self.assertEqual((len(said), set(said)), (len(expected), expected))
        for number in range(POSTERS):
            own = [name for name in said if name.startswith(f"p{number}-")]
            self.assertEqual(own, sorted(own))
        self.call("run:drive", "c")
        self.assertEqual(self.claimed(), said)
        replies = [row["replyTo"] for row in self.messages("c", "--all") if "replyTo" in row]
        self.assertEqual(replies, said)
        self.ok("run:verify", "c")

    def test_many_channels_side_by_side(self):
        names = [f"c{number}" for number in range(CHANNELS)]

        def say(number):
            """The poster of every other channel is killed, and says it again."""
            if number % 2 == 0:
                self.post(names[number], "m1", random.Random(number).uniform(0.001, 0.2))
            self.assertTrue(self.post(names[number], "m1"))

        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            list(pool.map(say, range(CHANNELS)))
        for name in names:
            said = [row["msgId"] for row in self.events("message.created", name)]
            self.assertEqual((said, self.claimed(name)), (["m1"], ["m1"]))
        listed = self.ok("channel:list", "--all")["channels"]
        self.assertEqual({channel["runId"] for channel in listed}, set(names))
        self.assertEqual({channel["standing"] for channel in listed}, {"answering"})


class Neighbours(channel_home.ChannelHome):
    """Channels of one home, each with its own story in its own minutes."""

    def at(self, minute):
        return ("--now", f"2026-01-01T00:{minute:02}:00Z")

    def story(self, name):
        """The steps of a channel, in their order."""

        def say(minute, *words):
            self.say(*words, *self.at(minute), channel=name)

        return [
            lambda: self.channel(name, "--simulated", *self.at(0)),
            lambda: say(1, "hello", "--id", "m1"),
            lambda: say(2, "and then?", "--id", "m2"),
            lambda: self.answer(name, self.at(3), text=f"I am {name}", sessionId=f"s-{name}"),
            lambda: say(4, "stop that", "--id", "m3", "--interrupt"),
            lambda: self.ok("worker:spawn", name, "look around", *self.at(5)),
            lambda: self.ok("channel:stop", name, "--hold", *self.at(6)),
            lambda: say(7, "late", "--id", "m4", "--delay", "10m"),
            lambda: self.ok("channel:release", name, *self.at(8)),
        ]

    def told(self, order):
        """What the channel `a` records when the next step of each of these is taken in turn."""
        stories = {name: iter(self.story(name)) for name in ("a", "b", "c")}
        for name in order:
            next(stories[name])()
        created, *told = [(r["at"], r["type"], r["data"]) for r in self.records("a")]
        self.assertEqual(created[1], "RUN_CREATED")  # names its folder and its random seed
        return told

    def test_what_others_do_and_when_changes_nothing(self):
        order = [name for name in "abc" for _ in self.story(name)]
        alone = self.told([name for name in order if name == "a"])
        self.assertGreater(len(alone), 30)
        for seed in range(3):
            random.Random(seed).shuffle(order)
            self.home = self.folder / f"home-{seed}"
            self.environment["REPRISE_HOME"] = str(self.home)
            self.assertEqual(self.told(order), alone, f"seed {seed}")


if __name__ == "__main__":
    channel_home.main()
