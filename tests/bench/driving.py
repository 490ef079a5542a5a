"""run:drive with a mock executor that answers at once: what the steps themselves cost."""

import json
import re
import subprocess
import time

from report import Row

CONFIG = {
    "executors": {"fake": {"type": "mock", "value": {"exitCode": 0, "success": True}}},
    "drive": {"minFreeBytes": 0},
}
SIZES = (1_000, 10_000, 100_000)
QUICK_SIZES = (1_000, 3_000)
SHARE = 0.6  # of the rate of a C loop
FLAT = 0.9


def configure(bench, kind="*"):
    """The mock performs effects of that kind."""
    bench.home.mkdir(exist_ok=True)
    config = dict(CONFIG, match=[{"kind": kind, "executor": "fake"}])
    (bench.home / "config.json").write_text(json.dumps(config))


def make_run(bench, process, run, steps):
    """A run that was not iterated yet."""
    if process == "script":
        return bench.steps(run, steps)
    inputs = bench.folder / f"{run}.json"
    inputs.write_text(json.dumps({"steps": [{"name": "step", "run": "true"}] * steps}))
    bench.reprise("run:create", "--run-id", run, "--process", "checklist", "--inputs", inputs)
    return run


def journal_bytes(bench, run):
    return sum(path.stat().st_size for path in (bench.run_dir(run) / "journal").glob("*.jsonl"))


def seconds(bench, words):
    begin = time.monotonic()
    done = subprocess.run(words, env=bench.environment, capture_output=True, text=True, check=False)
    took = time.monotonic() - begin
    if done.returncode != 0:
        raise SystemExit(f"bench: {' '.join(map(str, words))}: exit {done.returncode}\n"
                         f"{done.stdout[-2000:]}{done.stderr}")
    return took


def loop_rate(bench, steps, size):
    """Steps a second of the C loop, with as many bytes a step."""
    words = [bench.tools / "bench_append", bench.folder / "append", str(steps), str(size)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    (bench.folder / "append").unlink()
    return steps / (int(done.stdout) / 1e9)


def drive_rate(bench, process, steps, round_number):
    """Steps a second, less what the command takes for an ended run; and its bytes a step."""
    run = make_run(bench, process, f"drive-{process}-{steps}-{round_number}", steps)
    drive = bench.command("run:drive", run, "--output", "none")
    took = seconds(bench, drive)
    took -= seconds(bench, drive)
    status = bench.reprise("run:status", run)
    if status["state"] != "completed":
        raise SystemExit(f"bench: {run} is {status['state']}")
    return steps / took, journal_bytes(bench, run) // steps


def syncs_of(bench, process):
    """Data syncs of a drive of 1,000 steps, counted."""
    steps = 1_000
    run = make_run(bench, process, f"drive-syncs-{process}", steps)
    trace = bench.folder / "trace"
    subprocess.run(["strace", "-f", "-o", trace, "-e", "trace=fsync,fdatasync,syncfs,sync",
                    *bench.command("run:drive", run, "--output", "none")],
                   env=bench.environment, stdout=subprocess.DEVNULL, check=True)
    count = len(re.findall(r"sync\(", trace.read_text()))
    return Row(f"syncs, `run:drive`, {process}, {steps:,} effects", str(count), str(steps + 1),
               count == steps + 1)


def drive(bench):
    """Sequential effects in one process."""
    configure(bench)
    rows = []
    rounds = 1 if bench.quick else 3
    for process in ("built in", "script"):
        rates = {}
        for steps in QUICK_SIZES if bench.quick else SIZES:
            best, loop = 0.0, 0.0
            for number in range(rounds if steps < 100_000 else 1):
                rate, size = drive_rate(bench, process.replace(" ", "-"), steps, number)
                best = max(best, rate)
                loop = max(loop, loop_rate(bench, min(steps, 10_000), size))
            rates[steps] = best
            rows.append(Row(f"`run:drive`, {process}, {steps:,} effects", f"{best:,.0f} steps/s",
                            f"{SHARE:.0%} of the loop" if steps == 10_000 else "",
                            best >= SHARE * loop if steps == 10_000 else None,
                            f"{best / loop:.0%}", f"{loop:,.0f}/s"))
        first, last = min(rates), max(rates)
        rows.append(Row(f"`run:drive`, {process}, {last:,} against {first:,}", "", f"{FLAT}",
                        rates[last] >= FLAT * rates[first], f"{rates[last] / rates[first]:.2f}"))
        rows.append(syncs_of(bench, process.replace(" ", "-")))
    return rows
