"""The subconscious loop: tasks, ticks that are performed, cards, what stands in its way."""

import json
import unittest

import harness

ANALYSIS = "Three mails are urgent.\nRECOMMENDED ACTION: forward 3 urgent emails to #team-alerts"
ACTION = "forward 3 urgent emails to #team-alerts"


def decisions(**by_task):
    return {
        "evaluations": [
            {"taskId": task.replace("_", "-"), "decision": decision, "reason": "because"}
            for task, decision in by_task.items()
        ]
    }


class Loop(harness.Home):
    def configure(self, evaluation, *answers, **heartbeat):
        mock = {"type": "mock", "answers": [{"kind": "evaluate", **evaluation}, *answers]}
        kinds = ("evaluate", "act", "agent")
        self.home.mkdir(exist_ok=True)
        (self.home / "config.json").write_text(
            json.dumps(
                {
                    "executors": {"offline": mock},
                    "match": [{"kind": kind, "executor": "offline"} for kind in kinds],
                    "heartbeat": heartbeat,
                }
            )
        )

    def add(self, title, *words):
        return self.ok("heartbeat:tasks", "add", title, *words)["task"]["taskId"]

    def log(self, *words):
        return self.ok("heartbeat:log", *words)["entries"]

    def open_tasks(self):
        tasks = self.ok("task:list", "subconscious")["tasks"]
        return [task for task in tasks if task["status"] == "requested"]

    def carded(self):
        """A home in which a card waits; returns its effect."""
        self.configure(
            {"value": decisions(task_1="noop", task_4="escalate")},
            {"task": "heartbeat.analyse", "value": ANALYSIS},
            {"task": "heartbeat.approved", "value": "forwarded"},
        )
        self.add("Check urgent emails")
        self.ok("heartbeat:run-now")
        (card,) = self.ok("approval:list")["approvals"]
        return card["effectId"]


class Tasks(Loop):
    def test_a_home_without_a_loop_has_no_tasks_and_is_not_made(self):
        self.assertEqual(self.ok("heartbeat:tasks")["tasks"], [])
        self.assertFalse(self.ok("heartbeat:status")["exists"])
        self.assertFalse(self.home.exists())

    def test_tasks_are_added_changed_and_removed(self):
        task = self.ok("heartbeat:tasks", "add", "Send the digest", "--recurrence", "0 9 * * 1-5",
                       "--tz", "Europe/Berlin")["task"]
        self.assertEqual(task["intent"], "write")
        self.assertEqual(task["timeZone"], "Europe/Berlin")
        self.assertFalse(task["due"])
        id = task["taskId"]
        edited = self.ok("heartbeat:tasks", "edit", id, "--recurrence", "once", "--intent", "read")
        self.assertEqual(edited["task"]["intent"], "read")
        self.assertTrue(edited["task"]["due"])
        self.assertFalse(self.ok("heartbeat:tasks", "disable", id)["task"]["enabled"])
        self.assertTrue(self.ok("heartbeat:tasks", "enable", id)["task"]["enabled"])
        self.assertEqual(len(self.ok("heartbeat:tasks", "remove", id)["tasks"]), 3)

    def test_a_repeat_with_a_key_adds_nothing(self):
        for recorded in (True, False):
            added = self.ok("heartbeat:tasks", "add", "Look", "--key", "k")
            self.assertEqual(added["recorded"], recorded)
        self.assertEqual(len(added["tasks"]), 4)

    def test_bad_words_are_refused(self):
        add = ("heartbeat:tasks", "add")
        self.refused(2, "INVALID_CRON", *add, "x", "--recurrence", "61 * * * *")
        self.refused(2, "INVALID_CRON", *add, "x", "--recurrence", "0 0 30 2 *")
        self.refused(2, "UNKNOWN_ZONE", *add, "x", "--recurrence", "* * * * *", "--tz", "Mars/Base")
        self.refused(2, "INVALID_ARGUMENT", *add, "x", "--tz", "UTC")
        self.refused(2, "INVALID_TASK", *add, "a\nb")
        self.refused(2, "MISSING_ARGUMENT", *add)
        self.refused(2, "INVALID_ARGUMENT", "heartbeat:tasks", "destroy", "task-1")
        self.refused(2, "INVALID_ARGUMENT", "heartbeat:tasks", "--name", "../x")
        self.refused(4, "SYSTEM_TASK", "heartbeat:tasks", "remove", "task-1")
        self.refused(3, "TASK_NOT_FOUND", "heartbeat:tasks", "disable", "task-99")

    def test_a_home_has_more_loops_by_name(self):
        self.add("Look", "--name", "night")
        self.assertEqual(self.ok("heartbeat:tasks")["tasks"], [])
        self.assertEqual(len(self.ok("heartbeat:tasks", "--name", "night")["tasks"]), 4)


class Ticks(Loop):
    def test_a_loop_whose_run_is_stopped_has_no_next_tick(self):
        self.configure({"value": decisions(task_1="noop", task_2="noop", task_3="noop")})
        self.ok("heartbeat:run-now")
        self.assertIn("nextWindowAt", self.ok("heartbeat:status"))
        for command, status in (("run:pause", "paused"), ("run:halt", "halted")):
            self.ok(command, "subconscious")
            shown = self.ok("heartbeat:status")
            self.assertNotIn("nextWindowAt", shown)
            self.assertEqual((shown["standstill"], shown["stopped"]["status"]),
                             (f"the run is {status}", status))
            self.assertIn(f"the run subconscious is {status}", self.call("heartbeat:status").out)

    def test_a_tick_is_performed_to_its_end(self):
        self.configure({"value": decisions(task_1="noop", task_2="act", task_3="noop")},
                       {"kind": "act", "value": "two new memories"})
        done = self.ok("heartbeat:run-now")
        self.assertEqual(done["state"], "completed")
        states = [(entry["taskId"], entry["state"], entry["text"]) for entry in done["entries"]]
        self.assertEqual(states, [("task-1", "skipped", "Nothing new"),
                                  ("task-2", "acted", "two new memories"),
                                  ("task-3", "skipped", "Nothing new")])
        self.assertEqual(self.log("--task", "task-2")[0]["state"], "acted")
        status = self.ok("heartbeat:status")
        self.assertEqual(status["totalTicks"], 1)
        self.assertEqual(status["lastTick"]["state"], "completed")
        self.assertIn("nextWindowAt", status)

    def test_without_waiting_it_tells_the_id_and_leaves_the_work(self):
        self.configure({"value": decisions(task_1="noop")})
        done = self.ok("heartbeat:run-now", "--no-wait")
        self.assertRegex(done["tickId"], "^k[0-9]+$")
        self.assertEqual(done["state"], "open")
        self.call("run:drive", "subconscious", "--json")
        self.assertEqual(self.ok("heartbeat:status")["lastTick"],
                         {**self.ok("heartbeat:status")["lastTick"], "state": "completed",
                          "tickId": done["tickId"]})

    def test_an_answer_that_cannot_be_read_fails_the_tick(self):
        self.configure({"value": "I would rather not say."})
        self.assertEqual(self.ok("heartbeat:run-now", exit=1)["state"], "failed")
        status = self.ok("heartbeat:status")
        self.assertEqual(status["failures"], 1)
        self.assertNotIn("lastSeenAt", status)
        self.assertEqual({entry["state"] for entry in self.log()}, {"failed"})

    def test_an_error_that_only_a_person_can_mend_pauses_the_loop(self):
        self.configure({"error": {"name": "KeyRefused", "message": "401"}})
        self.ok("heartbeat:run-now", exit=1)
        status = self.ok("heartbeat:status")
        self.assertIn("KeyRefused", status["paused"]["reason"])
        self.assertEqual(status["standstill"], "paused")
        self.assertTrue(self.ok("heartbeat:resume")["recorded"])
        self.assertFalse(self.ok("heartbeat:resume")["recorded"])
        self.assertNotIn("paused", self.ok("heartbeat:status"))

    def test_without_an_evaluator_nothing_is_begun_and_status_says_so(self):
        self.refused(2, "NO_EVALUATOR", "heartbeat:run-now")
        status = self.ok("heartbeat:status")
        self.assertEqual(status["evaluator"], "not configured")
        self.assertIn("not configured", status["standstill"])
        self.assertEqual(status["totalTicks"], 0)

    def test_when_nothing_is_due_nothing_is_recorded(self):
        self.configure({"value": decisions(task_1="noop")})
        self.ok("heartbeat:tasks", "add", "Look", "--recurrence", "once")
        for task in ("task-1", "task-2", "task-3", "task-4"):
            self.ok("heartbeat:tasks", "disable", task)
        before = len(self.records("subconscious"))
        done = self.ok("heartbeat:run-now")
        self.assertIsNone(done["tickId"])
        self.assertEqual(len(self.records("subconscious")), before)

    def test_the_report_tells_of_memory_runs_and_approvals(self):
        self.configure({"value": decisions(task_1="noop")})
        self.ok("memory:save", "Anna prefers short answers")
        self.script("export const process = (i, ctx) => ctx.breakpoint({ question: 'Ship it?' });",
                    run="asks")
        self.script("export const process = () => { throw new Error('broken'); };", run="fails",
                    exit=1)
        self.ok("heartbeat:run-now")
        (report,) = self.ok("event:list", "--type", "heartbeat.report.recorded")["events"]
        text = report["payload"]["text"]
        self.assertIn("Anna prefers short answers", text)
        self.assertIn("run fails (main) is failed", text)
        self.assertIn("asks t1", text)
        order = [text.index(f"## {title}") for title in
                 ("Environment", "Tasks", "Memory", "Runs", "Approvals")]
        self.assertEqual(order, sorted(order))


class Beats(Loop):
    def setUp(self):
        super().setUp()
        self.environment["REPRISE_VISOR_BOOTSTRAP_BULLETIN"] = "false"

    def beat(self, time):
        now = ("--now", f"2026-01-01T{time}.000Z")
        return [done["what"] for done in self.ok("heartbeat", "--drive", *now)["chores"]]

    def test_one_cron_line_opens_a_tick_in_each_window_and_performs_it(self):
        self.ok("init")
        self.configure({"value": decisions(task_1="noop")})
        self.assertEqual(self.beat("12:00:10"), ["evaluate the tasks of the home"])
        self.assertEqual(self.beat("12:01:00"), [])
        self.assertEqual(self.beat("12:04:59"), [])
        self.assertEqual(self.beat("12:05:00"), ["evaluate 3 tasks"])
        ticks = self.ok("event:list", "--type", "heartbeat.tick.completed")["events"]
        self.assertEqual(len(ticks), 2)


class Cards(Loop):
    def test_what_is_approved_runs_once_with_the_approved_text(self):
        effect = self.carded()
        shown = self.ok("approval:show", "subconscious", effect)
        self.assertEqual(shown["payload"]["action"], ACTION)
        digest = shown["approval"]["digest"]
        self.refused(4, "APPROVAL_CHANGED", "approval:approve", "subconscious", effect,
                     "--expect", "0" * 32)
        approve = ("approval:approve", "subconscious", effect, "--by", "anna", "--expect", digest)
        self.ok(*approve, "--iterate")
        self.refused(4, "EFFECT_CONFLICT", "approval:deny", "subconscious", effect)
        self.call("run:drive", "subconscious", "--json")
        again = self.ok(*approve[:-2], "--iterate")  # the same answer changes nothing
        self.assertFalse(again["recorded"])
        self.call("run:drive", "subconscious", "--json")
        requests = [r["data"] for r in self.records("subconscious")
                    if r["type"] == "EFFECT_REQUESTED"]
        runs = [r for r in requests if r["key"].startswith("approved:")]
        self.assertEqual([run["inputs"]["action"] for run in runs], [ACTION])
        self.assertEqual(runs[0]["taskDef"]["permission"], "full")
        self.assertEqual(self.log("--task", "task-4")[0]["text"], "forwarded")

    def test_what_is_denied_does_not_run(self):
        effect = self.carded()
        self.ok("approval:deny", "subconscious", effect, "--iterate")
        self.assertEqual(self.log("--task", "task-4")[0]["state"], "dismissed")
        self.assertEqual(self.open_tasks(), [])

    def test_nobody_approves_or_tries_again_from_inside_an_executor(self):
        effect = self.carded()
        inside = {**self.environment, "REPRISE_EFFECT": "t1"}
        for verb in ("approve", "retry"):
            self.refused(13, "NOT_PERMITTED", f"approval:{verb}", "subconscious", effect,
                         environment=inside)

    def test_what_was_approved_and_failed_is_tried_again(self):
        effect = self.carded()
        retry = ("approval:retry", "subconscious", effect)
        self.refused(4, "CARD_NOT_FAILED", *retry)
        self.ok("approval:approve", "subconscious", effect, "--iterate")
        (run,) = self.open_tasks()
        self.ok("task:post", "subconscious", run["effectId"], "--status", "error",
                "--error-inline", '{"name":"AgentError","message":"no net"}', "--iterate")
        self.assertEqual(self.ok("heartbeat:status")["failedCards"][0]["effect"], effect)
        self.assertEqual(self.ok(*retry)["runs"], 2)
        self.refused(4, "CARD_NOT_FAILED", *retry)
        self.call("run:drive", "subconscious", "--json")
        self.assertEqual(self.log("--task", "task-4")[0]["state"], "acted")

    def test_with_write_tasks_approve_a_person_is_asked_first(self):
        self.configure({"value": decisions(task_4="act")}, {"kind": "act", "value": "sent"},
                       writeTasks="approve")
        self.add("Send the digest")
        self.ok("heartbeat:run-now")
        (card,) = self.ok("approval:list")["approvals"]
        self.assertEqual(card["question"], "Send the digest")


class TaskFile(Loop):
    def tick(self):
        self.configure({"value": decisions(task_1="noop")})
        self.ok("heartbeat:run-now")
        return [task["title"] for task in self.ok("heartbeat:tasks")["tasks"][3:]]

    def write_file(self, content):
        self.home.mkdir(exist_ok=True)
        (self.home / "HEARTBEAT.md").write_bytes(content)

    def test_its_lines_become_tasks(self):
        self.write_file("# Watch\n\n<!-- not\n- this -->\n- Watch the build\n  * [ ] Look\n"
                        "1. Zählen\n---\n- [x] Done\nplain\n- Look\n".encode())
        self.assertEqual(self.tick(), ["Watch the build", "Look", "Zählen", "plain"])
        seq = len(self.ok("event:list", "--type", "heartbeat.tasks.imported")["events"])
        self.tick()
        self.assertEqual(len(self.ok("event:list", "--type", "heartbeat.tasks.imported")["events"]),
                         seq)

    def test_one_that_cannot_be_used_is_a_notice(self):
        for content, notice in ((b"- a\xff\n", "UTF-8"), (b"- task\n" * 1_500_000, "HEARTBEAT.md"),
                                (b"x\n" * 200_000, "256 KiB"), (b"y" * 501, "500 bytes")):
            with self.subTest(notice=notice):
                self.write_file(content)
                self.assertEqual(self.tick(), [])
                self.assertIn(notice, self.ok("heartbeat:status")["notices"][0])


class Log(Loop):
    def test_it_is_limited_and_follows(self):
        self.configure({"value": decisions(task_1="noop")})
        self.ok("heartbeat:run-now")
        self.ok("heartbeat:run-now")
        self.assertEqual(len(self.log()), 6)
        newest = self.ok("heartbeat:log", "--limit", "2")
        self.assertEqual(len(newest["entries"]), 2)
        self.assertTrue(newest["more"])
        self.assertEqual(len(self.log("--all")), 6)
        answer = self.call("heartbeat:log", "--follow", "--for", "1ms", "--output", "jsonl")
        lines = [json.loads(line) for line in answer.out.splitlines()]
        self.assertEqual([line["event"] for line in lines], ["entry"] * 6 + ["timeout"])

    def test_states_have_their_colours(self):
        self.configure({"value": decisions(task_1="act")},
                       {"kind": "act", "value": "\u001b[31mred"})
        self.ok("heartbeat:run-now")
        text = self.call("heartbeat:log", "--color", "always").out
        self.assertIn("\u001b[32m● acted", text)
        self.assertNotIn("\u001b[31mred", text)


if __name__ == "__main__":
    unittest.main()
