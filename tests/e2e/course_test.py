"""Another course: other code, another try, an earlier point."""

import harness

FIRST = """
import { defineTask } from 'reprise';
const step = defineTask('step', () => ({ kind: 'agent' }));
export async function process(inputs, ctx) {
  const a = await ctx.task(step, { n: 1 }, { label: 'a' });
  ctx.emit('half', { a });
  return [a, await ctx.task(step, { n: 2 }, { label: 'b', key: 'second' })];
}
"""
NEW_STEP = "await ctx.task(step, { n: 9 }, { label: 'new' });"
SECOND = FIRST.replace("return [a,", NEW_STEP + "return [a,")


class Course(harness.Home):
    def half(self):
        self.script(FIRST)
        self.ok("run:iterate", "r")
        self.post("r", "t1", 1)
        self.ok("run:iterate", "r")

    def test_new_code_is_planned_then_assigned(self):
        self.half()
        entry = self.write("second.js", SECOND)
        before = self.records("r")
        words = ("run:assign-process", "r", "--entry", entry)
        dry = self.ok(*words, "--dry-run")
        self.assertEqual([item.get("effectId") for item in dry["plan"]["kept"]], ["t1", None])
        self.assertEqual([item["effectId"] for item in dry["plan"]["new"]], ["t4"])
        self.assertEqual([item["effectId"] for item in dry["plan"]["notReached"]], ["t2"])
        self.ok(*words, exit=2)
        self.assertEqual(self.records("r"), before)
        self.assertTrue(self.ok(*words, "--yes")["assigned"])
        self.assertFalse(self.ok(*words, "--yes")["assigned"])
        self.post("r", "t4", 4)
        self.ok("run:iterate", "r")
        self.post("r", "t2", 2)
        self.ok("run:iterate", "r")
        self.assertEqual(self.ok("run:output", "r")["output"], [1, 2])
        self.assertTrue(self.ok("run:verify", "r")["ok"])

    def test_the_list_of_events_says_what_is_no_news(self):
        self.half()
        entry = self.write("second.js", SECOND)
        planned = self.call("run:assign-process", "r", "--entry", entry, "--dry-run").out
        self.assertIn("  2 recorded commands are kept\n", planned)
        self.ok("run:assign-process", "r", "--entry", entry, "--yes")
        self.post("r", "t2", 2)
        self.post("r", "t4", 4)
        self.ok("run:iterate", "r")
        text = self.call("run:events", "r").out
        self.assertIn("PROCESS_ASSIGNED  other code", text)
        self.assertIn("EFFECT_REQUESTED  adopted  t2", text)
        self.assertIn("EFFECT_RESOLVED   delivered again  t2", text)
        self.ok("run:rewind", "r", "--before", "t1", "--yes")
        self.assertRegex(self.call("run:events", "r").out, r"RUN_REOPENED +rewind from #\d+\n")

    def test_a_failed_run_is_retried(self):
        self.half()
        self.ok("task:post", "r", "t2", "--status", "error", "--error-inline", '"flaky"')
        self.ok("run:iterate", "r", exit=1)
        by = self.ok("run:status", "r")["failedBy"]
        self.assertEqual((by["effectId"], by["kind"]), ("t2", "agent"))
        for command, exit in (("run:status", 0), ("run:iterate", 1)):
            answer = self.call(command, "r")
            self.assertEqual(answer.exit, exit, answer)
            self.assertTrue(answer.out.endswith("  next  reprise run:retry r\n"), answer)
        self.assertFalse(self.ok("run:retry", "r", "--dry-run")["recorded"])
        retried = self.ok("run:retry", "r")
        self.assertEqual((retried["effectId"], retried["attempt"]), ("t2", 2))
        self.assertFalse(self.ok("run:retry", "r")["recorded"])
        (action,) = self.ok("run:iterate", "r")["nextActions"]
        self.assertEqual(action["attempt"], 2)
        (attempt,) = self.ok("task:show", "r", "t2")["attempts"]
        self.assertEqual((attempt["attempt"], attempt["status"]), (1, "error"))
        self.assertEqual(attempt["error"]["message"], "flaky")
        self.ok("task:claim", "r", "t2", "--worker", "me")
        shown = self.ok("task:show", "r", "t2")["attempts"]
        self.assertEqual([item["status"] for item in shown], ["error", "open"])
        self.assertIn("attempt 1  error: flaky\n", self.call("task:show", "r", "t2").out)
        self.ok("task:release", "r", "t2", "--force")
        self.post("r", "t2", 2)
        self.ok("run:iterate", "r")
        self.assertEqual(self.ok("run:output", "r")["output"], [1, 2])
        self.refused(4, "RUN_NOT_FAILED", "run:retry", "r")

    def test_what_is_no_error_of_an_effect_leads_to_other_code(self):
        self.script("export async function process() { throw new Error('no'); }", exit=1)
        self.assertNotIn("failedBy", self.ok("run:status", "r"))
        text = self.call("run:status", "r").out
        self.assertIn("  next  reprise run:assign-process r --entry FILE --dry-run ", text)
        self.assertIn("        reprise run:rewind r --to SEQ --dry-run ", text)

    def test_a_rewind_shows_its_plan_and_needs_yes(self):
        self.half()
        before = self.records("r")
        plan = self.ok("run:rewind", "r", "--before", "t1", exit=2)["plan"]
        self.assertEqual([item["effectId"] for item in plan["voidedRequests"]], ["t1", "t2"])
        self.assertEqual(len(plan["voidedEvents"]), 1)
        self.assertEqual(self.records("r"), before)
        text = self.call("run:rewind", "r", "--to", "1", "--dry-run").out
        self.assertIn("cannot be unsent", text)
        words = ("run:rewind", "r", "--before", "second", "--reason", "wrong", "--yes")
        self.assertTrue(self.ok(*words)["recorded"])
        self.assertTrue(self.ok(*words)["repeated"])
        (action,) = self.ok("run:iterate", "r")["nextActions"]
        self.assertEqual((action["effectId"], action["label"]), ("t3", "b"))
        self.refused(4, "EFFECT_CONFLICT", "task:post", "r", "t2", "--status", "ok",
                     "--value-inline", "1")
        self.assertEqual(self.ok("task:show", "r", "t2")["effect"]["status"], "voided")
        self.assertTrue(self.ok("run:rebuild-state", "r"))

    def test_what_cannot_be_done_is_said(self):
        self.half()
        self.refused(2, "MISSING_ARGUMENT", "run:rewind", "r")
        self.refused(2, "INVALID_ARGUMENT", "run:rewind", "r", "--to", "1", "--drop", "x")
        self.refused(3, "SEQ_NOT_FOUND", "run:rewind", "r", "--to", "99")
        self.refused(3, "EFFECT_NOT_FOUND", "run:rewind", "r", "--before", "t9")
        self.refused(4, "REWIND_REFUSED", "run:rewind", "r", "--to", "2")
        self.checklist("c")
        self.refused(4, "PROCESS_BUILT_IN", "run:assign-process", "c", "--entry",
                     self.write("second.js", SECOND))


if __name__ == "__main__":
    harness.main()
