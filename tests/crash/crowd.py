"""A crowd of processes on one run and one index, some of them killed, and what the journal must say
of them afterwards."""

import collections
import dataclasses
import json
import os
import random
import signal
import threading
import time

from bench import BENCH, PROCESS, REPRISE, Home, environment
from oracle import Violation, demand

WIDE = PROCESS.parent / "wide.mjs"
PATIENCE_S = 120
SIZES = (2, 2, 3, 3, 4, 4, 5, 6, 8, 12)
MOST = 32
KILLED_PERCENT = 25
LATEST_KILL_S = 0.003
KILLED = -signal.SIGKILL
READERS = ("run:status", "run:events", "run:verify", "run:list", "task:list")


@dataclasses.dataclass
class Member:
    """A process of the crowd: what it was told to do, and what became of it."""

    words: tuple
    effect: str = ""
    value: str = ""
    worker: str = ""
    exit: int | None = None
    killed: bool = False
    said: str = ""

    @property
    def sure(self):
        return self.exit == 0

    @property
    def maybe(self):
        """It may have been recorded although nobody was told."""
        return self.sure or self.killed


def whole_commits(journal):
    """The records of all whole commits, in order."""
    records, pending = [], []
    for line in journal.split(b"\n")[:-1]:
        try:
            record = json.loads(line)
        except ValueError:
            break
        if "format" in record:
            continue
        pending.append(record)
        if "n" in record:
            demand(record["n"] == len(pending), "a commit with another number of records", record)
            records += pending
            pending = []
    return records


class Ledger:
    """What the journal held, and what it must hold next."""

    def __init__(self, records):
        self.records = records

    def follow(self, records, members):
        """The crowd of one round has written: `records` are all that there are now."""
        before = len(self.records)
        demand(records[:before] == self.records, "what was recorded is gone or changed")
        fresh = records[before:]
        for number, record in enumerate(records, 1):
            demand(record["seq"] == number, "a number is missing or twice", record)
        self._check_results(fresh, members)
        self._check_signals(fresh, members)
        self._check_claims(fresh, members)
        self._check_once(records, "EFFECT_REQUESTED", "effectId")
        self._check_once(records, "EFFECT_RESOLVED", "effectId")
        self.records = records

    @staticmethod
    def _check_once(records, kind, field):
        named = collections.Counter(r["data"][field] for r in records if r["type"] == kind)
        twice = [name for name, count in named.items() if count > 1]
        demand(not twice, f"{kind} twice", twice)

    def _check_results(self, fresh, members):
        posts = [each for each in members if each.words[0] == "task:post"]
        known = {r["data"]["effectId"]: r for r in self.records if r["type"] == "EFFECT_RESOLVED"}
        for record in fresh:
            if record["type"] != "EFFECT_RESOLVED":
                continue
            effect, value = record["data"]["effectId"], record["data"]["value"]
            posters = [p for p in posts if (p.effect, json.loads(p.value)) == (effect, value)]
            demand(any(p.maybe for p in posters), "a result that nobody posted", record, *posters)
            known[effect] = record
        for post in posts:
            if post.sure:
                demand(post.effect in known, "an acknowledged result is lost", post)
                value = known[post.effect]["data"]["value"]
                demand(value == json.loads(post.value), "two results acknowledged", post, value)

    @staticmethod
    def _check_signals(fresh, members):
        sent = collections.defaultdict(list)
        for each in members:
            if each.words[0] == "run:signal":
                sent[each.value].append(each)
        found = collections.Counter(
            json.dumps(r["data"]["value"]) for r in fresh if r["type"] == "SIGNAL_RECEIVED"
        )
        for value in found:
            demand(any(s.maybe for s in sent[value]), "a signal that nobody sent", value)
        for value, senders in sent.items():
            least = 1 if any(s.sure for s in senders) else 0
            demand(least <= found[value] <= 1, "a signal lost or twice", value, found[value])

    def _check_claims(self, fresh, members):
        claims = [r["data"] for r in fresh if r["type"] == "EFFECT_CLAIMED"]
        by_worker = collections.Counter(claim["worker"] for claim in claims)
        for each in members:
            if each.words[0] == "task:claim":
                count = by_worker.pop(each.worker, 0)
                demand(count <= 1 and (count or not each.sure), "a claim lost or twice", each)
                demand(not count or each.maybe, "a claim that was refused", each)
        demand(not by_worker, "a claim of nobody", by_worker)
        all_claims = [r["data"] for r in self.records + fresh if r["type"] == "EFFECT_CLAIMED"]
        given = collections.Counter((claim["effectId"], claim["attempt"]) for claim in all_claims)
        demand(not [c for c in given.values() if c > 1], "an effect given to two", given)


class Crowd:
    """Rounds on one home, all drawn from a seed. `changes` of the environment reach every member,
    not those who look at the end."""

    def __init__(self, seed, **changes):
        self.dice = random.Random(seed)
        self.home = Home()
        self.environment = environment(**changes)
        self.numbers = iter(range(10**9))
        self.games = 0
        self.done = collections.Counter()
        self.begin()
        self.home.must("index:rebuild", now=None)

    def begin(self):
        """A new run: mostly a checklist, now and then a script that asks for much at once."""
        self.games += 1
        self.run = f"r{self.games}"
        if self.games % 6:
            steps = json.dumps([f"s{i}" for i in range(self.dice.randint(2, 12))])
            words = ("--process", "checklist", f"--input=steps={steps}")
        else:
            words = ("--entry", str(WIDE), "--input", "width=4", "--input", "rounds=2")
        self.home.must("run:create", "--run-id", self.run, *words, now=None)
        self.ledger = Ledger(self.read())

    def read(self):
        return whole_commits(self.home.journal(self.run))

    def open_effects(self):
        asked = [
            r["data"]["effectId"] for r in self.ledger.records if r["type"] == "EFFECT_REQUESTED"
        ]
        over = {
            r["data"]["effectId"] for r in self.ledger.records if r["type"] == "EFFECT_RESOLVED"
        }
        return [effect for effect in asked if effect not in over] or asked[-1:]

    def ended(self):
        return any(record["type"] == "RUN_COMPLETED" for record in self.ledger.records)

    def member(self, effects, key):
        n = next(self.numbers)
        kinds = ("iterate", "post", "claim", "signal", "read", "mend")
        kind = self.dice.choices(kinds, (26, 28, 8, 20, 14, 4))[0]
        if kind == "post" and effects:
            effect = self.dice.choice(effects)
            # Many post the same: only one of them is recorded, all are told so.
            value = json.dumps({"exitCode": 0, "stdout": str(self.dice.choice((n, 0)))})
            words = ("task:post", self.run, effect, "--status", "ok", "--value-inline", value)
            words += ("--force",) * self.dice.randint(0, 1) + ("--iterate",) * self.dice.randint(
                0, 1
            )
            return Member(words, effect=effect, value=json.dumps(json.loads(value)))
        if kind == "claim" and effects:
            words = ("task:claim", self.run, self.dice.choice(effects), "--worker", f"w{n}")
            return Member(words, worker=f"w{n}")
        if kind == "signal":
            shared = self.dice.random() < 0.5
            value = json.dumps(key if shared else f"v{n}")
            words = ("run:signal", self.run, "x", "--value-inline", value, "--key", value)
            return Member(words, value=value)
        if kind == "read":
            reader = self.dice.choice(READERS)
            return Member((reader,) if reader == "run:list" else (reader, self.run))
        if kind == "mend":
            mends = (("run:rebuild-state", self.run), ("run:repair-journal", self.run))
            return Member(self.dice.choice((*mends, ("index:rebuild",))))
        return Member(("run:iterate", self.run))

    def round(self, size=None):
        """All members at once; then the journal is looked at."""
        if self.ended():
            self.finish()
            self.begin()
        size = size or self.dice.choice(SIZES)
        effects, key = self.open_effects(), f"k{next(self.numbers)}"
        members = [self.member(effects, key) for _ in range(size)]
        self.together(members)
        for each in members:
            self.judge(each)
        self.ledger.follow(self.read(), members)
        self.done["rounds"] += 1
        if self.done["rounds"] % 10 == 0:
            self.home.must("run:verify", self.run, now=None)

    def together(self, members):
        pids = {}
        dooms = []
        for number, each in enumerate(members):
            path = str(BENCH / f"said-{number}")
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            actions = [
                (os.POSIX_SPAWN_OPEN, 1, path, flags, 0o600),
                (os.POSIX_SPAWN_DUP2, 1, 2),
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            ]
            line = self.home.command(*each.words, now=None)
            pid = os.posix_spawn(REPRISE, line, self.environment, file_actions=actions)
            pids[pid] = (each, path)
            if self.dice.random() * 100 < KILLED_PERCENT:
                dooms.append((time.monotonic() + self.dice.random() * LATEST_KILL_S, pid))
        running = set(pids)
        watch = threading.Timer(PATIENCE_S, lambda: [os.kill(p, signal.SIGKILL) for p in running])
        watch.start()
        for when, pid in sorted(dooms):
            time.sleep(max(0, when - time.monotonic()))
            pids[pid][0].killed = True
            os.kill(pid, signal.SIGKILL)  # it was not waited for, so the number is still its own
        for pid, (each, path) in pids.items():
            each.exit = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            running.discard(pid)
            # A kill that came too late met a process that had said how it ended.
            each.killed = each.killed and each.exit == KILLED
            with open(path, encoding="utf-8", errors="replace") as said:
                each.said = said.read() if each.exit not in (0, KILLED) else ""
        watch.cancel()

    def judge(self, each):
        self.done["processes"] += 1
        if each.killed:
            self.done["killed"] += 1
            return
        writes = each.words[0] in ("task:post", "task:claim")
        demand(
            each.exit == 0 or (writes and each.exit == 4), "an exit code that says too much", each
        )

    def finish(self):
        """The run goes on to its end as if nothing had been; what is derived agrees with it."""
        for _ in range(200):
            if self.ended():
                break
            effects = self.open_effects()
            post = ("task:post", self.run, effects[0], "--status", "ok", "--force")
            value = json.dumps({"exitCode": 0, "stdout": "end"})
            answered = self.home.run(*post, "--value-inline", value, now=None)
            demand(answered.exit in (0, 4), answered)
            self.home.must("run:iterate", self.run, now=None)
            self.ledger.records = self.read()
        demand(self.ended(), "the run does not come to its end", self.ledger.records[-1])
        self.home.must("run:verify", self.run, now=None)
        status = self.home.must("run:status", self.run, now=None)
        self.home.must("run:rebuild-state", self.run, now=None)
        again = self.home.must("run:status", self.run, now=None)
        demand(status == again, "the state is not that of the journal", status, again)
        if self.games % 5 == 0:
            listed = self.home.must("run:list", "--all", now=None)
            self.home.must("index:rebuild", now=None)
            anew = self.home.must("run:list", "--all", now=None)
            demand(listed == anew, "the index is not that of the journals", listed, anew)
        self.done["runs"] += 1


__all__ = ["MOST", "Crowd", "Ledger", "Member", "Violation", "whole_commits"]
