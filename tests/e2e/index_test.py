"""Questions across runs: lists with filters and pages, events, the inbox, the index behind them."""

import concurrent.futures
import json
import os
import signal
import subprocess

import harness

EMITTER = """
export async function process({ n }, ctx) {
  ctx.emit('begun', { n });
  await ctx.breakpoint({ question: `Deploy ${n} to production?` }, { label: 'deploy' });
  ctx.emit('done', { n });
}
"""


class Lists(harness.Home):
    def setUp(self):
        super().setUp()
        self.checklist("a", "make", "make test")
        self.checklist("b", "make")
        self.script(EMITTER, "--label", "team=web", "--input", "n=1", run="c")
        self.ok("run:create", "--run-id", "bare")

    def runs(self, *words):
        return [run["runId"] for run in self.ok("run:list", *words)["runs"]]

    def test_runs_are_listed_the_newest_first_and_by_what_they_are(self):
        self.assertEqual(self.runs(), ["bare", "c", "b", "a"])
        self.assertEqual(self.runs("--status", "created"), ["bare"])
        self.assertEqual(self.runs("--status", "created", "--status", "waiting", "--limit", "2"),
                         ["bare", "c"])
        self.assertEqual(self.runs("--process", "checklist"), ["b", "a"])
        self.assertEqual(self.runs("--label", "team=web"), ["c"])
        self.assertEqual(self.runs("--label", "team=ops"), [])
        self.assertEqual(self.runs("--waiting-for", "breakpoint"), ["c"])
        self.assertEqual(self.runs("--waiting-for", "shell"), ["b", "a"])
        self.assertEqual(self.runs("--since", "1h"), ["bare", "c", "b", "a"])
        self.assertEqual(self.runs("--since", "2100-01-01T00:00:00Z"), [])
        self.assertEqual(self.runs("--parent", "a"), [])
        self.refused(2, "INVALID_ARGUMENT", "run:list", "--since", "yesterday")

    def test_pages_go_on_behind_a_run_that_is_in_the_list_no_more(self):
        page = self.ok("run:list", "--status", "waiting", "--limit", "1")
        self.assertEqual(page["next"], "c")
        self.ok("run:halt", "c", "--reason", "enough")
        self.assertEqual(self.runs("--status", "waiting", "--after", "c"), ["b", "a"])
        self.refused(3, "RUN_NOT_FOUND", "run:list", "--after", "nothing")

    def test_pending_effects_of_all_runs(self):
        tasks = self.ok("task:list")["tasks"]
        self.assertEqual([(t["runId"], t["effectId"], t["kind"]) for t in tasks],
                         [("a", "t1", "shell"), ("b", "t1", "shell"), ("c", "t1", "breakpoint")])
        self.assertEqual(len(self.ok("task:list", "--kind", "shell")["tasks"]), 2)
        either = self.ok("task:list", "--kind", "shell", "--kind", "agent")
        self.assertEqual(len(either["tasks"]), 2)
        page = self.ok("task:list", "--limit", "2")
        self.assertEqual(page["next"], "b/t1")
        self.post("b", "t1", {"exitCode": 0})
        self.assertEqual(
            [t["runId"] for t in self.ok("task:list", "--after", page["next"])["tasks"]], ["c"])
        self.ok("task:claim", "a", "t1", "--worker", "w")
        self.assertEqual([t["claim"]["worker"] for t in
                          self.ok("task:list", "--standing", "claimed")["tasks"]], ["w"])
        self.assertEqual([t["runId"] for t in
                          self.ok("task:list", "--standing", "available")["tasks"]], ["c"])
        self.ok("run:pause", "c")
        for words in (("--standing", "available"), ("c", "--standing", "available")):
            self.assertEqual(self.ok("task:list", *words)["tasks"], [])
        self.assertEqual(self.ok("task:list", "a", "--standing", "held")["tasks"], [])
        self.assertEqual(self.ok("run:list", "--parent", "@last")["runs"], [])
        self.refused(3, "RUN_NOT_FOUND", "run:list", "--parent", "gone")
        self.assertEqual(len(self.ok("task:list", "a", "--standing", "claimed")["tasks"]), 1)
        self.refused(2, "INVALID_ARGUMENT", "task:list", "--after", "t1")

    def test_a_document_of_one_run_and_of_all_say_the_same_of_an_effect(self):
        of_all = self.ok("task:list", "--kind", "breakpoint")["tasks"][0]
        of_one = self.ok("task:list", "c")["tasks"][0]
        self.assertEqual(of_all.pop("runId"), "c")
        self.assertEqual(of_all, of_one)

    def test_questions_of_all_runs(self):
        self.script(EMITTER, "--input", "n=2", run="d")
        asked = self.ok("approval:list", "--limit", "1")
        self.assertEqual([a["question"] for a in asked["approvals"]], ["Deploy 1 to production?"])
        self.ok("approval:approve", "c", "t1")
        rest = self.ok("approval:list", "--after", asked["next"])
        self.assertEqual([a["runId"] for a in rest["approvals"]], ["d"])
        self.assertEqual(len(self.ok("approval:list")["approvals"]), 1)

    def test_events_of_all_runs_go_on_behind_a_cursor(self):
        first = self.ok("event:list")
        self.assertEqual([(e["runId"], e["type"], e["payload"]) for e in first["events"]],
                         [("c", "begun", {"n": 1})])
        self.script(EMITTER, "--input", "n=2", run="d")
        self.ok("approval:approve", "c", "t1", "--iterate")
        later = self.ok("event:list", "--after", first["cursor"])
        self.assertEqual({(e["runId"], e["type"]) for e in later["events"]},
                         {("d", "begun"), ("c", "done")})
        self.assertEqual(self.ok("event:list", "--after", later["cursor"])["events"], [])
        self.assertEqual([e["runId"] for e in self.ok("event:list", "--run", "d")["events"]], ["d"])
        self.assertEqual(len(self.ok("event:list", "--type", "done")["events"]), 1)
        page = self.ok("event:list", "--limit", "2")
        self.assertEqual(len(self.ok("event:list", "--after", page["next"])["events"]), 1)

    def test_a_cursor_of_an_index_that_was_made_anew_says_so(self):
        cursor = self.ok("event:list")["cursor"]
        self.ok("index:rebuild")
        error = self.refused(4, "CURSOR_EXPIRED", "event:list", "--after", cursor)
        self.assertIn("--since", error["hint"])
        self.refused(2, "INVALID_ARGUMENT", "event:list", "--after", "garbage")


class Inbox(harness.Home):
    def test_an_empty_home_says_how_to_begin(self):
        unnamed = {"REPRISE_HOME": ""}
        answer = self.call(environment=unnamed)
        self.assertEqual(answer.exit, 0, answer)
        self.assertIn("reprise run:start FILE.mjs", answer.out)
        self.assertFalse((self.folder / ".reprise").exists())
        self.assertEqual(self.ok("inbox", environment=unnamed)["runs"], {})

    def test_each_thing_that_waits_comes_with_the_command_that_settles_it(self):
        self.script(EMITTER, "--input", "n=1", run="asks")
        self.checklist("lost", "make")
        self.ok("task:claim", "lost", "t1", "--pid", os.getpid(), "--worker", "w", "--lease", "1ms")
        self.script("export async function process() { throw new Error('no such thing'); }",
                    run="failed", exit=1)
        self.checklist("idle", "make")
        self.checklist("ready", "make")
        self.post("ready", "t1", {"exitCode": 0})
        self.checklist("damaged", "make")
        journal = self.run_dir("damaged") / "journal" / "00000001.jsonl"
        journal.write_bytes(journal.read_bytes().replace(b"RUN_CREATED", b"RUN_CRAETED"))
        (self.run_dir("damaged") / "state" / "state.json").unlink()
        inbox = self.ok("inbox")
        commands = {name: [item["command"] for item in inbox[name]] for name in
                    ("approvals", "held", "lost", "failed", "available", "ready", "damaged")}
        self.assertEqual(commands, {
            "approvals": ["reprise approval:approve asks t1"],
            "held": [],
            "lost": ["reprise run:drive lost"],
            "failed": ["reprise run:status failed"],
            "available": ["reprise run:drive idle"],
            "ready": ["reprise run:iterate ready"],
            "damaged": ["reprise run:verify damaged"],
        })
        self.assertEqual(inbox["approvals"][0]["what"], "Deploy 1 to production?")
        self.assertEqual(inbox["failed"][0]["what"], "no such thing")
        text = self.call().out
        self.assertIn("reprise approval:approve asks t1", text)
        self.assertLessEqual(max(len(line) for line in text.splitlines()), 80)
        harness.validate(json.loads(self.call("--json").out), "inbox")
        self.call("run:iterate", "lost")
        self.ok("approval:approve", "asks", "t1", "--iterate")
        after = self.ok("inbox")
        self.assertEqual((after["lost"], after["approvals"]), ([], []))

    def test_escape_sequences_of_a_question_do_not_reach_the_terminal(self):
        self.script("export async function process(i, ctx) {"
                    " await ctx.breakpoint({ question: '\\u001b[31mred\\u202e' }); }")
        out = self.call().out
        self.assertNotIn("\x1b", out)
        self.assertNotIn("\u202e", out)

    def test_more_than_fit_are_named(self):
        for i in range(3):
            self.checklist(f"r{i}", "make")
            self.post(f"r{i}", "t1", {"exitCode": 0})
        inbox = self.ok("inbox", "--limit", "2")
        self.assertEqual(len(inbox["ready"]), 2)
        self.assertEqual(inbox["more"], {"ready": "reprise run:list --status ready"})


class Index(harness.Home):
    def answers(self):
        """What every question across runs says, without what names the index itself."""
        events = self.ok("event:list", "--all")
        return [self.ok("run:list", "--all"), self.ok("task:list", "--all"),
                self.ok("approval:list", "--all"), self.ok("inbox", "--all"),
                sorted(map(json.dumps, events["events"]))]

    def fill(self):
        for i in range(6):
            self.script(EMITTER, "--input", f"n={i}", run=f"s{i}")
            self.checklist(f"c{i}", "make", "make test")

    def test_status_and_rebuild_agree(self):
        self.fill()
        before = self.answers()
        status = self.ok("index:status")
        self.assertEqual((status["runs"], status["where"]), (12, "home"))
        rebuilt = self.ok("index:rebuild")
        self.assertEqual(rebuilt["runsRead"], 12)
        for name in ("runs", "byStatus", "records", "pendingEffects", "events"):
            self.assertEqual(rebuilt[name], status[name])
        self.assertEqual(self.answers(), before)

    def test_damage_is_noticed_and_mended_on_the_way(self):
        self.fill()
        before = self.answers()
        index = self.home / "index.db"
        for damage in (lambda: index.write_bytes(b"x" * 9000),
                       lambda: index.write_bytes(index.read_bytes()[:5000]),
                       index.unlink,
                       (self.home / "changes.log").unlink,
                       (self.home / "index.lock").unlink):
            damage()
            self.assertEqual(self.answers(), before)

    def test_the_index_is_for_its_owner_alone(self):
        self.checklist("a", "make")
        self.ok("run:list")
        for name in ("index.db", "changes.log", "index.lock"):
            self.assertEqual((self.home / name).stat().st_mode & 0o077, 0, name)

    def test_a_folder_of_runs_of_another_name_has_an_index_of_its_own(self):
        self.checklist("a", "make")
        other = self.folder / "home" / "others"
        self.ok("run:create", "--run-id", "z", "--runs-dir", other)
        self.assertEqual([r["runId"] for r in self.ok("run:list", "--runs-dir", other)["runs"]],
                         ["z"])
        self.assertEqual([r["runId"] for r in self.ok("run:list")["runs"]], ["a"])
        self.assertTrue((self.home / "others.index.db").exists())

    def test_a_run_that_is_named_by_its_path_is_marked_in_its_own_home(self):
        self.checklist("a", "make")
        for _ in range(3):
            self.ok("run:list")
        link = self.work / "link"
        link.symlink_to(self.run_dir("a"))
        elsewhere = {"REPRISE_HOME": str(self.folder / "elsewhere")}
        self.ok("task:post", f"{link}/", "t1", "--status", "ok", "--value-inline", "{}",
                environment=elsewhere)
        self.assertEqual(self.ok("run:list")["runs"][0]["status"], "ready")

    def test_a_writer_that_can_neither_mark_nor_spoil_the_log_records_nothing(self):
        self.checklist("a", "make")
        self.ok("run:list")
        log = self.home / "changes.log"
        log.unlink()
        (log / "in the way").mkdir(parents=True)
        records = len(self.records("a"))
        self.refused(8, "SYSTEM_ERROR", "task:post", "a", "t1", "--status", "ok",
                     "--value-inline", "{}")
        self.assertEqual(len(self.records("a")), records)

    def test_writers_and_questions_at_once_end_as_a_rebuild_says(self):
        self.fill()

        def write(i):
            self.call("task:post", f"c{i}", "t1", "--status", "ok", "--value-inline", "{}",
                      "--iterate")
            self.call("approval:approve", f"s{i}", "t1", "--iterate")

        def ask(i):
            answer = self.call(["run:list", "task:list", "event:list", "inbox"][i % 4], "--json")
            self.assertEqual(answer.exit, 0, answer)

        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            jobs = [pool.submit(write, i) for i in range(6)]
            jobs += [pool.submit(ask, i) for i in range(24)]
            for job in jobs:
                job.result()
        before = self.answers()
        self.ok("index:rebuild")
        self.assertEqual(self.answers(), before)

    def test_questions_that_are_killed_leave_an_index_that_a_rebuild_agrees_with(self):
        self.fill()
        command = [harness.BINARY, "run:list", "--json"]
        killed = 0
        for call in ("openat", "pwrite64", "ftruncate", "write", "unlink", "flock"):
            for number in (1, 2, 5, 9, 14, 20, 30):
                self.call("run:signal", "s0", "note")
                if number % 2:
                    (self.home / "index.db").unlink(missing_ok=True)
                done = subprocess.run(
                    ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}",
                     "-e", f"inject={call}:signal=KILL:when={number}", *command],
                    env={**self.environment, "ASAN_OPTIONS": "detect_leaks=0"},
                    capture_output=True, cwd=self.work, timeout=harness.TIMEOUT_S, check=False)
                self.assertIn(done.returncode, (0, -signal.SIGKILL, 128 + signal.SIGKILL))
                killed += done.returncode != 0
                self.ok("run:list", "--limit", "1")
        self.assertGreater(killed, 15)
        before = self.answers()
        self.ok("index:rebuild")
        self.assertEqual(self.answers(), before)


if __name__ == "__main__":
    harness.main()
