"""run:drive on a terminal: the live view, and questions."""

import fcntl
import os
import pty
import select
import struct
import termios
import time
import unittest

import harness
from drive_home import ASKS, SEQUENCE, DriveHome


class Screen:
    """A terminal as far as the live view uses it: lines, cursor up, clear to the end."""

    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.lines = [""]
        self.row = self.column = 0

    def feed(self, text):
        """Returns the width of the longest line ever."""
        longest = at = 0
        while at < len(text):
            if text[at] == "\x1b":
                end = at + 2
                while not text[end].isalpha():
                    end += 1
                self.control(text[at + 2 : end], text[end])
                at = end + 1
                continue
            self.put(text[at])
            longest = max(longest, len(self.lines[self.row]))
            at += 1
        return longest

    def control(self, number, letter):
        if letter == "A":
            self.row = max(0, self.row - int(number or 1))
        elif letter == "K":
            self.lines[self.row] = self.lines[self.row][: self.column]
        elif letter == "J":
            self.lines[self.row] = self.lines[self.row][: self.column]
            del self.lines[self.row + 1 :]
        elif letter != "m":
            raise AssertionError(f"the view used {letter}")

    def put(self, char):
        if char == "\r":
            self.column = 0
        elif char == "\n":
            self.row += 1
            if self.row == len(self.lines):
                self.lines.append("")
        else:
            line = self.lines[self.row].ljust(self.column)
            self.lines[self.row] = line[: self.column] + char + line[self.column + 1 :]
            self.column += 1

    def text(self):
        return "\n".join(self.lines)


class Terminal(DriveHome):
    def on_terminal(self, *words, typed=(), size=(24, 80)):
        """What it writes to a terminal. `typed`: (text to wait for, what is typed then)."""
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.work)
            os.execve(harness.BINARY, [str(harness.BINARY), *words],
                      {**self.environment, "TERM": "xterm"})
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        typed = list(typed)
        seen = ""
        deadline = time.monotonic() + harness.TIMEOUT_S
        while time.monotonic() < deadline:
            if not select.select([terminal], [], [], 1)[0]:
                continue
            try:
                seen += os.read(terminal, 65536).decode()
            except OSError:
                break
            while typed and typed[0][0] in seen:
                os.write(terminal, typed.pop(0)[1].encode())
        os.close(terminal)
        _, status = os.waitpid(pid, 0)
        return os.waitstatus_to_exitcode(status), seen

    def test_the_live_view(self):
        self.create(SEQUENCE, "echo hello; sleep 0.5", "printf 'a\\033[2Jb\\n'; sleep 0.5")
        exit_code, seen = self.on_terminal("run:drive", "r", "--color", "never")
        self.assertEqual(exit_code, 0, seen)
        screen = Screen(24, 80)
        longest = screen.feed(seen)
        self.assertLess(longest, 80)
        self.assertNotIn("\x1b[2J", seen)
        self.assertIn("hello", seen)
        self.assertIn("a\\x1b[2Jb", seen)
        text = screen.text()
        self.assertIn("ok     r t1 step 0", text)
        self.assertIn("ok     r t2 step 1", text)
        self.assertIn("completed", text)
        self.assertNotIn("running", text)  # the block is gone

    def test_the_live_view_says_that_it_stops(self):
        self.configure({"executors": {"shell": {"type": "shell", "grace": "1s"}}})
        self.create(SEQUENCE, "trap '' TERM; echo ready; while :; do sleep 0.1; done")
        _, seen = self.on_terminal("run:drive", "r", "--color", "never", typed=[("ready", "\x03")])
        self.assertIn("stopping 1 piece of work", seen)
        self.assertIn("1 running, 0 waiting", seen)
        self.assertIn("stopping ...", seen)

    def test_questions_on_the_terminal(self):
        self.script(ASKS)
        exit_code, seen = self.on_terminal(
            "run:drive", "r", "--interactive", "--color", "never",
            typed=[("> ", "maybe\n"), ("maybe\r\n  y yes", "y looks good\n")],
        )  # fmt: skip
        self.assertEqual(exit_code, 0, seen)
        self.assertIn("Publish\\x1b[31m it?", seen)
        self.assertEqual(self.ok("run:output", "r")["output"], True)
        resolved = [r for r in self.records("r") if r["type"] == "EFFECT_RESOLVED"][0]["data"]
        self.assertEqual(resolved["value"]["respondedBy"], "tester")

    def test_a_question_can_be_left_alone(self):
        self.script(ASKS)
        exit_code, seen = self.on_terminal(
            "run:drive", "r", "--interactive", typed=[("> ", "s\n")]
        )
        self.assertEqual(exit_code, 10, seen)
        self.assertEqual(self.ok("run:status", "r")["state"], "waiting")

    def test_interactive_needs_a_terminal(self):
        self.script(ASKS)
        self.refused(2, "INVALID_ARGUMENT", "run:drive", "r", "--interactive")


if __name__ == "__main__":
    unittest.main()
