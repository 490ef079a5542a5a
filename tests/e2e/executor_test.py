"""Executors: what they do with children that misbehave, what the policy lets through, and what is
left when somebody is killed."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import time
import uuid

import harness

DEADLINE_S = 60


def works(*command):
    try:
        return subprocess.run(command, capture_output=True, timeout=DEADLINE_S).returncode == 0
    except FileNotFoundError:
        return False


SANDBOX = works("bwrap", "--ro-bind", "/", "/", "--unshare-pid", "--unshare-net", "true")


def processes_with(marker):
    """Those whose environment holds it; what has ended and was not waited for has none."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and marker.encode() in (entry / "environ").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def until(condition):
    """Looks again and again, within bounds; returns what it saw."""
    end = time.monotonic() + DEADLINE_S
    while not (seen := condition()):
        if time.monotonic() > end:
            raise AssertionError("it did not come about in time")
        os.sched_yield()
    return seen


class Executors(harness.Home):
    where = None  # a sandbox has a /dev of its own

    def setUp(self):
        super().setUp()
        # The programs have one marker, this program's processes the other.
        self.theirs = "theirs-" + uuid.uuid4().hex
        self.ours = "ours-" + uuid.uuid4().hex
        self.environment["OUR_MARKER"] = self.ours
        self.addCleanup(self.end_what_is_left)

    def end_what_is_left(self):
        for marker in (self.ours, self.theirs):
            for pid in processes_with(marker):
                os.kill(pid, signal.SIGKILL)

    def configure(self, executor=None, policy=None, **executors):
        shell = {
            "type": "shell",
            "grace": "100ms",
            "environment": {"THEIR_MARKER": self.theirs},
            **(executor or {}),
        }
        config = {"executors": {"shell": shell, **executors}, "policy": policy or {}}
        self.home.mkdir(exist_ok=True)
        (self.home / "config.json").write_text(json.dumps(config))

    def perform(self, script, exit=0, words=(), environment=None, **shell):
        """What came of a shell task that executor:test had performed."""
        task = self.write("task.json", {"kind": "shell", "shell": {"command": script, **shell}})
        document = self.ok(
            "executor:test", "shell", "--task", task, *words, exit=exit, environment=environment
        )
        self.assertEqual(processes_with(self.theirs), [], "something is left")
        return document["value"] if exit == 0 else document["error"]

    def test_a_command_line_and_a_command_with_arguments(self):
        self.configure()
        value = self.perform("echo $((1 + 2)); echo err >&2")
        self.assertEqual(
            value, {"exitCode": 0, "stdout": "3\n", "stderr": "err\n", "success": True}
        )
        value = self.perform("echo", args=["$((1 + 2))"])
        self.assertEqual(value["stdout"], "$((1 + 2))\n")
        value = self.perform("pwd; echo $A", cwd="/", env={"A": "b"})
        self.assertEqual(value["stdout"], "/\nb\n")
        value = self.perform("exit 3", expectedExitCode=3)
        self.assertEqual((value["exitCode"], value["success"]), (3, True))
        error = self.perform("exit 3", exit=1)
        self.assertEqual((error["name"], error["data"]["exitCode"]), ("CommandFailed", 3))
        error = self.perform("./no-such-program", args=["x"], exit=1)
        self.assertIn("cannot run ./no-such-program", error["message"])

    def test_children_that_misbehave(self):
        self.configure({"idleTimeout": "2s", "resultBytes": 1000})
        value = self.perform("head -c 40000000 /dev/zero | tr '\\0' x")
        self.assertEqual((len(value["stdout"]), value["stdoutTruncated"]), (1000, True))
        error = self.perform("trap '' TERM; sleep 600", exit=1, timeout=200)
        self.assertEqual((error["name"], error["data"]["exitCode"]), ("TimeoutError", 137))
        value = self.perform("exec >&- 2>&-; sleep 0.05")
        self.assertEqual(value["stdout"], "")
        value = self.perform("(setsid sh -c 'trap \"\" TERM; sleep 600' &) ; echo left")
        self.assertEqual(value["stdout"], "left\n")
        value = self.perform("sleep 600 & disown; echo left")
        self.assertEqual(value["stdout"], "left\n")
        error = self.perform("sleep 600", exit=1)
        self.assertIn("of silence", error["message"])
        value = self.perform("printf 'a\\xff\\xc3b'")
        self.assertEqual(value["stdout"], "a\ufffd\ufffdb")

    def start(self, script):
        """executor:test in the background, when its program has begun."""
        task = self.write("task.json", {"kind": "shell", "shell": {"command": script}})
        running = subprocess.Popen(
            [harness.BINARY, "executor:test", "shell", "--task", task, "--json"],
            env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.addCleanup(running.communicate)
        self.addCleanup(running.kill)
        # The shell, what it started, and what went away from both.
        until(lambda: len(processes_with(self.theirs)) >= 3)
        return running

    TREE = "setsid sh -c 'trap \"\" TERM; sleep 600' & (setsid sleep 600 &) ; wait"

    def test_killed_it_leaves_nothing_behind(self):
        self.configure()
        running = self.start(self.TREE)
        running.kill()
        running.wait()
        until(lambda: not processes_with(self.theirs) and not processes_with(self.ours))

    def test_a_worker_that_is_killed_leaves_nothing_behind(self):
        self.configure()
        running = self.start(self.TREE)
        worker = next(
            pid
            for pid in processes_with(self.ours)
            if b"executor:perform" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
        )
        os.kill(worker, signal.SIGKILL)
        out, _ = running.communicate(timeout=DEADLINE_S)
        self.assertEqual(running.returncode, 1, out)
        self.assertEqual(json.loads(out)["error"]["name"], "WorkerLost")
        self.assertEqual(processes_with(self.theirs), [])
        self.assertEqual(processes_with(self.ours), [])

    def test_a_signal_stops_the_work(self):
        self.configure()
        for name in (signal.SIGINT, signal.SIGTERM):
            running = self.start(self.TREE)
            running.send_signal(name)
            out, _ = running.communicate(timeout=DEADLINE_S)
            self.assertEqual(json.loads(out)["error"]["name"], "Stopped", out)
            self.assertEqual(processes_with(self.theirs), [])

    def test_what_a_task_says_wrongly_is_refused_and_not_guessed(self):
        self.configure()
        for wrong in ({"timeout": "soon"}, {"env": ["A=1"]}, {"expectedExitCode": "0"}, {"cwd": 1}):
            with self.subTest(wrong):
                self.assertEqual(self.perform("true", exit=1, **wrong)["name"], "TaskInvalid")
        error = self.perform("sleep 60", exit=1, timeout="50ms")
        self.assertEqual(error["name"], "TimeoutError")
        value = self.perform("true", args=[])
        self.assertEqual(value["stdout"], "")
        error = self.perform("true; true", exit=1, args=[])
        self.assertIn("cannot run true; true", error["message"])
        shell = {"command": "echo w > written"}
        task = self.write("t.json", {"kind": "shell", "shell": shell, "permission": "readonly"})
        denied = self.ok("executor:test", "shell", "--task", task, exit=1)["error"]
        self.assertEqual(denied["name"], "PolicyDenied")
        self.assertFalse((self.work / "written").exists())

    def test_secrets_do_not_reach_the_work(self):
        self.configure(policy={"environment": ["PATH", "ALLOWED_*"]})
        secret = {"DB_PASSWORD": "hunter2", "ALLOWED_ONE": "one"}
        value = self.perform("env", environment=secret)
        self.assertNotIn("hunter2", value["stdout"])
        self.assertNotIn(self.ours, value["stdout"])
        self.assertIn("ALLOWED_ONE=one", value["stdout"])
        error = self.perform("echo $DB_PASSWORD; exit 1", exit=1, environment=secret)
        self.assertNotIn("hunter2", json.dumps(error))

    def test_the_policy_says_which_rule(self):
        self.configure(policy={"deniedPrograms": ["curl"], "roots": [str(self.work)]})
        error = self.perform("echo x | xargs env nohup curl", exit=1)
        self.assertEqual((error["name"], error["retryable"]), ("PolicyDenied", False))
        self.assertIn('deniedPrograms hold "curl"', error["message"])
        error = self.perform("true", exit=1, cwd="/")
        self.assertEqual((error["name"], error["data"]), ("PolicyDenied", {"rule": "roots"}))
        self.configure(policy={"permission": "none"})
        error = self.perform("true", exit=1)
        self.assertEqual(error["data"], {"rule": "permission"})

    def test_without_its_sandbox_nothing_runs(self):
        tools = self.folder / "tools"
        tools.mkdir()
        for name in ("sh", "bash", "touch", "true"):
            (tools / name).symlink_to(shutil.which(name))
        self.configure(policy={"permission": "read"})
        target = self.work / "made"
        error = self.perform(f"touch {target}", exit=1, environment={"PATH": str(tools)})
        self.assertEqual(error["name"], "SandboxUnavailable")
        self.assertIn("not installed", error["message"])
        broken = tools / "bwrap"
        broken.write_text("#!/bin/sh\necho 'bwrap: no namespaces here' >&2\nexit 1\n")
        broken.chmod(0o755)
        error = self.perform(f"touch {target}", exit=1, environment={"PATH": str(tools)})
        self.assertIn("no namespaces here", error["message"])
        self.assertFalse(target.exists())

    def test_a_sandbox_is_a_wall(self):
        if not SANDBOX:
            self.skipTest("bubblewrap is not installed, or cannot start here")
        target = self.work / "made"
        self.configure(policy={"permission": "read"})
        # The task's own variables decide nothing before the wall stands.
        fake = self.write("bin/bwrap", "#!/bin/sh\ntouch " + str(target))
        fake.chmod(0o755)
        path = {"PATH": f"{fake.parent}:{os.environ['PATH']}", "LD_LIBRARY_PATH": "/lib"}
        value = self.perform("echo $LD_LIBRARY_PATH", env=path)
        self.assertEqual(value["stdout"], "/lib\n")
        error = self.perform(f"touch {target}", exit=1)
        self.assertIn("Read-only file system", error["data"]["stderr"])
        self.configure(policy={"roots": [str(self.work)]})
        self.assertTrue(self.perform(f"touch {target}")["success"])
        self.assertTrue(target.exists())
        target.unlink()
        outside = self.folder / "outside"
        self.perform(f"touch {outside}")  # in a /tmp of its own
        self.assertFalse(outside.exists())
        error = self.perform("touch /usr/outside", exit=1)
        self.assertIn("Read-only file system", error["data"]["stderr"])
        self.configure(policy={"network": False})
        devices = self.perform("cat /proc/net/dev")["stdout"].splitlines()[2:]
        self.assertEqual([line.split(":")[0].strip() for line in devices], ["lo"])
        error = self.perform("trap '' TERM; setsid sleep 600 & sleep 600", exit=1, timeout=300)
        self.assertEqual(error["name"], "TimeoutError")

    def test_an_agent_by_preset(self):
        answer = {
            "type": "result", "is_error": False, "result": "I say hello.", "session_id": "s-1",
            "total_cost_usd": 0.5, "usage": {"output_tokens": 3},
        }  # fmt: skip
        tools = self.folder / "tools"
        tools.mkdir()
        claude = tools / "claude"
        claude.write_text(
            f"#!/bin/sh\necho $@ > words.txt\ncat > prompt.txt\necho '{json.dumps(answer)}'\n"
        )
        claude.chmod(0o755)
        self.home.mkdir()
        config = self.home / "config.json"
        config.write_text('{ // mine\n  "drive": {"jobs": 2} /* two */\n}\n')
        added = self.ok(
            "executor:add", "agent", "--preset", "claude-code", "--match", "kind=agent",
            "--match", "kind=skill,label=docs*", "--with", f"cwd={self.work}",
        )  # fmt: skip
        self.assertTrue(added["written"])
        self.assertIn("// mine", config.read_text())
        self.assertIn("/* two */", config.read_text())
        listed = {it["name"]: it for it in self.ok("executor:list")["executors"]}
        self.assertEqual(
            listed["agent"]["match"], [{"kind": "agent"}, {"kind": "skill", "label": "docs*"}]
        )
        self.refused(4, "EXECUTOR_EXISTS", "executor:add", "agent", "--type", "mock")
        self.refused(2, "INVALID_EXECUTOR", "executor:add", "other", "--preset", "nobody")
        words = ("executor:add", "x", "--type", "mock", "--with", "colour=1")
        self.refused(2, "CONFIG_INVALID", *words)
        self.environment["PATH"] = f"{tools}:{os.environ['PATH']}"
        document = self.ok("executor:test", "agent", "--prompt", "Say hello.")
        self.assertEqual(document["value"], "I say hello.")
        self.assertEqual(
            document["metadata"],
            {"session": "s-1", "costUsd": 0.5, "usage": {"output_tokens": 3}},
        )
        self.assertEqual((self.work / "prompt.txt").read_text(), "Say hello.\n")
        self.assertNotIn("--model", (self.work / "words.txt").read_text())
        for model, words in (("tiny:2", "--model tiny:2"), ("-x; rm", "--verbose")):
            agent = {"prompt": "Say hello.", "model": model}
            task = self.write("task.json", {"kind": "agent", "agent": agent})
            self.ok("executor:test", "agent", "--task", task)
            self.assertTrue((self.work / "words.txt").read_text().endswith(f"{words}\n"))

    def test_a_program_of_ones_own(self):
        worker = self.write(
            "worker.py",
            "import json, os, sys\n"
            "work = json.load(sys.stdin)\n"
            "effect = os.environ['REPRISE_EFFECT']\n"
            "print(json.dumps({'effect': effect, 'task': work['taskDef']}))\n",
        )
        added = self.call("executor:add", "own", "--match", "task=own", "--", "python3", worker)
        self.assertEqual(added.exit, 0, added)
        task = self.write("task.json", {"kind": "own", "x": [1, 2]})
        document = self.ok("executor:test", "own", "--task", task)
        self.assertEqual(
            document["value"], {"effect": "t1", "task": {"kind": "own", "x": [1, 2]}}
        )
        self.refused(3, "EXECUTOR_NOT_FOUND", "executor:test", "none", "--prompt", "x")
        self.refused(2, "MISSING_ARGUMENT", "executor:test", "own")

    def test_a_result_of_several_lines(self):
        self.home.mkdir()
        said = '{\\n "n": [1,\\n 2]\\n}\\n'
        for output in ("text", "json"):
            executor = {"type": "command", "command": ["printf", said], "output": output}
            config = {"executors": {"lines": executor}}
            (self.home / "config.json").write_text(json.dumps(config))
            document = self.ok("executor:test", "lines", "--prompt", "x")
            self.assertEqual(document["value"], {"n": [1, 2]})

    def test_a_large_result_is_whole(self):
        for output in ("text", "json"):
            self.home.mkdir(exist_ok=True)
            script = "import json; print(json.dumps({'a': 'x' * (20 << 20), 'end': [1]}))"
            executor = {"type": "command", "command": ["python3", "-c", script], "output": output}
            config = {"executors": {"much": executor}}
            (self.home / "config.json").write_text(json.dumps(config))
            value = self.ok("executor:test", "much", "--prompt", "x")["value"]
            self.assertEqual((len(value["a"]), value["end"]), (20 << 20, [1]))

    def test_output_that_is_too_long_is_said_with_its_size(self):
        self.home.mkdir()
        size = (256 << 20) + 1
        command = ["head", "-c", str(size), "/dev/zero"]
        config = {"executors": {"much": {"type": "command", "command": command, "output": "text"}}}
        (self.home / "config.json").write_text(json.dumps(config))
        error = self.ok("executor:test", "much", "--prompt", "x", exit=1)["error"]
        self.assertEqual(error["name"], "OutputInvalid")
        self.assertIn(f"printed {size} bytes, and a result has at most {256 << 20}",
                      error["message"])  # fmt: skip
        self.assertIn("task:logs", error["message"])
        script = f"head -c {size} /dev/zero; echo; echo '[1]'"
        config = {"executors": {"much": {"type": "command", "command": ["sh", "-c", script]}}}
        (self.home / "config.json").write_text(json.dumps(config))
        self.assertEqual(self.ok("executor:test", "much", "--prompt", "x")["value"], [1])

    def test_what_no_value_holds_is_refused_and_not_changed(self):
        self.home.mkdir()
        command = ["printf", '{"n":12345678901234567890123}']
        config = {"executors": {"big": {"type": "command", "command": command}}}
        (self.home / "config.json").write_text(json.dumps(config))
        document = self.ok("executor:test", "big", "--prompt", "x", exit=1)
        self.assertEqual(document["error"]["name"], "OutputInvalid")
        self.assertIn("at \"/n\"", document["error"]["message"])

    def test_the_worker_by_hand(self):
        run = self.folder / "run"
        run.mkdir()
        order = {
            "work": {
                "run": "r", "runDir": str(run), "effect": "t1", "attempt": 2, "kind": "shell",
                "definition": {"shell": {"command": "echo said"}},
            },
            "executor": {"name": "x", "type": "shell"},
        }  # fmt: skip
        answer = self.call("executor:perform", stdin=json.dumps(order))
        events = [json.loads(line) for line in answer.out.splitlines()]
        self.assertEqual(events[0], {"type": "output", "stream": "stdout", "text": "said\n"})
        self.assertEqual((events[-1]["type"], events[-1]["status"]), ("outcome", "ok"))
        self.assertEqual(events[-1]["stdoutRef"], "tasks/t1/stdout.2.log")
        self.assertEqual((run / events[-1]["stdoutRef"]).read_text(), "said\n")
        self.refused(2, "INVALID_WORK", "executor:perform", stdin="{}")


if __name__ == "__main__":
    harness.main()
