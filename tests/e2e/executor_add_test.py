"""executor:add: what is refused, what it says, and where programs are found afterwards."""

import fcntl
import json
from concurrent import futures

import harness


class ExecutorAdd(harness.Home):
    def test_what_cannot_work_is_not_added(self):
        words = ("executor:add", "o", "--type", "openai", "--with", "model=m")
        error = self.refused(2, "INVALID_EXECUTOR", *words)
        self.assertIn("needs a url", error["message"])
        self.assertFalse((self.home / "config.json").exists())

    def test_what_is_added_at_once_is_all_there(self):
        self.call("init", "--home", str(self.home))
        names = [f"m{n}" for n in range(8)]
        with futures.ThreadPoolExecutor(len(names)) as at_once:
            list(at_once.map(lambda name: self.ok("executor:add", name, "--type", "mock"), names))
        listed = {executor["name"] for executor in self.ok("executor:list")["executors"]}
        self.assertLessEqual(set(names), listed)

    def test_who_waits_for_another_edit_in_vain_is_told(self):
        self.home.mkdir()
        with open(self.home / "config.lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.refused(7, "LOCKED", "executor:add", "m", "--type", "mock")
            # A rehearsal writes nothing.
            self.ok("executor:add", "m", "--type", "mock", "--dry-run")

    def test_a_name_that_cannot_be_one_is_told(self):
        error = self.refused(2, "CONFIG_INVALID", "executor:add", "a b", "--type", "shell")
        self.assertEqual(error["message"], '/executors/a b: "a b" is no name for it')
        self.assertIn("letters, digits, _ and -", error["hint"])

    def test_a_rehearsal_shows_what_would_be_added(self):
        words = ("executor:add", "m", "--type", "mock", "--match", "task=a*", "--dry-run")
        text = self.call(*words).out
        self.assertIn("m  would be in " + str(self.home / "config.json"), text)
        self.assertIn('{"type":"mock"}', text)
        self.assertIn("would perform task=a*", text)
        self.assertNotIn("try it", text)
        self.assertFalse((self.home / "config.json").exists())
        text = self.call(*words[:-1]).out
        self.assertIn("  performs task=a*\n", text)
        self.assertNotIn("no rule", text)
        self.assertIn("no rule names it yet", self.call("executor:add", "n", "--type", "mock").out)
        self.assertNotIn("no rule", self.call("executor:add", "shell", "--type", "shell").out)

    def test_the_rules_are_listed_in_the_order_that_decides(self):
        self.home.mkdir()
        rules = [{"kind": "z", "executor": "b"}, {"kind": "*", "executor": "a"}]
        config = {"executors": {"a": {"type": "mock"}, "b": {"type": "mock"}}, "match": rules}
        (self.home / "config.json").write_text(json.dumps(config))
        self.assertEqual(self.ok("executor:list")["rules"][:2], rules)
        text = self.call("executor:list").out
        self.assertRegex(text, r"the first rule that fits decides\n  kind=z +b\n  kind=\* +a\n")

    def test_a_program_beside_the_configuration_is_found_from_everywhere(self):
        self.home.mkdir()
        program = self.home / "tools" / "own"
        program.parent.mkdir()
        program.write_text("#!/bin/sh\necho '{\"from\": \"own\"}'\n")
        program.chmod(0o755)
        entry = {"type": "command", "command": ["tools/own"], "stdin": "none"}
        (self.home / "config.json").write_text(json.dumps({"executors": {"own": entry}}))
        for folder in (self.work, self.folder):
            document = self.ok("executor:test", "own", "--prompt", "x", cwd=folder)
            self.assertEqual(document["value"], {"from": "own"})
        self.write("mine", "#!/bin/sh\necho 5\n").chmod(0o755)
        added = self.call("executor:add", "mine", "--json", "--", "./mine")
        self.assertEqual(added.json["executor"]["command"], [str(self.work / "mine")])


if __name__ == "__main__":
    harness.main()
