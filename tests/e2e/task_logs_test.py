"""What programs wrote, by task:logs: when they are done, while they work, on a terminal."""

import os
import pty
import subprocess

import harness

DEADLINE_S = 60


class Logs(harness.Home):
    def test_the_log_of_work_that_is_done(self):
        self.checklist("r", "make")
        self.refused(3, "LOG_NOT_FOUND", "task:logs", "r", "t1")
        script = "printf 'a\\033[31mb\\377\\n'; echo err >&2"
        words = ("task:exec", "r", "t1", "--", "sh", "-c", script)
        subprocess.run([harness.BINARY, *words], env=self.environment, capture_output=True)
        printed = subprocess.run(
            [harness.BINARY, "task:logs", "r", "t1"], env=self.environment, capture_output=True
        )
        self.assertEqual(printed.stdout, b"a\x1b[31mb\xff\n")
        self.assertEqual(self.call("task:logs", "r", "t1", "--stderr", "--follow").out, "err\n")
        document = self.ok("task:logs", "r", "t1")
        self.assertEqual(document["text"], "a\x1b[31mb\ufffd\n")
        self.assertEqual((document["bytes"], document["path"]), (9, "tasks/t1/stdout.log"))
        self.refused(3, "LOG_NOT_FOUND", "task:logs", "r", "t1", "--attempt", "2")
        self.refused(3, "EFFECT_NOT_FOUND", "task:logs", "r", "t9")

    def test_on_a_terminal_nothing_steers_it(self):
        self.checklist("r", "make")
        self.call("task:exec", "r", "t1", "--", "printf", "a\\033[31mb\\tc\\n")
        for words, expected in (((), b"a\\x1b[31mb\tc"), (("--raw",), b"a\x1b[31mb\tc")):
            ours, theirs = pty.openpty()
            subprocess.run(
                [harness.BINARY, "task:logs", "r", "t1", *words], env=self.environment,
                stdout=theirs, check=True,
            )  # fmt: skip
            os.close(theirs)
            self.assertIn(expected, os.read(ours, 1000))
            os.close(ours)

    def test_it_is_followed_to_the_end_of_the_work(self):
        self.checklist("r", "make")
        following = subprocess.Popen(
            [harness.BINARY, "task:logs", "r", "t1", "--follow"],
            env=self.environment, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.addCleanup(following.communicate)
        self.addCleanup(following.kill)
        gate = self.work / "gate"
        os.mkfifo(gate)
        working = subprocess.Popen(
            [harness.BINARY, "task:exec", "r", "t1", "--",
             "sh", "-c", f"echo begun; read x < {gate}; echo $x"],
            env=self.environment, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        self.addCleanup(working.wait)
        self.addCleanup(working.kill)
        self.assertEqual(following.stdout.readline(), "begun\n")
        gate.write_text("done\n")
        self.assertEqual(following.stdout.readline(), "done\n")
        self.assertEqual(following.wait(DEADLINE_S), 0)
        self.assertEqual(working.wait(DEADLINE_S), 0)

    def test_following_has_an_end(self):
        self.checklist("r", "make")
        answer = self.call("task:logs", "r", "t1", "--follow", "--wait-for", "50ms")
        self.assertEqual((answer.exit, answer.out), (0, ""))


if __name__ == "__main__":
    harness.main()
