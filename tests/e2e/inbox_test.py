"""What the home's own runs, its hooks and its heartbeat want of a person, and how it goes away."""

import json
import shlex

import harness


class Attention(harness.Home):
    def configure(self, **config):
        self.home.mkdir(exist_ok=True)
        (self.home / "config.json").write_text(json.dumps(config))

    def mock(self, *answers, **more):
        kinds = [answer["kind"] for answer in answers]
        self.configure(
            executors={"m": {"type": "mock", "answers": list(answers)}},
            match=[{"kind": kind, "executor": "m"} for kind in kinds],
            **more,
        )

    def attention(self):
        return self.ok("inbox")["attention"]

    def only(self, what, command):
        (item,) = self.attention()
        self.assertEqual((item["what"], item["command"]), (what, "reprise " + command))
        return item

    def typed(self, item):
        return self.ok(*shlex.split(item["command"])[1:])

    def test_nothing_is_wanted_of_a_home_where_all_is_well(self):
        self.checklist("c", "make")
        self.assertEqual(self.attention(), [])
        self.ok("heartbeat")
        self.assertEqual(self.attention(), [])

    def test_a_loop_that_paused_itself(self):
        self.mock({"kind": "evaluate", "error": {"name": "KeyRefused", "message": "401"}})
        self.ok("heartbeat:run-now", exit=1)
        item = self.only(
            "the loop paused itself: Evaluation failed: KeyRefused: 401", "heartbeat:resume"
        )
        self.assertEqual(item["runId"], "subconscious")
        self.typed(item)
        self.assertEqual(self.attention(), [])

    def test_a_loop_that_somebody_paused_is_as_he_wants_it(self):
        self.mock({"kind": "evaluate", "value": {"evaluations": []}})
        self.ok("heartbeat:tasks", "add", "look around")
        self.ok("heartbeat:pause")
        self.assertEqual(self.attention(), [])

    def test_cards_that_a_person_is_to_look_at(self):
        self.ok("project:create", "p")
        self.ok("board:add", "p", "fix it", "--status", "pending_approval")
        self.typed(self.only("card card-1 is proposed: fix it", "board:show card-1"))
        self.ok("board:approve", "card-1")
        self.assertEqual(self.attention(), [])

    def test_a_worker_that_asks_something(self):
        self.mock({"kind": "worker", "values": [{"status": "waiting", "report": "Which city?"}]})
        self.ok("channel:create", "web")
        self.ok("worker:spawn", "web", "book", "--mode", "interactive")
        self.ok("heartbeat", "--drive")
        self.typed(
            self.only(
                "worker w1 waits for you: Which city?",
                "worker:route web w1 --command continue --text TEXT",
            )
        )
        self.assertEqual(self.attention(), [])

    def test_a_question_of_a_card_stands_under_the_card_alone(self):
        self.mock({"kind": "worker", "values": [{"status": "waiting", "report": "Which city?"}]})
        self.ok("project:create", "p")
        self.ok("channel:create", "web")
        self.ok("project:link", "p", "web")
        self.ok("board:add", "p", "book", "--channel", "web", "--status", "ready")
        self.ok("heartbeat", "--drive")
        self.ok("heartbeat")
        self.typed(self.only("card card-1 waits for you: book", "board:show card-1"))

    def test_a_schedule_that_failed_the_last_time(self):
        self.ok("schedule:add", "--every", "1h", "--command", "false", "--name", "backup")
        self.ok("schedule:run-now", "backup")
        self.ok("heartbeat", "--drive")
        self.typed(self.only("schedule backup failed: exit code 1", "schedule:log 1"))

    def test_a_hook_that_gave_up(self):
        self.configure(
            hooks={"h": {"types": ["a.b"], "command": ["false"], "attempts": 1}}
        )
        self.ok("heartbeat")
        (self.work / "tell.js").write_text(
            "export async function process(i, ctx) { ctx.emit('a.b', 1); ctx.emit('a.b', 2); }\n"
        )
        self.ok("run:create", "--entry", "tell.js", "--run-id", "r")
        self.ok("run:iterate", "r")
        identity = self.ok("run:status", "r")["identity"]
        item = self.only(f"hook h gave up r/2/{identity} and 1 more: exit code 1", "hook:list h")
        self.assertEqual(item["runId"], "r")
        self.typed(item)

    def test_what_went_wrong_in_the_last_heartbeat(self):
        self.checklist("c", "make")
        agent = self.home / "agents" / "s"
        agent.mkdir(parents=True)
        (agent / "HEARTBEAT.md").write_text("Look.\n")
        (agent / "config.json").write_text('{"hartbeat": 1}')
        self.assertEqual(self.call("heartbeat").exit, 0)
        (item,) = self.attention()
        self.assertIn("the last heartbeat: agents", item["what"])
        self.assertIn("hartbeat", item["what"])
        self.assertEqual(item["command"], "reprise doctor")
        told = [row for row in self.ok("doctor")["findings"]
                if row["check"] == "heartbeat"]
        self.assertIn("hartbeat", told[0]["what"])
        (agent / "config.json").write_text("{}")
        self.ok("heartbeat")
        self.assertEqual(self.attention(), [])


if __name__ == "__main__":
    harness.main()
