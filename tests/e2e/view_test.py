"""Looking at runs, and taking those that are over out of the way."""

import json
import shutil
import subprocess

import harness

PARENT = """
import { defineTask } from 'reprise';
const work = defineTask('work', (a) => ({ kind: 'shell', shell: { command: a.c } }));
export async function process(inputs, ctx) {
  ctx.log('begins', inputs);
  console.warn('line\\x1b[31m');
  await ctx.task(work, { c: 'make' }, { label: 'build' });
  return ctx.run('child.js', {});
}
"""
CHILD = """
export async function process(inputs, ctx) { return ctx.signal('go', { timeoutMs: 60000 }); }
"""


class View(harness.Home):
    def family(self):
        """A run p with a result and a child p.t2 that waits for a signal."""
        self.write("child.js", CHILD)
        self.script(PARENT, run="p")
        self.post("p", "t1", {"success": True, "stdout": "done\x1b[2J"}, "--iterate")
        self.ok("run:iterate", "p", "--children")

    def test_a_tree_shows_effects_with_results_and_child_runs(self):
        self.family()
        tree = self.ok("run:tree", "p")["tree"]
        build, child = tree["effects"]
        self.assertEqual((build["status"], build["label"]), ("resolved_ok", "build"))
        self.assertIn("done", build["result"])
        self.assertEqual(child["child"]["runId"], "p.t2")
        self.assertEqual(child["child"]["awaits"], ["go"])
        self.assertEqual(child["child"]["effects"][0]["kind"], "sleep")
        text = self.call("run:tree", "p").out
        self.assertRegex(text, r"(?m)^  t1 +shell +build +ok +")
        self.assertRegex(text, r"(?m)^    t1 +sleep +signal:go +open +")
        self.assertNotIn("\x1b", text)
        shallow = self.ok("run:tree", "p", "--limit", "1", "--depth", "1")["tree"]
        self.assertEqual((shallow["leftOut"], len(shallow["effects"])), (1, 1))
        self.assertIn("1 earlier effect: --all", self.call("run:tree", "p", "--limit", "1").out)

    def test_a_signal_that_came_leaves_no_timer_behind(self):
        self.family()
        self.assertEqual(self.ok("run:status", "p.t2")["awaits"], ["go"])
        self.assertIn("reprise run:signal p.t2 go", self.call("run:iterate", "p.t2").out)
        self.ok("run:signal", "p.t2", "go", "--value-inline", "1")
        self.ok("run:iterate", "p.t2")
        self.assertEqual(self.ok("run:tree", "p.t2")["tree"]["effects"][0]["status"], "cancelled")
        self.ok("run:iterate", "p")
        self.assertEqual(self.ok("run:output", "p")["output"], 1)
        self.records("p.t2")

    def test_logs_are_shown_and_cannot_act_on_the_terminal(self):
        self.family()
        lines = self.ok("run:logs", "p")["lines"]
        said = [(line["label"], line["message"]) for line in lines]
        self.assertEqual(said, [("begins", "{}"), ("warn", "line\x1b[31m")])
        text = self.call("run:logs", "p").out
        self.assertIn("warn: line\\x1b[31m", text)
        self.assertNotIn("\x1b", text)
        self.assertEqual(self.ok("run:logs", "p", "--limit", "1")["leftOut"], 1)
        self.assertEqual(self.call("run:logs", "p.t2").out, "nothing was logged\n")
        with (self.home / "logs" / "p.jsonl").open("a") as log:
            log.write('{"at":"20')
        self.assertEqual(len(self.ok("run:logs", "p")["lines"]), 2)

    def watched(self, *words):
        answer = self.call("run:watch", *words, "--json")
        lines = [json.loads(line) for line in answer.out.splitlines()]
        for line in lines:
            harness.validate(line, "run:watch")
        return answer.exit, lines

    def test_watching_shows_records_until_the_run_ends_or_the_time_is_over(self):
        self.checklist("r", "make")
        exit, lines = self.watched("r", "--wait-for", "1ms")
        self.assertEqual((exit, lines[-1]["event"]), (10, "timeout"))
        types = [line.get("type") for line in lines[:2]]
        self.assertEqual(types, ["RUN_CREATED", "EFFECT_REQUESTED"])
        watcher = subprocess.Popen(
            [harness.BINARY, "run:watch", "r", "--after", "2"],
            env=self.environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.post("r", "t1", {"exitCode": 0}, "--iterate")
        text, _ = watcher.communicate(timeout=harness.TIMEOUT_S)
        self.assertEqual(watcher.returncode, 0)
        self.assertRegex(text, r"(?s)^\S+  EFFECT_RESOLVED .*RUN_COMPLETED.*\nr  completed\n$")
        exit, lines = self.watched("r", "--after", "3")
        self.assertEqual([line["event"] for line in lines], ["record", "ended"])

    def test_what_has_not_ended_stays(self):
        self.family()
        for command in ("run:archive", "run:delete"):
            self.refused(4, "RUN_OPEN", command, "p")
            self.refused(4, "RUN_NEEDED", command, "p.t2")
        self.assertTrue(self.run_dir("p").exists())

    def test_an_archived_run_and_its_children_are_only_moved(self):
        self.family()
        self.ok("run:cancel", "p", "--iterate")
        self.ok("run:iterate", "p.t2", exit=1)
        records = self.records("p")
        plan = self.ok("run:archive", "p", "--dry-run")
        self.assertEqual([run["runId"] for run in plan["runs"]], ["p.t2", "p"])
        self.assertTrue(self.run_dir("p").exists())
        moved = self.ok("run:archive", "p")
        self.assertEqual(moved["runs"], plan["runs"])
        self.assertEqual(self.ok("run:list")["runs"], [])
        self.refused(3, "RUN_NOT_FOUND", "run:archive", "p")
        archive = self.home / "archive"
        (archive / "p").rename(self.run_dir("p"))
        self.assertEqual(self.records("p"), records)
        self.ok("run:verify", "p")
        self.write(archive / "p" / "in the way", "")
        self.refused(4, "RUN_EXISTS", "run:archive", "p")
        self.ok("run:verify", "p")
        listed = self.ok("run:list", "--runs-dir", archive)["runs"]
        self.assertIn("p.t2", [run["runId"] for run in listed])

    def test_a_run_is_deleted_only_with_yes(self):
        self.checklist("r", "make")
        self.checklist("s", "make")
        self.post("r", "t1", {"exitCode": 0}, "--iterate")
        plan = self.ok("run:delete", "r", exit=2)
        self.assertEqual((plan["deleted"], plan["runs"][0]["runId"]), (False, "r"))
        self.assertFalse(self.ok("run:delete", "r", "--dry-run")["deleted"])
        self.assertTrue(self.run_dir("r").exists())
        self.refused(4, "RUN_OPEN", "run:delete", "r", "s", "--yes")
        self.assertTrue(self.run_dir("r").exists())
        self.assertTrue(self.ok("run:delete", "r", "s", "--yes", "--force")["deleted"])
        self.assertEqual(list((self.home / "runs").iterdir()), [])

    def test_the_id_of_an_archived_run_is_not_free(self):
        self.checklist("r", "make")
        self.ok("run:archive", "r", "--force")
        for words in (("run:create", "--run-id", "r"), ("run:create", "--run-id", "r", "--dry-run"),
                      ("run:create", "--run-id", "r", "--if-absent")):  # fmt: skip
            error = self.refused(4, "RUN_ARCHIVED", *words)
            self.assertIn(str(self.home / "archive" / "r"), error["message"])
        self.refused(4, "RUN_ARCHIVED", "run:start", "builtin:checklist", "--run-id", "r")

    def test_a_breakpoint_is_called_by_its_question(self):
        self.script("export const process = (i, ctx) => ctx.breakpoint({ question: 'Ship it?' });")
        (effect,) = self.ok("run:tree", "r")["tree"]["effects"]
        self.assertEqual((effect["label"], effect["question"]), ("breakpoint", "Ship it?"))
        for words in (("run:tree", "r"), ("task:list", "r"), ("task:list",)):
            self.assertIn("Ship it?", self.call(*words).out)
        for words in (("r",), ()):
            (task,) = self.ok("task:list", *words)["tasks"]
            self.assertEqual(task["question"], "Ship it?")

    def test_filters_without_hits_and_wrong_times_are_told_as_such(self):
        self.checklist("r", "make")
        self.assertEqual(self.call("run:list", "--status", "failed").out, "no run matches\n")
        self.assertTrue(self.ok("run:list", "--status", "failed")["filtered"])
        self.assertNotIn("filtered", self.ok("run:list"))
        error = self.refused(2, "INVALID_ARGUMENT", "run:list", "--since", "yesterday")
        self.assertEqual(error["message"], '--since is a time or how long ago, not "yesterday"')
        self.assertIn("2h", error["hint"])

    def test_metadata_is_shown_with_a_task(self):
        self.checklist("r", "make")
        metadata = self.write("metadata.json", {"tokens": 1200})
        self.post("r", "t1", {"exitCode": 0}, "--metadata", metadata)
        self.assertRegex(self.call("task:show", "r", "t1").out, r'metadata +\{"tokens":1200\}')

    def test_names_that_people_give_have_a_longest_length(self):
        long = "x" * 4097
        self.refused(2, "NAME_TOO_LONG", "run:create", "--label", f"a={long}")
        self.refused(2, "NAME_TOO_LONG", "run:create", "--label", f"{long}=a")
        self.checklist("r", "make")
        self.refused(2, "NAME_TOO_LONG", "run:signal", "r", long)
        self.refused(2, "NAME_TOO_LONG", "run:signal", "r", "go", "--key", long)
        words = ("task:post", "r", "t1", "--status", "ok", "--value-inline", "1", "--key", long)
        self.refused(2, "NAME_TOO_LONG", *words)
        source = """
        const task = { id: 'a', build: () => ({ kind: 'agent' }) };
        export const process = (i, ctx) => ctx.task(task, {}, { OPTION: 'x'.repeat(4097) });"""
        for option in ("key", "label"):  # an old journal may hold longer ones, and must replay
            self.script(source.replace("OPTION", option), run=option)

    def test_the_log_of_an_archived_run_outlives_another_run_of_its_name(self):
        source = "export const process = async (inputs, ctx) => { ctx.log('hello'); };"
        self.script(source, run="l")
        self.ok("run:archive", "l")
        shutil.copytree(self.home / "archive" / "l", self.run_dir("l"))
        self.ok("run:delete", "l", "--yes")
        self.assertTrue(self.ok("run:logs", "l", "--runs-dir", self.home / "archive")["lines"])


if __name__ == "__main__":
    harness.main()
