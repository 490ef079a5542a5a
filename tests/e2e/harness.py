"""Runs the real binary in a fresh home and looks at what it says.

Every JSON document that passes through here is validated against the schema that the binary prints
for it, so each end-to-end case is a test of the schemas, too.
"""

import functools
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from jsonschema import Draft7Validator

BINARY = pathlib.Path(os.environ["REPRISE_BINARY"])
TIMEOUT_S = 120
# The sanitized binary has a million globals, most of them UBSan's own; to list them takes 30 ms of
# each start. The unit tests, which start once, watch over them.
SANITIZER_OPTIONS = "report_globals=0"
# In memory where there is room for it: what a sync is worth, tests/power and tests/crash ask.
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def fresh_folder(prefix, where=MEMORY):
    return pathlib.Path(tempfile.mkdtemp(prefix=prefix, dir=where))


class Answer:
    """What one invocation said."""

    def __init__(self, words, process):
        self.words = words
        self.exit = process.returncode
        self.out = process.stdout
        self.err = process.stderr

    @functools.cached_property
    def json(self):
        return json.loads(self.out)

    def __repr__(self):
        return f"reprise {' '.join(self.words)} -> {self.exit}\n{self.out}{self.err}"


@functools.lru_cache(maxsize=None)
def schema(name):
    printed = subprocess.run(
        [BINARY, "schema", name], capture_output=True, text=True, check=True, timeout=TIMEOUT_S
    )
    return json.loads(printed.stdout)


def validate(document, name):
    errors = sorted(Draft7Validator(schema(name)).iter_errors(document), key=lambda e: e.path)
    if errors:
        where = "/".join(str(step) for step in errors[0].absolute_path)
        raise AssertionError(f"{name}: /{where}: {errors[0].message}\n{json.dumps(document)}")


class Home(unittest.TestCase):
    """A test case with a fresh home and a fresh working directory."""

    maxDiff = None
    where = MEMORY  # its folder; None: where temporary files lie

    def setUp(self):
        self.folder = fresh_folder("reprise-e2e-", self.where)
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.home = self.folder / "home"
        self.work = self.folder / "work"
        self.work.mkdir()
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "REPRISE_HOME": str(self.home),
            "USER": "tester",
            "LC_ALL": "C.UTF-8",
            "ASAN_OPTIONS": SANITIZER_OPTIONS,
        }

    def call(self, *words, stdin="", environment=None, cwd=None):
        """Runs `reprise WORDS...` and returns its answer, whatever it is."""
        words = [str(word) for word in words]
        process = subprocess.run(
            [BINARY, *words],
            input=stdin,
            capture_output=True,
            text=True,
            env={**self.environment, **(environment or {})},
            cwd=cwd or self.work,
            timeout=TIMEOUT_S,
            check=False,
        )
        return Answer(words, process)

    def ok(self, command, *words, exit=0, **options):
        """A command that does its job: returns its document, validated."""
        answer = self.call(command, *words, "--json", **options)
        self.assertEqual(answer.exit, exit, answer)
        self.assertEqual(answer.err, "", answer)
        validate(answer.json, command)
        return answer.json

    def refused(self, exit, code, command, *words, **options):
        """A command that cannot do its job: returns the error. The text form must agree."""
        answer = self.call(command, *words, "--json", **options)
        self.assertEqual(answer.exit, exit, answer)
        validate(answer.json, "error")
        error = answer.json["error"]
        self.assertEqual(error["code"], code, answer)
        self.assertNotEqual(error["message"], "")
        text = self.call(command, *words, **options)
        self.assertEqual((text.exit, text.out), (exit, ""), text)
        self.assertTrue(text.err.startswith("reprise: "), text)
        return error

    def write(self, name, text):
        """A file in the working directory; returns its path."""
        path = self.work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(text, bytes):
            path.write_bytes(text)
        else:
            path.write_text(text if isinstance(text, str) else json.dumps(text))
        return path

    def run_dir(self, run):
        return self.home / "runs" / run

    def records(self, run):
        """The journal's records, each validated with the schema of its type."""
        found = []
        for segment in sorted((self.run_dir(run) / "journal").glob("*.jsonl")):
            for line in segment.read_text().splitlines():
                record = json.loads(line)
                if "seq" not in record:
                    continue
                validate(record, "record")
                validate(record["data"], record["type"])
                found.append(record)
        return found

    def checklist(self, run="r", *steps, **inputs):
        """A run of the built-in checklist, iterated once."""
        document = {"steps": list(steps) or ["make", "make test"], **inputs}
        path = self.write("steps.json", document)
        self.ok("run:create", "--process", "checklist", "--inputs", path, "--run-id", run)
        return self.ok("run:iterate", run)

    def script(self, source, *words, run="r", name="main.js", exit=0):
        """A run of a script, iterated once."""
        path = self.write(name, source)
        self.ok("run:create", "--entry", path, "--run-id", run, *words)
        return self.ok("run:iterate", run, exit=exit)

    def post(self, run, effect, value, *words):
        return self.ok(
            "task:post", run, effect, "--status", "ok", "--value-inline", json.dumps(value), *words
        )


main = unittest.main
