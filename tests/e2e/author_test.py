"""What commands tell the author of a process beside process:check."""

import harness

FORGOTTEN = """import { defineTask } from 'reprise';
const step = defineTask('step', () => ({ kind: 'agent' }));
export async function process(inputs, ctx) {
  const result = ctx.task(step, {});
  return { out: result.stdout };
}
"""


class Awaits(harness.Home):
    """A forgotten await, in the commands that end the run."""

    def test_an_error_of_the_sandbox_comes_with_what_stands_instead(self):
        self.write("load.mjs", "setTimeout(() => {}, 1);\nexport function process() {}\n")
        refused = self.call("run:create", "--entry", "load.mjs")
        self.assertEqual(refused.exit, 2, refused)
        self.assertIn("ctx.sleepUntil", refused.err)
        self.script("export function process() { return fetch('x'); }\n", exit=1)
        self.ok("run:create", "--entry", "main.js", "--run-id", "again")
        self.assertIn("hint  a process does no work itself", self.call("run:iterate", "again").out)

    def test_the_command_that_ends_the_run_says_what_it_did_not_wait_for(self):
        note = "the run completed and did not wait for t1"
        path = self.write("main.js", FORGOTTEN)
        self.ok("run:create", "--entry", path, "--run-id", "r")
        answer = self.call("run:iterate", "r")
        self.assertEqual(answer.exit, 0, answer)
        self.assertIn(note, answer.err)
        self.assertIn("left  t1, open at the end", answer.out)
        self.assertIn("left     t1, open at the end", self.call("run:status", "r").out)
        self.ok("run:create", "--entry", path, "--run-id", "s")
        driven = self.call("run:drive", "s")
        self.assertIn(note, driven.out + driven.err)
        self.assertNotIn(note, self.call("run:iterate", "r").err)

    def test_a_process_test_fails_by_it(self):
        self.write("main.js", FORGOTTEN)
        self.write("answers.json", {})
        [failure] = self.ok("process:test", "main.js", "--script", "answers.json",
                            exit=1)["failures"]
        self.assertIn("did not wait for t1", failure)

    def test_who_lets_two_race_is_not_suspected(self):
        source = FORGOTTEN.replace(
            "const result = ctx.task(step, {})",
            "const result = await Promise.race([ctx.task(step, {}), ctx.task(step, {}),\n"
            "    ctx.sleepUntil(ctx.now().getTime() + 1000)])")
        self.write("main.js", source)
        self.ok("process:check", "main.js")
        self.write("answers.json", {"answers": [{"task": "step", "ok": {}}]})
        self.ok("process:test", "main.js", "--script", "answers.json")
        self.write("late.json", {})
        self.assertEqual(self.ok("process:test", "main.js", "--script", "late.json",
                                 exit=1)["failures"], ["it failed: TypeError: result is undefined; "
                                                       "expected was completed"])
        self.script(source)
        self.post("r", "t1", {"stdout": 1})
        answer = self.call("run:iterate", "r")
        self.assertEqual((answer.exit, answer.err), (0, ""), answer)
        self.assertIn("left  t2 t3, open at the end", answer.out)


class Declared(harness.Home):
    """Inputs against what the process declares of them: a warning, and the run all the same."""

    def warnings(self, source, *words):
        self.write("main.js", source)
        return self.ok("run:create", "--entry", "main.js", *words).get("warnings", [])

    def test_inputs_that_are_not_as_the_schema_says(self):
        source = ("export const inputSchema = { type: 'object', required: ['name'],\n"
                  "  properties: { name: { type: 'string' } } };\n"
                  "export function process() {}\n")
        [warning] = self.warnings(source, "--input", "name=7")
        self.assertIn("inputSchema describes, at /name", warning)
        self.assertEqual(self.warnings(source, "--input", "name=Ada"), [])
        started = self.call("run:start", "main.js")
        self.assertEqual(started.exit, 0, started)
        self.assertIn("warning: the inputs are not what", started.err)

    def test_inputs_that_the_comment_names_and_that_are_not_given(self):
        source = "/** @inputs { name: string, n?: number } */\nexport function process() {}\n"
        [warning] = self.warnings(source)
        self.assertEqual(warning, 'the inputs have no "name", which the process\'s @inputs names')
        self.assertEqual(self.warnings(source, "--input", "name=Ada"), [])
        self.assertEqual(self.warnings("export function process() {}\n"), [])


if __name__ == "__main__":
    harness.main()
