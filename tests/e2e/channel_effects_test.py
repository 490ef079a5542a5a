"""What a channel asks for, performed: by a chat endpoint, by agents on the command line, by mocks.
And results that come too late."""

import json
import os

import chat_home
import chat_server as chat
import harness

REPLY = {
    "channelId": "c",
    "runId": "r1",
    "msgId": "m1",
    "trigger": {"msgId": "m1", "author": {"id": "u1", "name": "Ada"}, "content": "Why?"},
    "prompt": "[channel_context_v1]\nAda: Why?",
    "messages": [{"role": "user", "author": "Ada", "content": "Why?"}],
    "tokenBudget": 1000,
}
# An agent that speaks as Claude Code does: it tells how it was called, and what it was told.
AGENT = """#!/bin/sh
echo '{"type":"system","subtype":"init","session_id":"s-1","model":"tiny"}'
prompt=$(cat)
case "$prompt" in
*boom*) echo '{"type":"result","is_error":true,"result":"Prompt is too long","session_id":"s-1"}'
        exit 1;;
esac
echo '{"type":"assistant","message":{"content":[{"type":"text","text":"I look."}]}}'
words=$(echo "$@" "in $PWD" | sed 's/.*--verbose *//')
printf '{"type":"result","is_error":false,"result":"%s","session_id":"s-2","usage":' "$words"
echo '{"input_tokens":4,"cache_read_input_tokens":6,"output_tokens":2}}'
"""
WAITS = """
export async function process(inputs, ctx) {
  await ctx.signal('a', { timeoutMs: 1_000_000 });
  return await ctx.signal('b');
}
"""


def inputs(**more):
    made = {**REPLY, **more}
    harness.validate(made, "model-inputs")
    return made


class ChatTest(chat_home.Endpoint):
    def perform_kind(self, kind, asked, *answers, **options):
        with chat.Server(*answers) as server:
            config = {
                "type": "openai", "url": server.url, "model": "tiny", "attempts": 1,
                **options.pop("config", {}),
            }  # fmt: skip
            work = {
                "home": str(self.home), "runDir": str(self.run_dir), "effect": "t1",
                "idempotencyKey": "r/t1", "kind": kind, "task": f"channel.{kind}",
                "timeoutMs": options.pop("timeout_ms", 60_000), "inputs": asked,
                "definition": {"kind": kind, "outputSchema": f"reprise:{kind}-result"},
            }  # fmt: skip
            executor = {"name": "chat", "type": "openai", "config": config, "origin": "config.json"}
            order = json.dumps({"work": work, "executor": executor, "policy": {}})
            told = self.call("executor:perform", stdin=order)
        self.assertEqual(told.exit, 0, told)
        done = chat_home.Performed(told.out)
        if done.ok:
            harness.validate(done.value, f"{kind}-result")
        return done, server

    def test_a_streamed_reply_is_told_as_turns_and_is_a_result(self):
        done, server = self.perform_kind("model", inputs(), chat.streamed("Be", "cause."))
        self.assertEqual(
            done.value,
            {
                "text": "Because.", "finishReason": "stop", "model": "tiny-1",
                "usage": {"promptTokens": 7, "completionTokens": 3},
            },
        )  # fmt: skip
        self.assertEqual(done.text.strip(), "Because.")
        self.assertEqual(done.progress[0]["turn"]["kind"], "message")
        self.assertTrue("Because.".startswith(done.progress[0]["turn"]["text"]))
        (request,) = [request["body"] for request in server.requests]
        self.assertEqual([it["role"] for it in request["messages"]], ["system", "user"])
        self.assertEqual(request["messages"][1]["content"], "Why?")
        self.assertEqual(request["max_tokens"], 1000)
        self.assertNotIn("response_format", request)

    def test_the_systems_own_message_and_the_executors_are_one(self):
        config = {"system": "Be brief."}
        _, server = self.perform_kind("model", inputs(), chat.streamed("x"), config=config)
        system, user = server.requests[0]["body"]["messages"]
        self.assertTrue(system["content"].startswith("Be brief.\n\n"))
        self.assertEqual(user["role"], "user")

    def test_a_reply_without_streaming_reports_no_turns(self):
        done, _ = self.perform_kind("model", inputs(streaming=False), chat.streamed("x"))
        self.assertFalse([report for report in done.progress if "turn" in report])

    def test_a_prompt_that_does_not_fit_is_too_long(self):
        def refuse(handler):
            message = "This model's maximum context length is 8192 tokens"
            handler.say({"error": {"message": message}}, status=400)

        done, _ = self.perform_kind("model", inputs(), refuse)
        self.assertEqual((done.ok, done.value["name"]), (False, "too_long"))

    def test_an_answer_that_is_cut_off_says_what_was_told(self):
        begun = chat.raw_stream(chat.event(chat.chunk("Half a")))
        done, _ = self.perform_kind("model", inputs(), begun)
        self.assertEqual(done.value["name"], "ReplyCutOff")
        self.assertIs(done.value["data"]["streamed"], True)

    def test_an_endpoint_that_is_too_slow_ends_at_the_deadline(self):
        done, _ = self.perform_kind(
            "model", inputs(), chat.Handler.wait_for_client_to_go, timeout_ms=300
        )
        self.assertEqual((done.ok, done.value["name"]), (False, "TimeoutError"))
        self.assertNotIn("streamed", done.value.get("data", {}))

    def test_a_worker_may_wait_or_say_what_it_did(self):
        asked = {
            "channelId": "c", "workerId": "w1", "taskId": "k", "title": "t", "objective": "Do it.",
            "tools": [], "mode": "interactive", "cycle": 1, "inbox": [], "prompt": "Do it.",
        }  # fmt: skip
        harness.validate(asked, "worker-inputs")
        waits = '{"status":"waiting","report":"Which one?"}'
        done, server = self.perform_kind("worker", asked, chat.streamed(waits))
        self.assertEqual(done.value["report"], "Which one?")
        self.assertIn('"waiting"', server.requests[0]["body"]["messages"][0]["content"])
        done, _ = self.perform_kind("worker", asked, chat.streamed("It is done."))
        self.assertEqual(done.value["summary"], "It is done.")

    def test_a_branch_concludes_and_a_compaction_sums_up(self):
        memory = {"id": "k1", "note": "Ada likes tea", "score": 0.5}
        branch = {
            "channelId": "c", "branchId": "b1", "workerId": "w1", "prompt": "Compare.",
            "memories": [memory], "todos": [], "tools": [],
        }  # fmt: skip
        harness.validate(branch, "branch-inputs")
        done, server = self.perform_kind("branch", branch, chat.streamed("They are alike."))
        self.assertEqual(done.value["summary"], "They are alike.")
        self.assertIn("[k1] Ada likes tea", server.requests[0]["body"]["messages"][0]["content"])
        fold = {
            "channelId": "c", "jobId": "c1", "level": "soft", "targetReductionPercent": 30,
            "messages": REPLY["messages"], "prompt": "Summarise: Why?",
        }  # fmt: skip
        harness.validate(fold, "compaction-inputs")
        done, _ = self.perform_kind("compaction", fold, chat.streamed("A question."))
        self.assertEqual(done.value["summary"], "A question.")


class AgentTest(harness.Home):
    def setUp(self):
        super().setUp()
        self.run_dir = self.home / "runs" / "r"
        self.run_dir.mkdir(parents=True)
        tools = self.folder / "tools"
        tools.mkdir()
        agent = tools / "claude"
        agent.write_text(AGENT)
        agent.chmod(0o755)
        self.environment["PATH"] = f"{tools}:{os.environ['PATH']}"

    def reply(self, **more):
        work = {
            "home": str(self.home), "runDir": str(self.run_dir), "effect": "t1", "kind": "model",
            "task": "channel.reply", "idempotencyKey": "r/t1", "inputs": inputs(**more),
            "definition": {"kind": "model"},
        }  # fmt: skip
        config = {"type": "command", "preset": "claude-code"}
        executor = {"name": "a", "type": "command", "config": config, "origin": "config.json"}
        policy = {"environment": ["PATH"]}
        order = json.dumps({"work": work, "executor": executor, "policy": policy})
        told = self.call("executor:perform", stdin=order)
        self.assertEqual(told.exit, 0, told)
        done = chat_home.Performed(told.out)
        if done.ok:
            harness.validate(done.value, "model-result")
        return done

    def test_an_agent_replies_with_its_session_its_steps_and_its_usage(self):
        done = self.reply()
        self.assertEqual(
            done.value,
            {
                "text": f"in {self.work}", "sessionId": "s-2", "model": "tiny",
                "usage": {"promptTokens": 10, "completionTokens": 2},
                "turns": [{"kind": "message", "text": "I look."}],
            },
        )  # fmt: skip
        self.assertEqual(done.progress, [{"turn": {"kind": "message", "text": "I look."}}])

    def test_a_session_is_resumed_and_forked_and_only_plans(self):
        (self.folder / "there").mkdir()
        there = str(self.folder / "there")
        done = self.reply(sessionId="s-1", cwd=there)
        self.assertEqual(done.value["text"], f"--resume s-1 in {there}")
        done = self.reply(sessionId="s-1", fork=True, planMode=True)
        words = "--resume s-1 --fork-session --permission-mode plan"
        self.assertEqual(done.value["text"], f"{words} in {self.work}")

    def test_no_session_passes_for_an_option(self):
        error = self.reply(sessionId="--dangerous").value
        self.assertEqual(error["name"], "TaskInvalid")

    def test_an_agent_whose_session_is_full_is_too_long(self):
        error = self.reply(prompt="boom").value
        self.assertEqual(error["name"], "too_long")
        self.assertNotIn("data", error)


class LateTest(harness.Home):
    def setUp(self):
        super().setUp()
        path = self.write("main.js", WAITS)
        self.ok("run:create", "--entry", path, "--run-id", "r")
        self.ok("run:iterate", "r")
        self.ok("run:signal", "r", "a")
        self.ok("run:iterate", "r")
        self.result = ("task:post", "r", "t1", "--status", "ok", "--value-inline", '{"x":1}')

    def test_a_late_result_is_kept_and_shown(self):
        document = self.ok(*self.result)
        self.assertEqual((document["recorded"], document["late"]), (True, True))
        self.assertEqual(document["runStatus"], "waiting")
        again = self.ok(*self.result)
        self.assertEqual((again["recorded"], again["late"]), (False, True))
        other = ("task:post", "r", "t1", "--status", "error")
        self.refused(4, "EFFECT_CONFLICT", *other)
        shown = self.ok("task:show", "r", "t1")
        self.assertIsNone(shown["result"])
        (late,) = shown["late"]
        self.assertEqual((late["attempt"], late["value"]), (1, {"x": 1}))
        self.assertIn("late", self.call("task:show", "r", "t1").out)
        self.assertIn("late", self.call(*self.result).out)
        types = [record["type"] for record in self.records("r")]
        self.assertEqual(types.count("EFFECT_LATE"), 1)
        self.ok("run:verify", "r")


if __name__ == "__main__":
    harness.main()
