"""Runs that are made again under an id that another run had: nothing of that one is theirs."""

import json
import os

import harness

TARGET = """
export async function process(inputs, ctx) {
  for (;;) ctx.emit('got', await ctx.signal('news'));
}
"""
SENDER = """
import { defineTask } from 'reprise';
const send = defineTask('send', () => ({ kind: 'run.signal' }));
export async function process(inputs, ctx) {
  return await ctx.task(send, { run: 'target', name: 'news', value: inputs.text });
}
"""
PAYS = """
import { defineTask } from 'reprise';
const pay = defineTask('pay', () => ({ kind: 'agent' }));
export async function process(inputs, ctx) { return await ctx.task(pay, inputs); }
"""
CHILD = "export async function process(inputs) { return `built ${inputs.version}`; }"
PARENT = """
export async function process(inputs, ctx) {
  return await ctx.run('./child.js', { version: inputs.version });
}
"""
EMITS = "export async function process(inputs, ctx) { ctx.emit('was.a', {}); return 1; }"
WAITS = """
export async function process(inputs, ctx) { ctx.emit('was.b', {}); await ctx.signal('x'); }
"""


class Identity(harness.Home):
    def make(self, run, entry, *words):
        self.ok("run:create", "--run-id", run, "--entry", entry, *words)

    def identity(self, run):
        return self.ok("run:status", run).get("identity", "")

    def payloads(self, run):
        return [r["data"]["payload"] for r in self.records(run) if r["type"] == "EVENT_EMITTED"]

    def test_signals_of_a_later_run_arrive_too(self):
        sender = self.write("sender.js", SENDER)
        self.make("target", self.write("target.js", TARGET))
        self.ok("run:iterate", "target")
        for day in ("monday", "tuesday"):
            self.make("nightly", sender, "--input", f"text={day}")
            self.ok("run:iterate", "nightly")
            self.ok("run:iterate", "nightly")
            self.assertEqual(self.ok("run:status", "nightly")["state"], "completed")
            self.ok("run:delete", "nightly", "--yes")
        self.ok("run:iterate", "target")
        self.assertEqual(self.payloads("target"), ["monday", "tuesday"])

    def test_the_work_of_a_later_run_has_idempotency_keys_of_its_own(self):
        entry = self.write("pays.js", PAYS)
        keys = []
        for who in ("anna", "bert"):
            self.make("payout", entry, "--input", f"who={who}")
            self.ok("run:iterate", "payout")
            words = ("task:exec", "payout", "t1", "--json", "--", "sh", "-c")
            done = self.call(*words, 'printf %s "$REPRISE_IDEMPOTENCY_KEY"')
            self.assertEqual(done.exit, 0, done)
            self.ok("run:iterate", "payout")
            keys.append(self.ok("run:output", "payout")["output"]["stdout"])
            self.assertEqual(keys[-1], "payout/t1/" + self.identity("payout"))
            self.ok("run:delete", "payout", "--yes")
        self.assertNotEqual(*keys)

    def test_a_child_of_an_earlier_run_is_not_taken_for_one_of_the_later(self):
        self.write("child.js", CHILD)
        entry = self.write("parent.js", PARENT)

        def make_and_run(version):
            self.make("release", entry, "--input", f"version={version}")
            for run in ("release", "release.t1", "release"):
                self.call("run:iterate", run)
            return self.ok("run:status", "release")

        make_and_run("v1")
        self.assertEqual(self.ok("run:output", "release")["output"], "built v1")
        # The journal of the parent is damaged; what is left of it is deleted by hand.
        os.rename(self.run_dir("release"), self.folder / "lost")
        later = make_and_run("v2")
        self.assertEqual(later["state"], "failed")
        self.assertEqual(later["error"]["name"], "ChildRunNotCreated")
        self.assertIn("an earlier run release", later["error"]["message"])
        self.assertEqual(self.ok("run:list", "--parent", "release")["runs"], [])
        tree = self.ok("run:tree", "release")["tree"]
        self.assertNotIn("child", tree["effects"][0])
        self.ok("run:delete", "release.t1", "--yes")
        self.ok("run:delete", "release", "--yes")
        make_and_run("v3")
        self.assertEqual(self.ok("run:output", "release")["output"], "built v3")

    def test_the_index_notices_a_run_that_was_made_again(self):
        self.make("job", self.write("a.js", EMITS), "--label", "gen=1")
        self.ok("run:iterate", "job")
        for _ in range(4):
            self.ok("run:list")
        first = self.identity("job")
        self.ok("run:delete", "job", "--yes")
        auto = ("--label", "reprise.autodrive=true")
        self.make("job", self.write("b.js", WAITS), "--label", "gen=2", *auto)
        (row,) = self.ok("run:list")["runs"]
        self.assertEqual((row["status"], row["processId"]), ("created", "b"))
        self.assertEqual(self.ok("run:list", "--label", "gen=1")["runs"], [])
        self.assertEqual(self.ok("event:list")["events"], [])
        done = self.call("heartbeat", "--json")
        self.assertEqual(done.exit, 0, done)
        self.assertEqual(self.ok("run:status", "job")["state"], "waiting")
        self.assertNotEqual(self.identity("job"), first)

    def test_events_and_their_deliveries_name_the_run_among_those_of_its_id(self):
        entry = self.write("a.js", EMITS)
        out = self.work / "out"
        hook = self.write("hook.sh", f'#!/bin/sh\necho "$REPRISE_EVENT_ID" >> {out}\n')
        hook.chmod(0o755)
        self.ok("init")
        hooks = {"local": {"types": ["was.a"], "command": [str(hook)]}}
        (self.home / "config.json").write_text(json.dumps({"hooks": hooks}))
        ids = []
        for _ in range(2):
            self.make("job", entry)
            self.ok("run:iterate", "job")
            event = json.loads(self.call("event:tail").out.splitlines()[-1])
            identity = self.identity("job")
            self.assertEqual(event["messageId"], "job/2/" + identity)
            self.assertEqual(event["traceId"], "job/1/" + identity)
            self.assertEqual(event["extensions"]["identity"], identity)
            ids.append(event["messageId"])
            self.ok("run:delete", "job", "--yes")
        self.assertEqual(out.read_text().splitlines(), ids)
        self.assertNotEqual(*ids)


if __name__ == "__main__":
    harness.main()
