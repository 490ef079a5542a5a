"""What a beat costs in a home of many runs, when nothing is due and when something is."""

import json
import subprocess

from report import Row, ms

DUE = 10


def waiting_runs(bench, count):
    """Runs that wait for the result of their last step."""
    listed = bench.reprise("run:list", "--waiting-for", "shell", "--limit", str(count))
    return [run["runId"] for run in listed["runs"]]


def post(bench, run):
    value = '{"success":true,"exitCode":0}'
    return bench.command("task:post", run, "t5", "--status", "ok", "--value-inline", value)


def plan(bench, runs):
    """In turn: nothing due; ten results posted, and a beat; ten others, iterated one by one."""
    for _ in range(bench.rounds):
        yield "floor", bench.floor()
        yield "start", bench.command("version")
        yield "idle", bench.command("heartbeat")
        for _ in range(DUE):
            yield "-", post(bench, runs.pop())
        yield "-", bench.command("run:list", "--limit", "1")  # the index has taken them in
        yield "due", bench.command("heartbeat", "--json")
        alone = [runs.pop() for _ in range(DUE)]
        for run in alone:
            yield "-", post(bench, run)
        for run in alone:
            yield "iterate", bench.command("run:iterate", run)


def heartbeat(bench):
    count = 2_000 if bench.quick else 100_000
    home = bench.folder / "beating"
    subprocess.run([str(bench.tools / "bench_fill_home"), home, str(count), "0"], check=True)
    bench.environment = dict(bench.environment, REPRISE_HOME=str(home))
    runs = waiting_runs(bench, 2 * DUE * bench.rounds)
    bench.reprise("heartbeat")  # the first of a home has the visor write a bulletin
    second = bench.reprise("heartbeat")
    if not second["quiet"]:
        raise SystemExit(f"bench: something is due: {json.dumps(second)}")
    timings = bench.time(plan(bench, runs))
    bench.raw.update({f"heartbeat, {name}": timings[name] for name in ("idle", "due")})
    start, idle, due, iterate = (timings[name].median
                                 for name in ("start", "idle", "due", "iterate"))
    besides = due - DUE * (iterate - start)  # a beat starts no program for each
    return [
        Row(f"`heartbeat`, nothing due, {count:,} runs", ms(idle),
            floor=ms(timings["floor"].median)),
        Row(f"`heartbeat`, {DUE} due, {count:,} runs", ms(due)),
        Row("`run:iterate` of one of these, alone", ms(iterate)),
        Row("`version`: to start a program at all", ms(start)),
        Row(f"`heartbeat` besides its {DUE} iterations", ms(besides), "50 ms", besides <= 50),
    ]
