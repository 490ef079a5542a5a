"""Homes whose runs are driven."""

import json
import signal
import subprocess

import harness

SEQUENCE = """
import { defineTask } from 'reprise';
const step = defineTask('step', (args) => ({ kind: 'shell', title: `step ${args.i}`,
  shell: { command: args.run } }));
export async function process({ runs }, ctx) {
  const out = [];
  for (let i = 0; i < runs.length; i++)
    out.push((await ctx.task(step, { i, run: runs[i] })).stdout.trim());
  return out;
}
"""
PARALLEL = SEQUENCE.replace(
    "for (let i = 0; i < runs.length; i++)\n    out.push("
    "(await ctx.task(step, { i, run: runs[i] })).stdout.trim());\n  return out;",
    "return (await Promise.all(runs.map((run, i) => ctx.task(step, { i, run }))))"
    ".map((result) => result.stdout.trim());",
)
ASKS = """
export async function process(inputs, ctx) {
  const answer = await ctx.breakpoint({ question: 'Publish\\u001b[31m it?' });
  return answer.approved;
}
"""
MOCK = {
    "executors": {"fake": {"type": "mock", "value": {"stdout": "mock"}}},
    "match": [{"kind": "shell", "executor": "fake"}],
}


class DriveHome(harness.Home):
    def configure(self, document):
        self.home.mkdir(exist_ok=True)
        (self.home / "config.json").write_text(json.dumps(document))

    def create(self, source, *runs, run="r"):
        path = self.write("main.js", source)
        inputs = json.dumps(list(runs))
        self.ok("run:create", "--entry", path, "--run-id", run, "--input", f"runs={inputs}")

    def events(self, answer, command="run:drive"):
        """The events of a drive with --json, each validated."""
        lines = [json.loads(line) for line in answer.out.splitlines()]
        for line in lines:
            harness.validate(line, "error" if "code" in line.get("error", {}) and
                             "event" not in line else command)
        return lines

    def drive(self, *words, exit=0, command="run:drive", **options):
        """Drives, and returns the last event."""
        answer = self.call(command, *words, "--json", **options)
        self.assertEqual(answer.exit, exit, answer)
        return self.events(answer, command)[-1]

    def background(self, *words, hup=signal.SIG_DFL):
        running = subprocess.Popen(
            [harness.BINARY, *words], env=self.environment, cwd=self.work, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            preexec_fn=lambda: signal.signal(signal.SIGHUP, hup),
        )  # fmt: skip
        self.addCleanup(running.communicate)
        self.addCleanup(running.kill)
        return running

    def until_event(self, running, name):
        """Reads the events of a drive until one of that name comes."""
        for line in running.stdout:
            event = json.loads(line)
            if event["event"] == name:
                return event
        raise AssertionError(f"no event {name}: {running.communicate()}")

    def types(self, run="r"):
        return [record["type"] for record in self.records(run)]
