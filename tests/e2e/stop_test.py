"""Pausing, cancelling and halting a run."""

import harness


class Stopping(harness.Home):
    def test_a_paused_run_waits_for_run_resume(self):
        self.checklist("r", "make")
        self.assertTrue(self.ok("run:pause", "r", "--reason", "full disk")["recorded"])
        self.assertFalse(self.ok("run:pause", "r")["recorded"])
        paused = self.ok("run:iterate", "r")
        self.assertEqual((paused["status"], paused["applied"]), ("paused", 0))
        self.assertIn("run:resume r", paused["warnings"][0])
        self.assertIn("reprise run:resume r", self.call("run:iterate", "r").out)
        self.assertEqual(self.ok("run:status", "r")["state"], "paused")
        self.assertEqual(len(self.ok("run:list", "--status", "paused")["runs"]), 1)
        self.post("r", "t1", {"exitCode": 0})
        self.assertEqual(self.ok("run:resume", "r")["runStatus"], "ready")
        self.assertFalse(self.ok("run:resume", "r")["recorded"])
        self.assertEqual(self.ok("run:iterate", "r")["status"], "completed")
        for command in ("run:pause", "run:resume", "run:cancel"):
            self.refused(4, "RUN_ENDED", command, "r")
        self.assertEqual(
            [r["type"] for r in self.records("r")][2:5],
            ["RUN_PAUSED", "EFFECT_RESOLVED", "RUN_RESUMED"],
        )

    def test_a_cancelled_run_ends_at_its_next_iterate(self):
        self.checklist("r", "make")
        self.assertFalse(self.ok("run:cancel", "r", "--dry-run")["recorded"])
        cancelled = self.ok("run:cancel", "r", "--reason", "not needed")
        self.assertEqual((cancelled["recorded"], cancelled["runStatus"]), (True, "ready"))
        self.assertTrue(self.ok("run:status", "r")["cancelling"])
        self.assertIn("being cancelled", self.call("run:status", "r").out)
        self.assertFalse(self.ok("run:cancel", "r")["recorded"])
        self.assertEqual(self.ok("task:show", "r", "t1")["effect"]["status"], "cancelled")
        post = ("r", "t1", "--status", "ok", "--value-inline", "{}")
        self.refused(4, "EFFECT_CONFLICT", "task:post", *post)
        ended = self.ok("run:iterate", "r", exit=1)
        self.assertEqual((ended["status"], ended["reason"]), ("cancelled", "not needed"))
        self.assertFalse(self.ok("run:cancel", "r")["recorded"])
        self.assertEqual(self.ok("run:list", "--status", "cancelled")["runs"][0]["runId"], "r")
        self.refused(1, "RUN_HALTED", "run:output", "r")
        self.records("r")

    def test_a_cancel_can_go_on_at_once(self):
        self.checklist("r", "make")
        document = self.ok("run:cancel", "r", "--iterate", "--exit-status", exit=1)
        self.assertEqual(document["iteration"]["status"], "cancelled")
        self.assertEqual(document["runStatus"], "cancelled")

    def test_a_cancel_without_a_reason_ends_no_line_with_spaces(self):
        self.checklist("r", "make")
        text = self.call("run:cancel", "r", "--iterate").out
        self.assertEqual(text, "r  cancelled\nr  cancelled\n")

    def test_a_run_that_was_never_iterated_is_cancelled_at_once(self):
        self.ok("run:create", "--run-id", "bare")
        self.assertEqual(self.ok("run:cancel", "bare")["runStatus"], "cancelled")
        self.refused(4, "RUN_ENDED", "run:assign-process", "bare", "--process", "checklist")

    def test_the_signals_of_reprise_itself_are_not_for_users(self):
        self.checklist("r", "make")
        self.refused(2, "INVALID_SIGNAL", "run:signal", "r", "reprise.cancel")

    def test_a_signal_to_a_cancelled_run_is_recorded_and_changes_nothing(self):
        self.checklist("r", "make")
        self.ok("run:cancel", "r", "--iterate")
        sent = self.ok("run:signal", "r", "hello")
        self.assertEqual((sent["recorded"], sent["runStatus"]), (True, "cancelled"))
        self.assertEqual(self.ok("run:iterate", "r", exit=1)["applied"], 0)


if __name__ == "__main__":
    harness.main()
