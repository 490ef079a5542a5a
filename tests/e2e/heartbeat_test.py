"""heartbeat: what is due in a home is done, by one command or by several at once."""

import json
import os
import subprocess

import harness
from beat_home import PARENT, BeatHome
from drive_home import ASKS

SLEEPER = """
export async function process({ times }, ctx) {
  for (let i = 0; i < times; i++) {
    await ctx.sleepUntil(ctx.now().getTime() + 3600000);
    ctx.emit('woke', { i });
  }
  return 'rested';
}
"""
ASKS_MUCH = """import { defineTask } from 'reprise';
const step = defineTask('step', ({ text }) => ({ kind: 'agent', title: 'read' }));
export async function process(inputs, ctx) {
  await ctx.signal('go');
  const text = 'x'.repeat(60000);
  await Promise.all(Array.from({ length: 20 }, (_, i) => ctx.task(step, { i, text })));
}
"""
RECURSES = "export async function process() { const f = () => { try { return f() + 1; } " \
           "catch (e) { return f(); } }; f(); }"


class Heartbeat(BeatHome):
    # ---- one beat

    def test_it_says_nothing_when_nothing_is_due(self):
        for _ in range(2):
            answer = self.call("heartbeat", environment={"REPRISE_HOME": ""})
            self.assertEqual((answer.exit, answer.out, answer.err), (0, "", ""))
        self.checklist("r")
        answer = self.call("heartbeat")
        self.assertEqual((answer.exit, answer.out, answer.err), (0, "", ""))
        self.assertTrue(self.beat()["quiet"])
        self.refused(3, "HOME_NOT_FOUND", "heartbeat", "--home", self.folder / "nowhere")

    def test_what_was_posted_is_taken_on_once(self):
        self.checklist("r")
        self.post("r", "t1", {"success": True, "exitCode": 0})
        plan = self.beat("--dry-run")
        self.assertEqual([(run["runId"], run["why"]) for run in plan["runs"]], [("r", "ready")])
        self.assertEqual(self.status("r"), "ready")
        self.assertEqual(self.runs(), [("r", "waiting")])
        self.assertTrue(self.beat()["quiet"])
        self.post("r", "t2", {"success": True, "exitCode": 0})
        answer = self.call("heartbeat")
        self.assertEqual((answer.out, answer.err), ("r  completed\n", ""))

    def test_a_new_run_is_its_makers_unless_it_was_made_for_heartbeats(self):
        entry = self.write("main.js", ASKS)
        self.ok("run:create", "--entry", entry, "--run-id", "mine")
        self.ok("run:create", "--entry", entry, "--run-id", "auto", "--autodrive")
        self.assertEqual(self.runs(), [("auto", "waiting")])
        self.assertEqual(self.status("mine"), "created")

    def test_a_run_may_ask_for_more_than_a_mebibyte(self):
        self.script(ASKS_MUCH)
        self.ok("run:signal", "r", "go")
        report = self.beat()
        self.assertEqual(report.get("errors", []), [])
        self.assertEqual([(run["runId"], run["status"]) for run in report["runs"]],
                         [("r", "waiting")])

    def test_children_are_made_begun_and_heard(self):
        self.script(PARENT, run="p")
        self.assertEqual(self.runs(), [("p.t1", "waiting")])
        self.post("p.t1", "t1", {"success": True, "exitCode": 0})
        self.assertEqual(self.runs(), [("p.t1", "completed"), ("p", "completed")])

    def test_bad_runs_do_not_stop_the_others(self):
        entry = self.write("bad.js", RECURSES)
        self.ok("run:create", "--entry", entry, "--run-id", "bad", "--autodrive")
        self.checklist("torn")
        self.checklist("good")
        for run in ("torn", "good"):
            self.post(run, "t1", {"success": True, "exitCode": 0})
        journal = self.run_dir("torn") / "journal" / "00000001.jsonl"
        journal.write_bytes(journal.read_bytes().replace(b"EFFECT_RESOLVED", b"EFFECT_RESOLVEX"))
        for _ in range(2):
            answer = self.call("heartbeat", "--json")
            self.assertEqual(answer.exit, 0, answer)
            harness.validate(answer.json, "heartbeat")
            self.assertIn(("bad", "SCRIPT_BUDGET"),
                          [(error["name"], error["code"]) for error in answer.json["errors"]])
            self.assertIn("bad", answer.err)
        self.assertEqual(self.status("good"), "waiting")

    def test_a_run_that_a_beat_finds_damaged_is_listed_so(self):
        self.script("export async function process(_, ctx) { await ctx.breakpoint({}); }")
        self.ok("approval:approve", "r", "t1")
        self.ok("run:list")
        journal = self.run_dir("r") / "journal" / "00000001.jsonl"
        whole = journal.read_bytes()
        times = journal.stat()
        # Not even the file's time tells.
        journal.write_bytes(whole.replace(b"RUN_CREATED", b"RUN_CRAETED"))
        os.utime(journal, ns=(times.st_atime_ns, times.st_mtime_ns))
        self.assertEqual([run["status"] for run in self.ok("run:list")["runs"]], ["ready"])
        beat = json.loads(self.call("heartbeat", "--json").out)
        self.assertEqual([(error["name"], error["code"]) for error in beat["errors"]],
                         [("r", "JOURNAL_CORRUPT")])
        self.assertEqual([run["status"] for run in self.ok("run:list")["runs"]], ["damaged"])
        self.assertEqual([run["runId"] for run in self.ok("inbox")["damaged"]], ["r"])
        findings = self.ok("doctor", exit=1)["findings"]
        problems = [each["what"] for each in findings if each["level"] == "problem"]
        self.assertTrue(problems and problems[0].startswith("r: "), problems)
        self.assertIn("and 1 thing went wrong in it",
                      " ".join(each["what"] for each in findings))
        journal.write_bytes(whole)
        self.assertEqual([run["status"] for run in self.ok("run:list")["runs"]], ["ready"])
        self.assertEqual(self.runs(), [("r", "completed")])

    def test_bounds_leave_the_rest_to_the_next_beat(self):
        for i in range(5):
            self.checklist(f"r{i}")
            self.post(f"r{i}", "t1", {"success": True, "exitCode": 0})
        first = self.beat("--max-runs", "3")
        self.assertEqual((len(first["runs"]), first["more"]), (3, True))
        rest = self.beat("--max-runs", "3")
        self.assertEqual((len(rest["runs"]), rest["more"]), (2, False))

    # ---- time

    def test_some_hours_of_a_simulated_home(self):
        entry = self.write("main.js", SLEEPER)
        words = ("--simulated", "--autodrive", "--input", "times=3")
        self.ok("run:create", "--entry", entry, "--run-id", "s", *words,
                "--now", "2026-01-01T00:00:00Z")
        self.checklist("wall")
        self.post("wall", "t1", {"success": True, "exitCode": 0})
        taken = []
        for minute in range(0, 200, 20):
            now = f"2026-01-01T{minute // 60:02}:{minute % 60:02}:00Z"
            taken += [minute for run in self.beat("--now", now)["runs"] if run["runId"] == "s"]
        self.assertEqual(taken, [0, 60, 120, 180])
        self.assertEqual(self.status("s"), "completed")
        self.assertEqual(self.status("wall"), "ready")  # not one of --now
        self.assertEqual(self.runs(), [("wall", "waiting")])

    def test_a_late_beat_does_once_what_many_had_to_do(self):
        entry = self.write("main.js", SLEEPER)
        words = ("--simulated", "--autodrive", "--input", "times=2")
        self.ok("run:create", "--entry", entry, "--run-id", "s", *words,
                "--now", "2026-01-01T00:00:00Z")
        self.beat("--now", "2026-01-01T00:00:00Z")
        late = self.beat("--now", "2026-01-05T00:00:00Z")["runs"]
        self.assertEqual([(run["runId"], run["times"]) for run in late], [("s", 1)])
        self.assertTrue(self.beat("--now", "2026-01-02T00:00:00Z")["quiet"])  # the clock steps back
        self.beat("--now", "2026-01-05T01:00:00Z")
        self.assertEqual(self.status("s"), "completed")

    # ---- several at once

    def test_beats_at_once_do_everything_once(self):
        for i in range(12):
            self.checklist(f"r{i}")
            self.post(f"r{i}", "t1", {"success": True, "exitCode": 0})
        beats = [subprocess.Popen([harness.BINARY, "heartbeat", "--json"], env=self.environment,
                                  stdout=subprocess.PIPE, text=True) for _ in range(4)]
        taken = []
        for beat in beats:
            document = json.loads(beat.communicate(timeout=harness.TIMEOUT_S)[0])
            self.assertEqual((beat.returncode, document["errors"]), (0, []))
            taken += [run["runId"] for run in document["runs"]]
        self.beat()  # what was locked by a neighbour
        for i in range(12):
            self.assertEqual(self.status(f"r{i}"), "waiting")
            requested = [record["data"]["effectId"] for record in self.records(f"r{i}")
                         if record["type"] == "EFFECT_REQUESTED"]
            self.assertEqual(requested, ["t1", "t2"])
        self.assertEqual(len(taken), len(set(taken)))

    def test_an_index_that_is_lost_or_damaged_changes_nothing(self):
        for i in range(3):
            self.checklist(f"r{i}")
            self.post(f"r{i}", "t1", {"success": True, "exitCode": 0})
        self.assertEqual(len(self.beat("--max-runs", "1")["runs"]), 1)
        index = self.home / "index.db"
        index.write_bytes(b"?" * index.stat().st_size)
        self.assertEqual(len(self.beat("--max-runs", "1")["runs"]), 1)
        for file in self.home.glob("index*"):
            file.unlink()
        self.assertEqual(len(self.beat()["runs"]), 1)
        self.assertTrue(self.beat()["quiet"])


if __name__ == "__main__":
    harness.main()
