"""One trap after the other in one scenario, each in a fresh copy of its home."""

import itertools
import os
import sys

from oracle import Oracle, Violation
from traps import spring

# A broken promise breaks in many places; the first few say enough.
MOST_FAILURES = 5


# --all, or REPRISE_NIGHTLY: every call and every byte, not a sample.
EVERY = "--all" in sys.argv or "REPRISE_NIGHTLY" in os.environ
sys.argv = [word for word in sys.argv if word != "--all"]
# Of a sample a slow build takes every n-th trap.
STRIDE = 1 if EVERY else int(os.environ.get("REPRISE_CRASH_STRIDE", "1"))


def half(traps, number):
    """Of a sample every other trap: situations take turns in which."""
    return traps if EVERY else itertools.islice(traps, number % 2, None, 2)


def sweep(scenario, traps_of, check, spring=spring):
    """`traps_of(calls)` gives (call, trap), `spring` gives the command with that trap;
    `check(oracle, home, answer, call)` complains. Returns what it complained about, and how many
    traps were sprung."""
    oracle = Oracle(scenario)
    failures, sprung_count = [], 0
    stride = 1 if EVERY else STRIDE * scenario.every
    for call, trap in itertools.islice(traps_of(oracle.calls), 0, None, stride):
        home = scenario.template.copy()
        answer, sprung = spring(home, scenario.line, trap, **scenario.options(home))
        sprung_count += sprung
        try:
            if call.changes and not sprung and not scenario.varies:
                raise Violation("the command never got there", answer)
            check(oracle, home, answer, call)
        except AssertionError as broken:
            failures.append(f"{scenario}\n{trap} at {call}:\n{broken}")
        home.remove()
        if len(failures) == MOST_FAILURES:
            break
    return failures, sprung_count
