"""Where the bench works: a temporary home beside the build, runs of a known size, timings."""

import json
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile

SCRIPT = """import { defineTask } from 'reprise';
const step = defineTask('step', () => ({ kind: 'node', title: 'one step' }));
export async function process({ n }, ctx) {
  for (let i = 0; i < n; i++) await ctx.task(step, { i });
  return { steps: n };
}
"""
RESULT = '{"exitCode":0,"stdout":"ok"}'


class Workbench:
    """A home, the tools, and a few verbs. Use as a context manager: the folder goes at the end."""

    def __init__(self, binary, rounds, quick):
        self.binary = pathlib.Path(binary).resolve()
        self.tools = self.binary.parent
        self.rounds = rounds
        self.quick = quick
        self.raw = {}  # every timing, for --json
        self.picture = ""  # for --plot, an SVG
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="bench-", dir=self.tools.parent))
        self.home = self.folder / "home"
        self.script = self.folder / "steps.mjs"
        self.script.write_text(SCRIPT)
        self.floor_file = self.folder / "floor"
        self.floor_file.write_text("x" * 8192)
        self.environment = dict(os.environ, REPRISE_HOME=str(self.home), USER="bench",
                                XDG_CACHE_HOME=str(self.folder / "cache"))
        self.made = set()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    # ---- commands

    def command(self, *words):
        return [str(self.binary), *map(str, words)]

    def floor(self):
        return [str(self.tools / "bench_floor"), str(self.floor_file)]

    def reprise(self, *words):
        """Runs one command and returns its document."""
        done = subprocess.run([*self.command(*words), "--json"], env=self.environment,
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"bench: reprise {' '.join(map(str, words))}: exit {done.returncode}\n"
                             f"{done.stdout}{done.stderr}")
        return json.loads(done.stdout)

    def time(self, plan):
        """Times (name, words) in order. Returns {name: Timing}; the name "-" is not timed."""
        lines = "".join("\t".join([name, *words]) + "\n" for name, words in plan)
        done = subprocess.run([str(self.tools / "bench_time")], input=lines, env=self.environment,
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"bench: {done.stderr}")
        return {name: Timing(**timing) for name, timing in json.loads(done.stdout).items()}

    def trace(self, words):
        """What one command asks of the system from its first look into the home on, as strace says
        it; its children included."""
        if shutil.which("strace") is None:
            raise SystemExit("bench: strace is not installed; it counts the system calls")
        trace = self.folder / "trace"
        environment = dict(self.environment, ASAN_OPTIONS="detect_leaks=0")  # not under a tracer
        subprocess.run(["strace", "-f", "-o", trace, "-e", "trace=%file,%desc,sync", *words],
                       env=environment, stdout=subprocess.DEVNULL, check=True)
        text = trace.read_text(errors="replace")
        return text[max(0, text.find(str(self.home / "runs"))):]

    # ---- runs

    def run_dir(self, run):
        return self.home / "runs" / run

    def checklist(self, run, steps):
        """A checklist that waits for its first step."""
        if run not in self.made:
            inputs = self.folder / f"{run}.json"
            inputs.write_text(json.dumps({"steps": [{"name": "step", "run": "true"}] * steps}))
            self.reprise("run:create", "--run-id", run, "--process", "checklist",
                         "--inputs", inputs)
            self.reprise("run:iterate", run)
            self.made.add(run)
        return run

    def steps(self, run, count):
        """A script that asks for `count` steps one by one; not iterated yet."""
        if run not in self.made:
            self.reprise("run:create", "--run-id", run, "--entry", self.script,
                         "--input", f"n={count}")
            self.made.add(run)
        return run

    def fill(self, run, *what):
        """Lengthens the run's history; its caches are as its own commands would have left them."""
        subprocess.run([str(self.tools / "bench_fill_run"), self.run_dir(run), *map(str, what)],
                       check=True)
        self.reprise("run:rebuild-state", run)
        return run

    def copies(self, run, count):
        """The run and what is cached of it, `count` times, so that each can be used once."""
        names = [f"{run}-copy{i}" for i in range(count)]
        for name in names:
            shutil.copytree(self.run_dir(run), self.run_dir(name))
        return names

    def claim(self, run, effect):
        """Over at once, so that the next round may post."""
        return self.command("task:claim", run, f"t{effect}", "--lease", "1ms")

    def post(self, run, effect):
        return self.command("task:post", run, f"t{effect}", "--status", "ok",
                            "--value-inline", RESULT)


class Timing:
    """What bench_time measured of one command."""

    def __init__(self, ms, cpuMs, rssKiB):
        self.ms = ms
        self.cpu_median = statistics.median(cpuMs)
        self.median = statistics.median(ms)
        self.total = sum(ms)
        self.rss_mib = rssKiB / 1024

    def summary(self):
        """For --json."""
        ordered = sorted(self.ms)
        return {"n": len(ordered), "minMs": ordered[0], "medianMs": self.median,
                "p90Ms": ordered[int(len(ordered) * 0.9)], "cpuMedianMs": self.cpu_median,
                "rssMiB": self.rss_mib}
