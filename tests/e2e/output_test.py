"""The output contract: what goes where, in which form, with which exit code."""

import json
import os
import pathlib
import subprocess

import harness

EMITS = """export async function process(inputs, ctx) {
  for (const again of [true, false]) {
    for (let i = 0; i < 3000; i++) ctx.emit('large', 'x'.repeat(3500));
    if (again) await ctx.signal('again');
  }
}"""
RETURNS = """export async function process() {
  return { notes: 'line 1\\nline 2\\n', total: 1.5, list: [1, 2] };
}"""


class Modes(harness.Home):
    def setUp(self):
        super().setUp()
        self.script(RETURNS)

    def test_text_is_for_people_and_json_for_programs(self):
        text = self.call("run:status", "r")
        self.assertIn("completed", text.out)
        self.assertEqual(
            self.call("run:status", "r", "--output", "json").json["state"], "completed"
        )
        self.assertEqual(self.call("run:status", "r", "--output=none").out, "")
        self.assertNotIn("\x1b", text.out)
        self.assertIn("\x1b[", self.call("run:status", "r", "--color", "always").out)

    def test_jsonl_prints_an_element_a_line(self):
        lines = self.call("run:events", "r", "--output", "jsonl").out.splitlines()
        self.assertEqual([json.loads(line)["seq"] for line in lines], [1, 2])
        (line,) = self.call("run:list", "--output", "jsonl").out.splitlines()
        self.assertEqual(json.loads(line)["runId"], "r")

    def test_get_prints_one_value(self):
        get = lambda pointer: self.call("run:output", "r", "--get", pointer)
        self.assertEqual(get("/output/notes").out, "line 1\nline 2\n\n")
        self.assertEqual(get("/output/total").out, "1.5\n")
        self.assertEqual(get("/output/list/1").out, "2\n")
        missing = get("/output/nothing")
        self.assertEqual((missing.exit, missing.out), (3, ""))
        wrong = get("output")
        self.assertEqual((wrong.exit, wrong.out), (2, ""))

    def test_the_output_as_text_is_the_value(self):
        self.assertEqual(json.loads(self.call("run:output", "r").out)["total"], 1.5)

    def test_data_cannot_act_on_the_terminal(self):
        self.ok(
            "run:create",
            "--run-id",
            "evil",
            "--request",
            "\x1b[2J\u202egnp.exe",
            "--label",
            "a=\x07",
        )
        out = self.call("run:status", "evil").out
        for bad in ("\x1b", "\x07", "\u202e"):
            self.assertNotIn(bad, out)
        self.assertEqual(self.ok("run:status", "evil")["request"], "\x1b[2J\u202egnp.exe")

    def test_warnings_join_the_document_or_standard_error(self):
        self.write("main.js", RETURNS + "\n// edited\n")
        document = self.ok("run:iterate", "r")
        self.assertIn("main.js", document["warnings"][0])
        text = self.call("run:iterate", "r")
        self.assertTrue(text.err.startswith("reprise: warning: "), text)
        self.assertEqual(self.call("run:iterate", "r", "--quiet").err, "")


class Streams(harness.Home):
    def spawn(self, *words, **streams):
        return subprocess.run(
            [harness.BINARY, *words],
            env=self.environment,
            cwd=self.work,
            timeout=60,
            check=False,
            **streams,
        )

    def spawn_shell(self, line):
        return subprocess.run(
            ["sh", "-c", line], env=self.environment, cwd=self.work, timeout=60, check=False
        )

    def test_a_full_disk_behind_standard_output_is_exit_8(self):
        with open("/dev/full", "w") as full:
            done = self.spawn("version", stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 8)
        self.assertIn("could not be written", done.stderr)

    def test_a_reader_that_went_away_is_no_failure(self):
        read, write = os.pipe()
        os.close(read)
        done = self.spawn("version", stdout=write, stderr=subprocess.PIPE, text=True)
        os.close(write)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_long_list_is_written_while_it_is_read(self):
        self.script(EMITS)
        self.ok("run:signal", "r", "again")
        self.ok("run:iterate", "r")
        every = ("run:events", "r", "--all", "--json")
        whole = self.call(*every)
        self.assertGreater(len(whole.json["events"]), 6000)

        with open("/dev/full", "w") as full:
            done = self.spawn(*every, stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 8)
        self.assertIn("could not be written", done.stderr)

        with self.reading(*every) as reader:
            reader.stdout.read(1)
            reader.stdout.close()
            self.assertEqual((reader.stderr.read(), reader.wait()), (b"", 0))

        # What is damaged while it is written: no error document in the midst of another.
        with self.reading(*every) as reader:
            begin = reader.stdout.read(1)
            last = max((self.run_dir("r") / "journal").glob("*.jsonl"))
            damaged = bytearray(last.read_bytes())
            damaged[-1000] ^= 1
            last.write_bytes(damaged)
            out = begin + reader.stdout.read()
            self.assertIn(b"corrupt", reader.stderr.read())
            self.assertEqual(reader.wait(), 5)
        self.assertTrue(whole.out.encode().startswith(out))
        self.assertLess(len(out), len(whole.out))
        self.refused(5, "JOURNAL_CORRUPT", *every[:-1])

    def reading(self, *words):
        return subprocess.Popen([harness.BINARY, *words], env=self.environment, cwd=self.work,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def test_closed_streams_never_become_files_of_the_run(self):
        def call_without_streams(words):
            shell = f'"{harness.BINARY}" {words} <&- >&- 2>&-'
            return self.spawn_shell(shell).returncode

        create = "run:create --run-id r --process checklist --input 'steps=[\"make\"]'"
        self.assertEqual(call_without_streams(create), 8)
        self.assertEqual(call_without_streams("run:iterate r"), 8)
        self.assertEqual(self.ok("run:status", "r")["state"], "waiting")
        self.assertTrue(self.ok("run:verify", "r")["ok"])
        self.records("r")

    def test_nothing_is_left_in_the_working_directory(self):
        self.checklist()
        self.assertEqual(sorted(p.name for p in pathlib.Path(self.work).iterdir()), ["steps.json"])

    def test_what_to_type_next_is_about_the_run_and_the_place_that_were_named(self):
        self.checklist()
        runs = ("--runs-dir", str(self.home / "runs"))
        nowhere = {"REPRISE_HOME": str(self.folder / "nowhere")}
        said = self.call("run:iterate", "r", *runs, environment=nowhere).out
        self.assertIn(f"reprise run:drive --runs-dir {runs[1]} r\n", said)
        hint = self.refused(2, "INVALID_EFFECT_ID", "task:show", "r", "x", *runs,
                            environment=nowhere)["hint"]
        self.assertIn(f"reprise task:list --runs-dir {runs[1]} r shows", hint)
        hint = self.refused(3, "EFFECT_NOT_FOUND", "task:show", "r/t9")["hint"]
        self.assertEqual(hint, "reprise task:list r shows its effects")


if __name__ == "__main__":
    harness.main()
