"""Claims, attempts and deadlines, by separate invocations."""

import json
import os
import subprocess

import harness

START = "2026-01-01T00:00:00.000Z"
QUESTION = """
export async function process(inputs, ctx) {
  return await ctx.breakpoint({ question: 'Ship it?' });
}
"""


RETRIED = """
import { defineTask } from 'reprise';
const step = defineTask('step', () => ({ kind: 'agent', title: 'x' }));
export async function process(inputs, ctx) {
  const retry = { maxAttempts: 2, backoffMs: 1000 };
  const outputSchema = { type: 'object', required: ['n'] };
  return await ctx.task(step, {}, { timeoutMs: 60000, outputSchema, retry });
}
"""


class Claims(harness.Home):
    def claim(self, *words, **options):
        return self.ok("task:claim", "r", *words, **options)

    def token(self, effect="t1", *words):
        return self.claim(effect, *words)["claim"]["token"]

    def test_one_worker_claims_works_and_posts(self):
        self.checklist("r", "make")
        claimed = self.claim("--next", "--kind", "shell", "--worker", "ci-7")
        self.assertEqual(claimed["action"]["taskDef"]["shell"]["command"], "make")
        error = self.refused(4, "EFFECT_CLAIMED", "task:claim", "r", "t1", "--worker", "ci-8")
        self.assertIn("claimed by ci-7 until", error["message"])
        self.refused(10, "NOTHING_TO_CLAIM", "task:claim", "r", "--next")
        inside = {
            "REPRISE_RUN": "r",
            "REPRISE_EFFECT": "t1",
            "REPRISE_CLAIM": claimed["claim"]["token"],
        }
        report = ("task:progress", "r", "t1", "--value-inline", '{"percent":40}')
        self.refused(4, "EFFECT_CLAIMED", *report)
        self.assertTrue(self.ok(*report, environment=inside)["recorded"])
        self.assertFalse(self.ok("task:extend", "r", "t1", environment=inside)["recorded"])
        beat = self.call("task:heartbeat", "r", "t1", environment=inside)
        self.assertEqual(beat.exit, 0, beat)
        shown = self.ok("task:show", "r", "t1")
        self.assertEqual(shown["progress"], {"percent": 40})
        self.assertEqual(shown["effect"]["claim"]["worker"], "ci-7")
        (action,) = self.ok("run:iterate", "r")["nextActions"]
        self.assertEqual(action["claim"]["worker"], "ci-7")
        self.assertEqual(self.ok("run:status", "r")["waiting"][0]["claim"]["worker"], "ci-7")

        value = ("--status", "ok", "--value-inline", '{"exitCode":0}')
        self.refused(4, "EFFECT_CLAIMED", "task:post", "r", "t1", *value)
        other = {**inside, "REPRISE_EFFECT": "t2"}
        self.refused(4, "EFFECT_CLAIMED", "task:post", "r", "t1", *value, environment=other)
        self.ok("task:post", "r", "t1", *value, "--iterate", environment=inside)
        shown = self.ok("task:show", "r", "t1")
        self.assertEqual(
            [(a["attempt"], a["status"], a["worker"]) for a in shown["attempts"]],
            [(1, "ok", "ci-7")],
        )
        self.records("r")

    def test_a_stale_token_and_a_wrong_one(self):
        self.checklist("r", "make")
        first = self.token()
        self.ok("task:release", "r", "t1", "--token", first)
        self.assertFalse(self.ok("task:release", "r", "t1", "--token", first)["recorded"])
        second = self.token()
        before = self.records("r")
        value = ("--status", "ok", "--value-inline", "1")
        for token in (first, "c1-00000000", "nonsense"):
            with self.subTest(token=token):
                self.refused(
                    4, "CLAIM_STALE", "task:post", "r", "t1", *value, "--token", token
                )
                for command in ("task:extend", "task:progress"):
                    more = ("--value-inline", "1") if command == "task:progress" else ()
                    self.refused(4, "CLAIM_STALE", command, "r", "t1", "--token", token, *more)
        self.refused(4, "CLAIM_STALE", "task:release", "r", "t1", "--token", "nonsense")
        self.assertEqual(self.records("r"), before)
        self.ok("task:post", "r", "t1", *value, "--token", second)

    def test_only_who_says_the_token_holds_a_claim(self):
        self.checklist("r", "make")
        self.token()
        before = self.records("r")
        elsewhere = {"REPRISE_CLAIM": "c1-00000000", "REPRISE_EFFECT": "t2"}
        for command in ("task:extend", "task:release"):
            for words, inside in (((), None), ((), elsewhere), (("--token", ""), None)):
                error = self.refused(2, "MISSING_ARGUMENT", command, "r", "t1", *words,
                                     environment=inside)
                self.assertEqual(error["message"],
                                 f"{command} needs --token, the token of the claim")
                self.assertIn("task:claim", error["hint"])
        self.assertEqual(self.records("r"), before)
        self.ok("task:release", "r", "t1", "--force")

    def test_words_that_make_no_claim(self):
        self.checklist("r", "make")
        before = self.records("r")
        for words in (
            ("t1", "--next"),
            ("t1", "--kind", "shell"),
            ("t1", "--lease", "0s"),
            ("t1", "--lease", "soon"),
            ("t1", "--wait-for", "-1s"),
            ("t1", "--pid", "0"),
            ("t1", "--pid", "99999999999"),
            ("t1", "--worker", ""),
            ("t1", "--worker", "w" * 257),
        ):
            with self.subTest(words=words):
                self.refused(2, "INVALID_ARGUMENT", "task:claim", "r", *words)
        self.refused(2, "MISSING_ARGUMENT", "task:claim", "r")
        self.refused(2, "PROCESS_NOT_FOUND", "task:claim", "r", "t1", "--pid", 2**31 - 1)
        self.refused(3, "EFFECT_NOT_FOUND", "task:claim", "r", "t9")
        self.refused(3, "EFFECT_NOT_FOUND", "task:claim", "r", "--key", "k", "--wait-for", "20ms")
        self.refused(2, "INVALID_ARGUMENT", "task:progress", "r", "t1")
        self.assertEqual(self.records("r"), before)

    def test_a_claimer_that_was_killed_loses_its_lease_at_once(self):
        self.checklist("r", "make")
        worker = subprocess.Popen(["sleep", "600"])
        try:
            lost = self.token("t1", "--pid", worker.pid)
            self.refused(4, "EFFECT_CLAIMED", "task:claim", "r", "t1")
        finally:
            worker.kill()
            worker.wait()
        taken = self.claim("t1", "--pid", os.getpid())
        self.assertEqual(taken["attempt"], 2)
        value = ("--status", "ok", "--value-inline", "1")
        error = self.refused(4, "CLAIM_STALE", "task:post", "r", "t1", *value, "--token", lost)
        self.assertIn("attempt 1 of t1 was lost", error["message"])
        late = ("task:post", "r", "t1", *value, "--attempt", "1")
        error = self.refused(4, "EFFECT_CONFLICT", *late)
        self.assertIn("attempt 1 of t1 was lost", error["message"])
        self.records("r")

    def test_a_lease_ends_by_run_iterate_alone(self):
        self.write("steps.json", {"steps": ["make"]})
        self.ok(
            "run:create", "--process", "checklist", "--inputs", self.work / "steps.json",
            "--run-id", "r", "--simulated", "--now", START,
        )  # fmt: skip
        self.ok("run:iterate", "r", "--now", START)
        self.claim("t1", "--lease", "30s", "--now", START)
        waiting = self.ok("run:iterate", "r", "--now", "2026-01-01T00:00:29Z")
        self.assertEqual(waiting["until"], "2026-01-01T00:00:30.000Z")
        (action,) = self.ok("run:iterate", "r", "--now", "2026-01-01T00:00:30Z")["nextActions"]
        self.assertEqual(action["attempt"], 2)
        self.assertNotIn("claim", action)
        (attempt,) = self.ok("task:show", "r", "t1")["attempts"]
        self.assertEqual((attempt["status"], attempt["error"]["name"]), ("lost", "ClaimLostError"))

    def test_errors_and_deadlines_are_followed_by_attempts_by_run_iterate_alone(self):
        entry = self.write("main.js", RETRIED)
        now = ("--now", START)
        self.ok("run:create", "--entry", entry, "--run-id", "r", "--simulated", *now)
        self.assertEqual(self.ok("run:iterate", "r", *now)["until"], "2026-01-01T00:01:00.000Z")
        post = ("task:post", "r", "t1", "--status")
        error = self.refused(2, "OUTPUT_INVALID", *post, "ok", "--value-inline", "{}", *now)
        self.assertEqual(error["details"]["pointer"], "")
        posted = self.ok(*post, "error", "--error-inline", "broke", *now)
        self.assertEqual(
            posted["retry"], {"attempt": 2, "availableAt": "2026-01-01T00:00:01.000Z"}
        )
        paused = self.ok("run:iterate", "r", "--exit-status", *now, exit=11)
        self.assertEqual((paused["nextActions"], paused["count"]), ([], 1))
        self.assertEqual(paused["until"], "2026-01-01T00:00:01.000Z")
        again = self.ok("run:iterate", "r", "--now", "2026-01-01T00:00:01Z")
        self.assertEqual([action["attempt"] for action in again["nextActions"]], [2])
        self.assertEqual(again["until"], "2026-01-01T00:01:01.000Z")
        ended = self.ok("run:iterate", "r", "--now", "2026-01-01T00:01:01Z", exit=1)
        self.assertEqual(ended["error"]["name"], "TimeoutError")
        self.records("r")

    def test_an_agent_does_not_approve_itself(self):
        self.script(QUESTION)
        answer = ("--status", "ok", "--value-inline", json.dumps({"approved": True}))
        before = self.records("r")
        self.refused(
            13, "NOT_PERMITTED", "task:post", "r", "t1", *answer,
            environment={"REPRISE_EFFECT": "t7"},
        )  # fmt: skip
        self.assertEqual(self.records("r"), before)
        self.ok("task:post", "r", "t1", *answer)


if __name__ == "__main__":
    harness.main()
