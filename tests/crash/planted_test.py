"""Links, pipes, devices and folders at every path that a command names, also swapped in while
commands work: nothing outside of the run is read or written, and nothing hangs.

Of the pairs of a command and a path the suite takes a sample; REPRISE_NIGHTLY=1 or --all every one.
"""

import ctypes
import os
import re
import shutil
import socket
import subprocess
import threading
import unittest

from bench import Home, create_checklist, drive, fresh_path
from harness import Answer
from oracle import Violation, demand
from scenarios import RUN, SCENARIOS
from sweep import EVERY
from traps import list_calls

MARKER = "what nobody may read"
# Done, refused, told of the damage; never a bug (70), never a signal, never a wait without end.
FINE = (0, 1, 2, 3, 4, 5, 8, 10)
STRIDE = 1 if EVERY else 9 * int(os.environ.get("REPRISE_CRASH_STRIDE", 1))
ROUNDS = 400 if EVERY else 60
EXCHANGE = 2  # of renameat2
AT_FDCWD = -100
PASSING = re.compile(r"\.\d+\.tmp$|\.new-")


class Outside:
    """What lies beside the home: files and a folder that look like a run's."""

    def __init__(self, like):
        self.path = fresh_path()
        shutil.copytree(like, self.path / "run", symlinks=True)
        (self.path / "secret").write_text(f'{{"{MARKER}":1}}\n')
        self.before = self.now()

    def now(self):
        files = sorted(path for path in self.path.rglob("*") if path.is_file())
        return [(str(p), p.read_bytes(), p.stat().st_mtime_ns) for p in files]

    def check(self, home, answer):
        demand(self.now() == self.before, "what lies outside was written", answer)
        demand(MARKER not in answer.out + answer.err, "what lies outside was told", answer)
        for path in home.path.rglob("*"):
            if path.is_file() and not path.is_symlink():
                demand(MARKER.encode() not in path.read_bytes(), "it was copied", path, answer)


def unix_socket(path):
    with socket.socket(socket.AF_UNIX) as made:
        folder = os.getcwd()
        os.chdir(path.parent)  # the name of a socket may be 108 bytes long
        try:
            made.bind(path.name)
        finally:
            os.chdir(folder)


def plants(outside, name):
    """What can lie at a path instead of what belongs there."""
    like = outside.path / "run" / name
    yield "a link to nothing", lambda path: path.symlink_to(outside.path / "nothing")
    yield "a link to another file", lambda path: path.symlink_to(outside.path / "secret")
    yield "an endless device", lambda path: path.symlink_to("/dev/zero")
    yield "a pipe", os.mkfifo
    yield "a socket", unix_socket
    yield "a folder", os.mkdir
    if like.exists():
        yield "a link to the same", lambda path: path.symlink_to(like)


def clear(path):
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def check_command(home, outside, run):
    """`run` gives the command; whatever it meets, it ends, and nothing outside is touched."""
    answer = run()
    outside.check(home, answer)
    demand(answer.exit in FINE, "an exit code that is none of its own", answer)


def named_paths(scenario):
    """Relative to the run: what the command named of it, without what has a name by chance."""
    home = scenario.template.copy()
    run = f"{home.run_dir(scenario.run)}/"
    _, calls = list_calls(home, scenario.line, **scenario.options(home))
    named = {call.subject.removeprefix(run) for call in calls if call.subject.startswith(run)}
    home.remove()
    return sorted(path for path in named if not PASSING.search(path) and ".." not in path)


class Planted(unittest.TestCase):
    def test_whatever_lies_at_a_path_nothing_outside_is_touched(self):
        cases = 0
        for scenario in SCENARIOS:
            like = scenario.template.run_dir(scenario.run)
            if not like.exists():
                continue
            for name in named_paths(scenario):
                outside = Outside(like)
                for what, plant in plants(outside, name):
                    cases += 1
                    if cases % STRIDE == 0:
                        with self.subTest(str(scenario), path=name, planted=what):
                            self.one(scenario, name, plant, outside)
                shutil.rmtree(outside.path)
        print(f"{cases // STRIDE} of {cases} cases")
        self.assertGreater(cases, 1000)

    def one(self, scenario, name, plant, outside):
        home = scenario.template.copy()
        path = home.run_dir(scenario.run) / name
        if path.parent.is_dir():
            clear(path)
            plant(path)
            options = scenario.options(home)
            check_command(home, outside, lambda: home.run(*scenario.line, **options))
        home.remove()

    def test_a_command_that_follows_links_is_caught(self):
        template = Home()
        create_checklist(template)
        outside = Outside(template.run_dir(RUN))
        for words in ("cat {0}", "cp {0} {1}/copy", "echo more >> {0}"):
            home = template.copy()
            path = home.run_dir(RUN) / "run.json"
            clear(path)
            path.symlink_to(outside.path / "secret")
            with self.subTest(words), self.assertRaises(Violation):
                line = words.format(path, home.path)
                check_command(home, outside, lambda line=line: shell(line))


def shell(line):
    done = subprocess.run(line, shell=True, capture_output=True, text=True, check=True)
    return Answer((line,), done)


class Swapped(unittest.TestCase):
    """Somebody exchanges a file or folder with a link, over and over, while commands work."""

    NAMES = (
        "journal/00000001.jsonl",
        "journal",
        "state/head",
        "state/state.json",
        "state",
        "run.lock",
    )

    def test_what_is_swapped_in_is_never_followed(self):
        template = Home()
        create_checklist(template, steps=ROUNDS)
        drive(template, RUN, 1)
        for name in self.NAMES:
            with self.subTest(name):
                self.swap(template.copy(), name)

    def swap(self, home, name):
        outside = Outside(home.run_dir(RUN))
        path = home.run_dir(RUN) / name
        link = home.path / "link"
        link.symlink_to(outside.path / "run" / name)
        told = []
        stop = threading.Event()
        thread = threading.Thread(target=self.exchange, args=(path, link, stop))
        thread.start()
        try:
            for number in range(1, ROUNDS):
                self.post(home, outside, number, told)
        finally:
            stop.set()
            thread.join()
        if path.is_symlink():
            self.exchange_once(path, link)
        home.must("run:verify", RUN)
        signals = [e["data"]["value"] for e in home.events(RUN) if e["type"] == "SIGNAL_RECEIVED"]
        for number in told:
            self.assertEqual(signals.count(number), 1, "an acknowledged signal")

    def post(self, home, outside, number, told):
        words = ("run:signal", RUN, "x", "--value-inline", str(number), "--key", str(number))
        answers = []

        def run():
            answers.append(home.run(*words))
            return answers[-1]

        check_command(home, outside, run)
        if answers[-1].exit == 0:
            told.append(number)

    @staticmethod
    def exchange_once(path, link):
        libc = ctypes.CDLL(None)
        names = (os.fsencode(path), os.fsencode(link))
        return libc.renameat2(AT_FDCWD, names[0], AT_FDCWD, names[1], EXCHANGE)

    def exchange(self, path, link, stop):
        while not stop.is_set():
            self.exchange_once(path, link)
            stop.wait(0.0007)


if __name__ == "__main__":
    unittest.main()
