"""run:drive, run:start and run:wait."""

import json
import os
import select
import shlex
import signal
import subprocess
import time
import unittest

import harness
from drive_home import ASKS, MOCK, PARALLEL, SEQUENCE, DriveHome


class Drive(DriveHome):
    # ---- what it does

    def test_work_is_not_begun_when_no_result_of_it_could_be_judged(self):
        self.create("""import { defineTask } from 'reprise';
const step = defineTask('step', () => ({ kind: 'shell', shell: { command: 'touch done' },
  outputSchema: { type: 'objekt' }, retry: { maxAttempts: 3, backoffMs: 0 } }));
export async function process(inputs, ctx) { return await ctx.task(step, {}); }
""")
        end = self.drive("r")
        self.assertFalse((self.work / "done").exists())
        self.assertEqual(end["output"]["error"]["name"], "SchemaInvalid", end)
        self.assertEqual(end["performed"], 1, end)

    def test_it_performs_what_the_run_asks_for(self):
        self.create(SEQUENCE, "echo one", "echo two")
        answer = self.call("run:drive", "r", "--json")
        events = self.events(answer)
        self.assertEqual((answer.exit, events[-1]["output"]), (0, ["one", "two"]), answer)
        names = [event["event"] for event in events if event["event"] != "output"]
        self.assertEqual(names, ["started", "finished", "started", "finished", "ended"])
        self.assertEqual(events[-1]["performed"], 2)
        again = self.drive("r")
        self.assertEqual((again["status"], again["performed"]), ("completed", 0))

    def test_a_step_is_one_commit(self):
        self.configure(MOCK)
        self.create(SEQUENCE, *["x"] * 5)
        self.drive("r")
        commits = sum("n" in record for record in self.records("r"))
        self.assertEqual(commits, 1 + 1 + 5)
        self.assertEqual(list((self.run_dir("r") / "tasks").glob("*")), [])
        self.assertEqual(self.call("run:verify", "r").exit, 0)

    def test_run_start_creates_and_drives(self):
        self.write("main.js", SEQUENCE)
        words = ("main.js", 'runs=["echo hi"]', "--run-id", "s", "--label", "team=web")
        end = self.drive(*words, command="run:start")
        self.assertEqual((end["runId"], end["output"]), ("s", ["hi"]))
        self.refused(4, "RUN_EXISTS", "run:start", *words)
        self.assertEqual(self.drive(*words, "--if-absent", command="run:start")["performed"], 0)
        end = self.drive("builtin:checklist", 'steps=["true"]', command="run:start")
        self.assertEqual(end["output"]["steps"][0]["status"], "ok")

    def test_text_without_a_terminal_is_lines(self):
        self.create(SEQUENCE, "printf '\\033[31mred\\n'", "exit 3")
        answer = self.call("run:drive", "r")
        self.assertIn("ok     r t1 step 0", answer.out)
        self.assertIn("completed", answer.out)
        self.assertNotIn("\x1b", answer.out)

    def test_effects_run_side_by_side(self):
        wait = "touch $REPRISE_EFFECT.here; for i in $(seq 600); do [ -e t1.here ] && " \
               "[ -e t2.here ] && exit 0; read -t 0.1 x <> /dev/zero; done; exit 1"
        folder = str(self.work)
        self.create(PARALLEL, *[f"cd {folder}; bash -c {shlex.quote(wait)} && echo met"] * 2)
        self.assertEqual(self.drive("r", "--jobs", "2")["output"], ["met", "met"])

    def test_two_drives_share_the_work(self):
        self.create(PARALLEL, *[f"echo {n}" for n in range(12)])
        drives = [self.background("run:drive", "r", "--json", "--jobs", "2") for _ in range(2)]
        performed = 0
        for running in drives:
            out, err = running.communicate(timeout=harness.TIMEOUT_S)
            self.assertEqual(running.returncode, 0, out + err)
            performed += json.loads(out.splitlines()[-1])["performed"]
        self.assertEqual(performed, 12)
        self.assertEqual(self.types().count("EFFECT_RESOLVED"), 12)
        self.assertEqual(self.ok("run:output", "r")["output"], [str(n) for n in range(12)])

    def test_child_runs_are_driven(self):
        self.write("child.js", SEQUENCE)
        path = self.write("parent.js", """
            export async function process(inputs, ctx) {
              return await Promise.all([1, 2].map((n) => ctx.run('./child.js',
                { runs: [`echo ${n}`] })));
            }""")
        self.ok("run:create", "--entry", path, "--run-id", "r")
        self.assertEqual(self.drive("r")["output"], [["1"], ["2"]])

    # ---- what it waits for

    def test_what_nobody_performs_is_left_pending_and_named(self):
        source = SEQUENCE.replace("kind: 'shell'", "kind: 'translator'")
        self.create(source, "x")
        end = self.drive("r", exit=10)
        (wait,) = end["waits"]
        self.assertEqual((wait["for"], wait["effectId"]), ("executor", "t1"))
        text = self.call("run:drive", "r")
        self.assertIn("no executor performs translator", text.out)
        plan = self.drive("r", "--dry-run")["plan"]
        self.assertEqual([(item["effectId"], item["executor"]) for item in plan], [("t1", None)])
        self.assertNotIn("EFFECT_CLAIMED", self.types())

    def test_people_and_time(self):
        self.script(ASKS)
        (wait,) = self.drive("r", exit=10)["waits"]
        self.assertEqual((wait["for"], wait["question"]), ("people", "Publish\x1b[31m it?"))
        self.assertIn("Publish\\x1b[31m it?  asks people", self.call("run:drive", "r").out)
        (item,) = self.drive("r", "--dry-run")["plan"]
        self.assertEqual((item["executor"], item["waitsFor"]), (None, "people"))
        plan = self.call("run:drive", "r", "--dry-run").out
        self.assertIn("waits for a person: reprise approval:approve r t1", plan)
        self.script("export const process = async (i, ctx) => "
                    "ctx.sleepUntil(ctx.now().getTime() + 3600e3);", run="s", name="s.js")
        end = self.drive("s", exit=11)
        self.assertEqual(end["waits"][0]["for"], "time")
        self.script("export const process = async (i, ctx) => { "
                    "await ctx.sleepUntil(ctx.now().getTime() + 200); return 1; }",
                    run="q", name="q.js")
        self.assertEqual(self.drive("q")["output"], 1)

    def test_it_waits_for_people_when_it_is_told_to(self):
        self.script(ASKS)
        running = self.background("run:drive", "r", "--json", "--wait", "5m")
        waiting = self.call("run:wait", "r", "--json")
        self.assertEqual((waiting.exit, waiting.json["reached"]), (10, "people"))
        self.ok("approval:approve", "r", "t1")
        out, _ = running.communicate(timeout=harness.TIMEOUT_S)
        output = json.loads(out.splitlines()[-1])["output"]
        self.assertEqual((running.returncode, output), (0, True))

    def test_too_little_space(self):
        self.create(SEQUENCE, "echo one")
        end = self.drive("r", "--set", "drive.minFreeBytes=999999999GiB", exit=8)
        self.assertTrue(end["noSpace"])
        self.assertEqual(end["waits"][0]["for"], "start")
        self.assertGreater(end["freeBytes"], 0)
        self.assertNotIn("EFFECT_CLAIMED", self.types())
        for flags in (("--json",), ()):
            answer = self.call("run:drive", "r", "--set", "drive.minFreeBytes=999999999GiB", *flags)
            said = answer.out if flags else answer.err
            self.assertIn("no work was begun: ", said)
            self.assertIn("drive.minFreeBytes wants 1023999998976.0 MiB", said)

    def test_run_wait(self):
        self.create(SEQUENCE, "echo one")
        timed_out = self.ok("run:wait", "r", "--timeout", "20ms", exit=10)
        self.assertIsNone(timed_out["reached"])
        self.drive("r")
        self.assertEqual(self.ok("run:wait", "r")["reached"], "ended")
        self.assertEqual(self.ok("run:wait", "r", "--for", "completed")["reached"], "completed")
        changed = self.ok("run:wait", "r", "--for", "change", "--after", "1")
        self.assertEqual(changed["reached"], "change")

    def test_people_are_told_to_drive_what_executors_perform(self):
        self.write("asks.js", ASKS)
        self.call("run:start", "asks.js", "--run-id", "s")
        self.assertIn("next  reprise run:drive s\n", self.call("approval:approve", "s", "t1").out)
        self.script(ASKS)
        self.assertIn("next  reprise run:iterate r\n", self.call("approval:approve", "r", "t1").out)
        self.create(PARALLEL, "echo one", "echo two", run="p")
        self.assertIn("next  reprise run:drive p\n", self.call("run:iterate", "p").out)
        words = ("task:post", "p", "t1", "--status", "ok", "--value-inline", '{"stdout":"1"}')
        self.assertIn("next  reprise run:drive p\n", self.call(*words).out)
        self.assertNotIn("goOn", self.ok(*words))
        nobody = SEQUENCE.replace("kind: 'shell'", "kind: 'translator'")
        self.create(nobody, "x", run="n")
        self.assertIn("next  reprise task:show n t1\n", self.call("run:iterate", "n").out)

    # ---- how it ends

    def test_a_run_that_is_deleted_meanwhile_ends_its_drive(self):
        self.create(SEQUENCE, "sleep 600")
        running = self.background("run:drive", "r", "--json")
        self.until_event(running, "started")
        self.ok("run:delete", "r", "--yes", "--force")
        out, err = running.communicate(timeout=harness.TIMEOUT_S)
        self.assertEqual(running.returncode, 3, out + err)
        error = json.loads(out.splitlines()[-1])["error"]
        self.assertEqual(error["code"], "RUN_NOT_FOUND")
        self.assertIn("r is gone", error["message"])
        self.assertNotIn("tried again", out + err)

    def test_work_that_takes_its_time_to_stop_is_told(self):
        self.configure({"executors": {"shell": {"type": "shell", "grace": "300ms"}}})
        self.create(SEQUENCE, "trap '' TERM; echo ready; while :; do sleep 0.1; done")
        running = self.background("run:drive", "r", "--json")
        self.until_event(running, "output")
        running.send_signal(signal.SIGINT)
        stopping = self.until_event(running, "stopping")
        harness.validate(stopping, "run:drive")
        self.assertEqual((stopping["runId"], stopping["running"]), ("r", 1))
        self.until_event(running, "dropped")

    def test_a_task_that_ran_out_of_time_is_told_with_its_logs(self):
        self.configure({"executors": {"shell": {"type": "shell", "grace": "300ms"}}})
        source = SEQUENCE.replace("run: runs[i] })", "run: runs[i] }, { timeoutMs: 400 })")
        self.create(source.replace(".stdout.trim()", ".success"),
                    "trap '' TERM; echo said; while :; do sleep 0.1; done")
        text = self.call("run:drive", "r").out
        self.assertRegex(text, r"error  r t1 step 0  .* timed out after 400 ms\n")
        self.assertNotIn("drop ", text)
        (attempt,) = self.ok("task:show", "r", "t1")["attempts"]
        self.assertEqual(attempt["error"]["name"], "TimeoutError")
        self.assertEqual(attempt["stdoutRef"], "tasks/t1/stdout.log")
        self.assertIn("tasks/t1/stdout.log", self.call("task:show", "r", "t1").out)
        self.assertIn("said", self.call("task:logs", "r", "t1").out)

    def interrupted(self, number):
        self.create(SEQUENCE, "echo $$ > pid; exec sleep 600", run=f"r{number}")
        name = f"r{number}"
        running = self.background("run:drive", name, "--json")
        self.until_event(running, "started")
        pid = self.pid_of(self.run_dir(name))
        running.send_signal(number)
        out, err = running.communicate(timeout=harness.TIMEOUT_S)
        end = json.loads(out.splitlines()[-1])
        self.assertEqual((running.returncode, end["stoppedBy"]), (10, signal.Signals(number).name),
                         out + err)
        self.assertEqual(end["waits"][0]["for"], "start")
        self.gone(pid)
        (effect,) = self.ok("run:iterate", name)["nextActions"]
        self.assertNotIn("claim", effect)
        self.assertEqual(effect["attempt"], 1)

    def pid_of(self, folder):
        """Of the work that a shell effect began; it writes it where it runs."""
        deadline = time.monotonic() + harness.TIMEOUT_S
        while time.monotonic() < deadline:
            for path in (self.work / "pid", folder / "pid", *folder.glob("tasks/*/pid")):
                if path.exists() and path.read_text().strip():
                    return int(path.read_text())
            select.select([], [], [], 0.01)
        raise AssertionError("the work did not begin")

    def gone(self, pid):
        deadline = time.monotonic() + harness.TIMEOUT_S
        while time.monotonic() < deadline:
            try:
                with open(f"/proc/{pid}/stat") as stat:
                    if stat.read().rsplit(")", 1)[1].split()[0] == "Z":
                        return
            except FileNotFoundError:
                return
            select.select([], [], [], 0.01)
        self.fail(f"process {pid} still runs")

    def test_interrupts_leave_the_work_pending(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number):
                (self.work / "pid").unlink(missing_ok=True)
                self.interrupted(number)

    def test_a_drive_that_is_to_outlive_the_terminal_does(self):
        fifo = self.work / "go"
        os.mkfifo(fifo)
        self.create(SEQUENCE, f"cat {fifo}")
        running = self.background("run:drive", "r", "--json", hup=signal.SIG_IGN)
        self.until_event(running, "started")
        running.send_signal(signal.SIGHUP)
        fifo.write_text("made\n")
        self.assertEqual(self.until_event(running, "ended")["output"], ["made"])

    def test_after_a_kill_the_next_drive_goes_on_at_once(self):
        self.create(SEQUENCE, "echo $$ > pid; [ -e again ] || exec sleep 600; echo done")
        running = self.background("run:drive", "r", "--json")
        self.until_event(running, "started")
        pid = self.pid_of(self.run_dir("r"))
        running.kill()
        running.wait(harness.TIMEOUT_S)
        self.gone(pid)
        for folder in (self.work, self.run_dir("r")):
            (folder / "again").touch()
        self.assertEqual(self.drive("r")["output"], ["done"])
        claims = [r for r in self.records("r") if r["type"] == "EFFECT_CLAIMED"]
        self.assertEqual(len(claims), 2)

    def test_a_failed_run(self):
        self.script("export const process = async () => { throw new Error('no'); };", exit=1)
        self.assertEqual(self.drive("r", exit=1)["status"], "failed")

    def test_a_result_that_cannot_be_stored_is_spooled(self):
        """The disk is full when the result comes."""
        self.create(SEQUENCE, "echo one")
        journal = self.run_dir("r") / "journal" / "00000001.jsonl"
        # A limit on the size of files takes the place of a full disk: it lets the claim through.
        self.ok("run:iterate", "r")
        size = journal.stat().st_size
        words = [str(harness.BINARY), "run:drive", "r", "--json", "--lock-timeout", "1s"]
        script = f"trap '' XFSZ; exec prlimit --fsize={size + 700} -- {shlex.join(words)}"
        process = subprocess.run(
            ["bash", "-c", script], env=self.environment, cwd=self.work, capture_output=True,
            text=True, check=False, timeout=harness.TIMEOUT_S,
        )  # fmt: skip
        end = json.loads(process.stdout.splitlines()[-1])
        self.assertEqual((process.returncode, end["event"]), (8, "failed"), process)
        harness.validate(end, "run:drive")
        (unstored,) = end["unstored"]
        self.assertTrue(unstored["command"].startswith("reprise task:post r t1 "))
        posted = self.call(*shlex.split(unstored["command"])[1:], "--iterate")
        self.assertEqual(posted.exit, 0, posted)
        self.assertEqual(self.ok("run:output", "r")["output"], ["one"])

    def test_a_result_that_nothing_has_room_for_is_lost_and_said_to_be(self):
        self.create(SEQUENCE, "head -c 20000 /dev/zero | tr '\\\\0' x")
        self.ok("run:iterate", "r")
        words = [str(harness.BINARY), "run:drive", "r", "--lock-timeout", "1s"]
        script = f"trap '' XFSZ; exec prlimit --fsize=12000 -- {shlex.join(words)}"
        process = subprocess.run(
            ["bash", "-c", script], env=self.environment, cwd=self.work, capture_output=True,
            text=True, timeout=harness.TIMEOUT_S,
        )  # fmt: skip
        self.assertEqual(process.returncode, 8, process)
        self.assertIn("its result is lost: no folder had room for it; the next run:drive does the "
                      "work again", process.stdout)

    # ---- others

    def test_who_is_waited_for_is_said_when_the_waiting_begins(self):
        self.create(SEQUENCE, "echo one")
        self.ok("run:iterate", "r")
        token = self.ok("task:claim", "r", "t1", "--worker", "ci-7")["claim"]["token"]
        plan = self.call("run:drive", "r", "--dry-run").out
        self.assertRegex(plan, r"claimed by ci-7 until \S+; that is waited for")
        running = self.background("run:drive", "r", "--json")
        note = self.until_event(running, "note")
        self.assertRegex(note["message"], r"^t1 is claimed by ci-7 until \S+; that is waited for$")
        value = json.dumps({"exitCode": 0, "stdout": "theirs", "success": True})
        self.ok("task:post", "r", "t1", "--token", token, "--status", "ok",
                "--value-inline", value)
        self.assertEqual(self.until_event(running, "ended")["output"], ["theirs"])

    def test_who_is_gone_is_said_to_be(self):
        self.create(SEQUENCE, "exec sleep 600")
        running = self.background("run:drive", "r", "--json")
        self.until_event(running, "started")
        running.kill()
        running.wait(harness.TIMEOUT_S)
        (waiting,) = self.ok("run:status", "r")["waiting"]
        self.assertEqual(waiting["claim"]["over"], "process")
        self.assertEqual(self.ok("task:show", "r", "t1")["effect"]["claim"]["over"], "process")
        looks = (("run:status", "r"), ("task:show", "r", "t1"), ("run:drive", "r", "--dry-run"))
        for words in looks:
            said = self.call(*words).out
            self.assertRegex(said, r"free: run:drive \S+, who had claimed it, is gone")
            self.assertNotIn("claimed by", said)

    def test_why_a_result_is_not_wanted_is_said(self):
        self.create(SEQUENCE, "exec sleep 600")
        running = self.background("run:drive", "r", "--json")
        self.until_event(running, "started")
        self.ok("run:cancel", "r", "--reason", "enough")
        dropped = self.until_event(running, "dropped")
        self.assertEqual(dropped["reason"], "the run was cancelled meanwhile")

    # ---- trust

    def test_a_home_that_was_found_runs_nothing_before_it_is_trusted(self):
        self.create(SEQUENCE, "touch ran")
        found = self.work / ".reprise"
        self.home.rename(found)
        environment = {"REPRISE_HOME": ""}
        answer = self.call("run:drive", "r", "--json", environment=environment)
        code = answer.json["error"]["code"]
        self.assertEqual((answer.exit, code), (13, "UNTRUSTED_HOME"), answer)
        self.assertEqual(self.call("trust", environment=environment).exit, 0)
        self.assertEqual(self.drive("r", environment=environment)["status"], "completed")


if __name__ == "__main__":
    unittest.main()
