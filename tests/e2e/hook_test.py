"""Hooks and webhooks before receivers that answer, fail, hang, cut off and come back."""

import http.server
import json
import socket
import threading

import harness

EMITTER = """
export async function process({ count }, ctx) {
  for (let i = 1; i <= count; i++) ctx.emit('deploy.done', { number: i });
  ctx.emit('other.thing', {});
}
"""
SECRET = "s3cr3t-t0k3n"


class Receiver:
    """A server on the loopback whose answers are chosen: a status, "hang" or "cut"."""

    def __init__(self, case):
        self.got = []
        self.plan = []  # the answers to come; then 200
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.got.append((dict(self.headers), json.loads(body)))
                answer = receiver.plan.pop(0) if receiver.plan else 200
                if answer == "hang":
                    receiver.released.wait(30)
                    return
                if answer == "cut":
                    self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
                    self.wfile.flush()
                    self.connection.shutdown(socket.SHUT_RDWR)
                    return
                self.send_response(answer)
                if answer == 429:
                    self.send_header("Retry-After", "120")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.released = threading.Event()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        case.addCleanup(self.close)

    def close(self):
        self.released.set()
        self.server.shutdown()
        self.server.server_close()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}/hook?key={SECRET}"

    def ids(self):
        return [headers["Idempotency-Key"] for headers, _ in self.got]


class Hooks(harness.Home):
    def setUp(self):
        super().setUp()
        self.ok("init")
        self.entry = self.write("emit.mjs", EMITTER)

    def configure(self, **hooks):
        (self.home / "config.json").write_text(json.dumps({"hooks": hooks}))

    def emit(self, run, count=1, **options):
        """Creates and iterates a run that tells so many events."""
        self.ok("run:create", "--run-id", run, "--entry", self.entry, "--input", f"count={count}")
        return self.ok("run:iterate", run, **options)

    def undelivered(self):
        (hook,) = self.ok("hook:list")["hooks"]
        return hook["undelivered"]

    def web(self, receiver, **more):
        self.configure(audit={"types": ["deploy.*"], "url": receiver.url, **more})

    def test_a_url_is_told_right_after_the_commit(self):
        receiver = Receiver(self)
        self.web(receiver, headers={"Authorization": {"env": "TOKEN"}, "X-Team": "web"})
        self.emit("a", 2, environment={"TOKEN": SECRET})
        self.assertEqual(len(receiver.got), 2)
        headers, event = receiver.got[0]
        self.assertEqual(headers["Idempotency-Key"], event["messageId"])
        self.assertEqual(headers["Authorization"], SECRET)
        self.assertEqual((headers["X-Team"], headers["X-Reprise-Event"]), ("web", "deploy.done"))
        self.assertEqual(event["payload"], {"number": 1})
        self.assertEqual(self.undelivered(), [])
        self.ok("run:iterate", "a")
        self.assertEqual(len(receiver.got), 2)

    def test_a_command_is_told_on_its_standard_input(self):
        out = self.work / "out"
        told = 'echo "$REPRISE_EVENT_ID $REPRISE_HOOK"'
        script = self.write("hook.sh", f"#!/bin/sh\n{{ cat; {told}; }} >> {out}\n")
        script.chmod(0o755)
        self.configure(local={"types": ["deploy.done"], "command": [str(script)]})
        self.emit("a")
        event, told = out.read_text().splitlines()
        self.assertEqual(told, json.loads(event)["messageId"] + " local")

    def test_a_command_that_is_not_there_is_said_with_its_path(self):
        self.configure(local={"types": ["*"], "command": ["./no-such-hook"]})
        self.emit("a")
        program = self.home / "no-such-hook"
        why = f"cannot run {program}: No such file or directory"
        self.assertEqual(self.undelivered()[0]["error"], why)
        self.assertIn(why, self.call("hook:list").out)
        self.assertIn(f"hook local: there is no program {program}", self.call("doctor").out)

    def test_a_command_is_looked_for_beside_the_configuration_and_not_where_one_stands(self):
        out = self.work / "out"
        for folder, who in ((self.home, "own"), (self.work, "foreign")):
            script = folder / "announce"
            script.write_text(f"#!/bin/sh\necho {who} >> {out}\n")
            script.chmod(0o755)
        self.configure(local={"types": ["deploy.done"], "command": ["./announce"]})
        self.emit("a")
        self.assertEqual(out.read_text(), "own\n")

    def test_what_was_before_the_hook_is_not_sent(self):
        self.emit("before", 3)
        receiver = Receiver(self)
        self.web(receiver)
        self.emit("after")
        self.assertEqual([name.split("/")[0] for name in receiver.ids()], ["after"])
        self.ok("hook:retry")
        self.assertEqual(len(receiver.got), 1)

    def test_a_dead_port_a_failing_server_and_one_that_cuts_off_lose_nothing(self):
        receiver = Receiver(self)
        self.web(receiver, timeout="500ms")
        receiver.plan = [500, "cut", "hang", 200]
        self.emit("a", 4)
        failed = {event["eventId"].split("/")[1]: event["error"] for event in self.undelivered()}
        self.assertEqual(len(failed), 3)
        errors = " ".join(failed.values())
        for words in ("status 500", "not done after 500 ms"):
            self.assertIn(words, errors)
        retried = self.ok("hook:retry")["events"]
        self.assertEqual([event["delivered"] for event in retried], [True] * 3)
        self.assertEqual(self.undelivered(), [])
        self.assertEqual(len(set(receiver.ids())), 4)
        self.assertEqual(self.ok("hook:retry")["events"], [])

    def test_a_dead_port_does_not_fail_the_command_and_its_secrets_are_not_told(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        url = f"http://127.0.0.1:{port}/?key={SECRET}"
        self.configure(audit={"types": ["deploy.done"], "url": url,
                              "headers": {"X-Key": {"env": "TOKEN"}}})
        secret = {"TOKEN": SECRET}
        self.emit("a", environment=secret)
        (event,) = self.undelivered()
        self.assertEqual((event["error"], event["parked"]), ("nobody answers there", False))
        retried = self.call("hook:retry", "--json", environment=secret)
        self.assertEqual(retried.exit, 1, retried)
        self.assertNotIn(SECRET, retried.out + retried.err)
        self.assertNotIn(SECRET, (self.home / "hooks" / "audit.log").read_text())
        self.assertNotIn(SECRET, self.call("config:show", "hooks", "--json").out)
        missing = self.ok("hook:retry", exit=1)["events"]
        self.assertIn("the variable TOKEN is not set", missing[0]["error"])

    def test_retry_after_is_heeded_and_what_fails_too_often_is_parked(self):
        receiver = Receiver(self)
        self.web(receiver, attempts=1)
        receiver.plan = [429]
        self.emit("a")
        (event,) = self.undelivered()
        self.assertEqual((event["error"], event["parked"]), ("status 429", True))
        self.assertIn("parked", self.call("hook:list").out)
        self.refused(3, "EVENT_NOT_FOUND", "hook:retry", "audit", "a/99")
        self.refused(3, "EVENT_NOT_FOUND", "hook:retry", "audit", "nobody/2")
        for word in ("nonsense", "a/", "a/x", "a/-1", "a/2x"):
            self.refused(2, "INVALID_ARGUMENT", "hook:retry", "audit", word)
        self.ok("hook:retry", "audit", event["eventId"])
        self.assertEqual(self.undelivered(), [])
        self.assertEqual(self.ok("hook:retry", "audit", event["eventId"])["events"], [])
        self.web(receiver)
        receiver.plan = [429]
        self.emit("b")
        (event,) = self.undelivered()
        self.assertFalse(event["parked"])

    def test_beats_deliver_what_failed_and_let_no_run_wait_for_it(self):
        receiver = Receiver(self)
        self.web(receiver, timeout="300ms")

        def at(minute):
            return ("--now", f"2026-01-01T00:{minute:02}:00Z")

        self.ok("heartbeat", *at(0))  # the hook begins
        self.ok("run:create", "--simulated", "--run-id", "a", "--entry", self.entry,
                "--input", "count=2", *at(1))  # fmt: skip
        self.ok("run:iterate", "a", *at(1), environment={"REPRISE_HOOK": "audit"})
        self.ok("run:create", "--simulated", "--run-id", "due", "--entry", self.entry,
                "--input", "count=0", "--autodrive", *at(1))  # fmt: skip
        receiver.plan = ["hang", 500]
        beat = self.ok("heartbeat", *at(2))
        self.assertEqual([run["runId"] for run in beat["runs"]], ["due"])
        self.assertEqual(len(self.undelivered()), 2)
        self.ok("heartbeat", *at(3))
        self.assertEqual(self.undelivered(), [])
        self.ok("heartbeat", *at(4))
        first, second, *again = receiver.ids()
        self.assertEqual(sorted(again), sorted([first, second]))

    def test_a_new_index_sends_nothing_again(self):
        receiver = Receiver(self)
        self.web(receiver)
        self.emit("a", 3)
        self.ok("index:rebuild")
        self.assertEqual(self.ok("hook:retry")["events"], [])
        (self.home / "index.db").unlink()
        self.emit("b")
        self.assertEqual(len(receiver.got), 4)

    def test_a_command_that_died_before_it_delivered_is_made_good(self):
        receiver = Receiver(self)
        self.web(receiver)
        self.emit("a")
        # As a hook's own commands: their events are left to others.
        self.emit("b", 2, environment={"REPRISE_HOOK": "audit"})
        self.assertEqual(len(receiver.got), 1)
        self.assertEqual(len(self.ok("hook:retry")["events"]), 2)

    def test_a_home_that_is_not_trusted_runs_no_hook(self):
        receiver = Receiver(self)
        project = self.folder / "project"
        (project / ".reprise").mkdir(parents=True)
        del self.environment["REPRISE_HOME"]
        (project / ".reprise" / "config.json").write_text(
            json.dumps({"hooks": {"audit": {"types": ["deploy.*"], "url": receiver.url}}}))
        self.call("run:create", "--run-id", "a", "--entry", self.entry, "--input", "count=1",
                  cwd=project)
        answer = self.call("run:iterate", "a", cwd=project)
        self.assertEqual(answer.exit, 0, answer)
        self.assertIn("hooks", answer.err)
        self.assertEqual(receiver.got, [])
        self.refused(13, "UNTRUSTED_HOME", "hook:retry", cwd=project)

    def test_a_hook_that_is_wrong_keeps_no_other_from_its_events(self):
        receiver = Receiver(self)
        self.web(receiver)
        self.emit("a")
        self.configure(new={"types": ["x.y"]}, audit={"types": ["deploy.*"], "url": receiver.url})
        self.ok("run:create", "--run-id", "b", "--entry", self.entry, "--input", "count=1")
        receiver.plan = [500]
        answer = self.call("run:iterate", "b")
        self.assertIn("/hooks/new: a hook has a command or a url", answer.err)
        self.assertEqual(len(receiver.got), 2)
        beat = json.loads(self.call("heartbeat", "--json", "--now", "2100-01-01T00:00:00Z").out)
        (error,) = beat["errors"]
        self.assertEqual((error["part"], error["name"]), ("deliveries", "wrong:new"))
        self.assertEqual(len(receiver.got), 3)

    def test_a_hook_that_is_neither_or_both_is_refused(self):
        self.configure(audit={"types": ["a"]})
        self.refused(2, "CONFIG_INVALID", "hook:list")
        error = self.refused(2, "CONFIG_INVALID", "config:show", "drive.jobs")
        self.assertIn("config.json:1: /hooks/audit: a hook has a command or", error["message"])
        self.configure(audit={"types": ["a"], "url": "http://x/", "command": ["true"]})
        self.refused(2, "CONFIG_INVALID", "hook:list")
        self.configure(audit={"types": ["a"], "url": "http://x/", "timeout": "0s"})
        error = self.refused(2, "CONFIG_INVALID", "hook:list")
        self.assertIn("/hooks/audit/timeout: ", error["message"])
        self.configure(audit={"types": ["a"], "url": "ftp://x/"})
        self.refused(2, "CONFIG_INVALID", "hook:list")
        self.configure()
        self.refused(3, "HOOK_NOT_FOUND", "hook:list", "audit")


if __name__ == "__main__":
    harness.main()
