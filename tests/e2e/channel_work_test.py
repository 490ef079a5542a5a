"""Workers, branches and artifacts of a channel, and replies that are driven."""

import json
import os
import signal
import subprocess

import channel_home
import harness


class Work(channel_home.ChannelHome):
    def post(self, key, **value):
        words = ("--status", "ok", "--value-inline", json.dumps(value), "--iterate")
        return self.ok("task:post", "c", "--effect-key", key, *words)

    def worker(self):
        return self.ok("worker:show", "c", "w1")["worker"]

    def setUp(self):
        super().setUp()
        self.channel()

    def test_an_interactive_worker_asks_and_is_told(self):
        words = ("--title", "Tidy", "--mode", "interactive", "--tool", "x")
        spawned = self.ok("worker:spawn", "c", "tidy up", *words)
        self.assertEqual(spawned["workers"][0]["state"], "queued")
        self.ok("task:claim", "c", "--key", "worker:w1")
        self.assertEqual(self.worker()["state"], "running")
        self.ok("task:release", "c", "--key", "worker:w1", "--force")
        self.post("worker:w1", status="waiting", report="which?")
        self.assertEqual(self.worker()["state"], "waiting_input")
        told = ("--command", "continue", "--text", "that one")
        self.ok("worker:route", "c", "w1", *told)
        self.post("worker:w1:2", summary="tidy", artifact={"kind": "text", "content": "x" * 70_000})
        self.assertEqual(self.worker()["state"], "completed")
        (artifact,) = self.ok("artifact:list", "c")["artifacts"]
        whole = self.ok("artifact:show", "c", artifact["artifactId"])["artifact"]
        self.assertEqual(whole["content"], "x" * 70_000)
        self.ok("artifact:show", "c", artifact["artifactId"], "--file", "made.txt")
        self.assertEqual((self.work / "made.txt").read_text(), "x" * 70_000)
        error = self.refused(4, "WORKER_FINISHED", "worker:route", "c", "w1", *told)
        self.assertIn("w1", error["message"])

    def test_a_worker_is_cancelled(self):
        self.ok("worker:spawn", "c", "tidy up")
        self.ok("worker:cancel", "c", "w1", "--reason", "not needed")
        self.assertEqual(self.worker()["state"], "failed")
        self.refused(3, "WORKER_NOT_FOUND", "worker:show", "c", "w9")

    def test_a_child_run_does_the_work_of_a_worker_with_an_entry(self):
        path = self.write("child.mjs", "export const process = (inputs) => inputs.a + 1;")
        self.write("inputs.json", {"a": 1})
        words = ("--entry", path, "--inputs", "inputs.json")
        pending = self.ok("worker:spawn", "c", "count", *words)["pending"]
        (child,) = [effect["childRunId"] for effect in pending if "childRunId" in effect]
        self.ok("run:iterate", child)
        self.ok("run:iterate", "c")
        self.assertEqual(self.worker()["state"], "completed")

    def test_a_branch_is_listed(self):
        self.ok("branch:spawn", "c", "compare them")
        (branch,) = self.ok("branch:list", "c")["branches"]
        shown = self.ok("branch:show", "c", branch["branchId"])["branch"]
        self.assertEqual(shown["prompt"], "compare them")


class Driven(channel_home.ChannelHome):
    def test_the_reply_is_printed(self):
        self.configure(channel_home.MOCK)
        self.channel()
        answer = self.call("message:post", "c", "hello", "--drive")
        self.assertEqual((answer.exit, answer.out), (0, "an answer\n"), answer)
        posted = self.say("again", "--drive")
        self.assertEqual(posted["reply"], "an answer")
        self.assertEqual(posted["message"]["state"], "processed")

    def test_an_agent_that_fails_is_exit_1(self):
        failing = {"type": "mock", "error": {"message": "no such model", "retryable": False}}
        self.configure({**channel_home.MOCK, "executors": {"model": failing}})
        self.channel()
        posted = self.say("hello", "--drive", exit=1)
        self.assertEqual(posted["message"]["cause"], "error")

    def test_nobody_who_performs_it_is_exit_10(self):
        self.channel()
        posted = self.say("hello", "--drive", exit=10)
        self.assertNotIn("reply", posted)

    def test_work_that_nobody_performs_is_said_by_a_driven_message_and_by_the_inbox(self):
        self.configure(channel_home.MOCK)
        words = ("message:post", "w", "please implement the fix", "--drive")
        answer = self.call(*words)
        add = "reprise executor:add worker --preset claude-code --match kind=worker"
        self.assertEqual((answer.exit, answer.out), (0, "Worker w1 works on this.\n"))
        self.assertIn("nobody performs the worker work of w", answer.err)
        self.assertIn(add, answer.err)
        (item,) = self.ok("inbox")["available"]
        self.assertEqual((item["runId"], item["command"]), ("w", add))
        worker = {"kind": "worker", "executor": "model"}
        self.configure({**channel_home.MOCK, "match": [*channel_home.MOCK["match"], worker]})
        self.assertEqual(self.ok("inbox")["available"][0]["command"], "reprise run:drive w")
        self.assertEqual(self.call(*words).err, "")

    def test_an_interrupted_message_is_kept_and_its_reply_pending(self):
        command = ["sh", "-c", "echo begun > begun; exec sleep 600"]
        agent = {"type": "command", "command": command, "cwd": str(self.work)}
        match = [{"kind": "model", "executor": "agent"}]
        os.mkfifo(self.work / "begun")
        self.configure({"executors": {"agent": agent}, "match": match})
        for name, flags in (("a", ("--json",)), ("b", ())):
            with self.subTest(flags):
                words = [harness.BINARY, "message:post", name, "hello", "--drive", *flags]
                running = subprocess.Popen(
                    words, env=self.environment, cwd=self.work, text=True,
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                )  # fmt: skip
                self.addCleanup(running.kill)
                self.assertEqual((self.work / "begun").read_text(), "begun\n")
                running.send_signal(signal.SIGINT)
                out, err = running.communicate(timeout=harness.TIMEOUT_S)
                self.assertEqual(running.returncode, 10, out + err)
                if flags:
                    document = json.loads(out)
                    harness.validate(document, "message:post")
                    self.assertEqual(document["stoppedBy"], "SIGINT")
                    self.assertNotIn("claim", document["pending"][0])
                else:
                    self.assertIn("SIGINT ended the work; the message is kept, and reprise "
                                  "run:drive b goes on with the reply", err)  # fmt: skip


if __name__ == "__main__":
    channel_home.main()
