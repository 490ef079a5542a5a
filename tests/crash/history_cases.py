"""Commands on runs with a history of 100 and of 10,000 records.

Such a history is made once, by tests/bench/fill_run.cc, and copied into each home that needs it.
"""

import functools
import os
import shutil
import subprocess

from bench import FILL, PROCESS, Home, create_checklist
from scenario import RUN

MANY = PROCESS.parent / "many.mjs"
OK = ("--status", "ok", "--value-inline", '{"success":true,"exitCode":0}')


def made_checklist(home, steps):
    create_checklist(home, steps=steps)


def made_script(home, steps):
    words = ("--entry", str(MANY), "--simulated", f"--input=steps={steps}")
    home.must("run:create", "--run-id", RUN, *words)


@functools.cache
def filled(create, effects, *posted):
    """A home whose run has so many effects resolved, and asks for the next of two more; with
    "posted" nothing has looked at the last result yet."""
    home = Home()
    create(home, effects + 2)
    home.must("run:iterate", RUN)
    fill = [FILL, str(home.run_dir(RUN)), "effects", str(effects), *posted]
    subprocess.run(fill, check=True, stdout=subprocess.DEVNULL)
    home.must("run:rebuild-state", RUN)
    return home


def after(effects, *posted, create=made_checklist):
    def prepare(home):
        made = filled(create, effects, *posted)
        shutil.copytree(made.path, home.path, dirs_exist_ok=True)

    return prepare


def cases(effects):
    name, last = f"after {2 * effects + 2:,} records", f"t{effects + 1}"
    claimer = ("--worker", "w", "--pid", str(os.getpid()))
    script = after(effects, "posted", create=made_script)
    return (
        (f"{name}, a checklist", "run:iterate", (RUN,), after(effects, "posted")),
        (f"{name}, a script", "run:iterate", (RUN,), script),
        (name, "task:post", (RUN, last, *OK), after(effects)),
        (name, "task:claim", (RUN, last, *claimer), after(effects)),
        (name, "run:signal", (RUN, "stop", "--key", "k"), after(effects)),
        (name, "run:cancel", (RUN, "--iterate"), after(effects)),
        (name, "run:rebuild-state", (RUN,), after(effects)),
    )


HISTORY_CASES = (*cases(49), *cases(4999))
