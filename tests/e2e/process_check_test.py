"""process:check: a file for each problem, with the line where it is."""

import harness
from author_test import FORGOTTEN

KIND = """import { defineTask } from 'reprise';
const good = defineTask('good', () => ({ kind: 'agent' }));
const bad = defineTask('bad', () => ({ title: 'no kind' }));
export async function process(inputs, ctx) {
  await ctx.task(bad, {});
}
"""
UNKNOWN_MEMBER = """export async function process(inputs, ctx) {
  await ctx.breakpoint({ question: 'go on?' });
  return await ctx.agent('x');
}
"""
UNKNOWN_IN_HELPER = """export async function process(inputs, ctx) {
  return await helper(ctx);
}
async function helper(ctx) {
  return ctx.agent('x');
}
"""
NO_TASK = """const helper = async () => 1;
export async function process(inputs, ctx) {

  await ctx.task(helper, {});
}
"""
DUPLICATE = """import { defineTask } from 'reprise';
export const one = defineTask('same', () => ({ kind: 'agent' }));
export const two = defineTask('same', () => ({ kind: 'agent' }));
export async function process(inputs, ctx) {
  await ctx.task(one, {});
}
"""
NEEDS_INPUTS = """export async function process(inputs, ctx) {
  for (const file of inputs.files) await ctx.breakpoint({ file });
}
"""
THROWS = """/** @inputs { name: string } */
export async function process(inputs, ctx) {
  throw new Error('not ' + inputs.name);
}
"""
MISSPELT_BREAKPOINT = """export async function process(inputs, ctx) {
  await ctx.breakpoint(
    { question: 'go on?' },
    { aprovers: ['ada'] },
  );
}
"""
MISSPELT_LATER = """import { defineTask } from 'reprise';
const step = defineTask('step', () => ({ kind: 'agent' }));
export async function process(inputs, ctx) {
  await ctx.task(step, {});
  await ctx.task(step, {}, { timeoutMS: 1 });
}
"""
MISSPELT_PARALLEL = """export async function process(inputs, ctx) {
  const ask = (question) => ctx.breakpoint({ question });
  return ctx.parallel.map(['a', 'b'], ask, { concurrency: 1 });
}
"""
MISSPELT_BUILT = """import { defineTask } from 'reprise';
const more = { outputschema: { type: 'object' } };
const step = defineTask('step', () => ({ kind: 'agent', ...more }));
export async function process(inputs, ctx) {
  await ctx.task(step, {});
}
"""
UNPERFORMABLE = """import { defineTask } from 'reprise';
const shell = { cmdline: 'make' };
const step = defineTask('step', () => ({ kind: 'shell', shell }));
export async function process(inputs, ctx) {
  await ctx.task(step, {});
}
const later = defineTask('later', () => ({
  kind: 'node', args: ['x'],
}));
"""
PROBLEMS = {  # name: (source, code, line, part of the message)
    "syntax": ("export async function process() {\n  const x = ;\n}\n", "SYNTAX_ERROR", 2,
               "SyntaxError"),
    "missing-name": ("import { defineTsk } from 'reprise';\nexport function process() {}\n",
                     "SYNTAX_ERROR", 1, "defineTsk"),
    "refused": ("import fs from 'node:fs';\nexport function process() {}\n", "IMPORT_REFUSED", 1,
                "do this work in a task"),
    "absent": ("\nimport { x } from './gone.mjs';\nexport function process() {}\n",
             "IMPORT_NOT_FOUND", 2, "there is no file"),
    "load": ("\n\nnull.x;\nexport function process() {}\n", "LOAD_FAILED", 3, "TypeError"),
    "nothing": ("export const x = 1;\n", "NO_PROCESS", 1, "it exports x"),
    "kind": (KIND, "MISSING_KIND", 3, "the definition of task bad has no `kind`"),
    "member": (UNKNOWN_MEMBER, "UNKNOWN_CTX_MEMBER", 3, 'ctx has no member "agent"; it has art'),
    "helper": (UNKNOWN_IN_HELPER, "UNKNOWN_CTX_MEMBER", 5, 'ctx has no member "agent"'),
    "no-task": (NO_TASK, "NOT_A_TASK", 4, "ctx.task needs a task made by defineTask"),
    "duplicate": (DUPLICATE, "DUPLICATE_TASK_ID", 3, "the other is at line 2"),
    "misspelt-option": (MISSPELT_BREAKPOINT, "MISSPELT_OPTION", 4, "did you mean approvers?"),
    "misspelt-later": (MISSPELT_LATER, "MISSPELT_OPTION", 5, "did you mean timeoutMs?"),
    "misspelt-parallel": (MISSPELT_PARALLEL, "MISSPELT_OPTION", 3, "did you mean maxConcurrency?"),
    "misspelt-built": (MISSPELT_BUILT, "MISSPELT_OPTION", 3, "did you mean outputSchema?"),
    "forgotten": (FORGOTTEN.replace("result.stdout", "1"), "MISSING_AWAIT", 3,
                  "does not wait for what it asks for (1 effect)"),
    "dropped": (FORGOTTEN.replace("const result = ", "").replace(
        "return", "await ctx.signal('x'); return"),
                "MISSING_AWAIT", 4, "write `await ctx.task(...)`"),
    "read": (FORGOTTEN.replace("return", "await ctx.signal('x'); return"),
             "MISSING_AWAIT", 4, "this ctx.task is a promise"),
    "fetch": (THROWS.replace("throw new Error('not ' + inputs.name)", "await fetch('x')"),
              "PROCESS_THROWS", 3, "do it in a task"),
    "environment": ("export function process() {\n  return process.env.HOME;\n}\n",
                    "PROCESS_THROWS", 2, "as inputs"),
    "typescript": ("interface A {}\nexport function process() {}\n", "SYNTAX_ERROR", 1, "compile"),
    "near-name": ("import { definetask } from 'reprise';\nexport function process() {}\n",
                  "SYNTAX_ERROR", 1, "did you mean defineTask?"),
    "no-error": ("export function process() {\n  throw { code: 5 };\n}\n", "PROCESS_THROWS", 1,
                 "throw new Error(...)"),
    "no-schema": (KIND.replace("title: 'no kind'", "kind: 'x', outputSchema: { type: 'objekt' }"),
                  "SCHEMA_INVALID", 3, "the outputSchema of task bad is no JSON Schema"),
    "needs": (NEEDS_INPUTS, "INPUTS_NEEDED", 2, "with the inputs {}, TypeError"),
    "throws": (THROWS, "PROCESS_THROWS", 3, 'not text (with the inputs {"name":"text"}'),
    "stalls": ("\nexport async function process() {\n  await new Promise(() => {});\n}\n",
               "STALLED", 2, "neither ended nor waits"),
}
GOOD = """import { defineTask } from '@a5c-ai/babysitter-sdk';
const step = defineTask('step-%d', ({ name }) => ({ kind: 'agent', title: name }));
export async function process(inputs, ctx) {
  await ctx.task(step, inputs);
}
"""
LOOPS = "export function process() {\n  for (;;) {}\n}\n"
RECURSES = """export async function process(inputs, ctx) {
  const f = () => f() + f();
  try { f(); } catch { return 1; }
}
"""


class Check(harness.Home):
    def problems(self, *words, exit=1):
        """{file: [(code, line)]} of the files that are not ok."""
        files = self.ok("process:check", *words, exit=exit)["files"]
        return {
            file["file"]: [(p["code"], p["line"]) for p in file["problems"]]
            for file in files
            if file["status"] != "ok"
        }

    def test_each_problem_is_told_with_its_line(self):
        for name, (source, code, line, message) in PROBLEMS.items():
            with self.subTest(name):
                self.write(f"{name}.mjs", source)
                [file] = self.ok("process:check", f"{name}.mjs", exit=1)["files"]
                self.assertEqual((file["file"], file["status"]), (f"{name}.mjs", "problem"))
                [problem] = file["problems"]
                self.assertEqual((problem["code"], problem["line"]), (code, line), problem)
                self.assertIn(message, problem["message"])
                text = self.call("process:check", f"{name}.mjs")
                self.assertEqual((text.exit, text.err), (1, ""), text)
                self.assertTrue(text.out.startswith(f"{name}.mjs:{line}:"), text)
                self.assertTrue(text.out.endswith("\n0 ok, 1 with problems\n"), text)

    def test_tasks_that_nobody_could_perform_are_told_before_they_are_reached(self):
        self.write("a.js", UNPERFORMABLE)
        self.assertEqual(self.problems("a.js"),
                         {"a.js": [("UNPERFORMABLE_TASK", 8), ("UNPERFORMABLE_TASK", 3)]})

    def test_a_good_file_is_ok(self):
        self.write("good.js", GOOD % 1)
        answer = self.call("process:check", "good.js")
        self.assertEqual((answer.exit, answer.out), (0, "1 ok\n"), answer)

    def test_several_problems_of_one_file_are_all_told(self):
        self.write("a.js", "import 'node:fs';\nimport './gone.js';\nexport function process() {}\n")
        self.assertEqual(self.problems("a.js"),
                         {"a.js": [("IMPORT_REFUSED", 1), ("IMPORT_NOT_FOUND", 2)]})

    def test_a_problem_in_an_imported_file_names_that_file(self):
        self.write("lib/tasks.js", "\nexport const x = ;\n")
        self.write("main.js", "import { x } from './lib/tasks.js';\nexport function process() {}\n")
        [file] = self.ok("process:check", "main.js", exit=1)["files"]
        [problem] = file["problems"]
        self.assertEqual((problem["file"], problem["line"]), ("lib/tasks.js", 2))

    def test_two_tasks_of_one_id_are_found_across_files(self):
        self.write("lib.js", "import { defineTask } from 'reprise';\n"
                             "export const a = defineTask({ id: 'same', kind: 'agent' });\n")
        self.write("main.js", "import { defineTask } from 'reprise';\nimport './lib.js';\n"
                              "const b = defineTask('same', () => ({ kind: 'agent' }));\n"
                              "export async function process(i, ctx) { await ctx.task(b, {}); }\n")
        [file] = self.ok("process:check", "main.js", exit=1)["files"]
        self.assertIn("lib.js:2", file["problems"][0]["message"])

    def test_inputs_come_from_the_comment_the_schema_or_the_flag(self):
        body = "export async function process(inputs, ctx) { await ctx.breakpoint(inputs); }\n"
        schema = ("export const inputSchema = { type: 'object', required: ['n', 'tags'],\n"
                  "  properties: { n: { type: 'integer', minimum: 3 },\n"
                  "    tags: { type: 'array', items: {} } } };\n")
        self.write("inputs.json", {"x": 1})
        self.write("none.js", body)
        self.write("comment.js", "/**\n * @inputs {\n *   name: string, // who\n *   n?: number,\n"
                                 " *   tags: string[],\n * }\n */\n" + body)
        self.write("schema.js", schema + body)

        def inputs(*words):
            return [file["inputs"] for file in self.ok("process:check", *words)["files"]]

        self.assertEqual(inputs("none.js", "comment.js", "schema.js"),
                         [{}, {"name": "text", "tags": ["text"]}, {"n": 3, "tags": ["text"]}])
        self.assertEqual(inputs("comment.js", "--inputs", "inputs.json"), [{"x": 1}])

    def test_given_inputs_are_not_blamed(self):
        self.write("needs.js", NEEDS_INPUTS)
        self.write("inputs.json", {})
        self.assertEqual(self.problems("needs.js", "--inputs", "inputs.json"),
                         {"needs.js": [("PROCESS_THROWS", 2)]})

    def test_a_member_that_the_process_asks_about_first_is_no_problem(self):
        self.write("a.js", "export async function process(inputs, ctx) {\n"
                           "  if (ctx.agent) await ctx.agent('x');\n  ctx.checkpoint?.();\n"
                           "  ctx.log(`${ctx.nothing ?? 1} // ctx.text`);\n"
                           "  // ctx.comment()\n}\n")
        self.ok("process:check", "a.js")

    def test_members_taken_by_destructuring_are_looked_at(self):
        self.write("a.cjs", "exports.process = async (inputs, { log, agent }) => { log('x'); };\n")
        self.assertEqual(self.problems("a.cjs"), {"a.cjs": [("UNKNOWN_CTX_MEMBER", 1)]})

    def test_what_a_file_does_to_the_sandbox_does_not_reach_the_next(self):
        self.write("a.js", "globalThis.leaked = 1; Object.prototype.leaked = 1;\n"
                           "export async function process() {}\n")
        self.write("b.js", "export function process() { if ({}.leaked) throw new Error(); }\n")
        self.ok("process:check", "a.js", "b.js")


class Folders(harness.Home):
    def test_folders_are_walked_and_what_is_no_process_is_passed_over(self):
        for name in ("a.js", "sub/b.mjs", "node_modules/c.js", ".hidden/d.js", "e.txt"):
            self.write(name, GOOD % 1)
        self.write("sub/notes.js", "// export async function process\nexport const x = 1;\n")
        self.write("vitest.config.js", "import v from 'vitest';\nexport default v({});\n")
        (self.work / "link.js").symlink_to("a.js")
        document = self.ok("process:check", ".")
        self.assertEqual([file["file"] for file in document["files"]], ["a.js", "sub/b.mjs"])
        self.assertEqual(document["counts"], {"ok": 2, "problem": 0, "error": 0, "skipped": 2})
        text = self.call("process:check", "sub", "a.js")
        self.assertEqual(text.out, "2 ok, 1 exports no process\n", text)

    def test_a_named_file_is_not_passed_over(self):
        self.write("notes.js", "export const x = 1;\n")
        for words in (["notes.js"], [".", "notes.js"]):
            [file] = self.ok("process:check", *words, exit=1)["files"]
            self.assertEqual(file["problems"][0]["code"], "NO_PROCESS")

    def test_a_path_that_is_not_there(self):
        self.write("a.js", GOOD % 1)
        self.refused(3, "FILE_NOT_FOUND", "process:check", "a.js", "gone")
        self.refused(2, "MISSING_ARGUMENT", "process:check")

    def test_what_cannot_be_read_is_an_error_of_that_file_alone(self):
        self.write("a.js", b"export function process() {} // \xff\xfe")
        self.write("b.js", GOOD % 1)
        (self.work / "c.js").mkdir()
        document = self.ok("process:check", "a.js", "b.js", exit=1)
        self.assertEqual([file["status"] for file in document["files"]], ["problem", "ok"])
        self.ok("process:check", "b.js", "c.js")

    def test_where_nothing_is_a_process_it_is_an_error(self):
        (self.work / "empty").mkdir()
        self.refused(2, "NO_PROCESS_FILES", "process:check", "empty")
        self.write("lib/x.js", "export const x = 1;\n")
        self.refused(2, "NO_PROCESS_FILES", "process:check", "lib")

    def test_no_home_is_made(self):
        self.write("a.js", GOOD % 1)
        self.ok("process:check", "a.js")
        self.assertFalse(self.home.exists())


class Batches(harness.Home):
    def test_one_bad_file_does_not_take_the_others_down(self):
        for i in range(220):
            self.write(f"good-{i:03}.js", GOOD % i)
        self.write("good-100-loops.js", LOOPS)
        self.write("good-150-recurses.js", RECURSES)
        self.write("zzz-throws.js", THROWS)
        document = self.ok("process:check", ".", exit=1)
        self.assertEqual(document["counts"], {"ok": 220, "problem": 1, "error": 2, "skipped": 0})
        wrong = {f["file"]: f["problems"][0]["code"] for f in document["files"] if f["problems"]}
        self.assertEqual(wrong, {"good-100-loops.js": "SCRIPT_BUDGET",
                                 "good-150-recurses.js": "SCRIPT_BUDGET",
                                 "zzz-throws.js": "PROCESS_THROWS"})


TWO_STEPS = """import { defineTask } from 'reprise';
const step = defineTask('step', () => ({ kind: 'agent' }));
export async function process(inputs, ctx) {
  await ctx.task(step, {}, { label: 'a' });
  return await ctx.task(step, {}, { label: 'b' });
}
"""


class AgainstOpen(harness.Home):
    """What other code would make of the runs under way."""

    def check(self, source, exit):
        self.write("main.js", source)
        before = self.records("r")
        runs = self.ok("process:check", "main.js", "--against-open", exit=exit)["openRuns"]
        self.assertEqual(self.records("r"), before)
        return runs

    def test_it_says_which_open_runs_go_on(self):
        self.script(TWO_STEPS)
        self.post("r", "t1", 1)
        self.assertEqual(self.check(TWO_STEPS, 0)[0]["status"], "goes on")
        self.ok("run:iterate", "r")
        (same,) = self.check("// only a comment more\n" + TWO_STEPS, 0)
        self.assertEqual((same["status"], same["kept"]), ("goes on", 2))
        (renamed,) = self.check(TWO_STEPS.replace("'b'", "'c'"), 1)
        self.assertEqual((renamed["status"], renamed["new"], renamed["notReached"]),
                         ("diverges", 1, 1))
        self.assertIn('label "b"', renamed["difference"])
        text = self.call("process:check", "main.js", "--against-open").out
        self.assertIn("1 open run, 0 go on\n", text)
        self.post("r", "t2", 2)
        self.ok("run:iterate", "r")
        self.assertEqual(self.check(TWO_STEPS, 0), [])


if __name__ == "__main__":
    harness.main()
