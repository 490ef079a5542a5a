"""The reference that the binary prints about itself, and docs/cli.md."""

import json
import pathlib
import shlex
import shutil
import subprocess
import unittest

from jsonschema import Draft7Validator

import harness

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Reference(harness.Home):
    def test_docs_cli_md_is_what_the_binary_says(self):
        printed = self.call("help", "--markdown").out
        self.assertEqual((ROOT / "docs/cli.md").read_text(), printed, "stale: run scripts/docs")

    def test_every_command_has_help_a_schema_and_both_spellings(self):
        commands = self.ok("help")["commands"]
        self.assertGreater(len(commands), 10)
        for command in commands:
            name = command["name"]
            with self.subTest(name=name):
                by_flag = self.call(name, "--help")
                self.assertEqual(by_flag.exit, 0)
                self.assertEqual(by_flag.out, self.call("help", name).out)
                self.assertEqual(by_flag.out, self.call(*name.split(":"), "-h").out)
                self.assertIn(command["usage"], by_flag.out)
                Draft7Validator.check_schema(harness.schema(name))

    def test_a_noun_alone_lists_its_verbs(self):
        self.assertIn("task:post", self.call("help", "task").out)
        self.assertIn("task:post", self.call("task", "--help").out)
        error = self.refused(2, "UNKNOWN_COMMAND", "task")
        self.assertIn("list, show, post", error["message"])

    def test_the_manual_page_is_what_the_binary_says(self):
        printed = self.call("help", "--man").out
        page = ROOT / "docs" / "man" / "reprise.1"
        self.assertEqual(page.read_text(), printed, "stale: run scripts/docs")
        for command in self.ok("help")["commands"]:
            self.assertTrue(command["name"].replace("-", "\\-") in printed, command["name"])
        if shutil.which("man"):
            read = subprocess.run(["man", "--warnings", "-l", page], capture_output=True, text=True)
            self.assertEqual((read.returncode, read.stderr), (0, ""))

    def completed(self, line):
        script = self.write("completion.bash", self.call("completion", "bash").out)
        asked = (
            f"source {script}; COMP_WORDBREAKS=$' \\t\\n=:'; COMP_LINE={shlex.quote(line)}; "
            "COMP_POINT=${#COMP_LINE}; _reprise; printf '%s\\n' \"${COMPREPLY[@]}\""
        )
        shell = subprocess.run(["bash", "-uc", asked], capture_output=True, text=True, check=True)
        self.assertEqual(shell.stderr, "")
        return shell.stdout.split()

    def test_bash_completes_commands_flags_and_choices(self):
        self.assertIn("run:create", self.completed("reprise "))
        self.assertEqual(self.completed("reprise run:cr"), ["create"])
        self.assertEqual(self.completed("reprise run cr"), ["create"])
        self.assertEqual(self.completed("reprise run:create --run"), ["--run-id", "--runs-dir"])
        self.assertEqual(self.completed("reprise run create --run"), ["--run-id", "--runs-dir"])
        self.assertEqual(self.completed("reprise task:post r t1 --status "), ["ok", "error"])
        self.assertEqual(self.completed("reprise run:create some"), [])
        self.assertEqual(self.completed("reprise version --out"), ["--output"])

    def test_completion_knows_three_shells(self):
        for shell in ("bash", "zsh", "fish"):
            script = self.ok("completion", shell)["script"]
            for command in self.ok("help")["commands"]:
                name = command["name"].replace(":", "\\:") if shell == "zsh" else command["name"]
                self.assertTrue(name in script, name)
            program = shutil.which(shell)
            if program:
                subprocess.run([program, "-n"], input=script, text=True, check=True)
        error = self.refused(2, "INVALID_ARGUMENT", "completion", "fis")
        self.assertEqual(error["hint"], "did you mean fish?")

    def test_no_words_are_help(self):
        self.home.mkdir()
        bare = self.call()
        self.assertEqual((bare.exit, bare.err), (0, ""))
        self.assertIn("run:start", bare.out)

    def test_schemas_can_be_listed_and_read(self):
        names = self.ok("schema")["schemas"]
        for name in ("run", "task", "error", "record", "EFFECT_RESOLVED", "run:iterate"):
            self.assertIn(name, names)
            self.assertEqual(self.ok("schema", name), harness.schema(name))
        for name in names:
            Draft7Validator.check_schema(harness.schema(name))
        error = self.refused(3, "SCHEMA_NOT_FOUND", "schema", "run:itterate")
        self.assertEqual(error["hint"], "did you mean run:iterate?")

    def test_wherever_types_of_records_are_listed_all_of_them_are(self):
        names = self.ok("schema")["schemas"]
        types = sorted(name for name in names if name.isupper())

        def lists(part):
            for key, value in part.items() if isinstance(part, dict) else enumerate(part):
                if key == "enum" and "ITERATED" in value:
                    yield value
                elif isinstance(value, (dict, list)):
                    yield from lists(value)

        listing = set()
        for name in names:
            for found in lists(harness.schema(name)):
                self.assertEqual(sorted(found), types, name)
                listing.add(name)
        self.assertLessEqual({"record", "run:events", "run:status", "run:watch"}, listing)

    def test_version(self):
        version = self.ok("version")["version"]
        self.assertEqual(self.call("version").out, f"reprise {version}\n")
        self.assertEqual(self.call("--version").out, f"reprise {version}\n")
        self.assertEqual(json.loads(self.call("--version", "--json").out)["version"], version)


if __name__ == "__main__":
    unittest.main()
