"""What is measured. Each function is one group of rows; section headings of docs/performance.md."""

import json
import os
import re
import shutil
import subprocess

import driving
import heartbeat
import history
import library
import reads
import size
from report import Row, ms, within_factor, within_margin

MANY_RECORDS = 100_000
SEGMENT = 8 << 20  # bytes, then the next commit begins another


def prepare_commands(bench):
    """Runs of the sizes that the budgets name; each copy is used for one round."""
    steps = bench.rounds + 10
    bench.fill(bench.checklist("few", steps), "effects", 4)  # 2 + 8 records
    bench.fill(bench.checklist("many", steps), "signals", MANY_RECORDS // 2)
    long_list = bench.checklist("long", MANY_RECORDS // 2 + steps)
    bench.fill(long_list, "effects", MANY_RECORDS // 2)
    bench.steps("script0", 1)
    for resolved in (100, 1000):
        run = bench.steps(f"script{resolved}", resolved + 10)
        bench.reprise("run:iterate", run)
        bench.fill(run, "effects", resolved, "posted")
    copies = {run: bench.copies(run, bench.rounds)
              for run in ("few", "script0", "script100", "script1000")}
    os.sync()
    return copies


def commands_plan(bench, copies):
    """All commands in turn, round by round, the floor among them."""
    for i in range(bench.rounds):
        few = copies["few"][i]
        yield "floor", bench.floor()
        yield "version", bench.command("version")
        yield "post few", bench.post(few, 5)
        yield "iterate few", bench.command("run:iterate", few)
        yield "status few", bench.command("run:status", few)
        yield "claim few", bench.claim(few, 6)
        yield "signal few", bench.command("run:signal", few, "note")
        yield "post many", bench.post("many", i + 1)
        yield "iterate many", bench.command("run:iterate", "many")
        yield "status many", bench.command("run:status", "many")
        yield "claim many", bench.claim("many", i + 2)
        yield "signal many", bench.command("run:signal", "many", "note")
        yield "post long", bench.post("long", MANY_RECORDS // 2 + i + 1)
        yield "iterate long", bench.command("run:iterate", "long")
        yield "status long", bench.command("run:status", "long")
        yield "floor", bench.floor()
        for resolved in (0, 100, 1000):
            run = copies[f"script{resolved}"][i]
            yield f"iterate script{resolved}", bench.command("run:iterate", run)


def commands(bench):
    """Whole commands, from start to exit."""
    timings = bench.time(commands_plan(bench, prepare_commands(bench)))
    bench.raw.update(timings)
    floor = timings["floor"]
    rows = [within_factor("`version`", timings["version"], floor, 4)]
    for name, factor in (("task:post", 4), ("run:status", 4), ("task:claim", 4),
                         ("run:signal", 4), ("run:iterate", 5)):
        verb = name.split(":")[1]
        few, many = timings[f"{verb} few"], timings[f"{verb} many"]
        kind = ", built in" if verb == "iterate" else ""
        rows.append(within_factor(f"`{name}`{kind}, 10 records", few, floor, factor))
        rows.append(within_factor(f"`{name}`{kind}, 100,000 records", many, floor, factor))
        if f"{verb} long" in timings:
            rows.append(within_factor(f"`{name}`, checklist of 50,000 steps",
                                      timings[f"{verb} long"], floor, factor))
        growth = many.median / few.median
        rows.append(Row(f"`{name}`{kind}, 100,000 against 10", "", "1.2", growth <= 1.2,
                        f"{growth:.2f}"))
    for resolved, margin in ((0, 8), (100, 8), (1000, 14)):
        rows.append(within_margin(f"`run:iterate`, script, {resolved:,} resolved effects",
                                  timings[f"iterate script{resolved}"], floor, margin))
    return rows


def loop_plan(bench, run, effects):
    """A whole run as a shell loop drives it: create, then iterate and post in turn."""
    yield "loop", bench.command("run:create", "--run-id", run, "--entry", bench.script,
                                "--input", f"n={effects}")
    yield "loop", bench.command("run:iterate", run)
    for effect in range(1, effects + 1):
        yield "loop", bench.post(run, effect)
        yield "loop", bench.command("run:iterate", run)
        yield "floor", bench.floor()


def loop(bench):
    """A run of 100 sequential effects by separate commands."""
    timings = bench.time(loop_plan(bench, "loop", 100))
    bench.raw["loop"] = timings["loop"]
    return [Row("a run of 100 effects by 202 commands, script", ms(timings["loop"].total),
                floor=ms(timings["floor"].median))]


def replay(bench):
    """Records and effects per second of processor time, all sums checked, start subtracted."""
    count = MANY_RECORDS // (10 if bench.quick else 1)
    deep = bench.fill(bench.checklist("deep", count // 2 + 10), "effects", count // 2)
    script = bench.steps("deepscript", count + 10)
    bench.reprise("run:iterate", script)
    bench.fill(script, "effects", count)
    empty = bench.checklist("shallow", 10)
    empty_script = bench.steps("shallowscript", 10)
    bench.reprise("run:iterate", empty_script)
    for run in (deep, empty):  # a built-in process is replayed only without its state cache
        bench.reprise("run:iterate", run)
        (bench.run_dir(run) / "state" / "state.json").unlink()
    for run in (deep, empty):
        shutil.copytree(bench.run_dir(run), bench.run_dir(f"{run}-rebuild"))
    timings = bench.time([
        step for _ in range(max(3, bench.rounds // 4)) for step in (
            ("built in", bench.command("run:iterate", deep)),
            ("rebuild", bench.command("run:rebuild-state", "deep-rebuild")),
            ("rebuild, empty", bench.command("run:rebuild-state", "shallow-rebuild")),
            ("built in, empty", bench.command("run:iterate", empty)),
            ("script", bench.command("run:iterate", script)),
            ("script, empty", bench.command("run:iterate", empty_script)))])
    bench.raw.update({f"replay {name}": timing for name, timing in timings.items()})

    def rate(name, attribute="cpu_median"):
        empty_took = getattr(timings[f"{name}, empty"], attribute)
        return count / (getattr(timings[name], attribute) - empty_took) * 1000

    def row(what, name, unit, budget):
        return Row(f"replay, {what}", f"{rate(name):,.0f} {unit}/s of processor time, "
                   f"{rate(name, 'median'):,.0f} by the clock", f"{budget:,}", rate(name) >= budget)

    rss = timings["script"].rss_mib
    return [
        row("built in (`run:iterate` without its cache)", "built in", "records", 1_000_000),
        row("built in, and all caches written (`run:rebuild-state`)", "rebuild", "records",
            1_000_000),
        row("script (`run:iterate`)", "script", "effects", 150_000),
        Row(f"memory, script with {count:,} effects", f"{rss:.0f} MiB", "200 MiB", rss <= 200),
    ]


def signals(bench):
    """A script that has awaited 10,000 signals, one by one."""
    count = 1_000 if bench.quick else 10_000
    script = bench.folder / "signals.mjs"
    script.write_text("export async function process({ n }, ctx) {\n"
                      "  for (let i = 0; i < n; i++) await ctx.signal('note');\n}\n")
    bench.reprise("run:create", "--run-id", "signals", "--entry", script, "--input",
                  f"n={count + 10}")
    bench.reprise("run:iterate", "signals")
    bench.fill("signals", "signals", count)
    timings = bench.time([step for _ in range(max(3, bench.rounds // 4)) for step in (
        ("signal", bench.command("run:signal", "signals", "other")),
        ("iterate", bench.command("run:iterate", "signals")))])
    bench.raw.update({f"{name}, 10,000 signals": timing for name, timing in timings.items()})
    return [Row(f"`run:iterate`, script, {count:,} signals replayed",
                ms(timings["iterate"].median)),
            Row(f"`run:signal`, behind {count:,} signals", ms(timings["signal"].median))]


def channel(bench):
    """A message to a channel, short and long; the agent is at work, so the message queues."""
    records = {"short": 200, "long": 2_000 if bench.quick else MANY_RECORDS}
    for name, count in records.items():
        bench.reprise("channel:create", name, "--setting", "routing.policy=direct",
                      "--setting", "compactor.soft=0.99", "--setting", "compactor.aggressive=0.99",
                      "--setting", "compactor.emergency=0.99")
        subprocess.run([str(bench.tools / "bench_fill_channel"), str(bench.run_dir(name)),
                        str(count), "1000"], check=True)
    plan = []
    for i in range(bench.rounds):
        plan += [("floor", bench.floor())]
        plan += [(name, bench.command("message:post", name, "hello", "--id", f"m{i}"))
                 for name in records]
    timings = bench.time(plan)
    bench.raw.update({f"message:post, {name}": timings[name] for name in records})
    return [within_factor(f"`message:post`, {count:,} records", timings[name], timings["floor"], 5)
            for name, count in records.items()]


def memory(bench):
    """Peak resident memory of commands without a script at 1,000 records."""
    run = bench.fill(bench.checklist("thousand", 510), "effects", 499)
    plan = [("task:post", bench.post(run, 500)), ("run:iterate", bench.command("run:iterate", run)),
            ("run:status", bench.command("run:status", run)),
            ("task:list", bench.command("task:list", run)),
            ("run:verify", bench.command("run:verify", run)),
            ("run:rebuild-state", bench.command("run:rebuild-state", run))]
    timings = bench.time(plan)
    worst = max(timings, key=lambda name: timings[name].rss_mib)
    rss = timings[worst].rss_mib
    return [Row(f"memory, 1,000 records, built in (most: `{worst}`)", f"{rss:.1f} MiB", "8 MiB",
                rss <= 8)]


def check(bench):
    """A whole library of process files, judged on one core."""
    count = 200 if bench.quick else 2000
    folder = bench.folder / "library"
    library.write(folder, count)
    timing = bench.time([("check", ["taskset", "--cpu-list", "0",
                                    *bench.command("process:check", folder)])])["check"]
    bench.raw["process:check"] = timing
    by_cpu, by_clock = (count / took * 1000 for took in (timing.cpu_median, timing.median))
    return [Row(f"`process:check` of {count:,} files, one core",
                f"{by_cpu:,.0f} files/s of processor time, {by_clock:,.0f} by the clock", "100",
                by_cpu >= 100),
            Row("memory, `process:check`", f"{timing.rss_mib:.0f} MiB")]


CALLS = {
    "opens": "openat2?",
    "reads": "read|pread64|getdents64",
    "writes": "write|pwrite64",
    "names": "mkdirat|renameat2?|unlinkat",  # made, renamed, removed
    "syncs": "fsync|fdatasync|syncfs|sync",
}


def count_calls(bench, words):
    """System calls of one command."""
    text = bench.trace(words)
    return {name: len(re.findall(rf"\b(?:{calls})\(", text)) for name, calls in CALLS.items()}


def calls(bench):
    """What a command asks of the system, besides starting."""
    run = bench.steps("calls", 4)
    checklist = bench.checklist("calls-built-in", 4)
    cases = [
        ("`task:post`", bench.post(checklist, 1)),
        ("`run:status`", bench.command("run:status", checklist)),
        ("`run:iterate`, built in", bench.command("run:iterate", checklist)),
        ("`run:iterate`, script (with the engine's start)", bench.command("run:iterate", run)),
    ]
    return [Row(f"calls, {what}", ", ".join(f"{count} {name}" for name, count in
                                            count_calls(bench, words).items()))
            for what, words in cases]


def syncs(bench):
    """Counted, not timed: exact on every machine."""
    run = bench.steps("syncs", 4)
    script = bench.command("run:iterate", run)
    big = bench.folder / "big.json"
    big.write_text('"' + "x" * 100_000 + '"')
    blob = bench.command("task:post", run, "t2", "--status", "ok", "--value", big)
    checklist = bench.checklist("syncs-built-in", 3)
    cases = [
        ("`run:iterate`, script", script, 1),
        ("`task:post`", bench.post(run, 1), 1),
        ("the same post again", bench.post(run, 1), 0),
        ("`run:iterate`, script, with a result", script, 1),
        ("`run:iterate`, script, nothing new", script, 0),
        ("`task:post` of the run's first blob", blob, 3),
        ("`run:iterate`, script, with a blob", script, 1),
        ("`task:post` of another blob", [word.replace("t2", "t3") for word in blob], 3),
        ("`task:post`, built in", bench.post(checklist, 1), 1),
        ("`run:iterate`, built in", bench.command("run:iterate", checklist), 1),
        ("`run:status`", bench.command("run:status", run), 0),
    ]
    rows = [segment_syncs(bench)]
    for what, words, expected in cases:
        if what.endswith("another blob"):
            big.write_text('"' + "y" * 100_000 + '"')
        counted = count_calls(bench, words)["syncs"]
        rows.append(Row(f"syncs, {what}", str(counted), str(expected), counted == expected))
    return rows


def segment_syncs(bench):
    """Signals until the segment is full; the next one begins another."""
    run = bench.checklist("syncs-segment", 1)
    value = bench.folder / "long.json"
    value.write_text('"' + "x" * 60_000 + '"')
    send = bench.command("run:signal", run, "note", "--value", value)
    segments = bench.run_dir(run) / "journal"
    while (segments / "00000001.jsonl").stat().st_size < SEGMENT:
        subprocess.run(send, env=bench.environment, stdout=subprocess.DEVNULL, check=True)
    counted = count_calls(bench, send)["syncs"]
    begun = len(list(segments.glob("*.jsonl"))) == 2
    return Row("syncs, `run:signal` that begins a segment", str(counted), "2",
               counted == 2 and begun)


def files(bench):
    """What a run of 1,000 effects leaves on the disk."""
    run = bench.steps("thousandfiles", 1001)
    bench.reprise("run:iterate", run)
    bench.fill(run, "effects", 1000)
    folder = bench.run_dir(run)
    found = [path for path in folder.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in found)
    segments = len(list((folder / "journal").glob("*.jsonl")))
    tasks = len([path for path in found if "tasks" in path.relative_to(folder).parts])
    return [Row("a run of 1,000 effects, one of them open",
                f"{len(found)} files, {size / 1e6:.2f} MB, {segments} segment",
                "1 segment, files of open tasks only", segments == 1 and tasks == 2)]


def index_plan(bench):
    """Questions across all runs of the home, round by round, and the floor."""
    for _ in range(bench.rounds):
        yield "floor", bench.floor()
        yield "run:list", bench.command("run:list")
        yield "run:list --status", bench.command("run:list", "--status", "ready", "--status",
                                                 "failed")
        yield "run:list --waiting-for", bench.command("run:list", "--waiting-for", "breakpoint")
        yield "run:list --label", bench.command("run:list", "--label", "team=none")
        yield "task:list", bench.command("task:list")
        yield "task:list --kind", bench.command("task:list", "--kind", "breakpoint")
        yield "approval:list", bench.command("approval:list", "--limit", "20")
        yield "inbox", bench.command("inbox")


def index(bench):
    """A home of many runs of ten records each: what is asked of all of them."""
    count = 2_000 if bench.quick else 100_000
    home = bench.folder / "many"
    subprocess.run([str(bench.tools / "bench_fill_home"), home, str(count), "10"], check=True)
    bench.environment = dict(bench.environment, REPRISE_HOME=str(home))
    rebuild = bench.time([("rebuild", bench.command("index:rebuild"))])["rebuild"]
    compare = bench.time([("compare", bench.command("run:list"))])["compare"]
    run = bench.reprise("run:list", "--limit", "1")["runs"][0]["runId"]
    timings = bench.time(index_plan(bench))
    touched = bench.time([step for i in range(bench.rounds) for step in (
        ("-", bench.command("run:signal", run, "note")), ("list", bench.command("run:list")))])
    due = json.loads(subprocess.run([str(bench.tools / "bench_due"), str(home), str(bench.rounds)],
                                    capture_output=True, text=True, check=True).stdout)
    bench.raw.update(timings)
    floor = timings.pop("floor")
    by_cpu, by_clock = (10 * count / took * 1000 for took in (rebuild.cpu_median, rebuild.median))
    within = lambda what, took: Row(f"{what}, {count:,} runs", ms(took), "50 ms", took <= 50)
    rows = [within(f"`{name}`", timing.median) for name, timing in timings.items()]
    rows.append(within("`run:list` after a record of one of them", touched["list"].median))
    rows.append(within(f"what is due ({due['due']} of them)", due["medianMs"]))
    rows.append(Row(f"`index:rebuild`, {10 * count:,} records",
                    f"{by_cpu:,.0f} records/s of processor time, {by_clock:,.0f} by the clock",
                    "50,000", by_cpu >= 50_000))
    rows.append(Row(f"the first question after a boot, {count:,} runs compared",
                    ms(compare.median)))
    rows.append(Row("memory, `index:rebuild`", f"{rebuild.rss_mib:.0f} MiB"))
    rows.append(Row("floor, meanwhile", ms(floor.median)))
    return rows


# Those from drive on need a configuration in the home: what comes before is measured without one.
GROUPS = {"commands": commands, "loop": loop, "replay": replay, "signals": signals,
          "channel": channel, "history": history.history, "memory": memory, "files": files,
          "calls": calls, "syncs": syncs, "check": check, "drive": driving.drive,
          "reads": reads.reads, "size": size.size, "index": index,
          "heartbeat": heartbeat.heartbeat}
