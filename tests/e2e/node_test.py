"""Tasks that Node performs, by a real Node."""

import json

import harness


class Node(harness.Home):
    def test_what_it_prints_is_the_result(self):
        self.home.mkdir()
        (self.home / "config.json").write_text(
            json.dumps({"executors": {"shell": {"type": "shell"}}})
        )
        entry = self.write(
            "task.js",
            "console.log(JSON.stringify({args: process.argv.slice(2), e: process.env.E}))",
        )
        task = self.write(
            "node.json",
            {"kind": "node", "node": {"entry": str(entry), "args": ["a", 1], "env": {"E": "f"}}},
        )
        document = self.ok("executor:test", "shell", "--task", task)
        self.assertEqual(document["value"], {"args": ["a", "1"], "e": "f"})


if __name__ == "__main__":
    harness.main()
