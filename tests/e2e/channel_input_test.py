"""How channels begin, who is heard, and what is refused."""

import json

import channel_home


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
        for name in ("a b", "ä", ".x"):
            self.refused(2, "INVALID_RUN_ID", "message:post", name, "hi")

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

    def test_a_channel_keeps_the_parent_that_it_was_made_with(self):
        self.ok("channel:create", "up")
        self.ok("message:post", "down", "hello", "--parent", "up")
        self.ok("message:post", "down", "again", "--parent", "up")
        self.refused(4, "OTHER_PARENT", "message:post", "up", "round", "--parent", "down")


class People(channel_home.ChannelHome):
    def test_who_may_speak_is_decided_when_a_message_comes(self):
        self.channel("c", "--owner", "anna")
        words = ("--platform", "discord")
        denied = self.say("hello", "--author", "ben", *words)["message"]
        self.assertEqual(denied["state"], "denied")
        self.assertTrue(self.ok("channel:allow", "c", "--user", "ben")["recorded"])
        allowed = self.say("hello", "--author", "ben", *words)["message"]
        self.assertEqual(allowed["state"], "running")
        self.ok("channel:deny", "c", "--user", "ben")
        self.assertEqual(self.say("again", "--author", "ben", *words)["message"]["state"], "denied")
        self.refused(2, "INVALID_ARGUMENT", "channel:allow", "c")

    def test_context_waits_for_nothing_and_is_read_with_the_next_message(self):
        self.channel()
        self.assertEqual(self.say("by the way", "--context")["message"]["state"], "context")
        self.assertEqual(self.claimed(), [])
        self.say("hello", "--mention", "--id", "m2")
        self.assertEqual(self.claimed(), ["m2"])
        (prompt,) = [a["inputs"] for a in self.ok("run:iterate", "c")["nextActions"]]
        self.assertIn("by the way", json.dumps(prompt["messages"]))

    def test_settings_of_the_home_go_along(self):
        self.configure({"channels": {"prefix": "!bot"}})
        self.refused(3, "CHANNEL_NOT_FOUND", "message:post", "d", "!loop hi", "--context")
        self.assertTrue(self.say("!bot hi", "--context", channel="d")["created"])
        self.assertEqual(self.show("d")["settings"]["prefix"], "!bot")

    def test_its_own_settings_are_stronger(self):
        self.configure({"channels": {"prefix": "!bot"}})
        self.channel()
        self.assertEqual(self.show()["settings"]["prefix"], "!bot")
        self.ok("channel:config", "c", "--setting", "prefix=!own", "--name", "Mine")
        shown = self.ok("channel:config", "c")["channel"]
        self.assertEqual((shown["settings"]["prefix"], shown["identity"]["name"]), ("!own", "Mine"))
        self.refused(2, "INVALID_SETTINGS", "channel:config", "c", "--setting", "prefx=1")


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

    def test_a_result_of_the_wrong_shape_is_refused_and_may_be_forced(self):
        self.say("hello", "--id", "m1")
        (effect,) = self.open()
        for value in ("[]", '"a text"', '{"text":1}', '{"turns":[{"kind":"song"}]}'):
            words = ("task:post", "c", effect, "--status", "ok", "--value-inline", value)
            self.refused(2, "OUTPUT_INVALID", *words)
        self.ok(*words, "--force", "--iterate")
        self.assertEqual(self.contents()[-1], ("system", "The agent gave an empty reply."))
        self.assertEqual(self.queue(), [])

    def test_what_counts_only_for_a_new_channel_is_said_to_change_nothing(self):
        said = self.ok("message:post", "c", "hi", "--name", "C", "--setting", "prefix=!x")
        self.assertEqual(
            said["warnings"],
            [
                "--name changes nothing, c is there; reprise channel:config c --name C",
                "--setting changes nothing, c is there; reprise channel:config c --setting "
                "'prefix=!x'",
            ],
        )
        self.ok("channel:config", "c", "--name", "C", "--setting", "prefix=!x")
        again = self.ok("message:post", "c", "hi", "--name", "C", "--setting", "prefix=!x")
        self.assertNotIn("warnings", again)

    def test_hints_hold_for_the_home_that_was_named(self):
        home = ("--home", str(self.home))
        error = self.refused(3, "CHANNEL_NOT_FOUND", "channel:create", "t", "--parent", "x", *home)
        self.assertEqual(
            error["hint"],
            f"reprise channel:list --home {self.home} shows them; "
            f"reprise channel:create --home {self.home} makes one",
        )
        del self.environment["REPRISE_HOME"]
        said = self.call("message:post", "general", "hi", *home).out
        self.assertIn(f": reprise executor:add --home {self.home} model --preset", said)
        steps = ("--input", 'steps=["make"]')
        self.ok("run:create", "--process", "checklist", *steps, "--run-id", "r", *home)
        said = self.call("run:iterate", "r", *home).out
        self.assertIn(f"  next  reprise run:drive --home {self.home} r\n"
                      f"        reprise task:show --home {self.home} r t1\n", said)

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


if __name__ == "__main__":
    channel_home.main()
