"""Makes the homes of the corpus and asks the program about them, in the world of world.py: the
parts of `make` that are inside.

    record.py make [HOME...]   writes /corpus/pristine, and /corpus/made.json
    record.py ask              writes /corpus/documents.jsonl and /corpus/sums.json

They are two calls, so that the processes that made the homes are gone, as they are for the test.
"""

import json
import os
import shutil
import sys

import authoring
import player
from homes import HOMES


def make(name, real, prepare):
    """Leaves the home in pristine/; returns the time at which it was done."""
    home = authoring.Home(name, real=real)
    prepare(home)
    # The index knows journals by their times, which must not tell how long all of this took.
    authoring.standing_time(home.path)
    home.do("index:rebuild")
    authoring.standing_time(home.path)
    shutil.move(home.path, player.CORPUS / "pristine" / name)
    return home.clock


def record(name, real, clock, courses):
    """The rows of all courses of a home, answered."""
    for course, steps in {"all": authoring.read_everything, **courses}.items():
        home = authoring.Home(name, course, real)
        home.clock = clock
        player.restore(name)
        steps(home)
        yield from home.rows
        yield {"home": name, "course": course, "journals": player.journals(home.path)}


def make_all(only):
    authoring.standing_time(player.CORPUS / "work")
    clocks = {}
    for name, (real, prepare, _) in HOMES.items():
        if not only or name in only:
            clocks[name] = make(name, real, prepare)
    (player.CORPUS / "made.json").write_text(json.dumps(clocks))


def ask_all():
    sums = {}
    with open(player.CORPUS / "documents.jsonl", "w") as documents:
        for name, clock in json.loads((player.CORPUS / "made.json").read_text()).items():
            real, _, courses = HOMES[name]
            sums[name] = player.journals(player.CORPUS / "pristine" / name)
            for row in record(name, real, clock, courses):
                documents.write(json.dumps(row, ensure_ascii=False) + "\n")
    (player.CORPUS / "sums.json").write_text(json.dumps(sums, indent=1) + "\n")


if __name__ == "__main__":
    os.umask(0o077)  # homes that are made by hand are as private as the program's
    make_all(sys.argv[2:]) if sys.argv[1] == "make" else ask_all()
