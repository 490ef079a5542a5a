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


if __name__ == "__main__":
    channel_home.main()
