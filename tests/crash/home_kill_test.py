"""The commands that write no run are killed anywhere, too: init, trust, backup and those that write
agents are done as a whole or not at all, or by repeating them."""

import itertools
import json
import shutil
import unittest

from bench import Home, create_checklist, drive, environment, fresh_path
from harness import validate
from sweep import STRIDE
from traps import kills, list_calls, spring


class Killed(unittest.TestCase):
    def setUp(self):
        self.template = self.make_template()
        self.state = fresh_path()
        self.env = environment(XDG_STATE_HOME=str(self.state))

    def make_template(self):
        """A home with a run."""
        home = Home()
        create_checklist(home)
        drive(home, "r", rounds=1)
        return home

    def prepare(self):
        """The home in which the command is given."""
        shutil.rmtree(self.state, ignore_errors=True)
        self.home = self.template.copy()

    def kill(self, *words):
        """Kills the command at each call that changes something, and goes on with the case."""
        self.prepare()
        _, calls = list_calls(self.home, words, env=self.env)
        changing = [call for call in calls if call.changes]
        for call, trap in itertools.islice(kills(changing), 0, None, STRIDE):
            self.home.remove()
            self.prepare()
            _, sprung = spring(self.home, words, trap, env=self.env)
            self.assertTrue(sprung, str(call))
            with self.subTest(str(call)):
                yield

    def trusted(self):
        path = self.state / "reprise" / "trust.json"
        if not path.exists():
            return {}
        document = json.loads(path.read_text())
        validate(document, "trusted-homes")
        return document["homes"]


class Init(Killed):
    def make_template(self):
        return Home()

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
    def setUp(self):
        super().setUp()
        self.dest = fresh_path()

    def test_the_copy_is_there_as_a_whole_or_not_at_all(self):
        for _ in self.kill("backup", str(self.dest)):
            if self.dest.exists():
                self.assertTrue(Home(self.dest).must("run:verify", "r")["ok"])
                shutil.rmtree(self.dest)
            self.assertEqual(self.home.must("backup", str(self.dest), "--verify")["problems"], [])
            shutil.rmtree(self.dest)

    def prepare(self):
        super().prepare()
        shutil.rmtree(self.dest, ignore_errors=True)


class Agents(Killed):
    def test_an_agent_is_there_as_a_whole_or_not_at_all(self):
        for _ in self.kill("agent:create", "scout"):
            made = (self.home.path / "agents" / "scout").exists()
            self.assertEqual(len(self.home.must("agent:list")["agents"]), int(made))
            self.home.must("agent:create", "scout", "--if-absent")
            folder = self.home.path / "agents" / "scout"
            self.assertEqual(
                sorted(path.name for path in folder.iterdir()),
                ["AGENTS.md", "HEARTBEAT.md", "config.json"],
            )


class AgentConfig(Killed):
    def make_template(self):
        home = super().make_template()
        home.must("agent:create", "scout")
        return home

    def test_a_configuration_is_the_old_one_or_the_new_one(self):
        for _ in self.kill("agent:config", "scout", "heartbeat.enabled=true"):
            self.home.must("agent:show", "scout")
            self.home.must("agent:config", "scout", "heartbeat.enabled=true")
            shown = self.home.must("agent:show", "scout")
            self.assertTrue(shown["config"]["heartbeat"]["enabled"])


if __name__ == "__main__":
    unittest.main()
