"""Questions to people."""

import harness

ASKS = """
export async function process(inputs, ctx) {
  return await ctx.breakpoint({ question: 'Ship it?', options: ['now', 'later'] });
}
"""

HELD = """
import { defineTask } from 'reprise';
const job = defineTask('job', () => ({ kind: 'job' }));
export async function process(inputs, ctx) {
  return ctx.task(job, {}, { retry: { maxAttempts: 1, onExhausted: 'ask' } });
}
"""
TWO_MUST = """
export async function process(inputs, ctx) {
  const expires = ctx.now().getTime() + 60000;
  const options = { approvers: ['ada', 'bob'], quorum: 2, expires };
  return await ctx.breakpoint({ question: 'Go?' }, options);
}
"""

IN_THE_PAYLOAD = """
export async function process(inputs, ctx) {
  return await ctx.breakpoint({ question: 'Go?', approvers: ['ada', 'bob'], quorum: 9 });
}
"""


class Approvals(harness.Home):
    def test_a_question_is_listed_shown_and_answered(self):
        self.script(ASKS)
        self.checklist("other", "make")
        (listed,) = self.ok("approval:list")["approvals"]
        self.assertEqual((listed["runId"], listed["effectId"]), ("r", "t1"))
        self.assertEqual(listed["question"], "Ship it?")
        self.assertEqual(self.ok("approval:list", "--run", "other")["approvals"], [])
        shown = self.ok("approval:show", "r", "t1")
        self.assertEqual(shown["options"], ["now", "later"])
        self.assertEqual(shown["approval"], listed)
        text = self.call("approval:show", "r", "t1").out
        self.assertIn("reprise approval:approve r t1", text)
        words = ("r", "t1", "--option", "later", "--comment", "after lunch", "--by", "anna")
        self.assertFalse(self.ok("approval:approve", *words, "--dry-run")["recorded"])
        answered = self.ok(
            "approval:approve", *words, "--expect", listed["digest"], "--iterate", "--exit-status"
        )
        self.assertTrue(answered["recorded"])
        self.assertEqual(
            answered["iteration"]["output"],
            {
                "approved": True,
                "option": "later",
                "feedback": "after lunch",
                "respondedBy": "anna",
            },
        )
        self.assertFalse(self.ok("approval:approve", *words)["recorded"])
        self.refused(4, "EFFECT_CONFLICT", "approval:deny", "r", "t1")
        self.assertEqual(self.ok("approval:list")["approvals"], [])
        self.assertEqual(self.ok("approval:show", "r", "t1")["answer"]["respondedBy"], "anna")
        resolved = [r for r in self.records("r") if r["type"] == "EFFECT_RESOLVED"]
        self.assertEqual(resolved[0]["data"]["by"]["user"], "anna")

    def test_what_comes_next_is_something_that_is_taken(self):
        self.script(ASKS)
        text = self.call("run:iterate", "r").out
        self.assertIn("next  reprise approval:show r t1\n", text)
        self.assertIn("      reprise approval:approve r t1\n", text)
        self.assertNotIn("task:post", text)
        self.assertTrue(self.call("approval:show", "r", "t1").out.startswith("r  t1  Ship it?\n"))

    def test_who_is_asked_says_who_he_is(self):
        for run, source in (("r", TWO_MUST), ("p", IN_THE_PAYLOAD)):
            self.script(source, run=run)
            text = self.call("run:iterate", run).out
            self.assertIn(f"      reprise approval:approve {run} t1 --by NAME\n", text)
            text = self.call("approval:show", run, "t1").out
            self.assertIn(f"  next  reprise approval:approve {run} t1 --by NAME\n", text)

    def test_what_is_held_is_where_a_person_goes_on(self):
        self.script(HELD)
        self.ok("task:post", "r", "t1", "--status", "error", "--error-inline", '"no"')
        iterated = self.ok("run:iterate", "r")
        self.assertEqual((iterated["held"], iterated["nextActions"]), (["t1"], []))
        for command in ("run:iterate", "run:status"):
            text = self.call(command, "r").out
            self.assertTrue(text.endswith("  next  reprise approval:show r t1\n"
                                          "        reprise approval:approve r t1\n"), text)
        self.ok("approval:approve", "r", "t1")
        self.assertNotIn("held", self.ok("run:iterate", "r"))
        self.assertNotIn("  next  ", self.call("run:status", "r").out)

    def test_a_yes_to_a_question_with_options_is_warned_of(self):
        self.script(ASKS)
        warnings = self.ok("approval:approve", "r", "t1")["warnings"]
        self.assertEqual(warnings, ["the question offers now, later, and --option names none"])

    def test_an_option_must_be_one_of_the_question(self):
        self.script(ASKS)
        for command in ("approval:approve", "approval:deny"):
            error = self.refused(2, "INVALID_ARGUMENT", command, "r", "t1", "--option", "never")
            self.assertIn("now, later", error["hint"])
        objects = "[{ id: 'a', label: 'First' }, { value: 'b' }]"
        self.script(ASKS.replace("['now', 'later']", objects), run="o")
        error = self.refused(2, "INVALID_ARGUMENT", "approval:approve", "o", "t1", "--option", "c")
        self.assertIn("a, First, b", error["hint"])
        self.ok("approval:approve", "o", "t1", "--option", "b")
        self.script(ASKS.replace("['now', 'later']", "[1, 2]"), run="n")
        self.ok("approval:approve", "n", "t1", "--option", "any")

    def test_approvers_in_the_payload_are_meant_too(self):
        self.script(IN_THE_PAYLOAD)
        self.refused(13, "NOT_PERMITTED", "approval:approve", "r", "t1", "--by", "mallory")
        yes = ("--status", "ok", "--value-inline", '{"approved":true}')
        self.refused(13, "NOT_PERMITTED", "task:post", "r", "t1", *yes)
        self.ok("approval:approve", "r", "t1", "--by", "ada")
        self.assertEqual(self.ok("run:iterate", "r")["status"], "waiting")
        self.ok("approval:approve", "r", "t1", "--by", "bob")
        self.assertEqual(self.ok("run:iterate", "r")["status"], "completed")

    def test_a_repeated_answer_says_what_it_found(self):
        self.script(TWO_MUST)
        approve = ("approval:approve", "r", "t1", "--by")
        first = self.call(*approve, "ada").out
        self.assertEqual(first, "t1  approved by ada; 1 more must approve\n")
        self.assertEqual(
            self.call(*approve, "ada").out,
            "t1  was approved by ada before, nothing changed; 1 more must approve\n",
        )
        self.call(*approve, "bob")
        self.assertIn(
            "t1  was approved before, nothing changed\n", self.call(*approve, "ada").out
        )

    def test_an_answer_that_comes_too_late_is_told_so(self):
        self.script(TWO_MUST, "--simulated")
        self.ok("run:iterate", "r", "--now", "2100-01-01T00:00:00Z")
        for command in ("approval:approve", "approval:deny"):
            error = self.refused(4, "EFFECT_CONFLICT", command, "r", "t1", "--by", "ada",
                                 "--now", "2100-01-01T00:00:01Z")
            self.assertIn("expired", error["message"])

    def test_an_answer_after_its_time_is_refused_before_the_run_was_told(self):
        late = ("--now", "2026-01-01T00:01:00Z")
        begin = ("--now", "2026-01-01T00:00:00Z")
        entry = self.write("main.js", TWO_MUST)
        self.ok("run:create", "--entry", entry, "--run-id", "r", "--simulated", *begin)
        self.ok("run:iterate", "r", *begin)
        before = ("--now", "2026-01-01T00:00:59.999Z")
        self.assertEqual(len(self.ok("approval:list", *before)["approvals"]), 1)
        self.assertEqual(len(self.ok("inbox", *before)["approvals"]), 1)
        self.assertNotIn("expired", self.ok("approval:show", "r", "t1", *before)["approval"])
        self.assertTrue(self.ok("approval:approve", "r", "t1", "--by", "ada", *before)["recorded"])
        records = self.records("r")
        answers = (
            ("approval:approve", "r", "t1", "--by", "bob"),
            ("approval:deny", "r", "t1", "--by", "ada"),
            ("task:post", "r", "t1", "--status", "ok", "--value-inline", "{}", "--force"),
        )
        for words in answers:
            error = self.refused(4, "EFFECT_CONFLICT", *words, *late)
            self.assertIn("t1 expired at 2026-01-01T00:01:00.000Z", error["message"])
            self.assertIn("run:iterate r", error["hint"])
        same = self.ok("approval:approve", "r", "t1", "--by", "ada", *late)
        self.assertFalse(same["recorded"])
        self.assertEqual(self.records("r"), records)
        self.assertEqual(self.ok("approval:list", *late)["approvals"], [])
        self.assertEqual(self.ok("approval:list", "--run", "r", *late)["approvals"], [])
        self.assertEqual(self.ok("inbox", *late)["approvals"], [])
        self.assertTrue(self.ok("approval:show", "r", "t1", *late)["approval"]["expired"])
        text = self.call("approval:show", "r", "t1", *late).out
        self.assertIn("expired   2026-01-01T00:01:00.000Z", text)
        self.assertIn("next  reprise run:iterate r\n", text)
        self.assertNotIn("approval:approve", text)
        self.ok("run:iterate", "r", *late)
        self.refused(4, "EFFECT_CONFLICT", "approval:approve", "r", "t1", "--by", "bob", *late)

    def test_the_list_goes_over_all_runs_and_is_limited(self):
        self.script(ASKS, run="a")
        self.script(ASKS, run="b")
        page = self.ok("approval:list", "--limit", "1")
        self.assertEqual(page["next"], "a/t1")
        rest = self.ok("approval:list", "--after", page["next"])
        self.assertEqual([a["runId"] for a in rest["approvals"]], ["b"])
        self.assertNotIn("next", rest)
        self.assertEqual(self.ok("approval:list", "--after", "c/t1")["approvals"], [])
        self.refused(2, "INVALID_ARGUMENT", "approval:list", "--after", "c")

    def test_a_damaged_run_is_left_out_with_a_warning(self):
        self.script(ASKS, run="a")
        self.script(ASKS, run="b")
        segment = self.run_dir("a") / "journal" / "00000001.jsonl"
        segment.write_bytes(segment.read_bytes().replace(b"RUN_CREATED", b"RUN_CRAETED"))
        (self.run_dir("a") / "state" / "state.json").unlink()
        listed = self.ok("approval:list")
        self.assertEqual([a["runId"] for a in listed["approvals"]], ["b"])
        self.assertIn("run a was left out", listed["warnings"][0])

    def test_a_denial_is_a_result(self):
        self.script(ASKS)
        self.assertFalse(self.ok("approval:deny", "r/t1", "--comment", "no")["approved"])
        output = self.ok("run:iterate", "r")["output"]
        expected = {"approved": False, "feedback": "no", "respondedBy": "tester"}
        self.assertEqual(output, expected)

    def test_what_cannot_be_answered(self):
        self.script(ASKS)
        executor = {"environment": {"REPRISE_EFFECT": "t1"}}
        for command in ("approval:approve", "approval:deny"):
            self.refused(13, "NOT_PERMITTED", command, "r", "t1", **executor)
            self.refused(4, "APPROVAL_CHANGED", command, "r", "t1", "--expect", "0" * 32)
            self.refused(3, "EFFECT_NOT_FOUND", command, "r", "t7")
            self.refused(2, "INVALID_ARGUMENT", command, "r", "t1", "--by", "")
        self.checklist("other", "make")
        self.refused(4, "NO_APPROVAL", "approval:approve", "other", "t1")
        self.refused(4, "NO_APPROVAL", "approval:show", "other", "t1")
        self.assertEqual(len(self.records("r")), 2)


if __name__ == "__main__":
    harness.main()
