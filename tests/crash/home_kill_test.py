"""The commands that write no run are killed anywhere, too: init, trust and backup are done as a
whole or not at all, or by repeating them."""

import json
import shutil
import unittest

from bench import Home, create_checklist, drive, environment, fresh_path
from harness import validate
from traps import kills, list_calls, spring


class Killed(unittest.TestCase):
    def setUp(self):
        self.home = Home()
        self.state = fresh_path()
        self.env = environment(XDG_STATE_HOME=str(self.state))

    def kill(self, *words):
        """Kills the command at each of its calls in turn, in a home that `prepare` made."""
        self.prepare()
        _, calls = list_calls(self.home, words, env=self.env)
        for call, trap in kills(calls):
            self.prepare()
            _, sprung = spring(self.home, words, trap, env=self.env)
            self.assertTrue(sprung, str(call))
            with self.subTest(str(call)):
                yield

    def prepare(self):
        """A home with a run, in which the command is then given."""
        self.home.remove()
        shutil.rmtree(self.state, ignore_errors=True)
        self.home.path.mkdir()
        create_checklist(self.home)
        drive(self.home, "r", rounds=1)

    def trusted(self):
        path = self.state / "reprise" / "trust.json"
        if not path.exists():
            return {}
        document = json.loads(path.read_text())
        validate(document, "trusted-homes")
        return document["homes"]


class Init(Killed):
    def prepare(self):
        self.home.remove()
        shutil.rmtree(self.state, ignore_errors=True)
        self.home.path.mkdir()

    def test_repeating_it_does_the_rest(self):
        for _ in self.kill("init"):
            self.assertLessEqual(len(self.trusted()), 1)
            self.home.must("init", env=self.env)
            self.assertEqual(
                sorted(path.name for path in self.home.path.iterdir() if path.suffix != ".tmp"),
                ["config.json", "logs", "runs"],
            )
            self.assertTrue(self.home.must("trust", "--show", env=self.env)["trusted"])
            self.home.must("config:show", env=self.env)


class Trust(Killed):
    def test_it_is_remembered_or_not(self):
        for _ in self.kill("trust"):
            self.assertLessEqual(len(self.trusted()), 1)
            self.home.must("trust", env=self.env)
            self.assertEqual(len(self.trusted()), 1)


class Backup(Killed):
    def test_the_copy_is_there_as_a_whole_or_not_at_all(self):
        self.dest = fresh_path()
        for _ in self.kill("backup", str(self.dest)):
            if self.dest.exists():
                self.assertTrue(Home(self.dest).must("run:verify", "r")["ok"])
                shutil.rmtree(self.dest)
            self.assertEqual(self.home.must("backup", str(self.dest), "--verify")["problems"], [])
            shutil.rmtree(self.dest)

    def prepare(self):
        super().prepare()
        shutil.rmtree(self.dest, ignore_errors=True)


if __name__ == "__main__":
    unittest.main()
