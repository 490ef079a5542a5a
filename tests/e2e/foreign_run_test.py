"""Runs of babysitter's: every command leaves their folders as they are, and says whose they are."""

import hashlib
import json

import every_command
import harness

AT = "2026-11-23T10:00:00.000Z"
PROCESS = {"importPath": "../process.js", "exportName": "process"}


def record(number, kind, data):
    """The name and the bytes of a journal's file, as babysitter writes them."""
    ulid = f"01JD3Y8Z6Q{number:016d}"
    body = {"type": kind, "recordedAt": AT, "data": data}
    sum_of = hashlib.sha256((json.dumps(body, indent=2) + "\n").encode()).hexdigest()
    return f"journal/{number:06d}.{ulid}.json", {**body, "checksum": sum_of}


def babysitters_run(folder, run):
    """A run that waits for its first effect, with the files of babysitter 0.0.187."""
    task = {"schemaVersion": "2026.01.tasks-v1", "effectId": "01AAA", "kind": "agent"}
    created = {"runId": run, "processId": "p", "entrypoint": PROCESS, "inputsRef": "inputs.json"}
    files = {
        "run.json": {
            "runId": run,
            "request": "p",
            "processId": "p",
            "entrypoint": PROCESS,
            "layoutVersion": "2026.01-storage-preview",
            "createdAt": AT,
            "completionProof": "0" * 32,
        },
        "inputs.json": {"a": 1},
        "state/state.json": {"schemaVersion": "2026.01.state-cache", "savedAt": AT},
        "tasks/01AAA/task.json": task,
        **dict([record(1, "RUN_CREATED", created),
                record(2, "EFFECT_REQUESTED", {"effectId": "01AAA", "kind": "agent"})]),
    }  # fmt: skip
    for name, content in files.items():
        path = folder / run / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content, indent=2) + "\n")
    for name in ("blobs", "orphaned", "process"):
        (folder / run / name).mkdir()
    return folder / run


def listing(folder):
    """Every path below, with its bytes, its mode and when it changed."""
    found = {}
    for path in sorted([folder, *folder.rglob("*")]):
        status = path.lstat()
        content = path.read_bytes() if path.is_file() else None
        found[str(path)] = (content, status.st_mode, status.st_mtime_ns, status.st_ctime_ns)
    return found


class ForeignRun(harness.Home):
    def setUp(self):
        super().setUp()
        self.write("main.mjs", "export async function process() {}")
        self.write("answers.json", {})
        (self.home / "runs").mkdir(parents=True)
        self.foreign = babysitters_run(self.home / "runs", "old")
        self.before = listing(self.foreign)

    def untouched(self):
        self.assertEqual(listing(self.foreign), self.before)

    def test_a_command_says_whose_run_it_is(self):
        for named in ("old", self.foreign, "@last"):
            if named == "@last":
                self.refused(3, "RUN_NOT_FOUND", "run:iterate", named)
                continue
            error = self.refused(3, "FOREIGN_RUN", "run:iterate", named)
            self.assertIn("babysitter's", error["message"])
            self.assertIn(f"babysitter run:iterate {self.foreign}", error["hint"])
            self.assertIn("run:create", error["hint"])
        self.refused(3, "FOREIGN_RUN", "run:delete", "old", "--yes", "--force")
        self.refused(3, "FOREIGN_RUN", "run:archive", "old", "--force")
        self.refused(3, "FOREIGN_RUN", "run:repair-journal", "old", "--accept-loss")
        self.untouched()

    def test_no_command_changes_its_folder(self):
        tried = refused = 0
        for command in every_command.commands():
            takes_run = every_command.takes_run(command)
            for named in ("old", self.foreign) if takes_run else (self.foreign,):
                answer = self.call(*every_command.words_of(command, named))
                self.assertEqual(listing(self.foreign), self.before, answer)
                self.assertIn(answer.exit, range(14), answer)
                tried += 1
                if not takes_run:
                    continue
                self.assertEqual(answer.exit, 3, answer)
                self.assertIn("a run of babysitter's", answer.err, answer)
                self.assertNotIn("delete", answer.err, answer)
                refused += 1
        print(f"{tried} commands at a run of babysitter's: {refused} refused, 0 changed its folder")

    def test_it_is_no_place_for_a_home(self):
        for words in (["--home", self.foreign], ["--runs-dir", self.foreign],
                      ["--runs-dir", self.foreign / "runs"]):  # fmt: skip
            self.refused(3, "FOREIGN_RUN", "run:create", "--entry", "main.mjs", *words)
        self.refused(3, "FOREIGN_RUN", "init", "--home", self.foreign)
        self.untouched()

    def test_it_is_counted_once_and_not_as_damage(self):
        babysitters_run(self.home / "runs", "older")
        self.ok("run:create", "--run-id", "ours")
        listed = {run["runId"]: run for run in self.ok("run:list")["runs"]}
        self.assertEqual(listed["old"]["status"], "foreign")
        self.assertEqual(listed["old"]["error"]["code"], "FOREIGN_RUN")
        self.assertEqual(len(self.ok("run:list", "--status", "foreign")["runs"]), 2)
        self.assertEqual(self.ok("run:list", "--status", "damaged")["runs"], [])
        inbox = self.ok("inbox")
        self.assertEqual(inbox["runs"], {"created": 1, "foreign": 2})
        self.assertEqual(inbox["damaged"], [])
        self.assertEqual(self.ok("run:status", "@last")["runId"], "ours")
        self.assertEqual(self.ok("heartbeat")["runs"], [])
        findings = self.ok("doctor")["findings"]
        told = [f for f in findings if "babysitter" in f["what"]]
        self.assertEqual([(f["check"], f["level"]) for f in told], [("runs", "ok")])
        self.assertIn("2 runs of babysitter's", told[0]["what"])
        self.untouched()

    def test_a_backup_copies_it_as_it_is(self):
        self.ok("run:create", "--run-id", "ours")
        copied = self.ok("backup", "../copy", "--verify")
        self.assertEqual((copied["runs"], copied["foreign"], copied["damaged"]), (1, ["old"], []))
        copy = listing(self.folder / "copy/runs/old")
        of = {path.removeprefix(str(self.folder / "copy/runs/old")): row[0]
              for path, row in copy.items()}  # fmt: skip
        self.assertEqual(of, {path.removeprefix(str(self.foreign)): row[0]
                              for path, row in self.before.items()})  # fmt: skip
        self.untouched()

    def test_a_new_run_beside_it_works(self):
        self.checklist("new", "make")
        self.post("new", "t1", {"exitCode": 0})
        self.assertEqual(self.ok("run:iterate", "new")["status"], "completed")
        self.refused(4, "RUN_EXISTS", "run:create", "--entry", "main.mjs", "--run-id", "old")
        self.untouched()


if __name__ == "__main__":
    harness.main()
