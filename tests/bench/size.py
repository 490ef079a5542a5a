"""What does not get dearer as a run gets large: events, pending effects, children, a huge result.

A cost is processor time, less what the same command takes for a small run, for each event, effect,
child or byte. It may grow by a fifth from the smaller of two sizes to the larger one.
"""

import shutil
import subprocess

import driving
from report import Row, ms

GROWTH = 1.2
MIB = 1 << 20
FAN = """import { defineTask } from 'reprise';
const step = defineTask('step', ({ i }) => ({ kind: 'node', title: `step ${i}` }));
export async function process({ n }, ctx) {
  const all = [];
  for (let i = 0; i < n; i++) all.push(ctx.task(step, { i }));
  return (await Promise.all(all)).length;
}
"""
FAMILY = """export async function process({ n }, ctx) {
  const all = [];
  for (let i = 0; i < n; i++) all.push(ctx.run('builtin:checklist', { steps: [] }));
  return (await Promise.all(all)).length;
}
"""


class Sizes:
    """The same commands for runs of three sizes: the first is next to nothing, and subtracted."""

    def __init__(self, bench, unit, sizes):
        self.bench = bench
        self.unit = unit
        self.sizes = sizes
        self.timings = {}  # command -> [Timing] of each size

    def time(self, rounds, commands):
        """`commands` gives [(name, words)] for a size and a round."""
        plan = [(name if name == "-" else f"{name}@{size}", words) for number in range(rounds)
                for size in self.sizes for name, words in commands(size, number)]
        timed = self.bench.time(plan)
        for name in dict.fromkeys(name.rsplit("@", 1)[0] for name in timed):
            self.timings[name] = [timed[f"{name}@{size}"] for size in self.sizes]
        self.bench.raw.update({f"size, {name} {self.unit}": timing
                               for name, timing in timed.items()})

    def rows(self):
        return [self.row(name, *timings) for name, timings in self.timings.items()]

    def row(self, name, empty, small, large):
        """The whole command where the size does not matter to it, else what it costs for each."""
        _, few, many = self.sizes
        costs = [max(timing.cpu_median - empty.cpu_median, 0.001) * 1000 / size
                 for timing, size in ((small, few), (large, many))]
        measured = f"{ms(large.median)}, {large.rss_mib:.0f} MiB"
        growth = large.cpu_median / small.cpu_median
        if growth > GROWTH:
            measured += f", {costs[1]:.2f} us each"
            growth = costs[1] / costs[0]
        return Row(f"`{name}`, {many:,} {self.unit} against {few:,}", measured, f"{GROWTH}",
                   growth <= GROWTH, f"{growth:.2f}")


def rounds_of(bench):
    return 2 if bench.quick else 5


def events(bench):
    """A checklist that was sent signals: only its history grows."""
    sizes = (10, 1_000, 20_000) if bench.quick else (10, 10_000, 1_000_000)
    rounds = rounds_of(bench)
    runs = Sizes(bench, "records", sizes)
    for size in sizes:
        bench.fill(bench.checklist(f"events{size}", rounds + 5), "signals", size // 2)

    def commands(size, number):
        run = f"events{size}"
        return [("task:post", bench.post(run, number + 1)),
                ("run:iterate", bench.command("run:iterate", run)),
                ("run:status", bench.command("run:status", run)),
                ("run:signal", bench.command("run:signal", run, "note")),
                ("run:verify", bench.command("run:verify", run)),
                ("run:rebuild-state", bench.command("run:rebuild-state", run)),
                ("run:events --all", bench.command("run:events", run, "--all", "--json"))]

    runs.time(rounds, commands)
    return runs.rows()


def pending(bench):
    """A script that asks for everything at once."""
    sizes = (10, 200, 1_000) if bench.quick else (10, 10_000, 100_000)
    rounds = rounds_of(bench)
    driving.configure(bench)
    script = bench.folder / "fan.mjs"
    script.write_text(FAN)
    runs = Sizes(bench, "pending effects", sizes)

    def first(size, _):
        run = f"pending{size}"
        return [("-", bench.command("run:create", "--run-id", run, "--entry", script, "--input",
                                    f"n={size + rounds}")),
                ("run:iterate that asks", bench.command("run:iterate", run))]

    def later(size, number):
        run = f"pending{size}"
        return [("task:post", bench.post(run, number + 1)),
                ("run:iterate with a result", bench.command("run:iterate", run)),
                ("task:claim", bench.claim(run, rounds + number + 1)),
                ("run:status", bench.command("run:status", run)),
                ("task:list", bench.command("task:list", run))]

    runs.time(1, first)
    runs.time(rounds, later)
    return runs.rows()


def driven(bench):
    """The same with run:drive, until all are resolved."""
    sizes = (10, 200, 1_000) if bench.quick else (10, 10_000, 100_000)
    runs = Sizes(bench, "effects at once", sizes)
    runs.time(1, lambda size, _: [
        ("-", bench.command("run:create", "--run-id", f"driven{size}", "--entry",
                            bench.folder / "fan.mjs", "--input", f"n={size}")),
        ("run:drive", bench.command("run:drive", f"driven{size}", "--output", "none"))])
    return runs.rows()


def children(bench):
    """A script with many child runs; a beat iterates some of them, and they end."""
    sizes = (2, 20, 100) if bench.quick else (10, 1_000, 10_000)
    ended = 20 if bench.quick else 500  # by one beat
    script = bench.folder / "family.mjs"
    script.write_text(FAMILY)
    runs = Sizes(bench, "children", sizes)
    rows = []
    for size in sizes:
        bench.environment = dict(bench.environment,
                                 REPRISE_HOME=str(bench.folder / f"family{size}"))
        timed = bench.time([
            ("-", bench.command("run:create", "--run-id", "parent", "--entry", script, "--input",
                                f"n={size}")),
            ("run:iterate that makes them", bench.command("run:iterate", "parent")),
            ("run:iterate", bench.command("run:iterate", "parent")),
            ("run:tree", bench.command("run:tree", "parent")),
            ("beat", bench.command("heartbeat", "--max-runs", str(ended)))])
        beat = timed.pop("beat")
        for name, timing in timed.items():
            runs.timings.setdefault(name, []).append(timing)
        number = min(size + 1, ended)
        rows.append(Row(f"`heartbeat`, {number:,} of {size:,} children end",
                        f"{ms(beat.median)}, {beat.rss_mib:.0f} MiB, "
                        f"{beat.cpu_median / number:.2f} ms each"))
    bench.environment = dict(bench.environment, REPRISE_HOME=str(bench.home))
    return runs.rows() + rows


def write_result(path, mib):
    """A JSON string of so many MiB."""
    with open(path, "w", encoding="ascii") as file:
        file.write('"')
        for _ in range(mib - 1):
            file.write("x" * MIB)
        file.write("x" * (MIB - 2) + '"')


def results(bench):
    """Results up to the largest that is taken, and one beyond it."""
    sizes = (1, 4, 16) if bench.quick else (1, 16, 256)
    beyond = 1024
    path = bench.folder / "result.json"
    runs = Sizes(bench, "MiB of a result", sizes)
    for size in sizes:
        run = bench.checklist(f"result{size}", 2)
        write_result(path, size)
        timed = bench.time([
            ("task:post", bench.command("task:post", run, "t1", "--status", "ok", "--value", path)),
            ("run:iterate", bench.command("run:iterate", run)),
            ("run:verify", bench.command("run:verify", run))])
        for name, timing in timed.items():
            runs.timings.setdefault(name, []).append(timing)
        shutil.rmtree(bench.run_dir(run))
    with open(path, "wb") as file:
        file.truncate(beyond * MIB)
    refused = bench.command("task:post", bench.checklist("refused", 2), "t1", "--status", "ok",
                            "--value", path)
    exit_code = subprocess.run(refused, env=bench.environment, capture_output=True,
                               check=False).returncode
    timing = bench.time([("refused", ["sh", "-c", '! "$@" 2> /dev/null', "sh", *refused])])
    path.unlink()
    cost = timing["refused"]
    return runs.rows() + [
        Row(f"`task:post` of {beyond:,} MiB: refused, exit {exit_code}",
            f"{ms(cost.median)}, {cost.rss_mib:.0f} MiB", "exit 2, 32 MiB",
            exit_code == 2 and cost.rss_mib <= 32)]


def size(bench):
    """Events, pending effects, children, results."""
    return events(bench) + pending(bench) + driven(bench) + children(bench) + results(bench)
