"""The event bus: every event of every run, in order, at least once, whoever died in between."""

import json
import os
import subprocess

import harness

EMITTER = """
export async function process({ n, large }, ctx) {
  ctx.emit('deploy.asked', { n, taskId: `task-${n}` });
  await ctx.breakpoint({ question: 'Deploy?' }, { label: 'deploy' });
  ctx.emit('deploy.done', { n, text: 'x'.repeat(large ?? 0) });
  ctx.emit('cleanup', n);
}
"""


class Tail(harness.Home):
    def emit(self, run, n=1, *words):
        self.script(EMITTER, "--input", f"n={n}", *words, run=run)

    def finish(self, run):
        self.ok("approval:approve", run, "t1", "--iterate")

    def lines(self, *words, exit=0):
        """The envelopes, each validated, without the last document."""
        answer = self.call("event:tail", *words, "--json")
        self.assertEqual((answer.exit, answer.err), (exit, ""), answer)
        *events, end = map(json.loads, answer.out.splitlines())
        for line in (*events, end):
            harness.validate(line, "event:tail")
        self.assertEqual(end["delivered"], len(events))
        return events, end

    def types(self, *words):
        return [event["messageType"] for event in self.lines(*words)[0]]

    def test_an_envelope_names_the_event_its_story_and_what_it_is_about(self):
        self.emit("a", 7, "--input", "large=20000")
        self.finish("a")
        asked, done, cleanup = self.lines()[0]
        records = {r["seq"]: r for r in self.records("a")}
        seq = asked["extensions"]["seq"]
        identity = asked["extensions"]["identity"]
        self.assertEqual(identity, records[1]["data"]["identity"])
        self.assertEqual(
            {**asked, "extensions": None, "ts": None},
            {
                "protocolVersion": "1.0",
                "messageId": f"a/{seq}/{identity}",
                "messageType": "deploy.asked",
                "ts": None,
                "traceId": f"a/1/{identity}",
                "taskId": "task-7",
                "payload": {"n": 7, "taskId": "task-7"},
                "extensions": None,
            },
        )
        self.assertEqual(asked["ts"], records[seq]["at"])
        self.assertEqual(asked["extensions"]["cause"], 1)
        self.assertIn("payloadRef", records[done["extensions"]["seq"]]["data"])
        self.assertEqual(len(done["payload"]["text"]), 20_000)
        self.assertEqual(cleanup["payload"], 7)
        text = self.call("event:tail").out.splitlines()
        self.assertEqual([json.loads(line)["messageId"] for line in text],
                         [e["messageId"] for e in (asked, done, cleanup)])

    def test_filters_choose_by_type_beginning_run_and_time(self):
        self.emit("a", 1)
        self.emit("b", 2)
        self.finish("a")
        self.assertEqual(self.types(), ["deploy.asked"] * 2 + ["deploy.done", "cleanup"])
        self.assertEqual(self.types("--type", "deploy.*"), ["deploy.asked"] * 2 + ["deploy.done"])
        self.assertEqual(self.types("--type", "cleanup", "--type", "deploy.d*"),
                         ["deploy.done", "cleanup"])
        self.assertEqual(self.types("--type", "*", "--run", "b"), ["deploy.asked"])
        self.assertEqual(self.types("--since", "2100-01-01T00:00:00Z"), [])
        self.assertEqual(len(self.types("--limit", "3")), 3)
        self.assertEqual(
            [e["type"] for e in self.ok("event:list", "--type", "deploy.d*")["events"]],
            ["deploy.done"])
        self.refused(3, "CHANNEL_NOT_FOUND", "event:tail", "--channel", "a")
        self.refused(3, "RUN_NOT_FOUND", "event:tail", "--run", "nothing")
        self.refused(2, "INVALID_ARGUMENT", "event:tail", "--run", "a", "--channel", "b")

    def test_a_cursor_file_goes_on_where_the_last_call_ended(self):
        self.emit("a")
        self.emit("b")
        file = self.work / "seen"
        words = ("--cursor-file", file, "--limit", "1")
        first, end = self.lines(*words)
        self.assertEqual(file.read_text().strip(), end["cursor"])
        self.assertEqual(first[0]["extensions"]["cursor"], end["cursor"])
        second, _ = self.lines(*words)
        self.finish("a")
        third, _ = self.lines("--cursor-file", file)
        self.assertEqual([e["messageId"][0] for e in first + second + third], ["a", "b", "a", "a"])
        self.assertEqual(self.lines("--cursor-file", file)[0], [])
        self.ok("index:rebuild")
        expired = self.refused(4, "CURSOR_EXPIRED", "event:tail", "--cursor-file", file)
        self.assertIn("remove that file", expired["hint"])
        file.write_text("x" * 1000)
        self.refused(2, "INVALID_CURSOR_FILE", "event:tail", "--cursor-file", file)
        self.refused(3, "FOLDER_NOT_FOUND", "event:tail", "--cursor-file", "no/such/folder/file")

    def test_a_command_gets_each_event_and_a_failing_one_gets_it_again(self):
        for run in "abc":
            self.emit(run)
        file = ("--cursor-file", self.work / "seen")
        take = 'cat >> taken; echo "$REPRISE_EVENT_TYPE $REPRISE_EVENT_ID" >> ids; '
        fails = take + "! grep -q ^deploy.asked.b/ ids"
        answer = self.call("event:tail", *file, "--exec", fails, "--attempts", "2", "--json")
        self.assertEqual(answer.exit, 1, answer)
        harness.validate(answer.json, "error")
        self.assertEqual(answer.json["error"]["code"], "EVENT_UNDELIVERED")
        self.call("event:tail", *file, "--exec", take)
        ids = (self.work / "ids").read_text().splitlines()
        self.assertEqual([line.split("/")[0][-1] for line in ids], ["a", "b", "b", "b", "c"])
        taken = map(json.loads, (self.work / "taken").read_text().splitlines())
        self.assertEqual([e["messageId"] for e in taken], [line.split()[1] for line in ids])

    def test_what_a_command_prints_for_nobody_was_not_delivered(self):
        self.emit("a")
        reader, writer = os.pipe()
        os.close(reader)
        words = [harness.BINARY, "event:tail", "--cursor-file", "seen", "--attempts", "1"]
        with os.fdopen(writer, "w") as nobody:
            tail = subprocess.run([*words, "--exec", "echo it"], stdout=nobody, cwd=self.work,
                                  env=self.environment, stderr=subprocess.PIPE, text=True)
        self.assertEqual(tail.returncode, 1, tail.stderr)
        self.assertIn("nobody reads", tail.stderr)
        answer = self.call("event:tail", "--cursor-file", "seen", "--exec", "echo it")
        self.assertEqual(answer.out.splitlines()[0], "it")

    def test_a_command_that_hangs_is_ended(self):
        self.emit("a")
        answer = self.call("event:tail", "--exec", "sleep 1000", "--exec-timeout", "50ms",
                           "--attempts", "1")
        self.assertEqual(answer.exit, 1, answer)
        self.assertIn("too long", answer.err)

    def test_followers_see_what_comes_and_miss_nothing_of_before(self):
        self.emit("a")
        words = [harness.BINARY, "event:tail", "--follow", "--limit", "4", "--for", "60s"]
        follower = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=self.work,
                                    env=self.environment)
        first = json.loads(follower.stdout.readline())
        self.emit("b")
        self.finish("a")
        rest, _ = follower.communicate(timeout=harness.TIMEOUT_S)
        self.assertEqual(follower.returncode, 0)
        seen = [first, *map(json.loads, rest.splitlines())]
        self.assertEqual(sorted(e["messageId"][0] for e in seen), ["a", "a", "a", "b"])
        end = self.lines("--follow", "--for", "1ms")[1]
        self.assertEqual(end["event"], "timeout")

    def test_a_reader_that_goes_away_has_not_got_the_event(self):
        self.emit("a")
        read, write = os.pipe()
        os.close(read)
        words = [harness.BINARY, "event:tail", "--cursor-file", "seen"]
        done = subprocess.run(words, stdout=write, cwd=self.work, env=self.environment,
                              timeout=harness.TIMEOUT_S, check=False)
        os.close(write)
        self.assertEqual(done.returncode, 0)
        self.assertFalse((self.work / "seen").exists())
        self.assertEqual(len(self.lines("--cursor-file", "seen")[0]), 1)

    def test_an_event_whose_record_is_damaged_says_so_and_the_others_come(self):
        self.emit("a", 1, "--input", "large=20000")
        self.emit("b")
        self.finish("a")
        (blob,) = (self.run_dir("a") / "blobs").iterdir()
        blob.write_text("damaged")
        events, _ = self.lines("--type", "deploy.*")
        self.assertEqual([event.get("error", {}).get("code") for event in events],
                         [None, None, "BLOB_DAMAGED"])

    def test_an_empty_home_has_no_events(self):
        self.assertEqual(self.lines(), ([], {"schemaVersion": "reprise.cli.1", "event": "end",
                                             "delivered": 0}))
        self.assertEqual(self.lines("--follow", "--for", "1ms")[1]["event"], "timeout")
        self.assertFalse(self.home.exists())


if __name__ == "__main__":
    harness.main()
