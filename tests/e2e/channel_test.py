"""The life of a channel by separate commands, with task:post as the model."""

import channel_home


class Life(channel_home.ChannelHome):
    def test_a_message_is_claimed_answered_and_delivered(self):
        made = self.channel("c", "--name", "General")
        self.assertTrue(made["created"])
        posted = self.say("hello", "--id", "m1", "--author", "anna")
        self.assertTrue(posted["recorded"])
        self.assertFalse(posted["created"])
        self.assertEqual(posted["message"]["state"], "running")
        self.assertEqual([effect["kind"] for effect in posted["pending"]], ["model"])
        self.answer()
        self.assertEqual(self.contents(), [("user", "hello"), ("assistant", "an answer")])
        self.assertIsNone(self.show()["run"])

    def test_a_channel_without_an_executor_says_what_it_waits_for(self):
        self.channel()
        waits = "waits  for an executor of kind model: reprise executor:add model"
        self.assertIn(waits, self.call("message:post", "c", "hello", "--id", "m1").out)
        self.assertIn(waits, self.call("channel:show", "c").out)
        (effect,) = self.open()
        claim = self.ok("task:claim", "c", effect, "--worker", "somebody", "--lease", "10m")
        self.assertNotIn("waits", self.call("channel:show", "c").out)
        self.ok("task:release", "c", effect, "--token", claim["claim"]["token"])
        self.configure(channel_home.MOCK)
        self.assertNotIn("waits", self.call("channel:show", "c").out)
        self.assertNotIn("waits", self.call("message:post", "c", "again", "--id", "m2").out)

    def test_a_command_in_a_message_is_answered_at_once(self):
        self.channel()
        self.assertIn("No run is active.", self.call("message:post", "c", "/status").out)
        self.assertEqual(self.say("/hold")["message"]["cause"], "command")
        self.assertTrue(self.show()["identity"]["held"])

    def test_a_channel_waits_for_messages(self):
        self.channel("c")
        said = self.call("run:iterate", "c").out
        self.assertIn("next  reprise message:post c TEXT", said)

    def test_a_channel_that_was_made_as_a_run_knows_its_id(self):
        self.ok("run:create", "--process", "channel", "--run-id", "plain")
        self.ok("run:iterate", "plain")
        (created,) = self.events("channel.created", "plain")
        self.assertEqual(created["id"], "plain")

    def test_messages_are_answered_in_their_order(self):
        self.channel()
        for number in range(1, 4):
            self.say(f"message {number}", "--id", f"m{number}")
        self.assertEqual(self.queue(), ["m2", "m3"])
        third = self.say("message 4", "--id", "m4")["message"]
        self.assertEqual((third["state"], third["place"]), ("queued", 3))
        for _ in range(4):
            self.answer()
        self.assertEqual(self.claimed(), ["m1", "m2", "m3", "m4"])
        self.assertEqual(self.queue(), [])

    def test_higher_priorities_are_answered_first(self):
        self.channel()
        for name, priority in (("m1", 0), ("m2", 0), ("m3", 5), ("m4", -1)):
            self.say("text", "--id", name, f"--priority={priority}")
        for _ in range(4):
            self.answer()
        self.assertEqual(self.claimed(), ["m1", "m3", "m2", "m4"])

    def test_the_same_id_again_changes_nothing(self):
        self.channel()
        self.say("hello", "--id", "m1")
        records = self.records("c")
        again = self.say("hello", "--id", "m1")
        self.assertFalse(again["recorded"])
        self.assertEqual(self.records("c"), records)

    def test_an_interrupt_stops_the_run_and_is_answered_first(self):
        self.channel()
        for name in ("m1", "m2"):
            self.say("text", "--id", name)
        self.ok("message:interrupt", "c", "no!", "--id", "m3")
        self.assertEqual(self.claimed(), ["m1", "m3"])
        self.assertEqual(self.queue(), ["m2"])
        said = self.call("message:post", "c", "text", "--id", "m1").out
        self.assertIn("not answered: stopped", said)
        self.answer()
        self.answer()
        self.assertEqual(self.claimed(), ["m1", "m3", "m2"])

    def test_stop_ends_the_run_and_the_queue_goes_on(self):
        self.channel()
        for name in ("m1", "m2"):
            self.say("text", "--id", name)
        stopped = self.ok("channel:stop", "c", "--by", "anna")
        self.assertTrue(stopped["recorded"])
        self.assertEqual(self.claimed(), ["m1", "m2"])

    def test_a_held_channel_claims_nothing(self):
        self.channel()
        self.assertTrue(self.ok("channel:hold", "c")["recorded"])
        self.say("hello", "--id", "m1")
        self.assertEqual((self.queue(), self.claimed()), (["m1"], []))
        self.assertEqual(self.ok("channel:list")["channels"][0]["standing"], "held")
        waits = self.call("message:post", "c", "hello", "--id", "m1", "--drive")
        self.assertEqual(waits.exit, 10)
        self.assertIn("queued, the next; the channel is held\n  next  reprise channel:release c\n",
                      waits.out)
        self.ok("channel:release", "c")
        self.assertEqual(self.claimed(), ["m1"])
        self.assertNotIn("held", self.say("hello", "--id", "m2")["message"])

    def test_a_key_makes_a_repeated_command_nothing(self):
        self.channel()
        self.assertTrue(self.ok("channel:hold", "c", "--key", "k")["recorded"])
        self.ok("channel:release", "c")
        self.assertFalse(self.ok("channel:hold", "c", "--key", "k")["recorded"])
        self.assertFalse(self.show()["identity"]["held"])

    def test_without_iterating_nothing_is_claimed(self):
        self.channel()
        posted = self.say("hello", "--id", "m1", "--no-iterate")
        self.assertEqual((posted["runStatus"], posted["pending"]), ("ready", []))
        self.ok("run:iterate", "c")
        self.assertEqual(self.claimed(), ["m1"])

    def test_a_dry_run_records_nothing(self):
        self.channel()
        records = self.records("c")
        for words in (("message:post", "c", "hello"), ("channel:hold", "c")):
            self.assertFalse(self.ok(*words, "--dry-run")["recorded"])
        self.assertEqual(self.records("c"), records)
        self.ok("message:post", "new", "hello", "--dry-run")
        self.assertFalse(self.run_dir("new").exists())

    def test_the_list_goes_on_behind_a_cursor(self):
        self.channel()
        for number in range(1, 6):
            self.say(f"message {number}", "--id", f"m{number}")
        first = self.ok("message:list", "c", "--after", "1", "--limit", "2")
        self.assertEqual([row["msgId"] for row in first["messages"]], ["m2", "m3"])
        rest = self.ok("message:list", "c", "--after", first["next"])
        self.assertEqual([row["msgId"] for row in rest["messages"]], ["m4", "m5"])
        self.assertNotIn("next", rest)
        none = self.ok("message:list", "c", "--after", rest["cursor"])
        self.assertEqual((none["messages"], none["cursor"]), ([], "5"))
        newest = self.ok("message:list", "c", "--limit", "1")["messages"]
        self.assertEqual([row["msgId"] for row in newest], ["m5"])

    def test_the_route_is_explained_and_nothing_posted(self):
        self.channel()
        records = self.records("c")
        route = self.ok("message:route", "c", "--explain", "hello")["route"]
        self.assertEqual((route["action"], route["policy"]), ("respond", "direct"))
        self.assertEqual(self.records("c"), records)

    def test_text_is_for_people(self):
        self.channel("c", "--name", "Gene\x1b[31mral")
        self.say("first", "--id", "m1")
        posted = self.call("message:post", "c", "se\x1bcond", "--id", "m2").out
        self.assertIn("queued, the next", posted)
        page = self.call("channel:show", "c").out
        for part in ("Gene\\x1b[31mral", "r1 answers", "m2", "se\\x1bcond", "% of"):
            self.assertIn(part, page)
        listed = self.call("message:list", "c").out
        self.assertIn("se\\x1bcond", listed)
        for text in (posted, page, listed):
            self.assertNotIn("\x1b", text)


class Queue(channel_home.ChannelHome):
    def setUp(self):
        super().setUp()
        self.channel()
        for name in ("m1", "m2", "m3", "m4"):
            self.say("text", "--id", name)

    def test_what_waits_can_be_cancelled_and_reordered(self):
        self.ok("message:cancel", "c", "m3")
        self.assertEqual(self.queue(), ["m2", "m4"])
        self.ok("message:reorder", "c", "m4", "m2")
        self.assertEqual(self.queue(), ["m4", "m2"])
        self.ok("channel:stop", "c")
        self.assertEqual(self.claimed(), ["m1", "m4"])

    def test_what_runs_cannot(self):
        for verb in ("message:cancel", "message:reorder"):
            self.refused(4, "MESSAGE_RUNNING", verb, "c", "m2", "m1")
        self.refused(4, "MESSAGE_RUNNING", "message:delay", "c", "m1", "--delay", "1h")
        self.refused(3, "MESSAGE_UNKNOWN", "message:cancel", "c", "gone")
        self.assertEqual(self.queue(), ["m2", "m3", "m4"])

    def test_recover_gives_up_what_runs(self):
        self.ok("channel:recover", "c")
        self.assertEqual(self.claimed(), ["m1", "m2"])
        processed = self.events("messages.processed")
        self.assertEqual([(p["msgIds"], p["cause"]) for p in processed], [(["m1"], "stale")])


class Delays(channel_home.ChannelHome):
    def at(self, minute):
        return ("--now", f"2026-01-01T00:{minute:02}:00Z")

    def test_a_delayed_message_is_claimed_when_its_time_has_come(self):
        self.channel("c", "--simulated", *self.at(0))
        posted = self.say("later", "--id", "m1", "--delay", "10m", *self.at(1))
        self.assertEqual(posted["message"]["notBefore"], "2026-01-01T00:11:00.000Z")
        self.say("now", "--id", "m2", *self.at(2))
        self.assertEqual(self.claimed(), ["m2"])
        self.ok("channel:stop", "c", *self.at(3))
        self.ok("run:iterate", "c", *self.at(10))
        self.assertEqual(self.claimed(), ["m2"])
        self.ok("run:iterate", "c", *self.at(11))
        self.assertEqual(self.claimed(), ["m2", "m1"])

    def test_a_message_that_waits_can_be_delayed(self):
        self.channel("c", "--simulated", *self.at(0))
        for name in ("m1", "m2", "m3"):
            self.say("text", "--id", name, *self.at(1))
        self.ok("message:delay", "c", "m2", "--delay", "1h", *self.at(2))
        self.ok("channel:stop", "c", *self.at(3))
        self.assertEqual(self.claimed(), ["m1", "m3"])

    def test_the_clock_of_other_channels_is_not_set(self):
        self.channel()
        self.refused(2, "NOT_SIMULATED", "message:post", "c", "hi", *self.at(1))


class Deleting(channel_home.ChannelHome):
    def test_a_channel_goes_with_its_threads(self):
        self.channel()
        self.ok("channel:create", "t", "--parent", "c")
        self.ok("channel:create", "u", "--parent", "t")
        self.say("hello", channel="u")
        self.channel("other")
        plan = self.ok("channel:delete", "c", exit=2)
        self.assertEqual([row["runId"] for row in plan["channels"]], ["u", "t", "c"])
        self.assertFalse(plan["deleted"])
        self.assertEqual(self.ok("channel:delete", "c", "--dry-run")["channels"], plan["channels"])
        self.assertTrue(self.ok("channel:delete", "c", "--yes")["deleted"])
        listed = self.ok("channel:list")["channels"]
        self.assertEqual([channel["runId"] for channel in listed], ["other"])
        archived = self.ok("run:list", "--runs-dir", plan["archive"])["runs"]
        self.assertEqual({run["status"] for run in archived}, {"completed"})
        self.assertEqual({run["runId"] for run in archived}, {"c", "t", "u"})
        error = self.refused(4, "RUN_ARCHIVED", "channel:create", "c")
        self.assertEqual(error["hint"], "a deleted channel keeps its id: choose another")


if __name__ == "__main__":
    channel_home.main()
