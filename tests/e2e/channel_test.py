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
        self.ok("channel:release", "c")
        self.assertEqual(self.claimed(), ["m1"])

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


class Beginnings(channel_home.ChannelHome):
    def test_the_first_message_makes_the_channel(self):
        posted = self.say("hello", "--platform", "discord", "--name", "general", channel="d1")
        self.assertTrue(posted["created"])
        identity = self.show("d1")["identity"]
        self.assertEqual((identity["platform"], identity["name"]), ("discord", "general"))
        self.assertFalse(self.say("again", channel="d1")["created"])

    def test_a_message_that_is_only_context_makes_none(self):
        error = self.refused(3, "CHANNEL_NOT_FOUND", "message:post", "d1", "hi", "--context")
        self.assertIn("channel:create d1", error["hint"])
        self.assertFalse(self.run_dir("d1").exists())

    def test_one_with_the_prefix_is_for_the_agent(self):
        self.assertTrue(self.say("!loop hello", "--context", channel="d1")["created"])

    def test_the_id_of_another_channel_is_not_its_beginning(self):
        self.channel("general-2")
        self.assertTrue(self.say("hello", channel="general")["created"])

    def test_an_id_that_cannot_be_one(self):
        for name in ("a b", "ä", "-x"):
            self.refused(2, "INVALID_RUN_ID", "message:post", "hi", "--file", "-", "--", name)

    def test_a_thread_inherits(self):
        words = ("--platform", "discord", "--guild", "g", "--owner", "anna", "--dir", self.work)
        self.channel("c", *words)
        self.say("hello", "--id", "m1")
        self.answer(sessionId="s-1")
        self.say("deeper", "--parent", "c", channel="t")
        identity = self.show("t")["identity"]
        for member in ("platform", "guild", "dir"):
            self.assertEqual(identity[member], self.show()["identity"][member])
        self.assertEqual(identity["parent"], "c")
        created = self.events("channel.created", "t")[0]
        self.assertEqual(created["forkFrom"], "s-1")
        self.assertEqual(created["permissions"]["owners"]["users"], ["anna"])
        listed = self.ok("channel:list", "--parent", "c")["channels"]
        self.assertEqual([channel["runId"] for channel in listed], ["t"])

    def test_a_worktree_is_told_its_root(self):
        for name in ("root", "tree"):
            (self.work / name).mkdir()
        self.channel("c", "--dir", "root")
        self.ok("channel:create", "t", "--parent", "c", "--worktree", "--dir", "tree")
        made = self.ok("channel:create", "u", "--parent", "t", "--worktree")
        self.assertEqual(made["inputs"]["dir"], str(self.work / "tree"))
        self.assertEqual(made["inputs"]["parentDir"], str(self.work / "root"))

    def test_parents_that_cannot_be_ones(self):
        self.checklist("list")
        self.refused(4, "INVALID_PARENT", "channel:create", "c", "--parent", "c")
        self.refused(3, "CHANNEL_NOT_FOUND", "channel:create", "c", "--parent", "gone")
        self.refused(3, "NOT_A_CHANNEL", "channel:create", "c", "--parent", "list")


class Input(channel_home.ChannelHome):
    def setUp(self):
        super().setUp()
        self.channel()

    def post_refused(self, code, *words, exit=2):
        return self.refused(exit, code, "message:post", "c", *words)

    def test_messages_that_are_none(self):
        records = self.records("c")
        self.post_refused("EMPTY_MESSAGE", "")
        self.post_refused("EMPTY_MESSAGE", " \n\t")
        self.post_refused("INVALID_JSON", "\udcff")
        bad = self.write("bad", b"a\xffb")
        self.post_refused("INVALID_JSON", "--file", bad)
        huge = self.write("huge", "x" * 10_000_000)
        error = self.post_refused("MESSAGE_TOO_LARGE", "--file", huge)
        self.assertIn("--attach", error["hint"])
        self.post_refused("FILE_NOT_FOUND", "--file", "gone", exit=3)
        self.post_refused("FILE_NOT_FOUND", "hi", "--attach", "gone", exit=3)
        self.assertEqual(self.records("c"), records)

    def test_flags_that_contradict_each_other(self):
        for words in (
            ("--file", "x"),
            ("--delay", "1m", "--not-before", "2026-01-01T00:00:00Z"),
            ("--context", "--mention"),
            ("--priority", "high"),
            ("--delay", "soon"),
            ("--drive", "--no-iterate"),
            ("--id="),
        ):
            words = (words,) if isinstance(words, str) else words
            self.post_refused("INVALID_ARGUMENT", "hi", *words)

    def test_a_run_that_is_no_channel(self):
        self.checklist("list")
        for words in (
            ("channel:show", "list"),
            ("message:post", "list", "hi"),
            ("channel:hold", "list"),
            ("worker:list", "list"),
        ):
            error = self.refused(3, "NOT_A_CHANNEL", *words)
            self.assertIn("checklist", error["message"])

    def test_what_is_attached_is_recorded_by_its_path(self):
        path = self.write("notes.txt", "abc")
        self.say("look", "--id", "m1", "--attach", "notes.txt")
        (row,) = self.messages()
        self.assertEqual(
            row["attachments"], [{"name": "notes.txt", "path": str(path), "size": 3}]
        )


class Driven(channel_home.ChannelHome):
    def test_the_reply_is_printed(self):
        self.configure(channel_home.MOCK)
        self.channel()
        answer = self.call("message:post", "c", "hello", "--drive")
        self.assertEqual((answer.exit, answer.out), (0, "an answer\n"), answer)
        posted = self.say("again", "--drive")
        self.assertEqual(posted["reply"], "an answer")
        self.assertEqual(posted["message"]["state"], "processed")

    def test_nobody_who_performs_it_is_exit_10(self):
        self.channel()
        posted = self.say("hello", "--drive", exit=10)
        self.assertNotIn("reply", posted)


if __name__ == "__main__":
    channel_home.main()
