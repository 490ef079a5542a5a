"""Many processes on one run: the journal is that of some serial order."""

import collections
import concurrent.futures
import json
import unittest

from bench import Home, create_script, drive, result_of
from scenarios import RUN

PROCESSES = 8
# What a command may answer when others were faster: done, another result is recorded, the lock.
FINE = (0, 4, 7)


class Concurrency(unittest.TestCase):
    def setUp(self):
        self.home = Home()
        self.answers = []

    def together(self, *lines):
        """All of them at once; their answers in the same order."""
        with concurrent.futures.ThreadPoolExecutor(PROCESSES) as pool:
            answers = list(pool.map(lambda line: self.home.run(*line), lines))
        for answer in answers:
            self.assertIn(answer.exit, FINE, answer)
        return answers

    def post(self, action, value=None):
        value = result_of(action) if value is None else value
        return ("task:post", RUN, action["effectId"], "--status", "ok", "--value-inline", value)

    def records(self, kind):
        return [each for each in self.home.events(RUN) if each["type"] == kind]

    def once(self, kind):
        """Nothing of this kind is there twice."""
        ids = [each["data"]["effectId"] for each in self.records(kind)]
        twice = [name for name, count in collections.Counter(ids).items() if count > 1]
        self.assertEqual(twice, [])
        return ids

    def whole(self):
        verdict = self.home.must("run:verify", RUN)
        self.assertEqual(verdict["journal"]["tornBytes"], 0)
        self.assertFalse(verdict["journal"]["beyondWitness"])

    def test_one_run_driven_by_many(self):
        """Each of them iterates and posts as if it were alone."""
        create_script(self.home, steps=6)
        alone = drive(self.home.copy(), RUN)["output"]
        self.together(*[("run:iterate", RUN)] * PROCESSES)
        while (state := self.home.must("run:iterate", RUN))["status"] == "waiting":
            lines = []
            for action in state["nextActions"]:
                lines += [self.post(action), ("run:iterate", RUN)] * (PROCESSES // 2)
            answers = self.together(*lines)
            posted = [each for each in answers if each.words[0] == "task:post"]
            self.assertEqual([each.exit for each in posted], [0] * len(posted))
            fresh = [each for each in posted if each.json["recorded"]]
            self.assertEqual(len(fresh), len(state["nextActions"]), "recorded once each")
        self.assertEqual(state["output"], alone)
        self.assertEqual(self.once("EFFECT_REQUESTED"), [f"t{i}" for i in range(1, 10)])
        self.assertEqual(len(self.once("EFFECT_RESOLVED")), 9)
        self.whole()

    def test_different_results_for_one_effect(self):
        """One of them wins; the others are told."""
        create_script(self.home, steps=1, brief=True)
        (action,) = drive(self.home, RUN, 1)["nextActions"]
        answers = self.together(*[self.post(action, str(n)) for n in range(PROCESSES)])
        self.assertEqual(sorted(each.exit for each in answers), [0] + [4] * (PROCESSES - 1))
        winner = next(number for number, each in enumerate(answers) if each.exit == 0)
        self.assertEqual(drive(self.home, RUN)["output"], {"done": [winner]})
        self.whole()

    def test_posts_that_iterate_at_once(self):
        create_script(self.home, steps=0)
        actions = drive(self.home, RUN, 1)["nextActions"]
        lines = [(*self.post(action), "--iterate") for action in actions] * (PROCESSES // 2)
        self.together(*lines)
        self.assertEqual(sorted(self.once("EFFECT_RESOLVED")), ["t1", "t2"])
        self.assertEqual(self.once("EFFECT_REQUESTED"), ["t1", "t2", "t3"])
        self.assertEqual(drive(self.home, RUN)["status"], "completed")
        self.whole()

    def test_readers_never_see_half_a_commit(self):
        """They need no lock and are never told of damage."""
        create_script(self.home, steps=0)
        actions = drive(self.home, RUN, 1)["nextActions"]
        readers = [("run:status", RUN), ("run:events", RUN, "--all"), ("run:verify", RUN)]
        lines = []
        for action in actions:
            lines += [*readers, (*self.post(action), "--iterate"), *readers]
        answers = self.together(*lines * 2)
        self.assertEqual({each.exit for each in answers}, {0})
        for answer in answers:
            requested = [
                each["data"]["effectId"]
                for each in answer.json.get("events", ())
                if each["type"] == "EFFECT_REQUESTED"
            ]
            self.assertIn(requested, ([], ["t1", "t2"], ["t1", "t2", "t3"]), answer)

    def test_one_run_created_by_many(self):
        create = (
            "run:create",
            "--run-id",
            RUN,
            "--simulated",
            "--process",
            "checklist",
            '--input=steps=["a"]',
        )
        answers = self.together(*[(*create, "--if-absent")] * PROCESSES)
        self.assertEqual(sorted(each.json["created"] for each in answers)[-2:], [False, True])
        self.assertEqual([each.name for each in (self.home.path / "runs").iterdir()], [RUN])
        refused = self.together(create)[0]
        self.assertEqual(refused.json["error"]["code"], "RUN_EXISTS", json.dumps(refused.json))
        self.whole()

    def test_mending_while_others_write(self):
        create_script(self.home, steps=2)
        (action,) = drive(self.home, RUN, 1)["nextActions"]
        mend = [("run:rebuild-state", RUN), ("run:repair-journal", RUN)]
        self.together(*[*mend, self.post(action), ("run:iterate", RUN)] * 2)
        self.assertEqual(len(self.once("EFFECT_RESOLVED")), 1)
        self.assertEqual(drive(self.home, RUN)["status"], "completed")
        self.whole()


if __name__ == "__main__":
    unittest.main()
