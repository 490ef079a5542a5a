"""process:test: whole runs in memory, against scripted answers."""

import harness

RELEASE = """import { defineTask } from 'reprise';
const build = defineTask('build', ({ target }) => ({ kind: 'shell', title: `Build ${target}` }));
const look = defineTask('look', () => ({ kind: 'agent', title: 'Look at it' }));
export async function process({ targets }, ctx) {
  const built = await ctx.parallel.map(targets, (target) => ctx.task(build, { target }));
  ctx.log('built', built.length);
  ctx.emit('release.built', { count: built.length });
  const seen = await ctx.task(look, {}, { key: 'look-once' });
  await ctx.sleepUntil(ctx.now().getTime() + 3600_000);
  return { seen, at: ctx.now().toISOString() };
}
"""
ANSWERS = {
    "inputs": {"targets": ["a", "b"]},
    "answers": [
        {"task": "build", "times": 2, "ok": {"success": True}},
        {"key": "look-once", "ok": "fine"},
    ],
}
RACE = """import { defineTask } from 'reprise';
const ask = defineTask('ask', ({ who }) => ({ kind: 'agent', title: who }));
export async function process(inputs, ctx) {
  return await Promise.race([ctx.task(ask, { who: 'Ada' }), ctx.task(ask, { who: 'Bob' })]);
}
"""
TIMEOUT = """export async function process(inputs, ctx) {
  const late = ctx.sleepUntil(ctx.now().getTime() + 1000).then(() => 'too late');
  return await Promise.race([ctx.signal('go'), late]);
}
"""
TRY = """import { defineTask } from 'reprise';
const job = defineTask('job', () => ({ kind: 'job' }));
export async function process(inputs, ctx) {
  try {
    return await ctx.task(job, {});
  } catch (error) {
    if (inputs.strict) throw error;
    return { failed: error.message };
  }
}
"""


class Test(harness.Home):
    def trial(self, source, answers, *words, exit=0):
        self.write("main.js", source)
        self.write("answers.json", answers)
        harness.validate(answers, "answers")
        return self.ok("process:test", "main.js", "--script", "answers.json", *words, exit=exit)

    def test_a_run_to_its_end(self):
        document = self.trial(RELEASE, ANSWERS)
        self.assertEqual((document["passed"], document["status"]), (True, "completed"))
        self.assertEqual(document["output"], {"seen": "fine", "at": "2026-01-01T01:00:00.000Z"})
        self.assertEqual([(e["effectId"], e["kind"], e["label"], e["status"])
                          for e in document["effects"]],
                         [("t1", "shell", "Build a", "ok"), ("t2", "shell", "Build b", "ok"),
                          ("t3", "agent", "Look at it", "ok"),
                          ("t4", "sleep", "sleep:2026-01-01T01:00:00.000Z", "ok")])
        causes = [effect["cause"] for effect in document["effects"]]
        self.assertEqual(causes[0], causes[1])
        self.assertEqual(len(set(causes)), 3)
        self.assertEqual(document["events"], [{"type": "release.built", "payload": {"count": 2}}])
        self.assertEqual([line["label"] for line in document["log"]], ["built"])
        self.assertEqual(document["unused"], {"answers": [], "signals": []})

    def test_the_tree_shows_what_was_asked_for_together(self):
        self.trial(RELEASE, ANSWERS)
        text = self.call("process:test", "main.js", "--script", "answers.json")
        lines = text.out.splitlines()
        self.assertEqual(lines[0], "  together", text)
        self.assertTrue(lines[1].startswith("    t1"), text)
        self.assertTrue(lines[3].startswith("  t3"), text)
        self.assertEqual(lines[-1], "passed  completed", text)

    def test_the_same_script_gives_the_same_document_and_leaves_nothing(self):
        source = "export function process(i, ctx) { return [ctx.uuid(), Math.random()]; }"
        self.assertEqual(self.trial(source, {}), self.trial(source, {}))
        self.assertFalse(self.home.exists())
        self.assertEqual(sorted(path.name for path in self.work.iterdir()),
                         ["answers.json", "main.js"])

    def test_an_effect_without_an_answer_fails_the_test(self):
        answers = {**ANSWERS, "answers": ANSWERS["answers"][:1]}
        document = self.trial(RELEASE, answers, exit=1)
        self.assertEqual((document["passed"], document["status"]), (False, "waiting"))
        self.assertEqual(document["failures"], ['no answer for t3: task "look", kind "agent", '
                                                'label "Look at it", key "look-once"'])
        self.assertEqual(document["effects"][2]["status"], "open")
        text = self.call("process:test", "main.js", "--script", "answers.json")
        self.assertIn("failed  no answer for t3", text.out)

    def test_the_order_of_the_answers_is_the_order_of_arrival(self):
        ada, bob = ({"label": name, "ok": name} for name in ("Ada", "Bob"))
        self.assertEqual(self.trial(RACE, {"answers": [ada, bob]})["output"], "Ada")
        self.assertEqual(self.trial(RACE, {"answers": [bob, ada]})["output"], "Bob")
        document = self.trial(RACE, {"answers": [bob, ada]})
        self.assertEqual(document["unused"]["answers"], [1])

    def test_the_first_answer_that_fits_wins_and_is_used_up(self):
        source = RACE.replace("race", "all")
        answers = [{"label": "Bob", "ok": 1}, {"task": "ask", "ok": 2}, {"kind": "agent", "ok": 3}]
        self.assertEqual(self.trial(source, {"answers": answers})["output"], [2, 1])
        answers = [{"task": "ask", "label": "Cy", "ok": 1}, {"kind": "agent", "times": 2, "ok": 2}]
        self.assertEqual(self.trial(source, {"answers": answers})["output"], [2, 2])

    def test_signals_come_before_the_clock_moves(self):
        signals = [{"name": "go", "value": {"n": 1}}, {"name": "go"}]
        document = self.trial(TIMEOUT, {"signals": signals})
        self.assertEqual(document["output"], {"n": 1})
        self.assertEqual(document["unused"]["signals"], ["go"])
        self.assertEqual(self.trial(TIMEOUT, {})["output"], "too late")

    def test_a_run_that_waits_for_a_signal_that_is_not_scripted(self):
        source = "export async function process(i, ctx) { return await ctx.signal('go'); }"
        document = self.trial(source, {"signals": [{"name": "stop"}]}, exit=1)
        self.assertEqual(document["failures"], ["it waits for a signal, and no other is scripted"])
        self.trial(source, {"expect": {"status": "waiting"}})

    def test_errors_are_delivered(self):
        error = {"task": "job", "error": {"name": "Broken", "message": "no capacity"}}
        self.assertEqual(self.trial(TRY, {"answers": [error]})["output"],
                         {"failed": "no capacity"})
        text = {"task": "job", "error": "no capacity"}
        self.assertEqual(self.trial(TRY, {"answers": [text]})["output"],
                         {"failed": "no capacity"})

    def test_a_run_that_fails_or_halts(self):
        script = {"answers": [{"task": "job", "error": "no"}], "inputs": {"strict": True}}
        document = self.trial(TRY, script, exit=1)
        self.assertEqual((document["status"], document["error"]["message"]), ("failed", "no"))
        self.assertIn("it failed: ", document["failures"][0])
        self.trial(TRY, {**script, "expect": {"status": "failed"}})
        halts = "export async function process(i, ctx) { ctx.halt('enough'); }"
        self.assertEqual(self.trial(halts, {}, exit=1)["reason"], "enough")
        self.trial(halts, {"expect": {"status": "halted"}})

    def test_an_expected_failure_shows_its_error(self):
        script = {"answers": [{"task": "job", "error": "no"}], "inputs": {"strict": True}}
        self.trial(TRY, {**script, "expect": {"status": "failed"}})
        text = self.call("process:test", "main.js", "--script", "answers.json").out
        self.assertEqual(text.splitlines()[-2:],
                         ["error   Error: no", "passed  failed, as expected"])

    def test_a_run_can_be_cancelled(self):
        cancel = [{"name": "reprise.cancel", "value": "too slow"}]
        script = {"signals": cancel, "inputs": {"strict": True}, "expect": {"status": "cancelled"}}
        self.assertEqual(self.trial(TRY, script)["reason"], "too slow")
        document = self.trial(TRY, {**script, "signals": []}, exit=1)
        self.assertIn("no answer for t1", document["failures"][0])

    def test_an_answer_stands_for_all_the_people_who_are_asked(self):
        source = """export async function process(inputs, ctx) {
          return ctx.breakpoint({ question: 'Go?' }, { approvers: ['ada', 'bob'], quorum: 2 });
        }"""
        answers = [{"kind": "breakpoint", "ok": {"approved": True}}]
        self.assertEqual(self.trial(source, {"answers": answers})["output"], {"approved": True})

    def test_what_is_expected_must_hold(self):
        source = "export async function process(inputs) { return { a: 1, b: inputs.b }; }"
        self.trial(source, {"inputs": {"b": 2}, "expect": {"output": {"b": 2, "a": 1.0}}})
        document = self.trial(source, {"inputs": {"b": 3}, "expect": {"output": {"a": 1}}}, exit=1)
        self.assertEqual(document["failures"],
                         ['the output is {"a":1,"b":3}; expected was {"a":1}'])
        document = self.trial(source, {"expect": {"status": "failed"}}, exit=1)
        self.assertEqual(document["failures"], ["it is completed; expected was failed"])

    def test_flags_come_before_the_inputs_of_the_script(self):
        source = "export async function process(inputs) { return inputs; }"
        script = {"inputs": {"a": 1, "b": 1}}
        self.write("inputs.json", {"c": 3})
        self.assertEqual(self.trial(source, script)["output"], {"a": 1, "b": 1})
        self.assertEqual(self.trial(source, script, "--input", "b=2")["output"], {"a": 1, "b": 2})
        self.assertEqual(self.trial(source, script, "--inputs", "inputs.json")["output"], {"c": 3})

    def test_the_clock_begins_where_the_script_says(self):
        source = "export async function process(i, ctx) { return ctx.now().toISOString(); }"
        self.assertEqual(self.trial(source, {"now": "2030-05-06T07:08:09Z"})["output"],
                         "2030-05-06T07:08:09.000Z")

    def test_another_export_can_be_named(self):
        self.write("main.js", "export async function nightly() { return 'night'; }")
        self.write("answers.json", {})
        document = self.ok("process:test", "main.js#nightly", "--script", "answers.json")
        self.assertEqual(document["output"], "night")


class Refusals(harness.Home):
    def test_a_script_that_is_none(self):
        self.write("main.js", TRY)
        for script, place in (
            ([], "/"),
            ({"answer": []}, "/answer"),
            ({"answers": {}}, "/answers"),
            ({"answers": [{"ok": 1}]}, "/answers/0"),
            ({"answers": [{"task": "a", "ok": 1}, {"task": "b"}]}, "/answers/1"),
            ({"answers": [{"task": "a", "ok": 1, "error": "x"}]}, "/answers/0"),
            ({"answers": [{"task": 3, "ok": 1}]}, "/answers/0/task"),
            ({"answers": [{"task": "a", "times": 0, "ok": 1}]}, "/answers/0/times"),
            ({"answers": [{"task": "a", "times": 1.5, "ok": 1}]}, "/answers/0/times"),
            ({"signals": [{"value": 1}]}, "/signals/0"),
            ({"expect": {"status": "happy"}}, "/expect/status"),
            ({"now": "today"}, "/now"),
        ):
            with self.subTest(script=script):
                self.write("answers.json", script)
                error = self.refused(2, "INVALID_ANSWERS", "process:test", "main.js",
                                     "--script", "answers.json")
                self.assertIn(f"answers.json: {place} ", error["message"])

    def test_files_that_are_not_there_or_cannot_run(self):
        self.write("main.js", TRY)
        self.write("bad.js", "const x = ;")
        self.write("answers.json", {})
        script = ["--script", "answers.json"]
        self.refused(3, "FILE_NOT_FOUND", "process:test", "main.js", "--script", "gone.json")
        self.refused(3, "ENTRY_NOT_FOUND", "process:test", "gone.js", *script)
        self.refused(2, "SCRIPT_INVALID", "process:test", "bad.js", *script)
        self.refused(2, "MISSING_ARGUMENT", "process:test", "main.js")
        self.write("answers.json", "{")
        self.refused(2, "INVALID_JSON", "process:test", "main.js", *script)


if __name__ == "__main__":
    harness.main()
