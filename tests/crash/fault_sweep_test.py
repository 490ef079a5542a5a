"""Whatever fails below a command, it says so, loses nothing, and the run goes on afterwards."""

import unittest

from bench import BENCH
from scenarios import SCENARIOS
from sweep import EVERY, half, sweep
from traps import faults


def failed(oracle, home, answer, call):
    oracle.check_failure(home, answer, call)
    oracle.check(home)


class FaultSweep(unittest.TestCase):
    cases = 0

    @classmethod
    def tearDownClass(cls):
        print(f"{cls.cases} cases")


def add_case(number, scenario):
    def case(self):
        def traps(calls):
            return half(faults(calls, str(BENCH), EVERY), number)

        failures, sprung = sweep(scenario, traps, failed)
        if failures:
            self.fail("\n\n".join(failures))
        self.assertGreater(sprung, 0)
        FaultSweep.cases += sprung

    case.__doc__ = str(scenario)
    setattr(FaultSweep, f"test_{number:02}_{scenario.command.replace(':', '_')}", case)


for index, each in enumerate(SCENARIOS, 1):
    if not each.describes and (EVERY or not each.long):
        add_case(index, each)

if __name__ == "__main__":
    unittest.main()
