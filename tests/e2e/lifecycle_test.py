"""From run:create to the end, by separate invocations."""

import json

import harness

SCRIPT = """
import { defineTask } from 'reprise';
const build = defineTask('build', (args) => ({
  kind: 'shell', title: 'Build', shell: { command: args.command },
}));
export async function process(inputs, ctx) {
  ctx.log('info', 'starting');
  const built = await ctx.task(build, { command: inputs.command }, { label: 'the build' });
  const answer = await ctx.breakpoint({ question: 'Ship it?' });
  return { built, approved: answer.approved };
}
"""


class Scripts(harness.Home):
    def test_a_run_goes_from_created_to_completed(self):
        entry = self.write("ship.js", SCRIPT)
        created = self.ok(
            "run:create",
            "--entry",
            entry,
            "--process-id",
            "ship",
            "--input",
            "command=make",
            "--run-id",
            "r",
        )
        self.assertEqual(created["runDir"], str(self.run_dir("r")))
        self.assertTrue(created["created"])
        self.assertEqual(self.ok("run:status", "r")["state"], "created")

        first = self.ok("run:iterate", "r")
        self.assertEqual((first["status"], first["reason"]), ("waiting", "shell-pending"))
        self.assertEqual(first["log"][0]["label"], "info")
        (action,) = first["nextActions"]
        self.assertEqual(action["effectId"], "t1")
        self.assertEqual(action["label"], "the build")
        self.assertEqual(action["inputs"], {"command": "make"})
        self.assertEqual(action["taskDef"]["shell"], {"command": "make"})
        self.assertEqual(action["invocationKey"], "ship:S000001:build")

        posted = self.post("r", "t1", {"exitCode": 0})
        self.assertTrue(posted["recorded"])
        self.assertEqual(posted["runStatus"], "ready")
        self.assertEqual(self.ok("run:status", "r")["state"], "ready")

        second = self.ok("run:iterate", "r")
        self.assertEqual(second["reason"], "breakpoint-waiting")
        self.assertNotIn("log", second)
        done = self.post("r", "t2", {"approved": True}, "--iterate")
        self.assertEqual(done["iteration"]["status"], "completed")
        self.assertEqual(done["runStatus"], "completed")

        output = self.ok("run:output", "r")["output"]
        self.assertEqual(output, {"built": {"exitCode": 0}, "approved": True})
        types = [record["type"] for record in self.records("r")]
        self.assertEqual(types[0], "RUN_CREATED")
        self.assertEqual(types[-1], "RUN_COMPLETED")

    def test_an_iteration_without_news_changes_nothing(self):
        self.script(SCRIPT, "--input", "command=make")
        before = self.records("r")
        again = self.ok("run:iterate", "r")
        self.assertEqual(again["status"], "waiting")
        self.assertEqual(again["applied"], 0)
        self.assertEqual(self.records("r"), before)

    def test_a_failing_script_exits_1_and_says_where(self):
        document = self.script(
            "export async function process() {\n  throw new TypeError('no such thing');\n}\n",
            exit=1,
        )
        self.assertEqual(document["status"], "failed")
        self.assertEqual(document["reason"], "process-error: no such thing")
        self.assertEqual(document["error"]["name"], "TypeError")
        self.assertEqual(document["error"]["line"], 2)
        error = self.refused(1, "RUN_FAILED", "run:output", "r")
        self.assertIn("no such thing", error["message"])
        self.assertEqual(error["details"]["error"]["name"], "TypeError")
        self.assertEqual(self.ok("run:status", "r")["state"], "failed")

    def test_a_halted_run_exits_1_and_keeps_its_reason(self):
        document = self.script(
            "export async function process(inputs, ctx) { ctx.halt('not today', { until: 3 }); }",
            exit=1,
        )
        self.assertEqual((document["status"], document["reason"]), ("halted", "not today"))
        self.assertEqual(document["payload"], {"until": 3})
        error = self.refused(1, "RUN_HALTED", "run:output", "r")
        self.assertEqual(error["message"], "run r was halted: not today")

    def test_a_run_that_was_halted_without_a_reason_has_none(self):
        self.checklist()
        self.ok("run:halt", "r")
        error = self.refused(1, "RUN_HALTED", "run:output", "r")
        self.assertEqual(error["message"], "run r was halted")

    def test_a_bare_run_gets_its_process_later(self):
        created = self.ok(
            "run:create", "--run-id", "r", "--inputs", "-", stdin='{"command":"make"}'
        )
        self.assertNotIn("entry", created)
        self.assertEqual(self.ok("run:status", "r")["reason"], "no-process")
        self.refused(2, "RUN_HAS_NO_PROCESS", "run:iterate", "r")
        entry = self.write("ship.js", SCRIPT)
        self.assertTrue(self.ok("run:assign-process", "r", "--entry", entry)["assigned"])
        self.assertEqual(self.ok("run:iterate", "r")["status"], "waiting")
        assign = ("run:assign-process", "r", "--entry", entry)
        self.assertFalse(self.ok(*assign)["assigned"], "the same again changes nothing")
        planned = self.ok(*assign, "--process-id", "other", exit=2)
        self.assertEqual(planned["plan"]["new"], [], "other code needs --yes")

    def test_an_entry_may_name_its_export(self):
        entry = self.write("two.js", "export async function other() { return 'other'; }")
        created = self.ok("run:create", "--entry", f"{entry}#other", "--run-id", "r")
        self.assertEqual(created["entry"], "two.js#other")
        self.ok("run:iterate", "r")
        self.assertEqual(self.ok("run:output", "r")["output"], "other")

    def test_a_sleep_is_over_when_its_time_has_come(self):
        entry = self.write(
            "nap.js",
            "export async function process(i, ctx) {"
            " await ctx.sleepUntil('2026-01-02T00:00:00.000Z'); return 'up'; }",
        )
        self.ok(
            "run:create",
            "--entry",
            entry,
            "--run-id",
            "r",
            "--simulated",
            "--now",
            "2026-01-01T00:00:00.000Z",
        )
        asleep = self.ok(
            "run:iterate", "r", "--exit-status", "--now", "2026-01-01T12:00:00.000Z", exit=11
        )
        self.assertEqual(asleep["reason"], "sleep-waiting")
        self.assertEqual(asleep["until"], "2026-01-02T00:00:00.000Z")
        self.assertEqual(self.ok("run:status", "r")["nextWakeAt"], "2026-01-02T00:00:00.000Z")
        awake = self.ok("run:iterate", "r", "--now", "2026-01-02T00:00:00.000Z")
        self.assertEqual(awake["status"], "completed")


class Checklists(harness.Home):
    def test_steps_are_done_one_after_the_other(self):
        first = self.checklist("r", "make", "make test")
        self.assertEqual(
            [a["inputs"] for a in first["nextActions"]], [first["nextActions"][0]["inputs"]]
        )
        self.assertEqual(first["nextActions"][0]["kind"], "shell")
        self.post("r", "t1", {"success": True, "exitCode": 0}, "--iterate")
        done = self.post("r", "t2", {"success": True, "exitCode": 0}, "--iterate")
        self.assertEqual(done["iteration"]["status"], "completed")
        output = self.ok("run:output", "r")["output"]
        self.assertTrue(output["ok"])
        self.assertEqual([step["status"] for step in output["steps"]], ["ok", "ok"])
        self.records("r")

    def test_a_failed_step_ends_the_run(self):
        self.checklist("r", "make", "make test")
        error = json.dumps({"message": "exit code 2", "data": {"exitCode": 2}})
        posted = self.ok("task:post", "r", "t1", "--status", "error", "--error-inline", error)
        self.assertTrue(posted["normalizedShellFailure"])
        self.assertEqual(self.ok("run:iterate", "r", exit=1)["status"], "failed")


if __name__ == "__main__":
    harness.main()
