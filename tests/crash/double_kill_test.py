"""Killed, and killed again while it is repeated, a command loses nothing and the run goes on.

Of the pairs of kills the suite takes a few in each situation; REPRISE_NIGHTLY=1 or --all every pair
of calls that change something.
"""

import random
import shutil
import unittest

from scenarios import SCENARIOS
from sweep import EVERY, STRIDE, sweep
from traps import kills, list_calls, spring

FIRST, SECOND = 3, 3


def some(calls, count, seed):
    """Of the kills at calls that change something; writes are torn, too."""
    traps = [each for each in kills(calls) if each[0].changes]
    return traps if EVERY else random.Random(seed).sample(traps, min(count, len(traps)))


class Pairs:
    """Kills a command in one scenario again, in each home that a first kill has left."""

    def __init__(self, scenario):
        self.scenario = scenario
        self.sprung = 0

    def first(self, calls):
        return some(calls, FIRST, str(self.scenario))

    def again(self, oracle, home, answer, call):
        scenario, options = self.scenario, self.scenario.options(home)
        left = home.copy()
        _, calls = list_calls(home, scenario.line, **options)
        for second, trap in some(calls, SECOND, f"{scenario} {call}"):
            # Where it was: what the first try recorded names the place.
            home.remove()
            shutil.copytree(left.path, home.path, symlinks=True)
            answer, sprung = spring(home, scenario.line, trap, **options)
            self.sprung += sprung
            if answer.exit not in (0, 128 + 9):
                raise AssertionError(answer)
            try:
                oracle.check(home)
            except AssertionError as broken:
                raise AssertionError(f"and {trap} at {second}:\n{broken}") from broken
        left.remove()


class DoubleKill(unittest.TestCase):
    def test_a_command_that_is_killed_twice(self):
        pairs = 0
        for scenario in SCENARIOS[::STRIDE]:
            if scenario.long and not EVERY:
                continue
            with self.subTest(str(scenario)):
                case = Pairs(scenario)
                failures, _ = sweep(scenario, case.first, case.again)
                self.assertEqual(failures, [])
                pairs += case.sprung
        print(f"{pairs} pairs of kills")
        self.assertGreater(pairs, 0)


if __name__ == "__main__":
    unittest.main()
