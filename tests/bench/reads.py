"""How much a command reads: counted, not timed, so that every test run can say whether it grows.

The history is made by run:drive, for builds that have no tools to make one.
"""

import re
import subprocess

import driving
from report import Row

# What follows the state cache may be so long before the cache is written anew, and half as long as
# the cache itself, which is small here.
TAIL = 64 * 1024
STEPS = (3, 1_000)
WAITS = 10  # the exit code of a drive that leaves something to others
SCRIPT = """import { defineTask } from 'reprise';
const step = defineTask('step', () => ({ kind: 'node', title: 'one step' }));
const byHand = defineTask('by-hand', () => ({ kind: 'hand', title: 'the last one' }));
export async function process({ n }, ctx) {
  for (let i = 0; i < n; i++) await ctx.task(step, { i });
  await ctx.task(byHand, {});
}
"""


def make(bench, steps):
    """A run with a history of so many steps, which waits for one that nobody performs."""
    run = f"reads{steps}"
    script = bench.folder / "reads.mjs"
    script.write_text(SCRIPT)
    bench.reprise("run:create", "--run-id", run, "--entry", script, "--input", f"n={steps}")
    done = subprocess.run(bench.command("run:drive", run, "--output", "none"),
                          env=bench.environment, capture_output=True, text=True, check=False)
    if done.returncode != WAITS:
        raise SystemExit(f"bench: run:drive {run}: exit {done.returncode}\n{done.stderr}")
    return run


def bytes_read(bench, words):
    calls = re.findall(r"\b(?:read|pread64)\(.* = (\d+)$", bench.trace(words), re.M)
    return sum(map(int, calls))


def reads(bench):
    """Bytes that commands read of a short run and of a long one."""
    driving.configure(bench, "node")
    counted = {}
    for steps in STEPS:
        run = make(bench, steps)
        for name, words in (("run:status", bench.command("run:status", run)),
                            ("run:signal", bench.command("run:signal", run, "note")),
                            ("task:claim", bench.claim(run, steps + 1)),
                            ("task:post", bench.post(run, steps + 1))):
            counted.setdefault(name, []).append(bytes_read(bench, words))
    return [Row(f"bytes read, `{name}`, {2 * STEPS[1]:,} records", f"{many:,}",
                f"{few:,} + {TAIL:,}", many <= few + TAIL)
            for name, (few, many) in counted.items()]
