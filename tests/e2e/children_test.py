"""Child runs on the command line."""

import harness

PARENT = """
export async function process(inputs, ctx) {
  const run = (name) => ctx.run('./child.js', { name }, { labels: { of: 'parent' } });
  return [await run('a'), await run('b').catch((error) => [error.name, error.data.runId])];
}
"""
CHILD = """
export async function process(inputs, ctx) {
  const answer = await ctx.breakpoint({ question: inputs.name });
  if (!answer.approved) throw new Error('no');
  return inputs.name;
}
"""


class Children(harness.Home):
    def test_a_parent_waits_for_its_children(self):
        self.write("child.js", CHILD)
        first = self.script(PARENT)
        self.assertEqual(first["reason"], "run-pending")
        self.assertEqual(first["nextActions"][0]["childRunId"], "r.t1")
        self.assertIn("run:iterate r --children", self.call("run:iterate", "r").out)
        status = self.ok("run:status", "r")
        self.assertEqual(
            status["children"], [{"effectId": "t1", "runId": "r.t1", "status": "created"}]
        )
        child = self.ok("run:status", "r.t1")
        self.assertEqual(child["parent"], {"runId": "r", "effectId": "t1"})
        self.assertEqual(child["labels"], {"of": "parent"})
        self.assertEqual(self.ok("run:status", "@last")["runId"], "r")
        document = self.ok("run:iterate", "r", "--children")
        self.assertEqual([c["runId"] for c in document["children"]], ["r.t1"])
        self.post("r.t1", "t1", {"approved": True}, "--iterate")
        self.assertEqual(self.ok("run:status", "r")["state"], "ready")
        self.ok("run:iterate", "r", "--children")
        self.ok("run:iterate", "r", "--children")
        self.post("r.t2", "t1", {"approved": False})
        self.ok("run:iterate", "r.t2", exit=1)
        self.ok("run:iterate", "r")
        output = self.ok("run:output", "r")["output"]
        self.assertEqual(output, ["a", ["ChildRunFailed", "r.t2"]])
        for run in ("r", "r.t1", "r.t2"):
            self.records(run)

    def test_a_child_of_a_run_with_a_long_id(self):
        self.write("child.js", CHILD)
        run = "r" * 128
        child = self.script(PARENT, run=run)["nextActions"][0]["childRunId"]
        self.assertEqual(len(child), 128)
        self.assertEqual(self.ok("run:status", child)["parent"]["runId"], run)

    def test_a_child_that_cannot_be_made(self):
        self.script(PARENT, exit=1)
        error = self.ok("run:status", "r")["error"]
        self.assertEqual(error["name"], "ChildRunNotCreated")
        (result,) = [r["data"] for r in self.records("r") if r["type"] == "EFFECT_RESOLVED"]
        self.assertEqual(result["error"]["data"], {"code": "ENTRY_NOT_FOUND"})

    def test_children_are_cancelled_with_their_parent(self):
        self.write("child.js", CHILD)
        self.script(PARENT)
        self.ok("run:iterate", "r", "--children")
        self.ok("run:cancel", "r", "--reason", "enough", "--iterate")
        self.ok("run:iterate", "r", "--children", exit=1)
        self.assertEqual(self.ok("run:status", "r.t1")["state"], "cancelled")


if __name__ == "__main__":
    harness.main()
