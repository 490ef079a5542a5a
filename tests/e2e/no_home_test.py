"""Commands where there is no home: what is named by its path needs none, and nothing crashes."""

import shutil

import every_command
import harness

LOGS = """import { defineTask } from 'reprise';
const work = defineTask('work', { kind: 'shell', shell: { command: 'true' } });
export async function process(inputs, ctx) {
  ctx.onCleanup(() => { throw new Error('too late'); });
  ctx.log('before');
  const done = await ctx.task(work, {});
  console.log('after');
  return done;
}
"""


class NoHome(harness.Home):
    """The run lies in a folder that --runs-dir named once; no command names a home."""

    def setUp(self):
        super().setUp()
        (self.folder / "made").mkdir()
        del self.environment["REPRISE_HOME"]
        self.write("main.mjs", LOGS)
        self.write("answers.json", {})

    def made(self, runs):
        runs_dir = self.work / runs
        self.ok("run:create", "--runs-dir", runs_dir, "--run-id", "r", "--entry", "main.mjs")
        return runs_dir / "r"

    def go_through(self, run):
        self.assertEqual(self.ok("run:iterate", run)["status"], "waiting")
        posted = self.post(run, "t1", {"exitCode": 0}, "--iterate")
        self.assertEqual(posted["iteration"]["status"], "completed")
        self.assertFalse((self.folder / ".reprise").exists())

    def test_a_process_logs_to_the_home_that_holds_its_run(self):
        run = self.made("runs")
        self.go_through(run)
        lines = [line["message"] for line in self.ok("run:logs", run)["lines"]]
        self.assertEqual(lines[:2], ["before", "after"])
        self.assertIn("too late", lines[2])
        self.assertTrue((self.work / "logs/r.jsonl").is_file())

    def test_what_a_run_outside_of_any_home_logs_is_only_printed(self):
        run = self.made("bare")
        self.go_through(run)
        self.assertEqual(self.ok("run:logs", run)["lines"], [])
        self.assertFalse((self.work / "logs").exists())

    def test_a_log_does_not_go_to_another_home(self):
        self.ok("init", "--home", self.folder / "other")
        run = self.made("runs")
        self.ok("run:iterate", run, "--home", self.folder / "other")
        self.assertEqual(list((self.folder / "other/logs").iterdir()), [])
        self.assertEqual(len(self.ok("run:logs", run)["lines"]), 1)

    def sweep(self, run, environment):
        """Every command at the run, each with the folder as it was; returns those that crashed."""
        before = self.work / "before"
        shutil.copytree(run.parent, before)
        crashed = []
        for command in every_command.commands():
            shutil.rmtree(run.parent)
            shutil.copytree(before, run.parent)
            for home in (self.folder / ".reprise", self.folder / "nowhere"):
                shutil.rmtree(home, ignore_errors=True)
            words = every_command.words_of(command, run)
            answer = self.call(*words, environment=environment)
            if answer.exit not in range(14):
                crashed.append(answer)
        shutil.rmtree(before)
        return crashed

    def test_no_command_ends_by_a_signal(self):
        run = self.made("bare")
        tried = 0
        for iterated in (False, True):
            if iterated:
                self.ok("run:iterate", run, "--home", self.folder / "made")
            for environment in ({}, {"HOME": ""}, {"REPRISE_HOME": str(self.folder / "nowhere")}):
                self.assertEqual(self.sweep(run, environment), [])
                tried += 1
        print(f"{tried} times every command where there is no home: none ended by a signal")


if __name__ == "__main__":
    harness.main()
