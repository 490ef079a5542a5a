"""Agents: their folders, who does their work, their heartbeats."""

import json
from concurrent import futures

import harness

MOCK = {
    "executors": {"gpt": {"type": "mock", "answers": [
        {"agent": "scout", "contains": "Look around", "value": {"text": "The disk is full."}},
        {"agent": "quiet", "value": {"text": "HEARTBEAT_OK"}},
        {"agent": "broken", "error": {"name": "Broken", "message": "no model"}},
    ]}},
}


class Agents(harness.Home):
    def setUp(self):
        super().setUp()
        self.home.mkdir()
        (self.home / "config.json").write_text(json.dumps(MOCK))

    def create(self, agent, *words):
        heartbeat = self.write("heartbeat.md", "Look around.\n")
        return self.ok("agent:create", agent, "--executor", "gpt", "--heartbeat", heartbeat, *words)

    def beat(self, agent):
        """One heartbeat, now, and its end."""
        self.assertTrue(self.ok("agent:heartbeat", agent, "--run-now")["started"])
        self.call("run:drive", "agents")
        return self.ok("agent:heartbeat", agent)["status"]

    def test_an_agent_is_a_folder(self):
        created = self.create("scout", "--model", "small", "--setting", "tools.permission=read")
        self.assertTrue(created["created"])
        self.assertEqual(created["agent"]["executor"], "gpt")
        folder = self.home / "agents" / "scout"
        self.assertEqual(sorted(path.name for path in folder.iterdir()),
                         ["AGENTS.md", "HEARTBEAT.md", "config.json"])
        shown = self.ok("agent:show", "scout")
        self.assertEqual(shown["config"]["selectedModel"], "small")
        self.assertEqual(shown["config"]["tools"]["permission"], "read")
        self.assertEqual([(f["name"], f["blank"]) for f in shown["files"]],
                         [("AGENTS.md", True), ("HEARTBEAT.md", False)])
        self.refused(4, "AGENT_EXISTS", "agent:create", "scout")
        self.assertFalse(self.ok("agent:create", "scout", "--if-absent")["created"])
        self.refused(2, "INVALID_ARGUMENT", "agent:create", "../scout")
        self.refused(3, "AGENT_NOT_FOUND", "agent:show", "nobody")
        self.assertIn("scout", self.call("agent:list").out)
        self.assertIn("gpt", self.call("agent:show", "scout").out)

    def test_a_runtime_that_is_not_there_yet_is_refused(self):
        error = self.refused(2, "CONFIG_INVALID", "agent:create", "x", "--setting", "runtime=acp")
        self.assertIn("Agent Client Protocol", error["message"])

    def test_a_configuration_is_changed_key_by_key(self):
        self.create("scout")
        changed = self.ok("agent:config", "scout", "heartbeat.enabled=true",
                          "heartbeat.intervalMinutes=30")
        self.assertTrue(changed["changed"])
        self.assertEqual(changed["config"]["heartbeat"]["intervalMinutes"], 30)
        self.assertFalse(self.ok("agent:config", "scout", "heartbeat.enabled=true")["changed"])
        self.assertIn("nextAt", self.ok("agent:heartbeat", "scout"))
        self.ok("agent:config", "scout", "executor=null")
        self.assertNotIn("executor", self.ok("agent:config", "scout")["config"])
        self.refused(2, "INVALID_ARGUMENT", "agent:config", "scout", "hartbeat.enabled=true")
        self.refused(2, "CONFIG_INVALID", "agent:config", "scout", "heartbeat.intervalMinutes=0")

    def test_what_is_changed_at_once_is_all_there(self):
        self.create("scout")
        words = ("heartbeat.intervalMinutes=31", "heartbeat.timeoutMinutes=7", "selectedModel=m1")
        with futures.ThreadPoolExecutor(len(words)) as at_once:
            list(at_once.map(lambda word: self.ok("agent:config", "scout", word), words))
        config = self.ok("agent:config", "scout")["config"]
        self.assertEqual(config["selectedModel"], "m1")
        self.assertEqual(config["heartbeat"]["intervalMinutes"], 31)
        self.assertEqual(config["heartbeat"]["timeoutMinutes"], 7)

    def test_a_file_that_is_wrong_is_named_with_line_and_key(self):
        self.create("scout")
        path = self.home / "agents" / "scout" / "config.json"
        path.write_text('{\n  "heartbeat": {\n    "enabled": "yes"\n  }\n}')
        error = self.refused(2, "CONFIG_INVALID", "agent:show", "scout")
        self.assertIn(f"{path}:3", error["message"])
        (agent,) = self.ok("agent:list")["agents"]
        self.assertEqual(agent["error"]["code"], "CONFIG_INVALID")
        self.assertIn("broken", self.call("agent:list").out)

    def test_heartbeat_ok_alone_is_success(self):
        self.create("quiet")
        status = self.beat("quiet")
        self.assertEqual((status["lastResult"], status["ok"], status["runs"]), ("ok", 1, 1))
        self.assertIn("lastSuccessAt", status)
        self.assertEqual(self.ok("message:list", "agent-quiet")["messages"], [])
        self.records("agents")

    def test_anything_else_comes_to_the_agents_channel(self):
        self.create("scout", "--channel", "ops")
        status = self.beat("scout")
        self.assertEqual((status["lastResult"], status["reported"]), ("reported", 1))
        self.ok("run:iterate", "ops")
        (message,) = self.ok("message:list", "ops")["messages"]
        self.assertEqual(message["content"], "The disk is full.")
        self.assertEqual(message["author"]["id"], "agent:scout")
        self.assertEqual(self.ok("channel:show", "ops")["channel"]["queue"], [])

    def test_a_failure_is_counted_with_its_reason(self):
        self.create("broken")
        self.beat("broken")
        status = self.beat("broken")
        self.assertEqual((status["lastResult"], status["failed"], status["consecutiveFailures"]),
                         ("failed", 2, 2))
        self.assertEqual(status["reason"], "no model")
        self.ok("run:iterate", "agent-broken")
        self.assertEqual(len(self.ok("message:list", "agent-broken")["messages"]), 1)
        self.assertIn("no model", self.call("agent:heartbeat", "broken").out)

    def test_one_heartbeat_at_a_time(self):
        self.create("scout")
        self.ok("agent:heartbeat", "scout", "--run-now", "--key", "k")
        self.refused(4, "HEARTBEAT_RUNNING", "agent:heartbeat", "scout", "--run-now")
        self.assertFalse(self.ok("agent:heartbeat", "scout", "--run-now", "--key", "k")["started"])

    def test_a_blank_file_asks_for_nothing(self):
        self.ok("agent:create", "scout")
        self.refused(4, "HEARTBEAT_BLANK", "agent:heartbeat", "scout", "--run-now")
        self.assertFalse((self.home / "runs" / "agents").exists())
        self.ok("agent:config", "scout", "heartbeat.enabled=true")
        shown = self.ok("agent:heartbeat", "scout")
        self.assertTrue(shown["blank"])
        self.assertNotIn("nextAt", shown)
        for words in (("agent:heartbeat", "scout"), ("agent:show", "scout"), ("agent:list",)):
            self.assertIn("every 5 minutes, but HEARTBEAT.md is blank", self.call(*words).out)
        (self.home / "agents" / "scout" / "HEARTBEAT.md").write_text("Look.")
        self.assertIn("nextAt", self.ok("agent:heartbeat", "scout"))

    def test_a_worker_of_an_agent_that_is_not_there_does_not_work_without_its_limits(self):
        self.create("scout", "--setting", "tools.permission=read")
        (self.home / "config.json").write_text(json.dumps(MOCK | {
            "match": [{"kind": "worker", "executor": "gpt"}]}))
        self.ok("channel:create", "web", "--setting", "memory.recall=false")
        error = self.refused(3, "AGENT_NOT_FOUND", "worker:spawn", "web", "x", "--agent", "scuot")
        self.assertIn("did you mean scout?", error["hint"])
        self.ok("worker:spawn", "web", "Look around", "--agent", "scout")
        (self.home / "agents" / "scout").rename(self.home / "gone")
        self.call("run:drive", "web")
        (worker,) = self.ok("worker:list", "web", "--all")["workers"]
        self.assertEqual((worker["state"], worker["code"]), ("failed", "AgentInvalid"))
        self.assertIn('there is no agent "scout"', worker["error"])

    def test_an_executor_that_is_not_there_is_told_when_it_is_named_and_when_work_waits(self):
        self.create("scout")
        changed = self.ok("agent:config", "scout", "executor=gtp")
        self.assertEqual(changed["warnings"],
                         ['nobody does its work: the configuration has no executor "gtp"; '
                          "did you mean gpt?"])
        made = self.ok("agent:create", "other", "--executor", "shell")
        self.assertIn("not of the type for the runtime native", made["warnings"][0])
        self.ok("agent:heartbeat", "scout", "--run-now")
        (item,) = self.ok("inbox")["available"]
        self.assertEqual(item["command"], "reprise agent:config scout executor=NAME")
        model = {"type": "openai", "url": "http://127.0.0.1:9/v1", "model": "m"}
        (self.home / "config.json").write_text(json.dumps({"executors": {"local": model}}))
        (item,) = self.ok("inbox")["available"]
        self.assertEqual(item["command"], "reprise agent:config scout executor=local")
        self.assertNotIn("warnings", self.ok("agent:config", "scout", "executor=local"))

    def test_what_an_agent_is_told_reaches_its_executor(self):
        instructions = self.write("rules.md", "Be brief.\n")
        self.write("tell.sh", "#!/bin/sh\ncat\n").chmod(0o755)
        config = {"executors": {"echo": {"type": "command", "command": [str(self.work / "tell.sh")],
                                         "stdin": "prompt", "output": "text"}}}
        (self.home / "config.json").write_text(json.dumps(config))
        self.ok("agent:create", "coder", "--runtime", "command", "--instructions", instructions,
                "--heartbeat", self.write("heartbeat.md", "Look around.\n"), "--channel", "ops")
        self.assertEqual(self.beat("coder")["lastResult"], "reported")
        self.ok("run:iterate", "ops")
        (message,) = self.ok("message:list", "ops")["messages"]
        self.assertTrue(message["content"].startswith("Be brief.\n\n"), message)
        self.assertIn("Look around.", message["content"])


if __name__ == "__main__":
    harness.main()
