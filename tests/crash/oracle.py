"""What must hold for a run after a command on it was killed, or failed.

The same command in an unharmed copy of the home says what is right. Simulated runs make that exact:
the harmed run must end with the same records as the unharmed one.
"""

import functools
import hashlib
import json
import re

from bench import Home, create_script, drive
from harness import validate
from scenarios import comparable
from traps import list_calls

# What a killed command may leave behind: it is in nobody's way.
# A writer that cannot mark its run in changes.log takes the log away. The folder tasks/ comes with
# the first file in it, which nobody writes any more for an effect that was resolved at once.
HARMLESS = re.compile(
    r"runs/\.new-[0-9A-Z]{26}(/.*)?|.*\.\d+\.tmp|cache/.*|.*/journal/torn(/.*)?|changes\.log"
    r"|runs/[^/]+/tasks"
)


class Violation(AssertionError):
    pass


def demand(holds, *what):
    if not holds:
        raise Violation("\n".join(str(part) for part in what))


def excuses(call):
    """Why a command may exit 8 although all that it wanted is recorded: what it could not read
    again for its answer, or a name that may not last."""
    reads_journal = not call.changes and "/journal" in call.subject
    return reads_journal or (call.name == "fsync" and call.subject.endswith("/runs"))


def leaves_a_rest(answer):
    """What could not be done with another run, the next iterate tries again."""
    rests = ("run ", "the signals are recorded; what follows is left to the next iterate")
    return any(text.startswith(rests) for text in answer.json.get("warnings", ()))


def commit_ends(journal):
    """The numbers of the records that end a commit."""
    records = [json.loads(line) for line in journal.splitlines()]
    return {record["seq"] for record in records if "n" in record and "seq" in record}


def paths_of(home):
    return {str(path.relative_to(home.path)): path for path in home.path.rglob("*")}


def tree(home):
    return {name for name in paths_of(home) if not HARMLESS.fullmatch(name)}


def fingerprint(home):
    """Equal for homes that hold the same, but for the names that a process gives by its pid or by
    chance, and for what a lock file tells people."""
    digest = hashlib.blake2b()
    for name, path in sorted(paths_of(home).items()):
        plain = re.sub(r"\.\d+\.tmp$|\.new-\w{26}", ".passing", name)
        content = path.read_bytes() if path.is_file() and path.name != "run.lock" else b""
        digest.update(f"{plain}\0{len(content)}\0".encode() + content)
    return digest.digest()


@functools.cache
def warm_engine():
    """The first script of all fills the engine's start-up cache."""
    home = Home()
    create_script(home, steps=0)
    home.remove()


class Oracle:
    def __init__(self, scenario):
        self.scenario = scenario
        # The journal's acknowledged part is compared byte for byte, what follows it as events.
        self.known = max(commit_ends(scenario.acknowledged), default=0)
        readable = scenario.template.run_dir(scenario.run).exists() and not scenario.mends
        self.before = self.events(scenario.template) if readable else []
        home = scenario.template.copy()
        warm_engine()
        self.answer, calls = list_calls(home, scenario.line, **scenario.options(home))
        self.calls = [call for call in calls if scenario.focus in call.subject]
        demand(self.answer.exit == 0, "the unharmed command failed", self.answer)
        self.after = self.events(home)
        self.ends = {end - self.known for end in commit_ends(home.journal(self.scenario.run))} | {0}
        self.final, self.final_events, self.final_tree = self.finish(home)
        scenario.holds(home)
        self.judged = set()
        home.remove()

    def events(self, home):
        return comparable(home, home.events(self.scenario.run, after=self.known))

    def finish(self, home):
        final = drive(home, self.scenario.run)
        demand(home.run("run:verify", self.scenario.run).exit == 0, "the finished run is not whole")
        events = self.events(home)
        for other in self.scenario.others:
            drive(home, other)
            events += comparable(home, home.events(other))
        return comparable(home, final), events, tree(home)

    def check(self, home):
        """All of it: right after the damage, the repeated command, and the run to its end. The same
        bytes have the same future, so each state of the disk is judged once."""
        state = fingerprint(home)
        if state in self.judged:
            return
        self.check_journal(home)
        self.check_index(home)
        self.check_repeat(home)
        self.check_end(home)
        self.scenario.holds(home)
        self.judged.add(state)

    def check_journal(self, home):
        """Everything acknowledged is there, and nothing else than this command's whole commits."""
        kept = self.scenario.acknowledged
        journal = home.journal(self.scenario.run)
        demand(journal.startswith(kept), "an acknowledged record is gone or changed", journal)
        if self.scenario.mends:
            return
        if not home.run_dir(self.scenario.run).exists():
            demand(not self.before, "the run is gone")
            return
        verdict = home.run("run:verify", self.scenario.run)
        demand(verdict.exit == 0, "the journal is not whole", verdict)
        events = self.events(home)
        demand(events == self.after[: len(events)], "a record that the command never wrote", events)
        demand(len(events) in self.ends, "half a commit", events)
        demand(len(events) >= len(self.before), "records are gone", events)

    def check_index(self, home):
        """Who has an index is told of everything: it holds what one made anew holds."""
        if not (home.path / "index.db").exists():
            return
        listed = home.must("run:list", now=None)
        home.must("index:rebuild", now=None)
        anew = home.must("run:list", now=None)
        demand(listed == anew, "the index does not know what happened", listed, anew)

    def check_failure(self, home, answer, call):
        """A command to which the system said no: it says so, or nothing was wrong for it."""
        known = (0, 8, *self.scenario.outside)
        demand(answer.exit in known, "an exit code that means something else", answer)
        if answer.exit == 8:
            validate(answer.json, "error")
            for part in ("code", "message", "hint"):
                demand(answer.json["error"].get(part), f"the error has no {part}", answer)
            if not (self.scenario.mends or excuses(call)):
                exists = home.run_dir(self.scenario.run).exists()
                recorded = exists and self.events(home) == self.after
                done = recorded and self.before != self.after
                demand(not done, "done, but exit 8", answer)
        elif answer.exit == 0:
            self.check_acknowledged(home, answer)

    def check_acknowledged(self, home, answer):
        """Exit 0 although something failed: what was asked for is recorded."""
        if "iterationError" in answer.json:
            demand(len(self.events(home)) > len(self.before), "acknowledged, not recorded", answer)
        elif answer.json.get("errors") or answer.json.get("locked"):
            return  # a heartbeat that says what it could not do has done its job
        elif not leaves_a_rest(answer):
            demand(self.events(home) == self.after, "acknowledged, but not recorded", answer)

    def check_repeat(self, home):
        again = home.run(*self.scenario.line, **self.scenario.options(home))
        demand(again.exit == 0, "repeating the command fails", again)
        for part in ("status", "nextActions", "runStatus"):
            same = again.json.get(part) == self.answer.json.get(part)
            demand(same, f"repeating the command leads to another {part}", again)

    def check_end(self, home):
        final, events, files = self.finish(home)
        demand(final == self.final, "the run ends in another way", final)
        demand(events == self.final_events, "the run has another history", events)
        demand(files == self.final_tree, "files", files ^ self.final_tree)
