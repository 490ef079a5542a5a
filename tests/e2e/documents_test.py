"""What each command's document holds. The harness checks their shapes against the schemas."""

import json
import pathlib

import harness

TWO_EFFECTS = """
const task = (id, kind) => ({
  id, build: (args) => ({ kind, title: id, [kind]: args, labels: ['x'] }),
});
export async function process(inputs, ctx) {
  const a = ctx.task(task('compile', 'shell'), { command: 'make' }, { key: 'the-build' });
  const b = ctx.task(task('review', 'agent'), { prompt: 'look' });
  return [await a, await b];
}
"""


class Documents(harness.Home):
    def setUp(self):
        super().setUp()
        self.script(TWO_EFFECTS, "--label", "team=web", "--request", "a build")

    def test_run_status(self):
        status = self.ok("run:status", "r")
        self.assertEqual(status["reason"], "mixed-pending:agent,shell")
        self.assertEqual(status["pendingByKind"], {"agent": 1, "shell": 1})
        self.assertEqual(status["labels"], {"team": "web"})
        self.assertEqual(status["request"], "a build")
        self.assertEqual(status["entry"], "main.js#process")
        self.assertEqual(status["lastEvent"]["data"]["effectId"], "t2")
        self.ok("run:status", "r", "--exit-status", exit=10)

    def test_run_events(self):
        events = self.ok("run:events", "r")["events"]
        self.assertEqual(
            [e["type"] for e in events], ["RUN_CREATED", "EFFECT_REQUESTED", "EFFECT_REQUESTED"]
        )
        self.assertEqual([e["seq"] for e in events], [1, 2, 3])
        self.assertEqual([e.get("cause") for e in events], [None, 1, 1])
        requested = self.ok("run:events", "r", "--filter-type", "EFFECT_REQUESTED", "--limit", "1")
        self.assertEqual([e["seq"] for e in requested["events"]], [2])
        self.assertEqual(requested["next"], "2")
        rest = self.ok("run:events", "r", "--after", requested["next"])
        self.assertEqual([e["seq"] for e in rest["events"]], [3])
        self.assertNotIn("next", rest)
        latest = self.ok("run:events", "r", "--reverse", "--limit", "2")
        self.assertEqual([e["seq"] for e in latest["events"]], [3, 2])
        before = self.ok("run:events", "r", "--reverse", "--after", latest["next"])
        self.assertEqual([e["seq"] for e in before["events"]], [1])

    def test_all_events_are_those_that_a_limit_lists(self):
        self.post("r", "t1", {"exitCode": 0})
        for output in ("json", "jsonl", "text"):
            listed = self.call("run:events", "r", "--limit", "100", "--output", output)
            self.assertIn("EFFECT_RESOLVED", listed.out)
            every = self.call("run:events", "r", "--all", "--output", output)
            self.assertEqual((every.exit, every.out, every.err), (0, listed.out, ""))
        events = self.ok("run:events", "r", "--all", "--after", "2", "--filter-type",
                         "EFFECT_REQUESTED")
        self.assertEqual([e["seq"] for e in events["events"]], [3])
        self.assertEqual(self.ok("run:events", "r", "--all", "--after", "9")["events"], [])
        self.assertEqual(self.call("run:events", "r", "--all", "--get", "/events/1/seq").out, "2\n")

    def test_task_show_names_a_large_result(self):
        value = self.write("large.json", '"' + "x" * (16 << 20) + '"')
        self.ok("task:post", "r", "t1", "--status", "ok", "--value", value)
        shown = self.ok("task:show", "r", "t1")
        result = shown["result"]
        self.assertNotIn("value", result)
        self.assertEqual(result["valueBytes"], (16 << 20) + 2)
        file = pathlib.Path(shown["runDir"]) / result["valueRef"]
        self.assertEqual(file.stat().st_size, result["valueBytes"])
        self.assertIn(f"16 MiB in {result['valueRef']}", self.call("task:show", "r", "t1").out)

    def test_task_list(self):
        tasks = self.ok("task:list", "r")["tasks"]
        self.assertEqual([t["effectId"] for t in tasks], ["t1", "t2"])
        self.assertEqual(tasks[0]["key"], "the-build")
        self.assertEqual(tasks[0]["stepId"], "the-build")
        self.post("r", "t1", {"exitCode": 0})
        self.assertEqual(
            [t["status"] for t in self.ok("task:list", "r")["tasks"]], ["resolved_ok", "requested"]
        )
        pending = self.ok("task:list", "r", "--pending")["tasks"]
        self.assertEqual([t["effectId"] for t in pending], ["t2"])
        self.assertEqual(self.ok("task:list", "r", "--kind", "shell")["tasks"][0]["effectId"], "t1")
        page = self.ok("task:list", "r", "--limit", "1")
        self.assertEqual(page["next"], "t1")
        self.assertEqual(self.ok("task:list", "r", "--after", "t1")["tasks"][0]["effectId"], "t2")

    def test_task_show(self):
        self.write("out.log", "compiling\n")
        self.post(
            "r",
            "t1",
            {"total": 1},
            "--stdout-file",
            "out.log",
            "--started-at",
            "2026-01-01T00:00:00Z",
            "--metadata",
            self.write("meta.json", {"tokens": 12}),
        )
        shown = self.ok("task:show", "r", "t1")
        self.assertEqual(shown["effect"]["status"], "resolved_ok")
        self.assertEqual(shown["task"]["shell"], {"command": "make"})
        self.assertEqual(shown["inputs"], {"command": "make"})
        self.assertEqual(shown["result"]["value"], {"total": 1})
        self.assertEqual(shown["result"]["metadata"], {"tokens": 12})
        self.assertEqual(shown["result"]["startedAt"], "2026-01-01T00:00:00.000Z")
        self.assertEqual(shown["result"]["by"]["command"], "task:post")
        log = self.run_dir("r") / shown["effect"]["stdoutRef"]
        self.assertEqual(log.read_text(), "compiling\n")
        self.assertIsNone(self.ok("task:show", "r", "t2")["result"])
        self.assertEqual(
            self.ok("task:show", "r", "--key", "the-build")["effect"]["effectId"], "t1"
        )
        self.assertEqual(self.ok("task:show", "r/t2")["effect"]["effectId"], "t2")

    def test_run_list(self):
        self.ok("run:create", "--run-id", "other", "--label", "team=ops")
        runs = self.ok("run:list")["runs"]
        self.assertEqual({run["runId"] for run in runs}, {"r", "other"})
        by = lambda *words: [run["runId"] for run in self.ok("run:list", *words)["runs"]]
        self.assertEqual(by("--status", "waiting"), ["r"])
        self.assertEqual(by("--status", "completed"), [])
        self.assertEqual(by("--label", "team=ops"), ["other"])
        self.assertEqual(by("--process", "main"), ["r"])
        page = self.ok("run:list", "--limit", "1")
        rest = self.ok("run:list", "--after", page["next"])
        self.assertEqual({page["runs"][0]["runId"], rest["runs"][0]["runId"]}, {"r", "other"})
        self.assertNotIn("next", rest)

    def test_run_list_names_a_damaged_run(self):
        self.ok("run:create", "--run-id", "whole")
        segment = self.run_dir("r") / "journal" / "00000001.jsonl"
        segment.write_bytes(segment.read_bytes().replace(b"RUN_CREATED", b"RUN_CRAETED"))
        for cache in (self.run_dir("r") / "state").glob("state.json"):
            cache.unlink()
        runs = {run["runId"]: run for run in self.ok("run:list")["runs"]}
        self.assertEqual(runs["r"]["status"], "damaged")
        self.assertEqual(runs["r"]["error"]["code"], "JOURNAL_CORRUPT")
        self.assertEqual(runs["whole"]["status"], "created")

    def test_rebuild_state(self):
        self.assertEqual(
            self.ok("run:rebuild-state", "r", "--dry-run")["plan"], "rebuild_state_cache"
        )
        before = self.ok("run:status", "r")
        for path in ("state/state.json", "run.json", "tasks/t1/task.json"):
            (self.run_dir("r") / path).write_text("garbage")
        rebuilt = self.ok("run:rebuild-state", "r")
        self.assertEqual(rebuilt["metadata"]["stateVersion"], 3)
        self.assertEqual(self.ok("run:status", "r"), before)
        self.assertEqual(json.loads((self.run_dir("r") / "run.json").read_text())["runId"], "r")

    def test_verify_of_a_whole_run(self):
        verdict = self.ok("run:verify", "r")
        self.assertTrue(verdict["ok"])
        self.assertEqual(verdict["journal"]["records"], 3)
        self.assertEqual(verdict["modules"], 1)
        self.assertFalse(self.ok("run:repair-journal", "r")["needed"])

    def test_files_of_the_run_have_their_schemas(self):
        run = self.run_dir("r")
        harness.validate(json.loads((run / "run.json").read_text()), "run")
        for effect in ("t1", "t2"):
            harness.validate(json.loads((run / "tasks" / effect / "task.json").read_text()), "task")
        self.assertEqual(len(self.records("r")), 3)


if __name__ == "__main__":
    harness.main()
