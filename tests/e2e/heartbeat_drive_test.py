"""heartbeat --drive and --loop, the doctor's word about them, and how they are installed."""

import json
import os
import pathlib
import signal
import subprocess

import harness
from beat_home import PARENT, BeatHome
from drive_home import MOCK, SEQUENCE

CRONTAB = """#!/bin/sh
case "$1" in
  -l) cat "$HOME/tab" 2>/dev/null || { echo "no crontab" >&2; exit 1; };;
  -) cat > "$HOME/tab.new" && mv "$HOME/tab.new" "$HOME/tab"; echo write >> "$HOME/writes";;
esac
"""
QUESTION = """
export async function process(inputs, ctx) {
  return await ctx.breakpoint({ question: 'Go?' });
}
"""
# The real one is setgid: the kernel does not end it with its parent.
OUTLIVING = """#!/bin/sh
case "$1" in
  -l) cat "$HOME/tab";;
  -) exec 3<&0
     { kill -KILL $PPID; cat <&3 > "$HOME/new"; mv "$HOME/new" "$HOME/tab"; echo > "$HOME/end"; } &
     wait;;
esac
"""


class Driving(BeatHome):
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

    def crontab(self, program, lines):
        """The environment in which such a program looks after such a crontab."""
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "crontab").write_text(program)
        (tools / "crontab").chmod(0o755)
        (self.folder / "tab").write_text(lines)
        return {"PATH": f"{tools}:{os.environ['PATH']}"}

    def test_cron_takes_no_half_crontab_from_one_who_is_killed(self):
        self.ok("init")
        before = "0 1 * * * backup\n" * 10_000  # more than a pipe holds
        path = self.crontab(OUTLIVING, before)
        os.mkfifo(self.folder / "end")
        shown = self.ok("heartbeat:install", "--cron", environment=path)
        killed = self.call("heartbeat:install", "--cron", "--write", environment=path)
        self.assertEqual(killed.exit, -signal.SIGKILL, killed)
        subprocess.run(["cat", self.folder / "end"], check=True, timeout=harness.TIMEOUT_S)
        self.assertEqual((self.folder / "tab").read_text(), f"{before}{shown['line']}\n")

    def test_cron_is_installed_once_and_can_be_removed(self):
        self.ok("init")
        path = self.crontab(CRONTAB, "0 1 * * * backup\n")
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
        # systemctl itself is not for tests: what is left of the way out is the removal.
        removal = document["uninstall"][-1]
        self.assertTrue(removal.startswith("rm "))
        subprocess.run(["sh", "-c", removal], check=True, env=self.environment)
        self.assertEqual(list(units[0].parent.iterdir()), [])

    def test_a_key_that_answers_does_nothing_else(self):
        guide = pathlib.Path(__file__).parents[2] / "docs" / "heartbeat.md"
        line = next(row for row in guide.read_text().splitlines() if row.startswith('command="'))
        command = line.split('"')[1].replace("/usr/bin/reprise", str(harness.BINARY))
        command = command.replace("/home/ada/.reprise", str(self.home))
        entry = self.write("main.js", QUESTION)
        self.ok("run:create", "--entry", entry, "--run-id", "r")
        self.ok("run:iterate", "r")

        def ssh(words):
            return subprocess.run(["sh", "-c", command], capture_output=True, text=True,
                                  cwd=self.work,
                                  env={**self.environment, "SSH_ORIGINAL_COMMAND": words})

        self.assertIn("t1", ssh("list").stdout)
        for words in ("; touch pwned", "$(touch pwned)", "list; touch pwned", "| touch pwned"):
            ssh(words)
        self.assertEqual(list(self.work.glob("pwned*")), [])
        self.assertEqual(ssh("approve r t1 --by ada --iterate").returncode, 0)
        self.assertEqual(self.status("r"), "completed")


if __name__ == "__main__":
    harness.main()
