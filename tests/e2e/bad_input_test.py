"""Everything a user can get wrong: each has its own words, and nothing is left behind."""

import json

import harness

NOTHING = "export async function process() {}"


class Words(harness.Home):
    def test_words_that_make_no_sense(self):
        self.home.mkdir(parents=True)
        self.assertEqual(
            self.refused(2, "UNKNOWN_COMMAND", "run:itterate", "r")["hint"],
            "did you mean run:iterate?",
        )
        self.assertEqual(
            self.refused(2, "UNKNOWN_FLAG", "run:list", "--stauts", "x")["hint"],
            "did you mean --status?",
        )
        self.refused(2, "INVALID_ARGUMENT", "run:list", "--limit", "0")
        self.refused(2, "INVALID_ARGUMENT", "run:list", "--limit", "many")
        self.refused(2, "INVALID_ARGUMENT", "run:list", "--status", "done")
        self.refused(2, "INVALID_ARGUMENT", "run:list", "--output", "yaml")
        self.refused(2, "INVALID_ARGUMENT", "run:list", "--lock-timeout", "soon")
        self.refused(2, "INVALID_ARGUMENT", "run:list", "--now", "tomorrow")
        self.refused(2, "MISSING_ARGUMENT", "run:status")
        self.refused(2, "INVALID_ARGUMENT", "run:status", "a", "b")

    def test_an_error_document_comes_even_when_the_words_make_no_sense(self):
        answer = self.call("--json", "run:list", "--nonsense")
        self.assertEqual((answer.exit, answer.err), (2, ""))
        harness.validate(answer.json, "error")


class Creating(harness.Home):
    def create_refused(self, exit, code, *words, **options):
        error = self.refused(exit, code, "run:create", *words, **options)
        if self.home.exists():
            self.assertEqual(self.ok("run:list")["runs"], [])
        runs = self.home / "runs"
        self.assertEqual(list(runs.iterdir()) if runs.exists() else [], [])
        return error

    def test_run_ids_that_would_escape(self):
        for run_id in ("..", ".", "", "a/b", "../x", "-x", ".new-1", "a" * 129, "a\nb", "é"):
            with self.subTest(run_id=run_id):
                self.create_refused(2, "INVALID_RUN_ID", f"--run-id={run_id}")

    def test_an_id_that_is_taken(self):
        self.ok("run:create", "--run-id", "r", "--input", "a=1", "--input", "b=2")
        self.refused(
            4, "RUN_EXISTS", "run:create", "--run-id", "r", "--input", "a=1", "--input", "b=2"
        )
        same = self.ok(
            "run:create", "--run-id", "r", "--inputs", "-", "--if-absent", stdin='{"b":2, "a":1}'
        )
        self.assertFalse(same["created"])
        self.refused(
            4, "RUN_EXISTS", "run:create", "--run-id", "r", "--input", "a=2", "--if-absent"
        )
        entry = self.write("main.js", NOTHING)
        self.refused(
            4,
            "RUN_EXISTS",
            "run:create",
            "--run-id",
            "r",
            "--input",
            "a=1",
            "--input",
            "b=2",
            "--if-absent",
            "--entry",
            entry,
        )

    def test_inputs(self):
        self.create_refused(3, "FILE_NOT_FOUND", "--inputs", "absent.json")
        self.create_refused(2, "INVALID_JSON", "--inputs", "-", stdin="{")
        self.create_refused(2, "INVALID_JSON", "--inputs", "-", stdin="")
        self.create_refused(2, "INVALID_JSON", "--inputs", "-", stdin='{"a":1,"a":2}')
        self.create_refused(2, "INVALID_JSON", "--inputs", "-", stdin="[" * 600 + "]" * 600)
        self.create_refused(2, "INVALID_JSON", "--inputs", self.write("latin1.json", b'"\xe9"'))
        self.create_refused(2, "INVALID_JSON", "--input", "n=9007199254740993")
        self.create_refused(2, "INVALID_ARGUMENT", "--input", "novalue")
        self.create_refused(2, "INVALID_ARGUMENT", "--input", "a=1", "--input", "a=2")
        self.create_refused(2, "INVALID_ARGUMENT", "--inputs", "-", "--input", "a=1", stdin="[1]")
        self.create_refused(2, "INVALID_ARGUMENT", "--label", "novalue")
        self.create_refused(2, "NOT_A_FILE", "--inputs", self.work)
        self.create_refused(2, "NOT_SIMULATED", "--now", "2026-01-01T00:00:00Z")

    def test_input_values_are_json_or_strings(self):
        self.ok(
            "run:create",
            "--run-id",
            "r",
            "--input",
            "n=5",
            "--input",
            "s=v1.2",
            "--input",
            "l=[1, 2]",
            "--input",
            'q="5"',
            "--input",
            "e=",
        )
        inputs = json.loads((self.run_dir("r") / "inputs.json").read_text())
        self.assertEqual(inputs, {"n": 5, "s": "v1.2", "l": [1, 2], "q": "5", "e": ""})

    def test_entries(self):
        self.create_refused(3, "ENTRY_NOT_FOUND", "--entry", "absent.js")
        entry = self.write("main.js", NOTHING)
        without = self.write("without.js", "export const other = 1;")
        error = self.create_refused(2, "SCRIPT_INVALID", "--entry", without)
        self.assertIn("process", error["message"])
        broken = self.write("broken.js", "export async function process( {\n")
        error = self.create_refused(2, "SCRIPT_INVALID", "--entry", broken)
        self.assertIn("broken.js:", error["message"])
        throws = self.write("throws.js", "throw new Error('at the top');" + NOTHING)
        error = self.create_refused(2, "SCRIPT_INVALID", "--entry", throws)
        self.assertIn("at the top", error["message"])
        self.create_refused(2, "INVALID_ARGUMENT", "--entry", entry, "--process", "checklist")
        self.create_refused(3, "PROCESS_UNKNOWN", "--process", "checklists")
        self.create_refused(2, "INPUTS_REFUSED", "--process", "checklist")

    def test_imports_that_the_sandbox_refuses(self):
        for name in (
            "node:fs",
            "fs",
            "left-pad",
            "https://example.org/x.js",
            "../../../etc/passwd.js",
        ):
            with self.subTest(name=name):
                entry = self.write("main.js", f"import x from '{name}';\n{NOTHING}")
                answer = self.call("run:create", "--entry", entry, "--json")
                self.assertIn(
                    answer.json["error"]["code"], ("IMPORT_REFUSED", "IMPORT_NOT_FOUND"), answer
                )
                self.assertIn("main.js:1:", answer.json["error"]["message"])
                self.assertIn(answer.exit, (2, 3))
        self.assertEqual(self.ok("run:list")["runs"], [])


class Posting(harness.Home):
    def setUp(self):
        super().setUp()
        self.checklist("r", "make", "make test")

    def post_refused(self, exit, code, *words, **options):
        before = self.records("r")
        error = self.refused(exit, code, "task:post", "r", *words, **options)
        self.assertEqual(self.records("r"), before)
        return error

    def ok_value(self, text, **options):
        return self.ok(
            "task:post", "r", "t1", "--status", "ok", "--value", "-", stdin=text, **options
        )

    def test_flags_that_do_not_go_together(self):
        self.post_refused(2, "MISSING_ARGUMENT", "t1")
        self.post_refused(2, "INVALID_ARGUMENT", "t1", "--status", "okay")
        self.post_refused(2, "INVALID_ARGUMENT", "t1", "--status", "ok")
        self.post_refused(
            2, "INVALID_ARGUMENT", "t1", "--status", "ok", "--value", "-", "--value-inline", "1"
        )
        self.post_refused(
            2, "INVALID_ARGUMENT", "t1", "--status", "ok", "--value-inline", "1", "--error", "-"
        )
        self.post_refused(2, "INVALID_ARGUMENT", "t1", "--status", "error", "--value-inline", "1")
        self.post_refused(
            2, "INVALID_ARGUMENT", "t1", "--status", "error", "--error", "-", "--error-inline", "1"
        )
        self.post_refused(
            2, "INVALID_ARGUMENT", "t1", "--status", "ok", "--value-inline", "1", "--attempt", "0"
        )
        self.post_refused(
            2,
            "INVALID_ARGUMENT",
            "t1",
            "--status",
            "ok",
            "--value-inline",
            "1",
            "--started-at",
            "now",
        )
        self.post_refused(
            2,
            "INVALID_ARGUMENT",
            "t1",
            "--status",
            "ok",
            "--value-inline",
            "1",
            "--metadata",
            self.write("meta.json", "[]"),
        )

    def test_values_that_cannot_be_kept(self):
        bad = {
            "malformed": "{",
            "two values": "1 2",
            "duplicate keys": '{"a":1,"a":2}',
            "a big integer": '{"n":12345678901234567890}',
            "a lone surrogate": '"\\ud800"',
            "a number beyond a double": "1e999",
            "too deep": "[" * 600 + "]" * 600,
            "nothing": "",
        }
        for name, text in bad.items():
            with self.subTest(name=name):
                error = self.post_refused(
                    2, "INVALID_JSON", "t1", "--status", "ok", "--value", "-", stdin=text
                )
                self.assertIn("--value", error["message"])
        self.post_refused(3, "FILE_NOT_FOUND", "t1", "--status", "ok", "--value", "absent.json")
        self.post_refused(
            2,
            "NOT_SIMULATED",
            "t1",
            "--status",
            "ok",
            "--value-inline",
            "1",
            "--now",
            "2026-01-01T00:00:00Z",
        )

    def test_a_file_that_is_too_large_is_refused_before_it_is_read(self):
        path = self.write("huge.json", "")
        with open(path, "wb") as file:
            file.truncate((1 << 30) + 1)  # takes no room on the disk
        error = self.post_refused(2, "FILE_TOO_LARGE", "t1", "--status", "ok", "--value", path)
        self.assertIn("larger than 1024 MiB", error["message"])
        self.assertIn("let the value name it", error["hint"])
        error = self.post_refused(2, "FILE_TOO_LARGE", "t1", "--status", "error", "--error", path)
        self.assertIn("larger than 256 MiB", error["message"])

    def test_files_are_looked_for_here_then_in_the_run(self):
        (self.run_dir("r") / "tasks/t1/result.json").write_text('{"exitCode":0,"from":"run"}')
        self.ok("task:post", "r", "t1", "--status", "ok", "--value", "tasks/t1/result.json")
        self.assertEqual(self.ok("task:show", "r", "t1")["result"]["value"]["from"], "run")

    def test_effects_that_do_not_exist(self):
        self.post_refused(3, "EFFECT_NOT_FOUND", "t9", "--status", "ok", "--value-inline", "1")
        self.post_refused(2, "INVALID_EFFECT_ID", "t01", "--status", "ok", "--value-inline", "1")
        self.post_refused(2, "MISSING_ARGUMENT", "--status", "ok", "--value-inline", "1")
        self.refused(
            3, "RUN_NOT_FOUND", "task:post", "q", "t1", "--status", "ok", "--value-inline", "1"
        )

    def test_the_same_result_twice_is_one(self):
        self.assertTrue(self.ok_value('{"exitCode":0,"list":[1,2]}')["recorded"])
        before = self.records("r")
        for again in ('{"exitCode":0,"list":[1,2]}', ' {"list" : [1, 2.0], "exitCode": 0e0}\n'):
            self.assertFalse(self.ok_value(again)["recorded"])
        self.assertEqual(self.records("r"), before)

    def test_another_result_is_a_conflict(self):
        self.ok_value('{"exitCode":0}')
        value = ["--status", "ok", "--value-inline"]
        self.post_refused(4, "EFFECT_CONFLICT", "t1", *value, '{"exitCode":1}')
        self.post_refused(4, "EFFECT_CONFLICT", "t1", "--status", "error")
        self.post_refused(4, "EFFECT_CONFLICT", "t1", *value, '{"exitCode":0}', "--attempt", "2")

    def test_what_the_caller_expects_must_be_so(self):
        value = ["--status", "ok", "--value-inline", "1"]
        self.post_refused(4, "EFFECT_CONFLICT", "t1", *value, "--attempt", "2")
        self.post_refused(4, "EFFECT_CONFLICT", "t1", *value, "--invocation-key", "other")

    def test_a_key_makes_a_repeat_a_no_op(self):
        self.ok("task:post", "r", "t1", "--status", "ok", "--value-inline", "1", "--key", "job-7")
        again = self.ok(
            "task:post", "r", "t1", "--status", "ok", "--value-inline", "1", "--key", "job-7"
        )
        self.assertFalse(again["recorded"])

    def test_a_dry_run_records_nothing(self):
        before = self.records("r")
        dry = self.ok(
            "task:post",
            "r",
            "t1",
            "--status",
            "ok",
            "--value-inline",
            "1",
            "--dry-run",
            "--iterate",
        )
        self.assertTrue(dry["dryRun"])
        self.assertFalse(dry["recorded"])
        self.assertEqual(self.records("r"), before)

    def test_an_error_may_be_json_text_or_nothing(self):
        cases = [
            (["--error", "-"], "it broke\n", {"name": "Error", "message": "it broke\n"}),
            (
                ["--error-inline", '{"name":"E","message":"m","data":{"x":1}}'],
                "",
                {"name": "E", "message": "m", "data": {"x": 1}},
            ),
            ([], "", {"name": "Error", "message": "Task reported failure"}),
        ]
        for number, (words, stdin, expected) in enumerate(cases):
            run = f"e{number}"
            self.checklist(run)
            self.ok("task:post", run, "t1", "--status", "error", *words, stdin=stdin)
            self.assertEqual(self.ok("task:show", run, "t1")["result"]["error"], expected)

    def test_a_large_result_is_kept_as_a_blob(self):
        text = "x" * 100_000
        self.ok_value(json.dumps({"log": text}))
        self.assertEqual(self.ok("task:show", "r", "t1")["result"]["value"]["log"], text)
        self.assertEqual(len(list((self.run_dir("r") / "blobs").iterdir())), 1)
        self.assertEqual(self.ok("run:verify", "r")["blobs"], 1)
        self.records("r")


if __name__ == "__main__":
    harness.main()
