"""What is installed works where it lies: the program finds its modules, and the manual is there."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BUILD = sys.argv.pop(1)
SCRIPT = "export async function process(inputs) { return inputs.n + 1; }\n"


class Install(unittest.TestCase):
    def test_a_prefix_holds_all_that_a_command_needs(self):
        with tempfile.TemporaryDirectory(prefix="reprise-install-") as folder:
            prefix = pathlib.Path(folder) / "prefix"
            subprocess.run(
                ["cmake", "--install", BUILD, "--prefix", prefix], check=True, capture_output=True
            )
            self.assertTrue((prefix / "share/man/man1/reprise.1").is_file())
            (pathlib.Path(folder) / "next.js").write_text(SCRIPT)
            environment = {**os.environ, "HOME": folder, "REPRISE_HOME": folder + "/home"}

            def run(*words):
                command = [prefix / "bin/reprise", *words, "--json"]
                done = subprocess.run(
                    command, env=environment, cwd=folder, capture_output=True, text=True, check=True
                )
                return json.loads(done.stdout)

            run("run:create", "--entry", "next.js", "--input", "n=1", "--run-id", "r")
            self.assertEqual(run("run:iterate", "r")["status"], "completed")
            self.assertEqual([row["runId"] for row in run("run:list")["runs"]], ["r"])
            modules = [row for row in run("doctor")["findings"] if row["check"] == "modules"]
            self.assertEqual([row["level"] for row in modules], ["ok"] * 4, modules)


if __name__ == "__main__":
    unittest.main()
