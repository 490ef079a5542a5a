"""What a command says is to be typed next does what it says, typed as it stands."""

import shlex

import harness

ASKS = "export async function process(i, ctx) { await ctx.breakpoint({question: 'go?'}); }\n"
STEP = (
    "import { defineTask } from 'reprise';\n"
    "const step = defineTask('step', () => ({kind: 'shell', title: 's',"
    " shell: {command: 'true'}}));\n"
    "export async function process(i, ctx) {\n"
    "  const r = await ctx.task(step, {});\n"
    "  if (!r.success) throw new Error('no');\n"
    "  return 'done';\n}\n"
)


class Elsewhere(harness.Home):
    """Commands are about the home that the command before them was told, by a flag or a path."""

    def setUp(self):
        super().setUp()
        self.other = self.work / "sp ace" / ".reprise"
        (self.work / "asks.js").write_text(ASKS)
        self.ok("run:create", "--home", self.other, "--run-id", "q", "--entry", "asks.js")
        self.ok("run:iterate", "q", "--home", self.other)

    def typed(self, command):
        words = shlex.split(command)
        self.assertEqual(words[0], "reprise")
        return self.ok(*words[1:])

    def test_the_inbox_names_it_in_documents_and_in_text(self):
        inbox = self.ok("inbox", "--home", self.other)
        text = self.call("inbox", "--home", self.other).out
        command = inbox["approvals"][0]["command"]
        self.assertIn(command, text)
        self.typed(command)
        self.assertEqual(self.ok("approval:list", "--home", self.other)["approvals"], [])

    def test_an_empty_inbox_names_it_too(self):
        empty = self.work / "empty"
        (empty / "runs").mkdir(parents=True)
        text = self.call("inbox", "--home", empty).out
        self.assertIn(f"reprise run:start --home {empty} FILE.mjs", text)

    def test_of_a_run_that_is_named_by_its_path_the_folder_of_runs_is_named(self):
        run = self.other / "runs" / "q"
        for word in (str(run), str(run) + "/", "sp ace/.reprise/runs/q"):
            text = self.call("run:iterate", word).out
            line = next(line for line in text.splitlines() if "approval:approve" in line)
            self.assertEqual(
                shlex.split(line.strip())[-5:],
                ["approval:approve", "--runs-dir", str(run.parent), "q", "t1"],
            )
        self.typed(line.strip())


class Failed(harness.Home):
    """run:retry, and what to do when it would not help."""

    def failed(self, value):
        (self.work / "step.js").write_text(STEP)
        self.ok("run:create", "--run-id", "r", "--entry", "step.js")
        self.ok("run:iterate", "r")
        self.ok("task:post", "r", "t1", "--status", "error", "--error-inline", value)
        self.ok("run:iterate", "r", exit=1)

    def test_a_step_that_failed_in_a_shell_can_be_tried_again(self):
        self.failed('{"name":"CommandFailed","message":"exit 1","data":{"exitCode":1}}')
        self.assertEqual(self.ok("run:retry", "r")["attempt"], 2)
        self.post("r", "t1", {"success": True, "exitCode": 0})
        self.assertEqual(self.ok("run:iterate", "r")["status"], "completed")

    def test_a_checklist_too(self):
        self.checklist("c", "make")
        self.ok("task:post", "c", "t1", "--status", "error", "--error-inline", '{"message":"no"}')
        self.ok("run:iterate", "c", exit=1)
        self.assertEqual(self.ok("run:retry", "c")["effectId"], "t1")
        self.post("c", "t1", {"exitCode": 0})
        self.assertEqual(self.ok("run:iterate", "c")["status"], "completed")

    def test_where_it_is_useless_the_way_back_is_named(self):
        (self.work / "step.js").write_text(STEP)
        self.ok("run:create", "--run-id", "r", "--entry", "step.js")
        self.ok("run:iterate", "r")
        self.post("r", "t1", {"success": False})
        self.ok("run:iterate", "r", exit=1)
        hint = self.refused(4, "RETRY_USELESS", "run:retry", "r")["hint"]
        self.assertIn("reprise run:rewind r --before t1 --dry-run", hint)
        self.ok("run:rewind", "r", "--before", "t1", "--dry-run")

    def test_a_run_that_failed_with_its_child_waits_for_the_child(self):
        (self.work / "kid.js").write_text(STEP)
        (self.work / "fam.js").write_text(
            "export async function process(i, ctx) { return await ctx.run('./kid.js', {}); }\n"
        )
        self.ok("run:create", "--run-id", "fam", "--entry", "fam.js")
        self.ok("run:iterate", "fam")
        self.ok("run:iterate", "fam.t1")
        error = '{"message":"no"}'
        self.ok("task:post", "fam.t1", "t1", "--status", "error", "--error-inline", error)
        self.ok("run:iterate", "fam.t1", exit=1)
        self.ok("run:iterate", "fam", exit=1)
        error = self.refused(4, "CHILD_ENDED", "run:retry", "fam")
        self.assertIn("reprise run:retry fam.t1", error["hint"])
        self.ok("run:retry", "fam.t1")
        self.ok("run:retry", "fam")
        self.post("fam.t1", "t1", {"success": True})
        self.ok("run:iterate", "fam.t1")
        self.assertEqual(self.ok("run:iterate", "fam")["status"], "completed")


class Names(harness.Home):
    def test_a_run_in_the_archive_is_said_to_be_there(self):
        self.ok("run:create", "--run-id", "late")
        self.ok("run:halt", "late")
        self.ok("run:archive", "late")
        hint = self.refused(3, "RUN_NOT_FOUND", "run:status", "late")["hint"]
        self.assertIn("archive", hint)
        self.ok("run:status", "late", "--runs-dir", hint.rsplit(" ", 1)[1])

    def test_a_folder_that_holds_a_home_is_not_taken_for_one(self):
        self.ok("init", "proj")
        for words in (["run:list"], ["run:create", "--run-id", "r"]):
            error = self.refused(3, "HOME_NOT_FOUND", *words, "--home", "proj")
            self.assertIn("proj/.reprise", error["hint"])
        self.assertFalse((self.work / "proj" / "runs").exists())

    def test_a_built_in_process_is_named_alike_everywhere(self):
        made = self.ok("run:create", "--entry", "builtin:checklist", "--input", 'steps=["true"]')
        self.assertEqual(made["processId"], "checklist")
        hint = self.refused(3, "ENTRY_NOT_FOUND", "run:start", "checklist")["hint"]
        self.assertIn("builtin:checklist", hint)

    def test_an_interrupt_makes_no_channel(self):
        self.refused(3, "CHANNEL_NOT_FOUND", "message:interrupt", "genral", "stop")
        self.assertFalse((self.home / "runs" / "genral").exists())


if __name__ == "__main__":
    harness.main()
