"""Memory runs out at any allocation of any writing command: it says so, loses nothing, and the run
goes on afterwards.

Each allocation fails once, and each fails together with all that follow (starved.cc). The suite
takes some of them in each situation; REPRISE_NIGHTLY=1 or --all every one.
"""

import collections
import dataclasses
import random
import struct
import unittest

from bench import STARVED, fresh_path
from harness import validate
from oracle import demand
from scenarios import SCENARIOS
from sweep import EVERY, sweep

SOME = 10
PLAN = struct.Struct("qq")
# The script engine says that it is out of memory in its own way; a module may not even load.
ENGINE_CODES = {"SCRIPT_BUDGET", "SCRIPT_ENGINE_FAILED", "SCRIPT_ENGINE_MISSING", "SQLITE_MISSING"}


@dataclasses.dataclass(frozen=True)
class Allocation:
    nth: int  # negative: and all that follow
    changes: bool = False  # what a command allocates differs a little from time to time

    def __str__(self):
        return f"allocation {abs(self.nth)}" + (" and all behind it" if self.nth < 0 else "")


def starve(home, words, nth, *, env, **options):
    """The answer of the command, and how many allocations it made; with 0 none of them fails."""
    plan = fresh_path()
    plan.write_bytes(PLAN.pack(nth, 0))
    starving = {**env, "LD_PRELOAD": STARVED, "STARVED_FILE": str(plan)}
    answer = home.run(*words, env=starving, **options)
    _, count = PLAN.unpack(plan.read_bytes())
    plan.unlink()
    return answer, count


def sprung_by(home, words, nth, **options):
    answer, count = starve(home, words, nth, **options)
    return answer, count >= abs(nth)


def allocations(scenario):
    home = scenario.template.copy()
    answer, count = starve(home, scenario.line, 0, **scenario.options(home))
    demand(answer.exit == 0 and count > 0, "nothing is counted", answer)
    home.remove()
    numbers = range(1, count + 1)
    if not EVERY:
        numbers = random.Random(str(scenario)).sample(numbers, min(SOME, count))
    for number in numbers:
        for nth in (number, -number):
            yield Allocation(nth), nth


class Starved(unittest.TestCase):
    ends = collections.Counter()

    @classmethod
    def tearDownClass(cls):
        print(f"{cls.ends.total()} cases: {dict(cls.ends.most_common())}")

    def judge(self, oracle, home, answer, _):
        if answer.exit == 0:
            oracle.check_acknowledged(home, answer)
            end = "done"
        elif answer.exit in oracle.scenario.outside:
            end = "a program that it ran"
        elif answer.exit < 0:
            # Where nothing may be thrown: inside of libc and of the script engine. As if killed.
            end = "died"
        elif answer.out:
            validate(answer.json, "error")
            end = answer.json["error"]["code"]
            known = (8, 70 if end != "SCRIPT_BUDGET" else 9)[end in ENGINE_CODES]
            demand(answer.exit == known, "an exit code that means something else", answer)
        else:  # 127 is the dynamic linker's
            demand(answer.exit in (8, 127) and " memory" in answer.err, "it says not why", answer)
            end = "OUT_OF_MEMORY"
        oracle.check(home)
        self.ends[end] += 1


def add_case(number, scenario):
    def case(self):
        failures, sprung = sweep(scenario, lambda _: allocations(scenario), self.judge, sprung_by)
        if failures:
            self.fail("\n\n".join(failures))
        self.assertGreater(sprung, 0)

    case.__doc__ = str(scenario)
    setattr(Starved, f"test_{number:02}_{scenario.command.replace(':', '_')}", case)


for index, each in enumerate(SCENARIOS, 1):
    if EVERY or not each.long:
        add_case(index, each)

if __name__ == "__main__":
    unittest.main()
