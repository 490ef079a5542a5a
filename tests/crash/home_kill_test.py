"""The commands that write no record are killed anywhere, too: those that write the home's files,
install it, put runs away or keep a place are done as a whole or not at all, or by repeating
them."""

import itertools
import json
import shutil
import unittest

from bench import PARENT, Home, create_checklist, drive, environment, fresh_path
from harness import validate
from sweep import STRIDE
from traps import kills, list_calls, spring


class Killed(unittest.TestCase):
    kills = 0

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
            Killed.kills += 1
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
                ["config.json", "config.lock", "logs", "runs"],
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


class Executors(Killed):
    def make_template(self):
        home = super().make_template()
        (home.path / "config.json").write_text('{"drive": {"jobs": 7}} // mine\n')
        return home

    def test_the_configuration_keeps_what_it_has(self):
        add = ("executor:add", "model", "--type", "mock")
        for _ in self.kill(*add):
            text = (self.home.path / "config.json").read_text()
            self.assertIn('"jobs": 7', text)
            self.assertIn("// mine", text)
            if '"model"' not in text:
                self.home.must(*add)
            listed = self.home.must("executor:list")["executors"]
            self.assertIn("model", [executor["name"] for executor in listed])


CRONTAB = """#!/bin/sh
case "$1" in
  -l) cat "$HOME/tab" ;;
  -) cat > "$HOME/tab.new" && mv "$HOME/tab.new" "$HOME/tab" ;;
esac
"""


class Install(Killed):
    """Over an older installation, of a user who has other lines in the crontab."""

    def setUp(self):
        super().setUp()
        self.user = fresh_path()
        tools = fresh_path()
        tools.mkdir()
        (tools / "crontab").write_text(CRONTAB)
        (tools / "crontab").chmod(0o755)
        self.env = environment(HOME=str(self.user), PATH=f"{tools}:/usr/bin:/bin")

    def prepare(self):
        super().prepare()
        shutil.rmtree(self.user, ignore_errors=True)
        self.user.mkdir()
        (self.user / "tab").write_text("0 1 * * * backup\n")
        self.home.must("heartbeat:install", self.how, "--write", "--no-drive", env=self.env)
        (self.home.path / "heartbeat.env").unlink()

    def files(self):
        """What is installed, but for what a killed command left aside, in terms of any home."""
        paths = [path for path in self.user.rglob("*") if path.suffix not in (".tmp", ".new")]
        return [path.read_text().replace(str(self.home.path), "HOME")
                for path in sorted(paths) if path.is_file()]  # fmt: skip

    def check(self, how):
        self.how = how
        install = ("heartbeat:install", how, "--write")
        self.prepare()
        old = self.files()
        self.home.must(*install, env=self.env)
        new = self.files()
        self.assertNotEqual(old, new)
        for _ in self.kill(*install):
            for text, *states in zip(self.files(), old, new, strict=True):
                self.assertIn(text, states)
            self.home.must(*install, env=self.env)
            self.assertEqual(self.files(), new)
            credentials = self.home.path / "heartbeat.env"
            self.assertEqual(credentials.stat().st_mode & 0o777, 0o600)

    def test_a_crontab_is_the_old_one_or_the_new_one(self):
        self.check("--cron")

    def test_each_unit_is_the_old_one_or_the_new_one(self):
        self.check("--systemd")


class PutAway(Killed):
    """A run that has ended, and its child."""

    def make_template(self):
        home = Home()
        entry = ("--entry", str(PARENT), "--input", "steps=1")
        home.must("run:create", "--run-id", "r", "--simulated", *entry)
        drive(home, "r")
        return home

    def runs(self):
        return self.home.must("run:list", now=None)["runs"]

    def put_away(self, *words):
        """The run goes last: as long as it is there, the command does the rest."""
        self.runs()
        for _ in self.kill(*words):
            if self.home.run_dir("r").exists():
                self.home.must(*words)
            self.assertEqual(self.runs(), [])
            yield

    def setUp(self):
        super().setUp()
        self.home = self.template

    def test_an_archived_run_is_there_or_in_the_archive(self):
        children = {path.name for path in self.template.run_dir("r").parent.iterdir()}
        for _ in self.put_away("run:archive", "r"):
            for name in children:
                path = str(self.home.path / "archive" / name)
                self.assertEqual(self.home.must("run:status", path, now=None)["state"], "completed")

    def test_a_deleted_run_is_gone(self):
        for _ in self.put_away("run:delete", "r", "--yes"):
            self.home.must("doctor", "--fix", now="2099-01-01T00:00:00Z", env=self.env)
            self.assertEqual(list((self.home.path / "runs").iterdir()), [])


class Tail(Killed):
    def make_template(self):
        home = Home()
        (home.path / "runs").mkdir()
        for note in ("It rains", "It snows"):
            home.must("memory:save", note)
        home.must("event:list", now=None)
        return home

    def setUp(self):
        super().setUp()
        self.place = fresh_path()

    def prepare(self):
        super().prepare()
        self.place.unlink(missing_ok=True)

    def told(self):
        path = self.home.path / "told"
        return path.read_text().splitlines() if path.exists() else []

    def test_each_event_is_told_at_least_once(self):
        take = 'printf "\\n%s\\n" "$REPRISE_EVENT_ID" >> "$REPRISE_HOME/told"'
        words = ("event:tail", "--type", "memory.saved", "--cursor-file", str(self.place))
        words = (*words, "--exec", take)
        self.prepare()
        self.home.must(*words)
        events = [line for line in self.told() if line]
        self.assertEqual(len(events), 2)
        for _ in self.kill(*words):
            self.home.must(*words)
            times = [self.told().count(event) for event in events]
            self.assertIn(sorted(times), ([1, 1], [1, 2]))


def tearDownModule():
    print(f"{Killed.kills} kills")


if __name__ == "__main__":
    unittest.main()
