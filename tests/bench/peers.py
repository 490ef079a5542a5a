"""babysitter 0.0.187 beside this build: the same process, the same steps, in the same run."""

import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys

from report import Row, ms
from workbench import RESULT, SCRIPT

PACKAGE = "@a5c-ai/babysitter-sdk@0.0.187"
EFFECTS = 100
QUICK_EFFECTS = 12
LONG = 1_000
QUICK_LONG = 40
# A command at k resolved effects is measured at these many steps of the run up to k.
WINDOW = 5
HEADINGS = ["what", "reprise", "babysitter", "faster by", "budget", ""]


def install(folder):
    """The path of its command, or why there is none."""
    program = folder / "node_modules" / ".bin" / "babysitter"
    if program.exists():
        return program, ""
    if shutil.which("npm") is None:
        return None, "npm is not installed"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"private":true}\n')
    print(f"installing {PACKAGE} ...", file=sys.stderr)
    done = subprocess.run(["npm", "install", "--no-audit", "--no-fund", PACKAGE], cwd=folder,
                          capture_output=True, text=True, check=False)
    if done.returncode != 0 or not program.exists():
        return None, f"npm install {PACKAGE} failed: {done.stderr.strip()[-300:]}"
    return program, ""


class Peer:
    """babysitter on a run of its own."""

    def __init__(self, bench, program, folder):
        self.bench = bench
        self.program = str(program)
        self.entry = folder / "steps.mjs"  # below its node_modules, or it does not load
        self.entry.write_text(SCRIPT.replace("'reprise'", "'@a5c-ai/babysitter-sdk'"))
        self.runs = bench.folder / "peer-runs"
        self.inputs = bench.folder / "peer-inputs.json"
        self.inputs.write_text(json.dumps({"n": LONG + 10}))
        self.sdk = self.program_folder(program) / "dist" / "index.js"
        self.value = bench.folder / "peer-value.json"
        self.value.write_text(RESULT)

    @staticmethod
    def program_folder(program):
        return pathlib.Path(program).parents[1] / PACKAGE.rsplit("@", 1)[0]

    def fill(self, run, effects):
        """Resolves so many effects in one process: a thousand commands would take half an hour."""
        subprocess.run(["node", str(pathlib.Path(__file__).parent / "drivers" / "babysitter.mjs"),
                        str(self.sdk), str(self.runs / run), str(effects)],
                       stdout=subprocess.DEVNULL, check=True)

    def command(self, *words):
        return [self.program, *map(str, words), "--runs-dir", str(self.runs), "--json"]

    def create(self, run):
        return self.command("run:create", "--process-id", "steps", "--entry", self.entry,
                            "--inputs", self.inputs, "--run-id", run)

    def post(self, run):
        """Of the effect that was requested last: effect ids are ULIDs."""
        tasks = self.runs / run / "tasks"
        effect = max(entry.name for entry in os.scandir(tasks))
        return self.command("task:post", run, effect, "--status", "ok", "--value", self.value)


def drive(bench, peer, effects):
    """Both through the same run, step by step in turn. Returns the timings of each step."""
    steps = [bench.time([
        ("peer create", peer.create("loop")),
        ("our create", bench.command("run:create", "--run-id", "peer-loop", "--entry",
                                     bench.script, "--input", f"n={EFFECTS + 1}"))])]
    for effect in range(effects + 1):
        step = bench.time([("peer iterate", peer.command("run:iterate", "loop")),
                           ("our iterate", bench.command("run:iterate", "peer-loop"))])
        if effect < effects:
            step |= bench.time([("peer post", peer.post("loop")),
                                ("our post", bench.post("peer-loop", effect + 1))])
        steps.append(step)
    return steps


def long_run(bench, peer, resolved):
    """Both at a run with so many resolved effects, filled beforehand."""
    bench.time([("-", peer.create("long"))])
    peer.fill("long", resolved)
    bench.steps("peer-long", LONG + 10)
    bench.reprise("run:iterate", "peer-long")
    bench.fill("peer-long", "effects", resolved, "posted")
    timed = bench.time([("peer iterate", peer.command("run:iterate", "long")),
                        ("our iterate", bench.command("run:iterate", "peer-long"))])
    for number in range(WINDOW):
        step = bench.time([("peer post", peer.post("long")),
                           ("our post", bench.post("peer-long", resolved + 1 + number)),
                           ("peer iterate", peer.command("run:iterate", "long")),
                           ("our iterate", bench.command("run:iterate", "peer-long"))])
        for name, timing in step.items():
            timed.setdefault(name, timing).ms.extend(timing.ms)
    median = lambda name: statistics.median(timed[name].ms)
    return [compared(f"`{name}` at {resolved:,} resolved effects", median(f"peer {name}"),
                     median(f"our {name}"), budget)
            for name, budget in (("iterate", 50), ("post", 100))]


def files_of(folder):
    found = [path for path in pathlib.Path(folder).rglob("*") if path.is_file()]
    return len(found), sum(path.stat().st_size for path in found) / 1e6


def files_row(bench, peer, effects):
    ours, our_size = files_of(bench.run_dir("peer-loop"))
    theirs, their_size = files_of(peer.runs / "loop")
    return Row(f"files of a run of {effects} effects", f"{ours}, {our_size:.2f} MB", "", None,
               f"{theirs / ours:.0f} x", f"{theirs:,}, {their_size:.2f} MB")


def compared(what, theirs, ours, budget):
    ratio = theirs / ours
    return Row(what, ms(ours), f"{budget} x", ratio >= budget, f"{ratio:,.0f} x", ms(theirs))


def window(steps, name, resolved):
    """The median around the step with so many resolved effects."""
    near = steps[1 + max(0, resolved - WINDOW):][:WINDOW + 1] if resolved else steps[1:2]
    return statistics.median(step[name].median for step in near if name in step)


def samples(resolved):
    """Said in the row: a run passes its beginning only once."""
    return " (one sample)" if resolved == 0 else ""


def compare(bench, folder):
    """Rows for a table with HEADINGS."""
    program, why_not = install(folder)
    if program is None:
        return [Row(f"{PACKAGE}: not compared, {why_not}", "")]
    peer = Peer(bench, program, pathlib.Path(folder))
    effects = QUICK_EFFECTS if bench.quick else EFFECTS
    steps = drive(bench, peer, effects)
    single = bench.time([step for _ in range(max(3, bench.rounds // 8)) for step in (
        ("peer version", [peer.program, "--version"]),
        ("our version", bench.command("version")),
        ("peer status", peer.command("run:status", "loop")),
        ("our status", bench.command("run:status", "peer-loop")))])

    rows = [compared(f"`{name}`", single[f"peer {name}"].median, single[f"our {name}"].median, 100)
            for name in ("version", "status")]
    create = steps[0]
    rows.append(Row("`run:create` (one sample)", ms(create["our create"].median), "", None,
                    f"{create['peer create'].median / create['our create'].median:,.0f} x",
                    ms(create["peer create"].median)))
    for resolved in [k for k in (0, 10, 100) if k <= effects]:
        for name, budget in (("iterate", 40), ("post", 100)):
            rows.append(compared(f"`{name}` at {resolved} resolved effects{samples(resolved)}",
                                 window(steps, f"peer {name}", resolved),
                                 window(steps, f"our {name}", resolved), budget))
    rows += long_run(bench, peer, QUICK_LONG if bench.quick else LONG)
    rows.append(files_row(bench, peer, effects))
    total = {side: sum(timing.total for step in steps for name, timing in step.items()
                       if name.startswith(side)) for side in ("peer", "our")}
    rows.append(compared(f"a run of {effects} effects, end to end", total["peer"], total["our"],
                         80))
    return rows
