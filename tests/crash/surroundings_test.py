"""Wrong clocks, full and read-only disks, held and replaced locks, moved runs, other users."""

import fcntl
import json
import os
import shutil
import subprocess
import unittest

from bench import AHEAD, BENCH, Home, create_checklist, create_script, drive, environment, post
from scenarios import OK, RUN

YEAR_SECONDS = 365 * 86400
NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--")
ROOT = os.geteuid() == 0


class Clock(unittest.TestCase):
    """A run that was written by a machine whose clock ran a year ahead."""

    def setUp(self):
        self.home = Home()
        self.ahead = environment(LD_PRELOAD=AHEAD, CLOCK_AHEAD_S=str(YEAR_SECONDS))
        steps = '--input=steps=["a","b"]'
        create = ("run:create", "--run-id", RUN, "--process", "checklist", steps)
        self.home.must(*create, now=None, env=self.ahead)
        self.home.must("run:iterate", RUN, now=None, env=self.ahead)
        self.post = ("task:post", RUN, "t1", *OK)

    def test_the_bench_can_shift_the_clock(self):
        recorded = self.home.must("run:events", RUN, now=None)["events"][0]["recordedAt"]
        self.home.must("run:create", "--run-id", "now", now=None)
        present = self.home.must("run:events", "now", now=None)["events"][0]["recordedAt"]
        self.assertEqual(int(recorded[:4]), int(present[:4]) + 1)

    def test_readers_warn(self):
        document = self.home.must("run:status", RUN, now=None)
        self.assertIn("ahead of the clock", document["warnings"][0])

    def test_writers_refuse(self):
        before = self.home.journal(RUN)
        for words in (("run:iterate", RUN), self.post):
            answer = self.home.run(*words, now=None)
            self.assertEqual(answer.exit, 8, answer)
            self.assertEqual(answer.json["error"]["code"], "CLOCK_BEHIND", answer)
            self.assertIn("--force", answer.json["error"]["hint"], answer)
        self.assertEqual(self.home.journal(RUN), before)

    def test_force_goes_on_at_the_time_of_the_journal(self):
        self.home.must(*self.post, "--force", now=None)
        self.home.must("run:iterate", RUN, "--force", now=None)
        times = [each["recordedAt"] for each in self.home.must("run:events", RUN)["events"]]
        self.assertEqual(times[2:], [times[1]] * 2)

    def test_a_clock_that_is_right_again_goes_on(self):
        self.home.must(*self.post, now=None, env=self.ahead)


@unittest.skipUnless(ROOT, "only root can mount a small disk and become somebody else")
class Privileged(unittest.TestCase):
    def setUp(self):
        self.home = Home()
        BENCH.chmod(0o755)

    def test_a_full_disk(self):
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=256k,nr_inodes=4k", "none", self.home.path],
            check=True,
        )
        self.addCleanup(subprocess.run, ["umount", self.home.path], check=True)
        create_checklist(self.home, steps=40)
        (action,) = drive(self.home, RUN, 1)["nextActions"]
        filler = self.home.path / "filler"
        with filler.open("wb", buffering=0) as file:
            while os.statvfs(self.home.path).f_bavail > 8:
                file.write(bytes(4096))
        acknowledged = self.fill(action)
        filler.unlink()
        self.assertTrue(self.home.journal(RUN).startswith(acknowledged))
        self.assertEqual(drive(self.home, RUN)["status"], "completed")
        self.home.must("run:verify", RUN)

    def fill(self, action):
        """Posts until nothing fits any more; the journal as it was acknowledged last."""
        value = json.dumps({"exitCode": 0, "stdout": "x" * 3000})
        words = ("--status", "ok", "--value-inline", value)
        while True:
            acknowledged = self.home.journal(RUN)
            posted = self.home.run("task:post", RUN, action["effectId"], *words)
            if posted.exit != 0:
                break
            iterated = self.home.run("run:iterate", RUN)
            if iterated.exit != 0:
                posted = iterated
                break
            (action,) = iterated.json["nextActions"]
        self.assertEqual(posted.exit, 8, posted)
        self.assertEqual(posted.json["error"]["details"]["errno"], "ENOSPC", posted)
        self.assertEqual(self.home.run("run:status", RUN).exit, 0)
        return acknowledged

    def test_a_run_that_may_only_be_read(self):
        create_checklist(self.home, steps=2)
        drive(self.home, RUN, 2)
        subprocess.run(["chmod", "-R", "a+rX", self.home.path], check=True)
        for command in (
            ("run:status", RUN),
            ("run:events", RUN),
            ("run:verify", RUN),
            ("run:list",),
            ("task:list", RUN),
            ("task:show", RUN, "t1"),
        ):
            self.home.must(*command, before=NOBODY)
        for command in (
            ("run:iterate", RUN),
            ("task:post", RUN, "t2", *OK),
            ("run:rebuild-state", RUN),
            ("run:repair-journal", RUN),
            ("run:create", "--process", "checklist", "--input=steps=[]"),
        ):
            answer = self.home.run(*command, before=NOBODY, now=None)
            self.assertEqual(answer.exit, 8, answer)
            error = answer.json["error"]
            told = error["details"]["errno"] if "details" in error else error["code"]
            self.assertIn(told, ("EACCES", "HOME_NOT_WRITABLE"), answer)

    def test_a_torn_tail_can_be_read_by_those_who_may_not_lock(self):
        create_checklist(self.home, steps=2)
        drive(self.home, RUN, 1)
        with self.home.segments(RUN)[0].open("ab") as journal:
            journal.write(b'{"seq":')
        subprocess.run(["chmod", "-R", "a+rX", self.home.path], check=True)
        self.assertEqual(self.home.must("run:status", RUN, before=NOBODY)["state"], "waiting")

    def test_another_user_goes_on_the_same(self):
        create_script(self.home, steps=1, random=True)
        drive(self.home, RUN, 1)
        mine, other = self.home.copy(), self.home.copy()
        subprocess.run(["chown", "-R", "65534:65534", other.path], check=True)
        env = environment(
            USER="nobody", HOME="/nonexistent", XDG_CACHE_HOME=str(other.path / "cache")
        )
        theirs = other.must("run:iterate", RUN, before=NOBODY, env=env)
        self.assertEqual(theirs["nextActions"], mine.must("run:iterate", RUN)["nextActions"])


class Lock(unittest.TestCase):
    def setUp(self):
        self.home = Home()
        create_checklist(self.home, steps=2)
        drive(self.home, RUN, 1)
        self.path = self.home.run_dir(RUN) / "run.lock"

    def hold(self):
        lock = self.path.open("r+")
        self.addCleanup(lock.close)
        fcntl.flock(lock, fcntl.LOCK_EX)
        return lock

    def test_a_held_lock_is_waited_for_no_longer_than_asked(self):
        lock = self.hold()
        lock.write("process 4711 (somebody else)".ljust(119) + "\n")
        lock.flush()
        for words in (
            ("run:iterate", RUN),
            ("task:post", RUN, "t1", *OK),
            ("run:rebuild-state", RUN),
            ("run:repair-journal", RUN),
        ):
            answer = self.home.run(*words, "--lock-timeout", "100ms")
            self.assertEqual(answer.exit, 7, answer)
            self.assertEqual(answer.json["error"]["code"], "LOCKED", answer)
            self.assertIn("process 4711 (somebody else)", answer.json["error"]["message"])
        self.home.must("run:status", RUN)
        lock.close()
        self.home.must("task:post", RUN, "t1", *OK, "--lock-timeout", "100ms")

    def test_the_lock_of_a_dead_holder_is_free(self):
        self.path.write_text("process 1 (long dead)")
        self.home.must("task:post", RUN, "t1", *OK, "--lock-timeout", "0ms")

    def test_a_replaced_lock_file_locks(self):
        self.hold()
        self.path.rename(self.path.with_name("old.lock"))
        self.home.must("task:post", RUN, "t1", *OK, "--lock-timeout", "100ms")

    def test_the_replacement_is_what_counts(self):
        self.path.unlink()
        self.path.write_text("process 2 (the new one)")
        self.hold()
        answer = self.home.run("task:post", RUN, "t1", *OK, "--lock-timeout", "100ms")
        self.assertEqual(answer.exit, 7, answer)

    def test_a_lock_file_replaced_while_somebody_waits(self):
        old = self.hold()
        waiting = subprocess.Popen(
            self.home.command("task:post", RUN, "t1", *OK, "--lock-timeout", "60s"),
            env=environment(),
            stdout=subprocess.PIPE,
            text=True,
        )
        fresh = self.path.with_name("fresh")
        fresh.write_text("")
        fresh.rename(self.path)
        new = self.hold()
        old.close()
        self.assertEqual(self.home.must("run:status", RUN)["state"], "waiting")
        new.close()
        out, _ = waiting.communicate(timeout=60)
        self.assertTrue(json.loads(out)["recorded"])


class Moved(unittest.TestCase):
    """What a run decides depends on nothing around it."""

    def setUp(self):
        self.home = Home()
        create_script(self.home, steps=2, random=True)
        for action in drive(self.home, RUN, 1)["nextActions"]:
            post(self.home, RUN, action)
        unmoved = self.home.copy()
        self.actions = unmoved.must("run:iterate", RUN)["nextActions"]
        self.output = drive(unmoved, RUN)["output"]

    def goes_on(self, run, **options):
        copy = self.home.copy()
        self.assertEqual(copy.must("run:iterate", run, **options)["nextActions"], self.actions)
        self.assertEqual(drive(copy, run)["output"], self.output)

    def test_renamed(self):
        self.home.run_dir(RUN).rename(self.home.run_dir("elsewhere"))
        self.goes_on("elsewhere")

    def test_named_by_its_path(self):
        place = BENCH / "a run outside"
        self.home.run_dir(RUN).rename(place)
        self.addCleanup(shutil.rmtree, place)
        state = self.home.must("run:iterate", str(place))
        self.assertEqual(state["nextActions"], self.actions)

    def test_in_another_place_and_time(self):
        self.goes_on(RUN, env=environment(TZ="Asia/Kathmandu", LC_ALL="tr_TR.UTF-8", LANG="ar"))
        self.goes_on(RUN, env=environment(USER="root", HOME="/", SHELL="/bin/false", PATH="/"))
        self.goes_on(RUN, cwd=str(BENCH))
        self.goes_on(RUN, env={})

    def test_with_garbage_around(self):
        self.goes_on(RUN, env=environment(JS_OPTIONS="x", MALLOC_PERTURB_="165", LD_BIND_NOW="1"))


if __name__ == "__main__":
    unittest.main()
