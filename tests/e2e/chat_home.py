"""Homes whose work a chat endpoint answers, each piece by a worker that a test starts."""

import json
import os
import subprocess

import chat_server as chat
import harness

KEY = "sk-e2e-0123456789"


class Performed:
    """What one piece of work told."""

    def __init__(self, lines):
        self.lines = lines
        events = [json.loads(line) for line in lines.splitlines()]
        self.outcome = events.pop()
        self.ok = self.outcome["status"] == "ok"
        self.value = self.outcome["value"]
        self.metadata = self.outcome.get("metadata")
        self.text = self.told(events, "stdout")
        self.notices = self.told(events, "stderr")
        self.progress = [event["value"] for event in events if event["type"] == "progress"]

    @staticmethod
    def told(events, stream):
        return "".join(event["text"] for event in events if event.get("stream") == stream)

    def __repr__(self):
        return self.lines


class Endpoint(harness.Home):
    def setUp(self):
        super().setUp()
        self.run_dir = self.home / "runs" / "r"
        self.run_dir.mkdir(parents=True)
        # A proxy that is not there: loopback endpoints are reached without one.
        proxy = "http://127.0.0.1:9"
        self.environment.update(CHAT_KEY=KEY, http_proxy=proxy, https_proxy=proxy)

    def start(self, server, definition=None, timeout_ms=60_000, effect="t1",
              preexec_fn=None, **config):
        config = {
            "type": "openai",
            "url": server if isinstance(server, str) else server.url,
            "model": "tiny",
            "apiKey": {"env": "CHAT_KEY"},
            "backoff": "1ms",
            **config,
        }
        config = {name: value for name, value in config.items() if value is not None}
        harness.validate({"executors": {"chat": config}}, "config")
        work = {
            "home": str(self.home),
            "runDir": str(self.run_dir),
            "effect": effect,
            "idempotencyKey": f"r/{effect}",
            "task": "ask",
            "timeoutMs": timeout_ms,
            "definition": definition or {"kind": "agent", "agent": {"prompt": "Say."}},
        }
        lifeline, process_end = os.pipe()
        process = subprocess.Popen(
            [harness.BINARY, "executor:perform", "--lifeline", str(lifeline)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.environment,
            cwd=self.work,
            pass_fds=[lifeline],
            preexec_fn=preexec_fn,
            text=True,
        )
        os.close(lifeline)
        process.lifeline = os.fdopen(process_end, "wb")
        self.addCleanup(process.lifeline.close)
        self.addCleanup(process.kill)
        executor = {"name": "chat", "type": "openai", "config": config, "origin": "config.json"}
        process.stdin.write(json.dumps({"work": work, "executor": executor, "policy": {}}))
        process.stdin.close()
        process.stdin = None
        return process

    def end(self, process):
        out, err = process.communicate(timeout=harness.TIMEOUT_S)
        self.assertEqual((process.returncode, err), (0, ""))
        for place in [out, *(path.read_text() for path in self.logs())]:
            self.assertNotIn(KEY, place)
        return Performed(out)

    def logs(self):
        return [path for path in self.run_dir.rglob("*.log") if path.is_file()]

    def log(self):
        return (self.run_dir / "tasks" / "t1" / "stdout.log").read_text()

    def perform(self, server, definition=None, **options):
        return self.end(self.start(server, definition, **options))

    def answered(self, *answers, **options):
        """The work with these answers, which must succeed, and the server."""
        with chat.Server(*answers) as server:
            done = self.perform(server, **options)
        self.assertTrue(done.ok, done)
        return done, server

    def failed(self, name, *answers, requests=1, **options):
        with chat.Server(*answers) as server:
            done = self.perform(server, **options)
        self.assertFalse(done.ok, done)
        self.assertEqual(done.value["name"], name, done)
        if requests is not None:
            self.assertEqual(len(server.requests), requests, done)
        return done
