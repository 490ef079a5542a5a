"""Runs put together wrongly: what must be found is found, what is derived does not matter."""

import os
import shutil
import unittest

from bench import Home, create_checklist, create_script, drive, post
from scenarios import LARGE, RUN, comparable

OTHER = "other"


def lines_of(home, run=RUN):
    return home.segments(run)[0].read_bytes().splitlines(keepends=True)


class Bench(unittest.TestCase):
    """A checklist in its middle: creation, t1, its result, t2."""

    @classmethod
    def setUpClass(cls):
        cls.template = Home()
        for run in (RUN, OTHER):
            create_checklist(cls.template, run, steps=3)
            drive(cls.template, run, 2)

    def setUp(self):
        self.home = self.template.copy()
        self.addCleanup(self.home.remove)
        self.run_dir = self.home.run_dir(RUN)

    def refused(self, code, *words):
        answer = self.home.run(*words)
        self.assertEqual(answer.exit, 5, answer)
        self.assertEqual(answer.json["error"]["code"], code, answer)

    def not_whole(self, kind):
        verdict = self.home.run("run:verify", RUN)
        self.assertEqual(verdict.exit, 1, verdict)
        self.assertEqual([each["kind"] for each in verdict.json["problems"]], [kind], verdict)

    def same_end(self):
        self.assertEqual(
            comparable(self.home, drive(self.home, RUN)["output"]),
            drive(self.template.copy(), RUN)["output"],
        )
        self.home.must("run:verify", RUN)


class Records(Bench):
    def put(self, lines):
        self.home.segments(RUN)[0].write_bytes(b"".join(lines))

    def test_swapped_records_are_found(self):
        lines = lines_of(self.home)
        lines[2], lines[3] = lines[3], lines[2]
        self.put(lines)
        self.not_whole("corrupt")
        self.refused("JOURNAL_CORRUPT", "run:events", RUN)

    def test_a_record_taken_out_is_found(self):
        for number in range(1, 4):
            with self.subTest(number=number):
                lines = lines_of(self.template)
                del lines[number]
                self.put(lines)
                self.not_whole("corrupt")
                self.refused("JOURNAL_CORRUPT", "run:events", RUN)

    def test_a_record_put_in_twice_is_found(self):
        lines = lines_of(self.home)
        self.put([*lines[:3], lines[2], *lines[3:]])
        self.not_whole("corrupt")
        self.refused("JOURNAL_CORRUPT", "run:events", RUN)

    def test_a_record_of_another_run_is_never_taken_in(self):
        before = self.home.events(RUN)
        self.put([*lines_of(self.home), lines_of(self.home, OTHER)[-1]])
        self.assertEqual(self.home.events(RUN), before)
        self.same_end()

    def test_a_record_of_another_run_in_the_middle_is_found(self):
        lines = lines_of(self.home)
        lines[2] = lines_of(self.home, OTHER)[2]
        self.put(lines)
        self.not_whole("corrupt")

    def test_the_journal_of_another_run_is_found(self):
        shutil.copy(self.home.segments(OTHER)[0], self.home.segments(RUN)[0])
        self.assertEqual(self.home.run("run:verify", RUN).exit, 1)
        self.assertEqual(self.home.run("run:iterate", RUN).exit, 5)

    def test_journal_and_witness_of_another_run_are_found(self):
        shutil.copy(self.home.segments(OTHER)[0], self.home.segments(RUN)[0])
        shutil.copy(self.home.run_dir(OTHER) / "state" / "head", self.run_dir / "state" / "head")
        self.not_whole("identity")

    def test_a_missing_journal_is_found(self):
        self.home.segments(RUN)[0].unlink()
        self.not_whole("missing")
        self.refused("JOURNAL_RECORDS_MISSING", "run:status", RUN)

    def test_an_empty_journal_is_found(self):
        self.put([])
        self.not_whole("missing")
        self.refused("JOURNAL_RECORDS_MISSING", "run:iterate", RUN)

    def test_a_hole_between_segments_is_found(self):
        shutil.copy(self.home.segments(RUN)[0], self.run_dir / "journal" / "00000003.jsonl")
        self.assertEqual(self.home.run("run:verify", RUN).exit, 1)

    def test_zeros_within_what_was_acknowledged_are_found(self):
        lines = lines_of(self.home)
        lines[-1] = lines[-1][:40] + bytes(len(lines[-1]) - 40)
        self.put(lines)
        self.not_whole("corrupt")
        self.refused("JOURNAL_CORRUPT", "run:events", RUN)


class CopiesOfARunningRun(Bench):
    """A copy is made file by file while a writer goes on."""

    def setUp(self):
        super().setUp()
        (action,) = drive(self.home, RUN, 1)["nextActions"]
        self.older = self.home.copy()
        self.addCleanup(self.older.remove)
        post(self.home, RUN, action)
        self.home.must("run:iterate", RUN)

    def take(self, *names):
        for name in names:
            shutil.copy(self.older.run_dir(RUN) / name, self.run_dir / name)

    def test_an_older_journal_is_missing_records(self):
        self.take("journal/00000001.jsonl")
        self.not_whole("missing")
        self.refused("JOURNAL_RECORDS_MISSING", "run:status", RUN)
        self.refused("JOURNAL_RECORDS_MISSING", "run:iterate", RUN)

    def test_an_older_witness_is_caught_up(self):
        events = self.home.events(RUN)
        self.take("state/head")
        self.assertEqual(self.home.events(RUN), events)
        self.assertTrue(self.home.must("run:verify", RUN)["journal"]["beyondWitness"])
        self.same_end()
        self.assertFalse(self.home.must("run:verify", RUN)["journal"]["beyondWitness"])

    def test_an_older_state_is_caught_up(self):
        self.take("state/state.json")
        self.same_end()

    def test_an_older_state_and_witness_are_caught_up(self):
        self.take("state/state.json", "state/head")
        self.same_end()

    def test_an_older_copy_of_everything_is_just_an_older_run(self):
        self.take("journal/00000001.jsonl", "state/state.json", "state/head")
        self.same_end()


class Derived(Bench):
    """Whatever is derived can be lost or hold anything."""

    FILES = (
        "state/state.json",
        "state/head",
        "run.json",
        "inputs.json",
        "tasks/t2/task.json",
        "tasks/t2/input.json",
        "run.lock",
    )
    CONTENTS = (b"", b"garbage", b"{}", b"[1]", b"null", b'{"version":1}', bytes(128), b"\xff\xfe")

    def check(self):
        self.assertEqual(self.home.must("run:status", RUN)["state"], "waiting")
        self.home.must("run:verify", RUN)
        self.home.must("run:list")
        self.same_end()

    def test_lost(self):
        for name in self.FILES:
            with self.subTest(name):
                self.setUp()
                (self.run_dir / name).unlink()
                self.check()

    def test_garbage(self):
        for name in self.FILES:
            for content in self.CONTENTS:
                with self.subTest(name, content=content):
                    self.setUp()
                    (self.run_dir / name).write_bytes(content)
                    self.check()

    def test_cut_and_flipped(self):
        for name in ("state/state.json", "state/head"):
            whole = (self.template.run_dir(RUN) / name).read_bytes()
            for place in range(0, len(whole), 37):
                flipped = whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
                for content in (whole[:place], flipped):
                    with self.subTest(name, place=place, size=len(content)):
                        self.setUp()
                        (self.run_dir / name).write_bytes(content)
                        self.check()

    def test_of_another_run(self):
        for name in ("state/state.json", "inputs.json", "tasks/t2/task.json"):
            with self.subTest(name):
                self.setUp()
                shutil.copy(self.home.run_dir(OTHER) / name, self.run_dir / name)
                self.check()

    def test_whole_folders_lost(self):
        for name in ("state", "tasks"):
            with self.subTest(name):
                self.setUp()
                shutil.rmtree(self.run_dir / name)
                self.check()

    def test_rebuilding_makes_them_anew(self):
        self.home.must("run:rebuild-state", RUN)
        whole = {name: (self.run_dir / name).read_bytes() for name in self.FILES[2:6]}
        for name in whole:
            (self.run_dir / name).write_bytes(b"garbage")
        shutil.rmtree(self.run_dir / "tasks")
        self.home.must("run:rebuild-state", RUN)
        for name, content in whole.items():
            self.assertEqual((self.run_dir / name).read_bytes(), content, name)


class Named(Bench):
    """What the journal names is verified whenever it is read."""

    def blob(self):
        self.home.must("task:post", RUN, "t2", "--status", "ok", "--value", "-", stdin=LARGE)
        (blob,) = (self.run_dir / "blobs").iterdir()
        return blob

    def test_a_missing_blob_is_named(self):
        self.blob().unlink()
        self.not_whole("blob")
        self.refused("BLOB_MISSING", "run:iterate", RUN)
        self.assertEqual(self.home.must("run:status", RUN)["state"], "ready")

    def test_a_damaged_blob_is_named(self):
        blob = self.blob()
        whole = blob.read_bytes()
        for place in range(0, len(whole), len(whole) // 7):
            with self.subTest(place=place):
                blob.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
                self.not_whole("blob")
                self.refused("BLOB_DAMAGED", "run:iterate", RUN)
        blob.write_bytes(whole)
        self.same_output_as_before()

    def same_output_as_before(self):
        self.assertEqual(drive(self.home, RUN)["status"], "completed")

    def test_a_blob_restored_by_the_same_post_heals(self):
        blob = self.blob()
        whole = blob.read_bytes()
        blob.write_bytes(b"damaged")
        create_checklist(self.home, "again", steps=1)
        self.home.must("run:iterate", "again")
        shutil.copytree(
            self.run_dir / "blobs", self.home.run_dir("again") / "blobs", dirs_exist_ok=True
        )
        self.home.must("task:post", "again", "t1", "--status", "ok", "--value", "-", stdin=LARGE)
        healed = self.home.run_dir("again") / "blobs" / blob.name
        self.assertEqual(healed.read_bytes(), whole)

    def test_a_damaged_or_missing_module_is_named(self):
        create_script(self.home, "s", steps=1)
        self.home.must("run:iterate", "s")
        module = self.home.run_dir("s") / "process" / "lib" / "tasks.mjs"
        whole = module.read_bytes()
        for damage in (lambda: module.write_bytes(whole + b" "), module.unlink):
            damage()
            self.refused("PROCESS_DAMAGED", "run:iterate", "s")
            verdict = self.home.run("run:verify", "s")
            self.assertEqual(verdict.exit, 1, verdict)
            self.assertEqual(verdict.json["problems"][0]["kind"], "process", verdict)
            self.assertEqual(self.home.must("run:status", "s")["state"], "waiting")
        module.write_bytes(whole)
        self.assertEqual(drive(self.home, "s")["status"], "completed")


class Planted(Bench):
    """What is no regular file is refused, and nothing hangs on it or follows it."""

    FILES = ("journal/00000001.jsonl", "state/head", "state/state.json", "run.lock")

    def test_links_and_pipes_are_refused(self):
        outside = self.home.path / "outside"
        outside.write_bytes(self.home.journal(RUN))
        plants = (lambda path: path.symlink_to(outside), os.mkfifo, os.mkdir)
        for name in self.FILES:
            for plant in plants:
                with self.subTest(name, plant=plant):
                    self.setUp()
                    (self.run_dir / name).unlink()
                    plant(self.run_dir / name)
                    self.refused("NOT_A_FILE", "run:iterate", RUN)

    def test_a_linked_folder_is_refused(self):
        for name in ("journal", "state"):
            with self.subTest(name):
                self.setUp()
                (self.run_dir / name).rename(self.home.path / name)
                (self.run_dir / name).symlink_to(self.home.path / name)
                self.refused("NOT_A_FILE", "run:iterate", RUN)


if __name__ == "__main__":
    unittest.main()
