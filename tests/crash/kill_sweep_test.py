"""Killed at any system call of any writing command, a run loses nothing and goes on."""

import unittest

from scenarios import SCENARIOS, without_scenario
from sweep import EVERY, STRIDE, half, sweep
from traps import kills


def killed(oracle, home, answer, _):
    if answer.exit not in (0, 128 + 9):
        raise AssertionError(answer)
    oracle.check(home)


class KillSweep(unittest.TestCase):
    cases = 0

    @classmethod
    def tearDownClass(cls):
        print(f"{cls.cases} cases")

    def test_every_writing_command_is_swept(self):
        self.assertEqual(
            without_scenario(), [], "these commands write; add them to tests/crash/scenarios.py"
        )


def add_case(number, scenario):
    def case(self):
        failures, sprung = sweep(scenario, lambda calls: half(kills(calls, EVERY), number), killed)
        if failures:
            self.fail("\n\n".join(failures))
        self.assertGreater(sprung, 0)
        KillSweep.cases += sprung

    case.__doc__ = str(scenario)
    setattr(KillSweep, f"test_{number:02}_{scenario.command.replace(':', '_')}", case)


for index, each in enumerate(SCENARIOS, 1):
    if STRIDE == 1 or not each.long:
        add_case(index, each)

if __name__ == "__main__":
    unittest.main()
