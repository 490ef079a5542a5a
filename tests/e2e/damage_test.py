"""Damaged runs, hostile files, held locks, wrong clocks: named, never guessed around."""

import fcntl
import json
import os
import resource
import shutil
import subprocess

import harness

SEGMENT = "journal/00000001.jsonl"


class Journals(harness.Home):
    def setUp(self):
        super().setUp()
        self.checklist("r", "make", "make test")
        self.segment = self.run_dir("r") / SEGMENT
        self.whole = self.segment.read_bytes()

    def forget_caches(self):
        (self.run_dir("r") / "state/state.json").unlink(missing_ok=True)

    def test_a_flipped_byte_is_found_and_named(self):
        damaged = bytearray(self.whole)
        damaged[damaged.index(b"EFFECT_REQUESTED")] ^= 1
        self.segment.write_bytes(damaged)
        self.forget_caches()
        error = self.refused(5, "JOURNAL_CORRUPT", "run:iterate", "r")
        self.assertIn("00000001", error["message"])
        for limit in (("--limit", "100"), ("--all",)):
            self.refused(5, "JOURNAL_CORRUPT", "run:events", "r", *limit)
        verdict = self.ok("run:verify", "r", exit=1)
        self.assertFalse(verdict["ok"])
        self.assertEqual(verdict["journal"]["damage"]["kind"], "corrupt")
        self.assertEqual(verdict["journal"]["damage"]["line"], 3)
        self.assertEqual(verdict["journal"]["damage"]["lastGoodSeq"], 1)
        self.refused(2, "LOSS_NOT_ACCEPTED", "run:repair-journal", "r")
        self.assertEqual(self.segment.read_bytes(), bytes(damaged))

    def test_a_run_without_its_first_record_is_lost(self):
        self.segment.write_bytes(self.whole.replace(b"RUN_CREATED", b"RUN_CRAETED"))
        self.forget_caches()
        self.refused(5, "JOURNAL_LOST", "run:repair-journal", "r", "--accept-loss")

    def test_a_run_of_which_nothing_is_left_can_be_got_rid_of(self):
        away = (("run:delete", "r", "--yes"), ("run:archive", "r"))
        for words in away:
            self.segment.unlink()
            error = self.refused(5, "JOURNAL_RECORDS_MISSING", "run:status", "r")
            self.assertIn("run:delete r --yes --force", error["hint"])
            self.assertNotIn("accept-loss", error["hint"])
            error = self.refused(5, "JOURNAL_LOST", "run:repair-journal", "r", "--accept-loss")
            self.assertIn("run:delete r --yes --force", error["hint"])
            (problem,) = self.ok("run:verify", "r", exit=1)["problems"]
            self.assertEqual(problem["remedy"], "reprise run:delete r --yes --force")
            self.refused(5, "JOURNAL_RECORDS_MISSING", *words)
            (gone,) = self.ok(*words, "--force")["runs"]
            self.assertEqual((gone["runId"], gone["status"], gone["records"]), ("r", "damaged", 0))
            self.assertEqual(self.ok("run:list")["runs"], [])
            if words[0] == "run:delete":
                self.checklist("r", "make")

    def test_missing_records_are_called_missing_and_can_be_accepted(self):
        lines = self.whole.splitlines(keepends=True)
        self.segment.write_bytes(b"".join(lines[:-1]))
        self.refused(5, "JOURNAL_RECORDS_MISSING", "run:status", "r")
        self.refused(5, "JOURNAL_RECORDS_MISSING", "task:list", "r")
        plan = self.ok("run:repair-journal", "r", "--accept-loss", "--dry-run")
        self.assertTrue(plan["needed"])
        self.assertFalse(plan["repaired"])
        self.refused(5, "JOURNAL_RECORDS_MISSING", "run:status", "r")
        self.assertTrue(self.ok("run:repair-journal", "r", "--accept-loss")["repaired"])
        self.assertFalse(self.ok("run:repair-journal", "r", "--accept-loss")["needed"])
        self.assertEqual(self.ok("run:iterate", "r")["status"], "waiting")
        self.assertTrue(self.ok("run:verify", "r")["ok"])

    def test_a_torn_tail_is_ignored_by_readers_and_cut_off_by_writers(self):
        torn = b'{"seq":3,"type":"EFFECT_RESOLVED","at":"1066'
        self.segment.write_bytes(self.whole + torn)
        self.assertEqual(self.ok("run:status", "r")["state"], "waiting")
        verdict = self.ok("run:verify", "r")
        self.assertEqual(verdict["journal"]["tornBytes"], len(torn))
        self.assertEqual(self.segment.read_bytes(), self.whole + torn)
        self.post("r", "t1", {"exitCode": 0})
        self.assertTrue(self.segment.read_bytes().startswith(self.whole))
        self.assertNotIn(torn, self.segment.read_bytes())
        kept = list((self.run_dir("r") / "journal/torn").iterdir())
        self.assertEqual([path.read_bytes() for path in kept], [torn])

    def test_a_journal_of_another_run_is_not_taken_for_its_own(self):
        self.checklist("other", "rm -rf build", "make")
        shutil.copy(self.run_dir("other") / SEGMENT, self.segment)
        answer = self.call("run:verify", "r", "--json")
        self.assertEqual(answer.exit, 1, answer)

    def test_a_lost_blob_is_named(self):
        self.post("r", "t1", {"log": "x" * 100_000})
        (blob,) = (self.run_dir("r") / "blobs").iterdir()
        blob.unlink()
        self.refused(5, "BLOB_MISSING", "task:show", "r", "t1")
        self.assertFalse(self.ok("run:verify", "r", exit=1)["ok"])
        blob.write_text('"something else"')
        self.refused(5, "BLOB_DAMAGED", "task:show", "r", "t1")

    def test_a_changed_pinned_source_is_refused(self):
        self.script("export async function process() { return 1; }", run="s")
        self.ok("run:create", "--entry", self.work / "main.js", "--run-id", "t")
        (self.run_dir("t") / "process/main.js").write_text(
            "export async function process() { return 2; }"
        )
        self.refused(5, "PROCESS_DAMAGED", "run:iterate", "t")
        self.assertFalse(self.ok("run:verify", "t", exit=1)["ok"])

    def test_links_and_pipes_planted_in_a_run_are_refused(self):
        secret = self.write("secret.txt", "secret")
        self.segment.unlink()
        self.segment.symlink_to(secret)
        answer = self.call("run:status", "r", "--json")
        self.assertEqual(answer.exit, 5, answer)
        self.segment.unlink()
        os.mkfifo(self.segment)
        answer = self.call("run:status", "r", "--json")
        self.assertEqual(answer.exit, 5, answer)

    def test_a_copied_run_goes_on_as_itself(self):
        there = self.home / "runs" / "copy"
        shutil.copytree(self.run_dir("r"), there)
        self.ok(
            "task:post",
            "copy",
            "t1",
            "--status",
            "ok",
            "--value-inline",
            '{"exitCode":0}',
            "--iterate",
        )
        self.assertEqual(
            [t["status"] for t in self.ok("task:list", "copy")["tasks"]],
            ["resolved_ok", "requested"],
        )
        self.assertEqual([t["status"] for t in self.ok("task:list", "r")["tasks"]], ["requested"])


class Surroundings(harness.Home):
    def setUp(self):
        super().setUp()
        self.checklist("r", "make", "make test")

    def test_a_held_lock_is_waited_for_and_named(self):
        with open(self.run_dir("r") / "run.lock", "r+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.refused(7, "LOCKED", "run:iterate", "r", "--lock-timeout", "20ms")
            self.ok("run:status", "r")
            self.ok("run:events", "r")
        self.ok("run:iterate", "r", "--lock-timeout", "20ms")

    def test_a_replaced_lock_file_still_locks(self):
        (self.run_dir("r") / "run.lock").unlink()
        self.ok("run:iterate", "r")
        self.post("r", "t1", {"exitCode": 0})

    def test_a_file_that_may_not_grow_is_an_error_and_no_death(self):
        segment = self.run_dir("r") / SEGMENT
        whole = segment.read_bytes()
        size = len(whole)
        limited = subprocess.run(
            [harness.BINARY, "task:post", "r", "t1", "--status", "ok", "--value-inline", "1"],
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
            capture_output=True,
            text=True,
            env=self.environment,
            timeout=harness.TIMEOUT_S,
            check=False,
        )
        self.assertEqual((limited.returncode, limited.stdout), (8, ""), limited.stderr)
        self.assertIn("File too large", limited.stderr)
        self.assertEqual(segment.read_bytes(), whole)
        self.post("r", "t1", 1)

    def test_a_clock_behind_the_journal_is_named_and_refused(self):
        entry = self.write(
            "main.js", "export async function process(i, ctx) { await ctx.breakpoint({}); }"
        )
        self.ok(
            "run:create",
            "--entry",
            entry,
            "--run-id",
            "s",
            "--simulated",
            "--now",
            "2126-01-01T00:00:00Z",
        )
        self.ok("run:iterate", "s", "--now", "2126-01-01T00:00:01Z")
        journal = self.run_dir("s") / SEGMENT
        self.assertIn(b"2126-01-01", journal.read_bytes())
        self.ok("run:iterate", "s")

    def test_a_run_of_somebody_else_can_be_read_but_not_written(self):
        # As root nothing is read-only, so the command runs as nobody.
        binary = shutil.copy(harness.BINARY, self.folder / "reprise")
        subprocess.run(["chmod", "-R", "a+rX,a-w", self.folder], check=True)
        self.addCleanup(subprocess.run, ["chmod", "-R", "u+w", self.folder], check=True)
        user = {"user": 65534, "group": 65534} if os.geteuid() == 0 else {}

        def call(*words):
            return subprocess.run(
                [binary, *words, "--json"],
                env=self.environment,
                cwd=self.work,
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
                **user,
            )

        self.assertEqual(json.loads(call("run:status", "r").stdout)["state"], "waiting")
        self.assertEqual(
            json.loads(call("task:show", "r", "t1").stdout)["effect"]["status"], "requested"
        )
        refused = call("task:post", "r", "t1", "--status", "ok", "--value-inline", "1")
        self.assertEqual(refused.returncode, 8, refused)
        harness.validate(json.loads(refused.stdout), "error")

    # Those that take runs away, and those that have nothing to say of this run.
    NOT_READING = ("run:archive", "run:delete", "run:output", "approval:show", "task:logs")
    WORDS = {
        "task:show": ("t1",),
        "run:wait": ("--timeout", "1ms"),
        "run:watch": ("--wait-for", "1ms"),
    }

    def test_reading_changes_nothing(self):
        def snapshot():
            return {
                str(path): (path.stat().st_mtime_ns, path.stat().st_ino, path.read_bytes())
                for path in sorted(self.run_dir("r").rglob("*"))
                if path.is_file()
            }

        before = snapshot()
        for command in self.ok("help")["commands"]:
            name = command["name"]
            takes = {positional["name"] for positional in command["positionals"]}
            about_runs = "RUN" in takes or name in ("inbox", "doctor", "event:list")
            if command["writes"] or not about_runs or name in self.NOT_READING:
                continue
            words = ("r", *self.WORDS.get(name, ())) if "RUN" in takes else ()
            answer = self.call(name, *words)
            self.assertIn(answer.exit, (0, 10), answer)
        self.assertEqual(snapshot(), before)


if __name__ == "__main__":
    harness.main()
