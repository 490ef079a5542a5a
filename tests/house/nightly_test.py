"""scripts/test --nightly goes on after a part that fails, and says how far it got."""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = ["tests of the sanitized build", "tests of the release build", "scripts/lint",
         "scripts/mutate"]


class Night(unittest.TestCase):
    """With programs in the place of what a night runs, each of which does what a case tells it."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="reprise-night-"))
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "bin").mkdir()
        (self.folder / "scripts").mkdir()
        shutil.copy(ROOT / "scripts" / "test", self.folder / "scripts" / "test")
        for name in ("bin/cmake", "bin/ctest", "scripts/install-deps", "scripts/lint",
                     "scripts/mutate"):
            self.program(name, "true")

    def program(self, name, does):
        path = self.folder / name
        path.write_text(f"#!/bin/bash\n{does}\n")
        path.chmod(0o755)

    def night(self):
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        return subprocess.Popen(
            [self.folder / "scripts" / "test", "--nightly"], env={**os.environ, "PATH": path},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def told(self, night):
        out, _ = night.communicate(timeout=60)
        lines = out[out.index("how far the night got"):].splitlines()[1:]
        return dict(line.strip().split(": ", 1) for line in lines)

    def test_all_that_passes_is_told(self):
        night = self.night()
        told = self.told(night)
        self.assertEqual(night.returncode, 0)
        self.assertEqual(list(told), PARTS)
        self.assertTrue(all(how.startswith("passed") for how in told.values()), told)

    def test_a_part_that_fails_stops_no_other_and_fails_the_night(self):
        self.program("bin/ctest", '[[ "$*" != *"--preset nightly"* ]]')
        night = self.night()
        told = self.told(night)
        self.assertNotEqual(night.returncode, 0)
        self.assertTrue(told.pop(PARTS[0]).startswith("FAILED"))
        self.assertTrue(all(how.startswith("passed") for how in told.values()), told)

    def test_a_build_that_fails_is_no_test_that_passed(self):
        self.program("bin/cmake", '[[ "$*" != *--build* ]]')
        told = self.told(self.night())
        self.assertTrue(told[PARTS[0]].startswith("FAILED"))

    def test_whoever_stops_it_is_told_what_was_under_way(self):
        self.program("scripts/lint", "echo lint begins; read -r; true")
        night = self.night()
        while "lint begins" not in night.stdout.readline():
            continue
        night.send_signal(signal.SIGTERM)
        told = self.told(night)
        self.assertEqual(night.returncode, 130)
        self.assertEqual(list(told), PARTS[:3])
        self.assertIn("under way", told[PARTS[2]])


if __name__ == "__main__":
    unittest.main()
