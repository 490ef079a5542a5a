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
                *[(f"run:events --all, {mode}",
                   bench.command("run:events", run, "--all", "--output", mode))
                  for mode in ("json", "jsonl", "text")]]

    runs.time(rounds, commands)
    lists = [name for name in runs.timings if name.startswith("run:events --all")]
    most = max(runs.timings[name][-1].rss_mib for name in lists)
    return runs.rows() + [Row("memory, `run:events --all`", f"{most:.0f} MiB", "40 MiB",
                              most <= 40)]


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
    runs.time(1 if bench.quick else 3, lambda size, number: [
        ("-", bench.command("run:create", "--run-id", f"driven{size}-{number}", "--entry",
                            bench.folder / "fan.mjs", "--input", f"n={size}")),
        ("run:drive", bench.command("run:drive", f"driven{size}-{number}", "--output", "none"))])
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


def write_string(path, mib):
    """A JSON string of so many MiB: its text is its canonical form."""
    with open(path, "w", encoding="ascii") as file:
        file.write('"')
        for _ in range(mib - 1):
            file.write("x" * MIB)
        file.write("x" * (MIB - 2) + '"')


def write_objects(path, mib):
    """As other programs print them: with spaces, escapes, and members in any order."""
    element = '{"name": "caf\\u00e9", "id": 1.50, "text": "' + "x" * 60 + '"},\n'
    piece = element * (MIB // len(element))
    with open(path, "w", encoding="ascii") as file:
        file.write('{"rows": [')
        for _ in range(mib):
            file.write(piece)
        file.write('0], "count": 1}')


def result_commands(bench, run, path):
    return [("task:post", bench.command("task:post", run, "t1", "--status", "ok", "--value", path)),
            ("run:iterate", bench.command("run:iterate", run)),
            ("run:verify", bench.command("run:verify", run)),
            ("run:rebuild-state", bench.command("run:rebuild-state", run)),
            ("task:show", bench.command("task:show", run, "t1"))]


def results(bench):
    """Results of which the text is held once, as long as two sizes allow a comparison."""
    sizes = (1, 4, 16) if bench.quick else (1, 16, 256)
    path = bench.folder / "result.json"
    runs = Sizes(bench, "MiB of a result", sizes)
    for size in sizes:
        run = bench.checklist(f"result{size}", 2)
        write_string(path, size)
        for name, timing in bench.time(result_commands(bench, run, path)).items():
            runs.timings.setdefault(name, []).append(timing)
        shutil.rmtree(bench.run_dir(run))
    path.unlink()
    return runs.rows()


def memory_row(name, timing, mib, budget):
    most = budget * mib + 32
    return Row(name, f"{ms(timing.median)}, {timing.rss_mib:,.0f} MiB",
               f"{budget} x the value", timing.rss_mib <= most, f"{timing.rss_mib / mib:.2f}")


def exit_of(bench, words):
    return subprocess.run(words, env=bench.environment, capture_output=True,
                          check=False).returncode


def refusal_row(bench, what, words, expected, mib):
    """A command that must say no, without taking more memory than that."""
    code = exit_of(bench, words)
    cost = bench.time([("refused", ["sh", "-c", '! "$@" 2> /dev/null', "sh", *words])])["refused"]
    return Row(f"{what}: refused, exit {code}", f"{ms(cost.median)}, {cost.rss_mib:,.0f} MiB",
               f"exit {expected}, {mib:,} MiB", code == expected and cost.rss_mib <= mib)


def largest(bench):
    """The largest result that is taken, everything that reads it, and what is too large."""
    most = 16 if bench.quick else 1024
    path = bench.folder / "result.json"
    rows = []
    budgets = {"task:post": 1, "run:iterate": 1, "run:verify": 0, "run:rebuild-state": 1,
               "task:show": 0}
    for kind, write in (("a string", write_string), ("objects", write_objects)):
        run = bench.checklist(f"largest{len(rows)}", 2)
        # The objects end with their count, so they need some room.
        write(path, most if write is write_string else most - 1)
        timed = bench.time(result_commands(bench, run, path))
        budgets["task:post"] = 1 if write is write_string else 2
        rows += [memory_row(f"`{name}`, {kind} of {most:,} MiB", timed[name], most, budget)
                 for name, budget in budgets.items()]
        shutil.rmtree(bench.run_dir(run))
    if not bench.quick:
        run = bench.steps("largest-script", 1)
        bench.reprise("run:iterate", run)
        write_string(path, most)
        bench.reprise("task:post", run, "t1", "--status", "ok", "--value", path)
        rows.append(refusal_row(bench, f"`run:iterate`, script, {most:,} MiB",
                                bench.command("run:iterate", run), 9, most + 64))
    with open(path, "wb") as file:
        file.truncate(1024 * MIB + 1)
    words = bench.command("task:post", bench.checklist("refused", 2), "t1", "--status", "ok",
                          "--value", path)
    rows.append(refusal_row(bench, "`task:post` of more than 1,024 MiB", words, 2, 32))
    path.unlink()
    return rows


def size(bench):
    """Events, pending effects, children, results."""
    return (events(bench) + pending(bench) + driven(bench) + children(bench) + results(bench) +
            largest(bench))
