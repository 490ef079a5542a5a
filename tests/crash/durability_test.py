"""What a command acknowledges is durable, and so is every byte that it relied on."""

import re
import unittest

from disk import Disk
from scenarios import RUN, SCENARIOS, SEGMENT
from traps import Call, list_calls

JOURNAL = re.compile(r"/journal(/|$)")


def follow(scenario):
    """The calls of the unharmed command, and the disk before each of them and at the end."""
    home = scenario.template.copy()
    disk = Disk(home.path, {str(path.relative_to(home.path)) for path in home.path.rglob("*")})
    if scenario.unsynced:
        disk.doubt(SEGMENT)
    answer, calls = list_calls(home, scenario.line, **scenario.options(home))
    if answer.exit != 0:
        raise AssertionError(answer)
    for call in calls:
        yield call, disk
        disk.apply(call)
    yield None, disk
    home.remove()


class Durability(unittest.TestCase):
    def check(self, call, disk):
        if call is None:
            self.assertEqual(disk.unsafe(), set(), "acknowledged, and a power cut takes it")
            return
        path = disk.relative(call.subject)
        if call.name == "pwrite64" and path.endswith("state/head"):
            dirty = {each for each in disk.bytes if JOURNAL.search(each)}
            self.assertEqual(dirty, set(), f"the witness runs ahead of the disk: {call}")
        if call.name == "pwrite64" and re.fullmatch(rf"runs/{RUN}/journal/\d+\.jsonl", path):
            named = {each for each in disk.unsafe() if not JOURNAL.search(each)}
            self.assertEqual(named, set(), f"what the record names is not durable: {call}")

    def test_what_is_acknowledged_is_synced(self):
        for scenario in SCENARIOS:
            with self.subTest(str(scenario)):
                for call, disk in follow(scenario):
                    self.check(call, disk)


def call(name, subject, target=""):
    return Call(name, 1, True, 0, f"/home/{subject}", target and f"/home/{target}")


class DiskTest(unittest.TestCase):
    """The model itself."""

    def unsafe(self, *calls, doubted=False):
        disk = Disk("/home", {"runs", f"runs/{RUN}", f"runs/{RUN}/journal", SEGMENT})
        if doubted:
            disk.doubt(SEGMENT)
        for each in calls:
            disk.apply(each)
        return disk.unsafe()

    def test_unsynced_bytes_are_lost(self):
        write, sync = call("pwrite64", SEGMENT), call("fdatasync", SEGMENT)
        self.assertEqual(self.unsafe(write), {SEGMENT})
        self.assertEqual(self.unsafe(write, sync), set())
        self.assertEqual(self.unsafe(sync, write), {SEGMENT})

    def test_doubted_bytes_are_lost_until_they_are_written_again(self):
        write, sync = call("pwrite64", SEGMENT), call("fdatasync", SEGMENT)
        self.assertEqual(self.unsafe(sync, doubted=True), {SEGMENT})
        self.assertEqual(self.unsafe(write, sync, doubted=True), set())

    def test_unsynced_names_are_lost_with_what_is_below_them(self):
        blobs, blob = f"runs/{RUN}/blobs", f"runs/{RUN}/blobs/1"
        made = (call("mkdirat", blobs), call("openat2", blob + ".tmp"))
        written = (call("pwrite64", blob + ".tmp"), call("fdatasync", blob + ".tmp"))
        renamed = (call("renameat", blob + ".tmp", blob), call("fsync", blobs))
        self.assertEqual(self.unsafe(*made, *written, *renamed), {blobs})
        self.assertEqual(
            self.unsafe(*made, *written, *renamed, call("fsync", f"runs/{RUN}")), set()
        )

    def test_derived_files_may_be_lost(self):
        self.assertEqual(self.unsafe(call("pwrite64", f"runs/{RUN}/state/state.json")), set())


if __name__ == "__main__":
    unittest.main()
