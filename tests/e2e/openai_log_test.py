"""The chat executor where the log of its work cannot be kept."""

import resource

import chat_server as chat
import drive_home
import harness
from chat_home import Endpoint


class Logs(Endpoint):
    def test_an_attempt_whose_log_cannot_be_made_asks_nothing(self):
        (self.run_dir / "tasks" / "t1" / "stdout.log" / "held").mkdir(parents=True)
        done = self.failed("ExecutorError", chat.streamed("Hi"), requests=0)
        self.assertIn("tasks/t1/stdout.log", done.value["message"])
        self.assertNotIn("stdoutRef", done.outcome)

    def test_an_answer_is_kept_where_its_log_is_not(self):
        def no_file_may_grow():
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

        done, _ = self.answered(chat.streamed("Hi"), preexec_fn=no_file_may_grow)
        self.assertEqual((done.value["text"], done.text), ("Hi", "Hi\n"))
        self.assertIn("File too large", done.metadata["logProblem"])
        self.assertNotIn("stdoutRef", done.outcome)


class Drives(drive_home.DriveHome):
    SOURCE = """
        import { defineTask } from 'reprise';
        const say = defineTask('say', () => ({ kind: 'agent', agent: { prompt: 'Say.' } }));
        export async function process(inputs, ctx) { return (await ctx.task(say, {})).text; }
    """

    def test_a_run_records_that_a_log_could_not_be_made_and_tries_again(self):
        with chat.Server(chat.streamed("Hi")) as server:
            executor = {"type": "openai", "url": server.url, "model": "tiny"}
            self.configure({"executors": {"chat": executor},
                            "match": [{"kind": "agent", "executor": "chat"}]})
            self.create(self.SOURCE)
            self.ok("run:iterate", "r")
            held = self.run_dir("r") / "tasks" / "t1" / "stdout.log" / "held"
            held.mkdir(parents=True)
            failed = self.drive("r", exit=1)
            self.assertEqual(server.requests, [])
            self.assertEqual(failed["status"], "failed")
            error = self.ok("task:show", "r", "t1")["result"]["error"]
            self.assertEqual(error["name"], "ExecutorError")
            self.assertIn("stdout.log cannot be made", error["message"])
            held.rmdir()
            self.ok("run:retry", "r")
            self.assertEqual(self.drive("r")["status"], "completed")
        self.assertEqual(self.ok("run:output", "r")["output"], "Hi")
        self.assertEqual((held.parents[1] / "stdout.2.log").read_text(), "Hi\n")


if __name__ == "__main__":
    harness.main()
