"""heartbeat: what is due in a home is done, by one command or by several at once."""

import json
import os
import signal
import subprocess

import harness
from drive_home import ASKS, MOCK, SEQUENCE, DriveHome

SLEEPER = """
export async function process({ times }, ctx) {
  for (let i = 0; i < times; i++) {
    await ctx.sleepUntil(ctx.now().getTime() + 3600000);
    ctx.emit('woke', { i });
  }
  return 'rested';
}
"""
PARENT = """
export async function process(inputs, ctx) {
  return await ctx.run('builtin:checklist', { steps: ['make'] });
}
"""
RECURSES = "export async function process() { const f = () => { try { return f() + 1; } " \
           "catch (e) { return f(); } }; f(); }"
CRONTAB = """#!/bin/sh
case "$1" in
  -l) cat "$HOME/tab" 2>/dev/null || { echo "no crontab" >&2; exit 1; };;
  -) cat > "$HOME/tab.new" && mv "$HOME/tab.new" "$HOME/tab"; echo write >> "$HOME/writes";;
esac
"""


class Heartbeat(DriveHome):
    def beat(self, *words, **options):
        return self.ok("heartbeat", *words, **options)

    def runs(self, *words):
        return [(run["runId"], run["status"]) for run in self.beat(*words)["runs"]]

    def status(self, run):
        return self.ok("run:status", run)["state"]

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

    # ---- --drive

    def test_runs_made_for_it_are_driven_and_no_others(self):
        self.configure(MOCK)
        entry = self.write("main.js", SEQUENCE)
        for run, words in (("auto", ["--autodrive"]), ("mine", []), ("held", ["--autodrive"])):
            self.ok("run:create", "--entry", entry, "--run-id", run, "--input",
                    'runs=["a","b"]', *words)
        self.ok("run:iterate", "mine")
        self.ok("run:iterate", "held")
        self.ok("task:claim", "held", "t1", "--worker", "anna")
        plan = self.beat("--drive", "--dry-run")
        self.assertEqual(plan["driven"], [])  # auto has not begun yet
        done = self.beat("--drive")
        self.assertEqual(done["driven"], [{"runId": "auto", "performed": 2, "status": "completed"}])
        self.assertEqual((self.status("mine"), self.status("held")), ("waiting", "waiting"))
        self.assertTrue(self.beat("--drive")["quiet"])

    def test_children_of_driven_runs_are_driven(self):
        self.configure(MOCK)
        entry = self.write("main.js", PARENT)
        self.ok("run:create", "--entry", entry, "--run-id", "p", "--autodrive")
        self.beat("--drive")
        self.assertEqual(self.status("p"), "completed")

    def test_what_no_executor_performs_is_left_alone(self):
        entry = self.write("main.js", SEQUENCE.replace("kind: 'shell'", "kind: 'unknown'"))
        self.ok("run:create", "--entry", entry, "--run-id", "r", "--autodrive", "--input",
                'runs=["a"]')
        self.beat("--drive")
        self.assertTrue(self.beat("--drive")["quiet"])

    # ---- --loop, doctor, install

    def test_a_loop_ends_when_it_is_told_to(self):
        self.checklist("r")
        loop = subprocess.Popen([harness.BINARY, "heartbeat", "--loop", "1s", "--json"],
                                env=self.environment, stdout=subprocess.PIPE, text=True)
        first = json.loads(loop.stdout.readline())
        self.assertTrue(first["quiet"])
        self.post("r", "t1", {"success": True, "exitCode": 0})
        document = first
        while not document["runs"]:
            document = json.loads(loop.stdout.readline())
            harness.validate(document, "heartbeat")
        loop.send_signal(signal.SIGTERM)
        rest = loop.communicate(timeout=harness.TIMEOUT_S)[0].splitlines()
        self.assertEqual(loop.returncode, 0)
        self.assertGreaterEqual(json.loads(rest[-1])["beats"], 2)
        self.refused(2, "INVALID_ARGUMENT", "heartbeat", "--loop", "10ms")

    def test_the_doctor_says_when_the_last_beat_was(self):
        def finding():
            found = self.call("doctor", "--json").json["findings"]
            return next(one["what"] for one in found if one["check"] == "heartbeat")

        self.ok("init")
        self.assertIn("no heartbeat", finding())
        self.beat()
        self.assertIn("less than a minute ago", finding())
        (self.home / "heartbeat.json").write_text("?")
        self.assertIn("no heartbeat", finding())

    def test_cron_is_installed_once_and_can_be_removed(self):
        self.ok("init")
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "crontab").write_text(CRONTAB)
        (tools / "crontab").chmod(0o755)
        (self.folder / "tab").write_text("0 1 * * * backup\n")
        path = {"PATH": f"{tools}:{os.environ['PATH']}"}
        shown = self.ok("heartbeat:install", "--cron", environment=path)
        self.assertFalse(shown["written"])
        for changed in (True, False):
            document = self.ok("heartbeat:install", "--cron", "--write", environment=path)
            self.assertEqual((document["written"], document["changed"]), (True, changed))
            tab = (self.folder / "tab").read_text()
            self.assertEqual(tab, f"0 1 * * * backup\n{shown['line']}\n")
        self.assertEqual((self.folder / "writes").read_text(), "write\n")
        credentials = self.home / "heartbeat.env"
        self.assertEqual(credentials.stat().st_mode & 0o777, 0o600)
        # What cron does with the line: its command goes to sh.
        self.checklist("r")
        self.post("r", "t1", {"success": True, "exitCode": 0})
        command = shown["line"].split(" ", 5)[5].replace("\\%", "%")
        subprocess.run(["sh", "-c", command], check=True, cwd="/",
                       env={"HOME": str(self.folder), "PATH": "/usr/bin:/bin"})
        self.assertEqual(self.status("r"), "waiting")
        subprocess.run(["sh", "-c", document["uninstall"][0]], check=True,
                       env={**self.environment, **path})
        self.assertEqual((self.folder / "tab").read_text(), "0 1 * * * backup\n")

    def test_units_are_written_once(self):
        self.ok("init")
        for changed in (True, False):
            document = self.ok("heartbeat:install", "--systemd", "--write")
            self.assertEqual(document["changed"], changed)
        units = sorted((self.folder / ".config" / "systemd" / "user").iterdir())
        self.assertEqual([unit.suffix for unit in units], [".service", ".timer"])
        service = units[0].read_text()
        self.assertIn(f'--home "{self.home}" --drive', service)
        self.assertIn(f"EnvironmentFile=-{self.home}/heartbeat.env", service)
        self.refused(2, "INVALID_ARGUMENT", "heartbeat:install")


if __name__ == "__main__":
    harness.main()
