"""Scripts that never come back: the command ends with exit 9, and nothing is recorded."""

import harness

BODIES = {
    "loops": "while (true) {}",
    "allocates": "const a = []; while (true) a.push(new Array(1e6).fill(1));",
    "recurses": "const f = () => { try { return f() + 1; } catch (e) { return f(); } }; f();",
}


class Budgets(harness.Home):
    def check(self, name):
        entry = self.write("main.js", f"export async function process() {{ {BODIES[name]} }}")
        self.ok("run:create", "--entry", entry, "--run-id", "r")
        before = self.records("r")
        answer = self.call("run:iterate", "r", "--json")
        self.assertEqual(answer.exit, 9, answer)
        harness.validate(answer.json, "error")
        self.assertEqual(answer.json["error"]["code"], "SCRIPT_BUDGET")
        self.assertEqual(self.records("r"), before)
        self.assertEqual(self.ok("run:status", "r")["state"], "created")

    def test_a_script_that_loops(self):
        self.check("loops")

    def test_a_script_that_allocates_without_end(self):
        self.check("allocates")

    def test_a_script_that_recurses_without_end(self):
        self.check("recurses")


if __name__ == "__main__":
    harness.main()
