"""What the main binary links: as little as it can, since every command pays for it."""

import os
import subprocess
import sys
import unittest

BINARY = sys.argv.pop(1)
# They sit in modules that are loaded by the commands that need them.
FORBIDDEN = ("mozjs", "sqlite", "curl", "boost", "cctz")
# Linked statically, but for builds with sanitizers, which bring them in.
STATIC = ("libstdc++", "libgcc_s")


class Links(unittest.TestCase):
    def test_the_binary_links_no_heavy_library(self):
        environment = {**os.environ, "LD_TRACE_LOADED_OBJECTS": "1"}
        listed = subprocess.run(
            [BINARY], env=environment, capture_output=True, text=True, check=True
        )
        self.assertIn("libc.so", listed.stdout)
        forbidden = FORBIDDEN if "libasan" in listed.stdout else FORBIDDEN + STATIC
        heavy = [line for line in listed.stdout.splitlines() if any(f in line for f in forbidden)]
        self.assertEqual(heavy, [])


if __name__ == "__main__":
    unittest.main()
