"""A command that writes, and the home in which it is given."""

import dataclasses
import functools
from collections.abc import Callable

from bench import Home, environment

RUN = "r"


@dataclasses.dataclass(frozen=True)
class Scenario:
    name: str
    command: str
    words: tuple  # what follows the command
    prepare: Callable[[Home], None]  # makes the home in which the command is then given
    stdin: str = ""
    mends: bool = False  # until it is done the run may be unreadable
    warm: bool = True  # the script engine's start-up cache is there
    long: bool = False  # what can fail in it can mostly fail in a shorter one
    every: int = 1  # of its traps a sample takes every n-th
    unsynced: bool = False  # its journal reaches beyond the witness
    run: str = RUN  # whose journal is judged
    others: tuple = ()  # runs that it tells something, which end in the same way, too
    focus: str = ""  # traps only at calls on paths that hold this: the rest is swept elsewhere
    varies: bool = False  # besides the focus it has now more calls, now fewer
    # It records what it could read of the home. A fault that hides something from it makes that
    # less, and there is no saying what is right: only kills are swept.
    describes: bool = False
    outside: tuple = ()  # exit codes that tell of a program that it ran
    # What must hold of the home besides, when the command was repeated and the run is at its end.
    holds: Callable[[Home], None] = lambda home: None

    def __str__(self):
        return f"{self.command}, {self.name}"

    @property
    def line(self):
        return (self.command, *self.words)

    def options(self, home):
        """How it is given, besides the words."""
        cache = {} if self.warm else {"XDG_CACHE_HOME": str(home.path / "cache")}
        # A command that mends reads no clock: whether the run may set it stands in what is damaged.
        clock = {"now": None} if self.mends else {}
        return {"stdin": self.stdin, "env": environment(**cache), **clock}

    @functools.cached_property
    def template(self):
        home = Home()
        self.prepare(home)
        return home

    @functools.cached_property
    def acknowledged(self):
        """What the journal must hold whatever happens: all of it, or what `prepare` kept of it."""
        kept = self.template.path / "acknowledged"
        return kept.read_bytes() if kept.exists() else self.template.journal(self.run)


def nothing(home):
    (home.path / "runs").mkdir()


def due(prepare):
    """Something is due, and the index knows it."""

    def prepared(home):
        prepare(home)
        home.must("run:list", now=None)

    return prepared
