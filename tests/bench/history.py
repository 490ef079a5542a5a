"""What each command costs for histories of different lengths: rows, and the lines of a plot."""

import subprocess

from plot import Series, svg
from report import Row

LENGTHS = (10, 100, 1_000, 10_000, 100_000)
QUICK_LENGTHS = (10, 100, 1_000)
LONGEST_SCRIPT = 10_000  # it is run again by each iterate: what is longer is the budget of replay
COPIED = 1_000  # up to here each round has a copy: a few records more would be another history


class Runs:
    """A run of each length, as often as it is needed."""

    def __init__(self, bench, lengths):
        self.bench = bench
        self.lengths = lengths
        for length in lengths:
            self.checklist(length)
            if length <= LONGEST_SCRIPT:
                self.script(length)
            self.channel(length)

    def checklist(self, length):
        run = self.bench.checklist(f"list{length}", self.bench.rounds + 2)
        self.bench.fill(run, "signals", max(length // 2 - 1, 0))
        self.copy(run, length)

    def script(self, length):
        run = self.bench.steps(f"script{length}", length // 2 + self.bench.rounds + 2)
        self.bench.reprise("run:iterate", run)
        self.bench.fill(run, "effects", length // 2 - 1)
        self.copy(run, length)

    def channel(self, length):
        name = f"channel{length}"
        self.bench.reprise("channel:create", name, "--setting", "routing.policy=direct",
                           *(word for level in ("soft", "aggressive", "emergency")
                             for word in ("--setting", f"compactor.{level}=0.99")))
        subprocess.run([str(self.bench.tools / "bench_fill_channel"),
                        str(self.bench.run_dir(name)), str(length), "1000"], check=True)
        self.copy(name, length)

    def copy(self, run, length):
        if length <= COPIED:
            self.bench.copies(run, self.bench.rounds)

    def name(self, kind, length, number):
        return f"{kind}{length}" + (f"-copy{number}" if length <= COPIED else "")

    def effect(self, length, number):
        """The next one of a run: that of a copy is always the same."""
        return 0 if length <= COPIED else number

    def plan(self):
        """Round by round, all lengths and commands in turn."""
        bench = self.bench
        for number in range(bench.rounds):
            for length in self.lengths:
                run = self.name("list", length, number)
                yield f"task:post@{length}", bench.post(run, 1 + self.effect(length, number))
                yield f"run:iterate, built in@{length}", bench.command("run:iterate", run)
                yield f"run:status@{length}", bench.command("run:status", run)
                yield f"message:post@{length}", bench.command(
                    "message:post", self.name("channel", length, number), "hello", "--id",
                    f"m{number}")
                if length <= LONGEST_SCRIPT:
                    run = self.name("script", length, number)
                    yield "-", bench.post(run, length // 2 + self.effect(length, number))
                    yield f"run:iterate, script@{length}", bench.command("run:iterate", run)


def history(bench):
    """Leaves the picture in bench.picture."""
    lengths = QUICK_LENGTHS if bench.quick else LENGTHS
    timings = bench.time(Runs(bench, lengths).plan())
    costs = {}  # command -> {length: milliseconds}
    for name, timing in timings.items():
        command, length = name.rsplit("@", 1)
        costs.setdefault(command, {})[int(length)] = timing.median
        bench.raw[f"history, {command}, {length} records"] = timing
    bench.picture = svg("What a command costs, by the length of its run's history",
                        "records in the journal", "milliseconds, whole command",
                        [Series(command, sorted(by_length.items()))
                         for command, by_length in costs.items()])
    rows = []
    for command, by_length in costs.items():
        longest = max(by_length)
        steps = ", ".join(f"{cost:.2f}" for _, cost in sorted(by_length.items()))
        rows.append(Row(f"`{command}`, 10, 100, ... {longest:,} records", f"{steps} ms", "", None,
                        f"{by_length[longest] / by_length[10]:.2f}"))
    return rows
