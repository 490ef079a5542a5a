"""Schedules as people keep them: added, changed, fired by hand, and what is refused."""

import shlex

import harness

NOW = "2026-03-27T12:00:00Z"


class Schedules(harness.Home):
    def add(self, *words):
        return self.ok("schedule:add", *words)["schedule"]

    def no(self, *words, code="INVALID_ARGUMENT", status=2):
        return self.refused(status, code, *words)

    def test_a_cron_schedule_shows_its_next_times_and_can_be_changed(self):
        added = self.ok("schedule:add", "--cron", "30 9 * * MON-FRI", "--tz", "Europe/Berlin",
                        "--command", "true", "--name", "space", "--now", NOW)
        self.assertEqual(added["upcoming"][0], "2026-03-30T07:30:00.000Z")
        self.assertEqual(added["schedule"]["scheduleId"], 1)
        edited = self.ok("schedule:edit", "space", "--tz", "UTC", "--now", NOW)
        self.assertEqual(edited["schedule"]["next"], "2026-03-30T09:30:00.000Z")
        self.assertEqual(edited["schedule"]["revision"], 2)
        off = self.ok("schedule:disable", "1", "--now", NOW)["schedule"]
        self.assertEqual((off["enabled"], off["next"]), (False, None))
        self.assertFalse(self.ok("schedule:disable", "1", "--now", NOW)["recorded"])
        on = self.ok("schedule:enable", "1", "--now", "2026-04-01T10:00:00Z")["schedule"]
        self.assertEqual(on["next"], "2026-04-02T09:30:00.000Z")
        self.ok("schedule:remove", "space", "--now", NOW)
        self.assertFalse(self.ok("schedule:remove", "1", "--now", NOW)["recorded"])
        self.refused(3, "SCHEDULE_NOT_FOUND", "schedule:remove", "2", "--now", NOW)
        self.assertEqual(self.ok("schedule:list", "--now", NOW)["schedules"], [])

    def test_a_dry_run_checks_and_records_nothing(self):
        dry = self.ok("schedule:add", "--every", "90m", "--command", "true", "--dry-run")
        self.assertEqual((dry["recorded"], dry["dryRun"], len(dry["upcoming"])), (False, True, 3))
        self.assertEqual(self.ok("schedule:list")["schedules"], [])

    def test_a_key_adds_once(self):
        words = ("--every", "1h", "--command", "true", "--key", "k")
        self.assertTrue(self.ok("schedule:add", *words)["recorded"])
        self.assertFalse(self.ok("schedule:add", *words)["recorded"])
        self.assertEqual(len(self.ok("schedule:list")["schedules"]), 1)

    def test_what_cannot_be_is_refused_when_it_is_added(self):
        command = ("--command", "true")
        error = self.no("schedule:add", "--cron", "0 25 * * *", *command, code="INVALID_CRON")
        self.assertEqual(error["details"], {"field": "hour", "position": 3})
        self.no("schedule:add", "--cron", "0 0 30 2 *", *command, code="INVALID_CRON")
        error = self.no("schedule:add", "--cron", "@daily", "--tz", "Europe/Belin", *command,
                             code="UNKNOWN_ZONE")
        self.assertEqual(error["hint"], "did you mean Europe/Berlin?")
        self.no("schedule:add", "--at", "2001-01-01T00:00", *command)
        self.no("schedule:add", "--every", "0s", *command)
        self.no("schedule:add", "--every", "1h", "--at", "2101-01-01T00:00", *command)
        self.no("schedule:add", *command)
        self.no("schedule:add", "--every", "1h")
        self.no("schedule:add", "hello", "--every", "1h", *command)
        self.no("schedule:add", "hello", "--every", "1h", "--channel", "general",
                     code="CHANNEL_NOT_FOUND", status=3)
        for more in ((), ("--dry-run",)):
            error = self.no("schedule:add", "--every", "1h", "--entry", "builtin:nope", *more,
                            code="PROCESS_UNKNOWN", status=3)
            self.assertIn("checklist", error["hint"])
        self.no("schedule:add", "--every", "1h", "--entry", "gone.mjs", code="FILE_NOT_FOUND",
                     status=3)
        self.no("schedule:show", "7", code="SCHEDULE_NOT_FOUND", status=3)
        self.assertFalse((self.home / "runs" / "schedules").exists())

    def test_a_simulated_home_takes_nothing_by_the_clock_until_it_is_deleted(self):
        hourly = ("schedule:add", "--every", "1h", "--command", "true")
        self.ok(*hourly, "--now", "2026-03-27T12:00:00Z")
        error = self.refused(4, "SIMULATED_HOME", *hourly)
        self.assertIn("run:halt schedules, then reprise run:delete schedules", error["hint"])
        self.assertEqual(len(self.ok("schedule:list")["schedules"]), 1)
        self.ok("run:halt", "schedules")
        self.ok("run:archive", "schedules")
        error = self.refused(4, "RUN_ARCHIVED", *hourly)
        command = error["hint"].split("begin: reprise ")[1]
        self.ok(*shlex.split(command))
        self.assertEqual(self.ok(*hourly)["schedule"]["scheduleId"], 1)

    def test_a_run_that_is_stopped_does_not_look_alive(self):
        self.add("--every", "1h", "--command", "true")
        self.ok("run:pause", "schedules")
        stopped = {"runId": "schedules", "status": "paused", "command": "run:resume schedules"}
        self.assertEqual(self.ok("schedule:list")["stopped"], stopped)
        shown = self.ok("schedule:show", "1")
        self.assertEqual((shown["stopped"], shown["upcoming"]), (stopped, []))
        text = self.call("schedule:list").out
        self.assertIn("1  every 1h  paused  command true", text)
        self.assertIn("the run schedules is paused", text)
        added = self.ok("schedule:add", "--every", "2h", "--command", "date")
        self.assertNotIn("schedule", added)
        self.assertIn("run:resume schedules", added["warnings"][0])
        self.ok("run:resume", "schedules")
        self.ok("run:iterate", "schedules")
        self.assertNotIn("stopped", self.ok("schedule:list"))
        self.ok("run:halt", "schedules")
        self.assertIn("halted", self.call("schedule:show", "1").out)
        error = self.no("schedule:add", "--every", "1h", "--command", "true", code="RUN_ENDED",
                        status=4)
        command = self.ok("schedule:list")["stopped"]["command"]
        self.assertEqual(error["hint"],
                         f"it takes nothing until its end is taken back: reprise {command}")
        self.ok(*command.split(), "--yes")
        self.assertEqual(self.add("--every", "3h", "--command", "true")["scheduleId"], 3)
        self.assertEqual(len(self.ok("schedule:list")["schedules"]), 3)

    def test_a_command_is_fired_by_hand_and_driven(self):
        self.add("--every", "24h", "--command", "echo hello", "--name", "greet")
        fired = self.ok("schedule:run-now", "greet")
        self.assertEqual(fired["firing"]["outcome"], "running")
        self.no("schedule:run-now", "greet", code="SCHEDULE_RUNNING", status=4)
        self.ok("task:post", "schedules", "t1", "--status", "ok", "--value-inline",
                '{"success":true,"exitCode":0}', "--iterate")
        (entry,) = self.ok("schedule:log", "greet")["entries"]
        self.assertEqual((entry["outcome"], entry["trigger"]), ("done", "run-now"))
        self.assertEqual(self.ok("schedule:show", "1")["schedule"]["fired"], 1)

    def test_a_run_is_a_child_with_a_label(self):
        self.add("--every", "24h", "--entry", "builtin:checklist", "--input", 'steps=["make"]')
        self.ok("schedule:run-now", "1")
        status = self.ok("run:status", "schedules.t1")
        self.assertEqual(status["processId"], "checklist")
        self.ok("run:halt", "schedules.t1")
        self.ok("run:iterate", "schedules")
        (entry,) = self.ok("schedule:log")["entries"]
        self.assertEqual(entry["outcome"], "failed")

    def test_a_message_goes_into_a_thread_of_its_own(self):
        self.ok("channel:create", "general")
        long = "What is new? " * 20
        self.add(long, "--cron", "0 9 * * *", "--channel", "general", "--as", "anna")
        fired = self.ok("schedule:run-now", "1")
        thread = fired["firing"]["thread"]
        self.ok("run:iterate", thread)
        shown = self.ok("channel:show", thread)["channel"]["identity"]
        self.assertEqual(shown["name"], "task #1 (0 9 * * *) " + long[:100])
        self.assertEqual(shown["parent"], "general")
        pending = self.ok("channel:show", thread)["pending"]
        self.assertIn("model", [effect["kind"] for effect in pending])
        self.assertEqual(self.ok("channel:show", "general")["channel"]["queue"], [])


if __name__ == "__main__":
    harness.main()
