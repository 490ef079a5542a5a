"""Homes: made, configured, trusted, examined, copied while commands go on."""

import json
import os
import pathlib
import shutil
import threading

import harness


class Homes(harness.Home):
    """Found from the working directory, unless a case names one."""

    def setUp(self):
        super().setUp()
        del self.environment["REPRISE_HOME"]
        self.home = self.work / ".reprise"
        self.trust_file = self.folder / ".local/state/reprise/trust.json"

    def trusted_homes(self):
        document = json.loads(self.trust_file.read_text())
        harness.validate(document, "trusted-homes")
        return document["homes"]


class Init(Homes):
    def test_makes_a_home_that_is_trusted_and_found(self):
        made = self.ok("init")
        self.assertEqual(made["home"], str(self.home))
        self.assertEqual(made["made"], ["runs", "logs", "config.json"])
        self.assertTrue(made["trusted"])
        self.assertEqual(list(self.trusted_homes()), [str(self.home)])
        self.assertEqual(self.home.stat().st_mode & 0o7777, 0o700)
        self.assertEqual(self.ok("init")["made"], [])
        below = self.work / "a" / "b"
        below.mkdir(parents=True)
        self.ok("run:create", "--run-id", "r", cwd=below)
        self.assertTrue((self.home / "runs" / "r").is_dir())

    def test_names_the_home_by_folder_flag_or_variable(self):
        self.assertEqual(self.ok("init", "team")["home"], str(self.work / "team/.reprise"))
        self.assertEqual(self.ok("init", "--home", "h")["home"], str(self.work / "h"))
        variable = {"REPRISE_HOME": str(self.folder / "v")}
        self.assertEqual(self.ok("init", environment=variable)["home"], str(self.folder / "v"))
        both = self.ok("init", "x", environment=variable)
        self.assertEqual(both["home"], str(self.work / "x/.reprise"))

    def test_a_shared_home_stays_shared_in_all_that_is_made_in_it(self):
        self.assertTrue(self.ok("init", "--shared", "group")["shared"])
        self.checklist("r", "make")
        self.post("r", "t1", {"exitCode": 0})
        self.ok("run:list")
        for path in self.home.rglob("*"):
            mode = path.stat().st_mode & 0o7777
            self.assertEqual(mode, 0o2770 if path.is_dir() else 0o660, path)

    def test_a_home_that_came_with_a_repository_is_not_trusted_by_init(self):
        (self.home / "runs" / "r" / "journal").mkdir(parents=True)
        made = self.ok("init")
        self.assertFalse(made["trusted"])
        self.assertFalse(self.trust_file.exists())

    def test_a_home_that_cannot_be_made_is_refused(self):
        self.write("file", "")
        for words in (["init", "file"], ["run:create", "--home", "file/home"]):
            error = self.refused(8, "HOME_NOT_WRITABLE", *words)
            self.assertIn("nothing is kept elsewhere", error["hint"])


class Trust(Homes):
    """Nothing here runs a program: `trust --show` says what commands that do would be told."""

    def clone(self):
        """A home that came with a repository: a configuration, and a run that waits."""
        self.home.mkdir()
        self.checklist("r", "touch /tmp/owned")
        (self.home / "config.json").write_text(
            '{"executors": {"x": {"type": "command", "command": ["touch", "/tmp/owned"]}}}'
        )
        shutil.rmtree(self.folder / ".local", ignore_errors=True)

    def shown(self, *words):
        document = self.ok("trust", "--show", *words)
        return document["reason"], document["trusted"]

    def test_a_home_that_was_found_is_trusted_only_after_trust(self):
        self.clone()
        self.assertEqual(self.shown(), ("unknown", False))
        self.assertEqual(self.ok("trust")["reason"], "recorded")
        self.assertEqual(self.shown(), ("recorded", True))
        self.assertTrue(self.ok("trust", "--revoke")["revoked"])
        self.assertEqual(self.shown(), ("unknown", False))

    def test_reading_and_posting_need_no_trust(self):
        self.clone()
        self.ok("run:status", "r")
        self.ok("task:list", "r")
        self.post("r", "t1", {"exitCode": 0})
        self.ok("run:iterate", "r")

    def test_a_home_that_is_named_is_the_users_word(self):
        self.clone()
        self.assertEqual(self.shown("--home", self.home), ("named", True))
        self.assertEqual(self.shown("--runs-dir", self.home / "runs"), ("named", True))

    def test_a_change_asks_again_and_names_the_keys(self):
        self.clone()
        self.ok("trust")
        config = self.home / "config.json"
        config.write_text(config.read_text().replace("touch", "rm"))
        said = self.ok("trust", "--show")
        self.assertEqual((said["reason"], said["changed"]), ("changed", ["executors.x"]))

    def test_what_cannot_be_read_cannot_be_trusted(self):
        self.clone()
        (self.home / "config.json").write_text('{"executers": {}}')
        error = self.refused(2, "CONFIG_INVALID", "trust")
        self.assertIn("did you mean executors?", error["hint"])
        self.assertEqual(self.shown(), ("unknown", False))

    def test_to_look_and_to_revoke_are_two_things(self):
        self.clone()
        self.refused(2, "INVALID_ARGUMENT", "trust", "--show", "--revoke")

    def test_an_executor_cannot_trust(self):
        self.clone()
        self.refused(13, "UNTRUSTED_HOME", "trust", environment={"REPRISE_EFFECT": "t1"})
        self.assertEqual(self.shown(), ("unknown", False))

    def test_a_home_of_another_user_runs_nothing(self):
        if os.geteuid() != 0:
            self.skipTest("only root can give a folder away")
        self.clone()
        os.chown(self.home, 12345, 12345)
        self.assertEqual(self.shown("--home", self.home), ("foreign", False))
        self.refused(13, "UNTRUSTED_HOME", "trust")


class Configuration(Homes):
    def test_says_where_each_value_was_said(self):
        self.ok("init")
        user = self.folder / ".config/reprise/config.json"
        user.parent.mkdir(parents=True)
        user.write_text('{"drive": {"lease": "1m"}}')
        (self.home / "config.json").write_text('{\n  "drive": {"jobs": 6} // six\n}')
        shown = self.ok(
            "config:show", "drive", "--origin", environment={"REPRISE_DRIVE_MIN_FREE_BYTES": "1"}
        )
        self.assertEqual(
            [(s["key"], s["value"], s["origin"]) for s in shown["settings"]],
            [
                ("drive.jobs", 6, f"{self.home}/config.json:2"),
                ("drive.lease", "1m", f"{user}:1"),
                ("drive.minFreeBytes", 1, "$REPRISE_DRIVE_MIN_FREE_BYTES"),
            ],
        )
        flag = self.ok("config:show", "drive.jobs", "--set", "drive.jobs=9")
        self.assertEqual(flag["settings"], [{"key": "drive.jobs", "value": 9}])
        self.assertEqual(self.ok("config:path")["user"], {"path": str(user), "exists": True})
        harness.validate(json.loads(user.read_text()), "config")

    def test_shows_no_values_of_an_executors_variables(self):
        self.ok("init")
        executor = {"type": "command", "command": ["x"], "environment": {"TOKEN": "s3cret"}}
        (self.home / "config.json").write_text(json.dumps({"executors": {"x": executor}}))
        for words in ([], ["--json"], ["executors.x", "--origin"]):
            self.assertNotIn("s3cret", self.call("config:show", *words).out)

    def test_an_unknown_key_is_refused_or_not_found(self):
        self.ok("init")
        (self.home / "config.json").write_text('{"drive": {"jbos": 1}}')
        error = self.refused(2, "CONFIG_INVALID", "config:show")
        self.assertIn("config.json:1: /drive/jbos", error["message"])
        self.assertEqual(error["hint"], "did you mean jobs?")
        (self.home / "config.json").write_text("{}")
        long = ",".join(f'"program-{i}"' for i in range(30))
        self.assertIn("program-29", self.call("config:show", "policy.deniedPrograms", "--set",
                                              f"policy.deniedPrograms=[{long}]").out)
        answer = self.call("config:show", "drive.jobs", environment={"REPRISE_DRIVE_JOB": "8"})
        self.assertIn("$REPRISE_DRIVE_JOB says nothing; did you mean REPRISE_DRIVE_JOBS?",
                      answer.err)
        error = self.refused(3, "KEY_NOT_FOUND", "config:show", "drive.jbos")
        self.assertEqual(error["hint"], "did you mean drive.jobs?")

    def test_what_a_file_holds_does_not_reach_the_terminal_raw(self):
        self.ok("init")
        (self.home / "config.json").write_text('{"policy": {"roots": ["/\\u001b[31m"]}}')
        self.assertNotIn("\x1b", self.call("config:show", "policy").out)
        (self.home / "config.json").write_text('{"\\u001b[31mx": 1}')
        answer = self.call("config:show")
        self.assertNotIn("\x1b", answer.err)


class Doctor(Homes):
    def levels(self, document):
        return {f["check"]: f["level"] for f in document["findings"]}

    def test_finds_nothing_wrong_with_a_new_home(self):
        self.ok("init")
        document = self.ok("doctor")
        loaded = [f for f in document["findings"] if f["check"] == "modules"]
        self.assertEqual(len(loaded), 4, "the scripts', the index's, HTTP and time zones")
        levels = self.levels(document)
        for check in ("version", "home", "modes", "trust", "config", "disk", "clock", "modules"):
            self.assertEqual(levels[check], "ok", check)

    def test_a_problem_is_exit_1_with_a_remedy(self):
        self.ok("init")
        (self.home / "config.json").write_text('{"drvie": {}}')
        document = self.ok("doctor", exit=1)
        (problem,) = [f for f in document["findings"] if f["level"] == "problem"]
        self.assertEqual((problem["check"], problem["remedy"]), ("config", "did you mean drive?"))
        text = self.call("doctor")
        self.assertEqual(text.exit, 1)
        self.assertIn("did you mean drive?", text.out)

    def test_a_clock_behind_the_journal_is_a_problem(self):
        self.ok("init")
        self.ok("run:create", "--run-id", "r")
        document = self.ok("doctor", "--now", "2020-01-01T00:00:00Z", exit=1)
        self.assertEqual(self.levels(document)["clock"], "problem")

    def test_a_home_that_was_moved_is_told_with_a_script_that_goes_on_to_write_elsewhere(self):
        self.ok("init")
        self.checklist("c", "make")
        self.script("export async function process(i, ctx) { await ctx.sleepUntil('2099-01-01'); }")
        self.assertNotIn("moved", self.levels(self.ok("doctor")))
        moved = self.work / "moved"
        self.home.rename(moved)
        document = self.ok("doctor", "--home", moved)
        (told,) = [f for f in document["findings"] if f["check"] == "moved"]
        self.assertEqual(told["level"], "warning")
        self.assertIn(f"r was made as {self.home}/runs/r", told["what"])

    def test_removes_what_killed_commands_left(self):
        self.ok("init")
        left = self.home / "runs" / ".new-01"
        left.mkdir()
        self.assertEqual(self.ok("doctor", "--fix")["fixed"], [])
        os.utime(left, (0, 0))
        self.assertEqual(self.levels(self.ok("doctor"))["leftovers"], "warning")
        self.assertEqual(self.ok("doctor", "--fix")["fixed"], [".new-01"])
        self.assertFalse(left.exists())


class Backup(Homes):
    def setUp(self):
        super().setUp()
        self.home.mkdir()

    def test_a_copy_is_a_home_in_which_runs_go_on(self):
        self.checklist("r", "make", "make test")
        self.checklist("s", "make")
        copied = self.ok("backup", "../copy", "--verify")
        self.assertEqual((copied["runs"], copied["problems"]), (2, []))
        elsewhere = ("--home", self.folder / "copy")
        self.assertEqual(
            self.ok("run:status", "r", *elsewhere)["pendingByKind"],
            self.ok("run:status", "r")["pendingByKind"],
        )
        self.assertTrue(self.ok("run:verify", "r", *elsewhere)["ok"])
        self.assertEqual(self.ok("run:status", "@last", *elsewhere)["runId"], "s")
        self.ok("task:post", "r", "t1", "--status", "ok", "--value-inline", "{}", *elsewhere)
        self.assertEqual(self.ok("run:iterate", "r", *elsewhere)["status"], "waiting")

    def test_single_runs_can_be_copied(self):
        self.checklist("one")
        self.checklist("two")
        self.assertEqual(self.ok("backup", "../copy", "--run", "on")["runs"], 1)
        names = [path.name for path in (self.folder / "copy" / "runs").iterdir()]
        self.assertEqual(names, ["one"])

    def test_what_is_there_is_not_overwritten(self):
        self.checklist("r")
        (self.folder / "copy").mkdir()
        self.refused(4, "DEST_EXISTS", "backup", "../copy")
        self.refused(2, "INVALID_ARGUMENT", "backup", ".reprise/copy")

    def test_a_damaged_run_is_named(self):
        self.checklist("r")
        segment = self.run_dir("r") / "journal" / "00000001.jsonl"
        segment.write_bytes(segment.read_bytes().replace(b"RUN_CREATED", b"RUN_CRAETED"))
        document = self.ok("backup", "../copy", exit=1)
        self.assertEqual(document["damaged"][0]["runId"], "r")
        copy = self.folder / "copy/runs/r/journal/00000001.jsonl"
        self.assertEqual(copy.read_bytes(), segment.read_bytes())

    def test_each_copy_made_while_a_writer_goes_on_is_whole_and_a_prefix(self):
        self.checklist("r", "a")
        done = threading.Event()

        def write():
            number = 0
            while not done.is_set():
                number += 1
                self.call("run:signal", "r", "note", "--value-inline", json.dumps(number))

        writer = threading.Thread(target=write)
        writer.start()
        try:
            seen = []
            while len(seen) < 5 or seen[0] == seen[-1]:
                copied = self.ok("backup", f"../copy-{len(seen)}", "--verify")
                self.assertEqual((copied["runs"], copied["problems"]), (1, []))
                seen.append(copied["records"])
        finally:
            done.set()
            writer.join()
        self.assertEqual(seen, sorted(seen))
        journal = pathlib.Path("runs/r/journal/00000001.jsonl")
        whole = (self.home / journal).read_bytes()
        for number in range(len(seen)):
            copy = (self.folder / f"copy-{number}" / journal).read_bytes()
            self.assertTrue(whole.startswith(copy))


if __name__ == "__main__":
    harness.main()
