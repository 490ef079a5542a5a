"""What it costs to build and to test, from nothing: a fresh clone, and a cache that is empty.

Budgets are of processor time, which is the same however many processors there are; by the clock
it is told, too. Not among the groups that run by default: all of it takes an hour.
"""

import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

from report import Row

ROOT = pathlib.Path(__file__).resolve().parents[2]
EDITED = "engine/run_state.h"
SPENT = re.compile(r"^(built|tested) (\w+): ([\d.]+) s and ([\d.]+) s of the processors, "
                   r"([\d.]+) s by the clock$", re.M)


class Spent:
    """Seconds of the processors, and by the clock."""

    def __init__(self, processors=0.0, clock=0.0):
        self.processors = processors
        self.clock = clock

    def __add__(self, other):
        return Spent(self.processors + other.processors, self.clock + other.clock)

    def text(self):
        return (f"{self.processors / 60:.1f} min of processor time, "
                f"{self.clock / 60:.1f} by the clock")


def run(words, where, environment, **options):
    done = subprocess.run(words, cwd=where, env=environment, check=False, **options)
    if done.returncode != 0:
        if options.get("stderr") == subprocess.STDOUT:
            sys.stderr.write(done.stdout[-5000:])
        raise SystemExit(f"bench: {' '.join(map(str, words))}: exit {done.returncode}")
    return done


def spent(words, where, environment):
    def processors():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before, began = processors(), time.monotonic()
    run(words, where, environment, stdout=sys.stderr)
    return Spent(processors() - before, time.monotonic() - began)


def within(what, took, minutes):
    return Row(what, took.text(), f"{minutes} min of processor time",
               took.processors <= 60 * minutes)


def suite(clone, environment):
    """What scripts/test says that it spent: (on building, on testing)."""
    done = run(["scripts/test"], clone, environment, stdout=subprocess.PIPE,
               stderr=subprocess.STDOUT, text=True)
    built, tested = Spent(), Spent()
    for verb, _, user, system, clock in SPENT.findall(done.stdout):
        took = Spent(float(user) + float(system), float(clock))
        built, tested = (built + took, tested) if verb == "built" else (built, tested + took)
    if not built.processors or not tested.processors:
        raise SystemExit("bench: scripts/test did not say what it spent")
    return built, tested


def edited(clone, environment):
    """scripts/test --fast after a change of a header that half of the program includes."""
    run(["scripts/test", "--fast"], clone, environment, stdout=sys.stderr)
    with open(clone / EDITED, "a", encoding="utf-8") as header:
        header.write("// Changed.\n")
    took = spent(["scripts/test", "--fast"], clone, environment)
    return within(f"`{EDITED}` edited, `scripts/test --fast`", took, 8)


def fresh_machine(folder, clone, environment):
    """Debian as debootstrap leaves it, and the first of the README's two commands in it."""
    what = "`scripts/quickstart` on a fresh Debian 12, apt included"
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        return [Row(what, "not measured: it takes root, and debootstrap")]
    root = folder / "machine"
    run(["debootstrap", "--variant=minbase", "bookworm", root], folder, environment,
        stdout=subprocess.DEVNULL)
    shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")
    shutil.copytree(clone, root / "reprise", symlinks=True,
                    ignore=lambda path, _: ["build"] if pathlib.Path(path) == clone else [])

    def inside(*words, **options):
        mounted = 'mount -t proc proc "$0/proc"; mount --rbind /dev "$0/dev"; exec chroot "$0" "$@"'
        return run(["unshare", "--mount", "--pid", "--fork", "sh", "-ec", mounted, root, "env",
                    "--chdir=/reprise", *words], folder, environment, **options)

    def packages():
        listed = inside("dpkg-query", "--show", stdout=subprocess.PIPE, text=True)
        return len(listed.stdout.splitlines())

    bare, began = packages(), time.monotonic()
    inside("scripts/quickstart", stdout=subprocess.DEVNULL)
    took, brought = time.monotonic() - began, packages() - bare
    return [Row(what, f"{took / 60:.1f} min by the clock", "6 min, two processors free",
                took <= 360),
            Row("packages that `scripts/install-deps --build` brings", str(brought), "125",
                brought <= 125)]


def building():
    """One row after the other: it takes long."""
    build = ROOT / "build"
    build.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=build) as name:
        folder = pathlib.Path(name)
        clone = folder / "clone"
        run(["git", "clone", "--quiet", ROOT, clone], folder, None)
        environment = dict(os.environ, CCACHE_DIR=str(folder / "cache"))
        compiled = spent(["sh", "-c", "cmake --preset release && cmake --build --preset release "
                                      "--target reprise"], clone, environment)
        yield within("the program, compiled", compiled, 7)
        built, tested = suite(clone, environment)
        whole = compiled + built + tested
        yield within("what `scripts/test` compiles besides", built, 18)
        yield within("all tests", tested, 22)
        yield Row("`scripts/test`, without apt", whole.text(), "28 min by the clock",
                  whole.clock <= 28 * 60)
        yield edited(clone, environment)
        yield from fresh_machine(folder, clone, environment)
