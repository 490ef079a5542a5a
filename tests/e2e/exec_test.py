"""task:exec: a command as an effect."""

import json
import os
import signal
import subprocess
import time

import harness


class Exec(harness.Home):
    def exec(self, *words, json=False, **options):
        flags = words[: words.index("--")]
        command = words[words.index("--") :]
        flags += ("--json",) if json else ()
        return self.call("task:exec", "r", *flags, *command, **options)

    def test_its_outcome_is_the_result(self):
        self.checklist("r", "make")
        script = "printf 'out %s\\n' \"$REPRISE_EFFECT $REPRISE_ATTEMPT\"; echo err >&2"
        answer = self.exec("t1", "--", "sh", "-c", script)
        self.assertEqual((answer.exit, answer.out, answer.err), (0, "out t1 1\n", "err\n"), answer)
        result = self.ok("task:show", "r", "t1")["result"]["value"]
        self.assertEqual(
            result, {"exitCode": 0, "stdout": "out t1 1\n", "stderr": "err\n", "success": True}
        )
        log = self.run_dir("r") / "tasks" / "t1" / "stdout.log"
        self.assertEqual(log.read_text(), "out t1 1\n")
        again = self.exec("t1", "--", "true")
        self.assertEqual(again.exit, 4, again)
        self.records("r")

    def test_a_failing_command_is_an_error_and_the_exit_code(self):
        self.checklist("r", "make")
        answer = self.exec("t1", "--", "sh", "-c", "echo bad; exit 7", json=True)
        self.assertEqual((answer.exit, answer.err), (7, "bad\n"), answer)
        harness.validate(answer.json, "task:exec")
        error = self.ok("task:show", "r", "t1")["result"]["error"]
        self.assertEqual(error["name"], "CommandFailed")
        self.assertEqual(error["data"], {"exitCode": 7, "stdout": "bad\n", "stderr": ""})

    def test_a_command_that_is_not_there(self):
        self.checklist("r", "make")
        answer = self.exec("t1", "--", "./no-such-program")
        self.assertEqual(answer.exit, 127, answer)
        self.assertIn("cannot run ./no-such-program", answer.err)

    def test_inside_it_the_claim_is_known_and_nothing_is_approved(self):
        self.checklist("r", "make")
        report = 'task:progress "$REPRISE_RUN" "$REPRISE_EFFECT" --value-inline 1'
        inner = f'"{harness.BINARY}" {report}'
        answer = self.exec("t1", "--worker", "ci", "--", "sh", "-c", inner)
        self.assertEqual(answer.exit, 0, answer)
        self.assertEqual(self.ok("task:show", "r", "t1")["attempts"][0]["worker"], "ci")
        self.assertIn("EFFECT_PROGRESS", [record["type"] for record in self.records("r")])

    def test_signals_and_timeouts(self):
        self.checklist("r", "one")
        answer = self.exec("t1", "--", "sh", "-c", "kill -TERM $$")
        self.assertEqual(answer.exit, 128 + signal.SIGTERM, answer)
        self.checklist("q", "one")
        answer = self.call("task:exec", "q", "t1", "--timeout", "50ms", "--", "sleep", "600")
        self.assertEqual(answer.exit, 128 + signal.SIGTERM, answer)
        self.assertEqual(self.ok("task:show", "q", "t1")["result"]["error"]["name"], "TimeoutError")

    def background(self, *words, hup=signal.SIG_DFL, blocked=False):
        def prepare():
            signal.signal(signal.SIGHUP, hup)
            if blocked:
                signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGTERM,))

        running = subprocess.Popen(
            [harness.BINARY, "task:exec", *words],
            env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            preexec_fn=prepare,
        )  # fmt: skip
        self.addCleanup(running.communicate)
        self.addCleanup(running.kill)
        return running

    def start(self, *command, run="r", flags=(), **options):
        """task:exec of t1 in the background; returns when the command has begun."""
        running = self.background(run, "t1", *flags, "--", *command, **options)
        stream = running.stderr if flags else running.stdout
        self.assertEqual(stream.readline(), "begun\n")
        return running

    def told(self, word, stream):
        """A command that says so when it is told to end, and ends as if all were well."""
        script = f"""
import signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
print("begun", file=sys.{stream}, flush=True)
signal.sigwait([signal.SIGTERM])
print("{word}", file=sys.{stream}, flush=True)
"""
        return "python3", "-c", script

    def is_free(self, run):
        """The effect is pending, nobody has it, and no attempt was used up."""
        (effect,) = self.ok("run:iterate", run)["nextActions"]
        self.assertNotIn("claim", effect)
        self.assertEqual(effect["attempt"], 1)

    def test_a_signal_ends_the_command_and_gives_the_claim_back(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number):
                run = signal.Signals(number).name.lower()
                self.checklist(run, "make")
                running = self.start(*self.told("ended", "stdout"), run=run)
                running.send_signal(number)
                out, err = running.communicate(timeout=harness.TIMEOUT_S)
                self.assertEqual((running.returncode, out), (10, "ended\n"), err)
                self.assertIn("nothing was posted, and t1 can be taken again", err)
                self.is_free(run)

    def test_more_signals_do_not_keep_the_claim(self):
        """The first one is answered when the others come: the command says so."""
        self.checklist("r", "make")
        running = self.start(*self.told("ending", "stderr"), flags=("--json",))
        for _ in range(3):
            running.send_signal(signal.SIGINT)
        self.assertEqual(running.stderr.readline(), "ending\n")
        for number in (signal.SIGINT, signal.SIGTERM):
            running.send_signal(number)
        out, err = running.communicate(timeout=harness.TIMEOUT_S)
        self.assertEqual(running.returncode, 10, err)
        document = json.loads(out)
        harness.validate(document, "task:exec")
        self.assertEqual(
            (document["status"], document["stoppedBy"], document["recorded"]),
            ("interrupted", "SIGINT", False),
        )
        self.is_free("r")

    def test_a_signal_that_came_before_ends_the_waiting_or_the_command(self):
        self.checklist("r", "make")
        self.start("sh", "-c", "echo begun; exec sleep 600")
        words = ("r", "t1", "--wait-for", "1h", "--json", "--", "true")
        waiting = self.background(*words, blocked=True)
        waiting.send_signal(signal.SIGTERM)
        out, err = waiting.communicate(timeout=harness.TIMEOUT_S)
        self.assertEqual((waiting.returncode, json.loads(out)["error"]["code"]),
                         (10, "INTERRUPTED"), err)  # fmt: skip
        self.checklist("q", "make")
        running = self.background("q", "t1", "--json", "--", "sleep", "600", blocked=True)
        running.send_signal(signal.SIGTERM)
        out, err = running.communicate(timeout=harness.TIMEOUT_S)
        self.assertEqual((running.returncode, json.loads(out)["status"]), (10, "interrupted"), err)
        self.is_free("q")

    def test_a_command_that_is_to_outlive_the_terminal_does(self):
        self.checklist("r", "make")
        fifo = self.work / "go"
        os.mkfifo(fifo)
        running = self.start("sh", "-c", f"echo begun; cat {fifo}", hup=signal.SIG_IGN)
        running.send_signal(signal.SIGHUP)
        fifo.write_text("made\n")
        out, err = running.communicate(timeout=harness.TIMEOUT_S)
        self.assertEqual((running.returncode, out), (0, "made\n"), err)

    def test_killed_it_is_taken_over_at_once(self):
        self.checklist("r", "make")
        running = self.start("sh", "-c", "echo begun; exec sleep 600")
        refused = self.exec("t1", "--", "true")
        self.assertEqual(refused.exit, 4, refused)
        running.kill()
        running.wait()
        answer = self.exec("t1", "--", "sh", "-c", "echo $REPRISE_ATTEMPT")
        self.assertEqual((answer.exit, answer.out), (0, "2\n"), answer)

    def test_killed_it_takes_along_what_the_command_started(self):
        self.checklist("r", "make")
        told = self.folder / "pids"
        script = f"sleep 600 & setsid sleep 600 & echo $$ $! > {told}; echo begun; sleep 600; true"
        running = self.start("sh", "-c", script)
        running.kill()
        running.wait()
        pids = [int(word) for word in told.read_text().split()]
        until = time.monotonic() + 30
        while any(self.lives(pid) for pid in pids) and time.monotonic() < until:
            time.sleep(0.05)
        self.assertEqual([pid for pid in pids if self.lives(pid)], [])

    @staticmethod
    def lives(pid):
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
                return stat.read().rpartition(") ")[2][0] not in "ZX"
        except OSError:
            return False

    def test_what_it_prints_is_the_result_where_the_task_says_what_it_looks_like(self):
        self.script("import { defineTask } from 'reprise';"
                    "const outputSchema = { type: 'object', required: ['n'] };"
                    "const job = defineTask('j', () => ({ kind: 'job', outputSchema }));"
                    "const line = defineTask('l', () => ({ kind: 'shell', outputSchema }));"
                    "export async function process(i, ctx) { return ctx.parallel.all("
                    " [1, 2, 3].map((n) => () => ctx.task(n < 3 ? job : line, n))); }")
        print_it = ("--", "echo", '{"n": 1}')
        self.assertEqual(self.exec("t1", *print_it).exit, 0)
        self.assertEqual(self.ok("task:show", "r", "t1")["result"]["value"], {"n": 1})
        refused = self.exec("t2", "--", "echo", "none", json=True)
        self.assertEqual((refused.exit, refused.json["status"]), (1, "error"), refused)
        harness.validate(refused.json, "task:exec")
        self.assertEqual(self.exec("t3", *print_it).exit, 1)  # as run:drive does
        for effect in ("t2", "t3"):
            error = self.ok("task:show", "r", effect)["result"]["error"]
            self.assertEqual(error["name"], "OutputInvalid")

    def test_a_question_to_named_people_is_refused_before_the_command_runs(self):
        self.script("export async function process(i, ctx) {"
                    " return ctx.breakpoint({ question: 'ok?', approvers: ['ann'] }); }")
        made = self.folder / "made"
        answer = self.exec("t1", "--", "touch", str(made), json=True)
        self.assertEqual((answer.exit, answer.json["error"]["code"]), (13, "NOT_PERMITTED"), answer)
        self.assertFalse(made.exists())
        self.assertEqual(self.ok("task:show", "r", "t1")["effect"]["status"], "requested")

    def test_a_lost_claim_stops_the_command(self):
        self.checklist("r", "make")
        inner = (
            f'"{harness.BINARY}" task:release "$REPRISE_RUN" "$REPRISE_EFFECT" >&2; exec sleep 600'
        )
        answer = self.exec("t1", "--lease", "1s", "--", "sh", "-c", inner)
        self.assertEqual(answer.exit, 4, answer)
        self.assertIn("nothing was posted", answer.err)
        self.assertEqual(self.ok("task:show", "r", "t1")["effect"]["status"], "requested")

    def test_words_that_run_nothing(self):
        self.checklist("r", "make")
        before = self.records("r")
        self.refused(2, "MISSING_ARGUMENT", "task:exec", "r", "t1")
        for words, exit, code in (
            (("--key", "none", "--wait-for", "20ms", "--", "true"), 3, "EFFECT_NOT_FOUND"),
            (("t1", "--timeout", "soon", "--", "true"), 2, "INVALID_ARGUMENT"),
            (("t1", "--lease", "999ms", "--", "true"), 2, "INVALID_ARGUMENT"),
            (("--", "true"), 2, "MISSING_ARGUMENT"),
        ):
            with self.subTest(words=words):
                answer = self.exec(*words, json=True)
                self.assertEqual((answer.exit, answer.json["error"]["code"]), (exit, code), answer)
        self.assertEqual(self.records("r"), before)

    def test_large_output_is_kept_as_a_log_and_its_end_in_the_result(self):
        self.checklist("r", "make")
        script = "import sys; sys.stdout.buffer.write(b'\\xff' * 100000 + b'end')"
        subprocess.run(
            [harness.BINARY, "task:exec", "r", "t1", "--", "python3", "-c", script],
            env=self.environment, stdout=subprocess.DEVNULL, timeout=harness.TIMEOUT_S, check=True,
        )  # fmt: skip
        log = self.run_dir("r") / "tasks" / "t1" / "stdout.log"
        self.assertEqual(log.read_bytes(), b"\xff" * 100000 + b"end")
        value = self.ok("task:show", "r", "t1")["result"]["value"]
        self.assertTrue(value["stdout"].endswith("end"))


if __name__ == "__main__":
    harness.main()
