"""channel:delete, killed anywhere: what it has not done yet, the next one does."""

import itertools
import unittest

from bench import Home, environment
from sweep import STRIDE
from traps import kills, list_calls, spring

DELETE = ("channel:delete", "c", "--yes", "--by", "anna")
FAMILY = ("c", "t", "u")


class Delete(unittest.TestCase):
    def prepare(self):
        home = Home()
        for name, above in (("c", ()), ("t", ("--parent", "c")), ("u", ("--parent", "t"))):
            home.must("channel:create", name, "--simulated", *above)
            home.must("message:post", name, "hello", "--id", "m1", "--author", "anna")
        return home

    def test_repeating_it_does_the_rest(self):
        template = self.prepare()
        _, calls = list_calls(template.copy(), DELETE, env=environment())
        changing = [call for call in calls if call.changes]
        for call, trap in itertools.islice(kills(changing), 0, None, 7 * STRIDE):
            home = template.copy()
            spring(home, DELETE, trap, env=environment())
            with self.subTest(str(call)):
                if home.run_dir("c").exists():
                    home.must(*DELETE)
                for name in FAMILY:
                    self.assertFalse(home.run_dir(name).exists(), name)
                    path = str(home.path / "archive" / name)
                    self.assertEqual(home.must("run:status", path, now=None)["state"], "completed")
            home.remove()


if __name__ == "__main__":
    unittest.main()
