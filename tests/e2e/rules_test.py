"""Rules: runs of version 0.1.0 keep what they have until somebody gives them newer ones."""

import pathlib
import shutil
import tarfile

import harness

CORPUS = pathlib.Path(__file__).parents[1] / "corpus" / "0.1.0" / "homes.tar.xz"


class Rules(harness.Home):
    def unpack(self, home):
        """A home that version 0.1.0 made."""
        with tarfile.open(CORPUS) as homes:
            members = [m for m in homes.getmembers() if m.name.startswith(f"pristine/{home}/")]
            for member in members:
                member.uid, member.gid, member.uname, member.gname = 0, 0, "", ""
            homes.extractall(self.folder, members)
        shutil.move(self.folder / "pristine" / home, self.home)

    def complaints(self):
        answer = self.call("doctor", "--json")
        harness.validate(answer.json, "doctor")
        return [f["what"] for f in answer.json["findings"] if f["check"] == "rules"]

    def headers(self, run):
        return [s.read_text()[:40] for s in sorted((self.run_dir(run) / "journal").glob("*.jsonl"))]

    def test_a_new_run_has_the_newest_and_says_so(self):
        self.checklist("new")
        self.assertEqual(self.ok("run:status", "new")["rules"], 1)
        self.assertEqual(self.records("new")[0]["data"]["rules"], 1)
        again = self.ok("run:assign-process", "new", "--rules", "newest")
        self.assertEqual(again["rules"], {"before": 1, "now": 1, "changes": []})
        self.assertFalse(again["assigned"])
        self.assertEqual(self.complaints(), [])

    def test_a_script_is_given_them_with_the_code_that_it_has(self):
        self.unpack("flight")
        before = self.records("halfway")
        self.assertNotIn("rules", self.ok("run:status", "halfway"))
        self.assertIn("open runs go on by older rules", self.complaints()[0])
        words = ("run:assign-process", "halfway", "--rules", "newest")
        plan = self.ok(*words, "--dry-run")
        self.assertEqual((plan["rules"]["before"], plan["rules"]["now"]), (0, 1))
        self.assertEqual((plan["plan"]["new"], plan["plan"]["notReached"]), ([], []))
        self.ok(*words, exit=2)
        self.assertEqual(self.records("halfway"), before)
        self.assertTrue(self.ok(*words, "--yes")["assigned"])
        self.assertEqual(self.ok("run:status", "halfway")["rules"], 1)
        self.assertEqual([h[38] for h in self.headers("halfway")], ["1", "2"])
        self.assertFalse(self.ok(*words, "--yes")["assigned"])
        self.assertTrue(self.ok("run:verify", "halfway")["ok"])
        self.ok("run:iterate", "halfway")
        text = self.call("run:assign-process", "halfway", "--rules", "newest").out
        self.assertTrue(text.endswith("was assigned before to halfway\n  rules  1\n"), text)

    def test_a_built_in_process_and_a_bare_run_are_given_them_alone(self):
        self.unpack("checklists")
        words = ("run:assign-process", "half", "--rules", "newest")
        text = self.call(*words, "--dry-run").out
        self.assertIn("would assign checklist to half\n  rules  none -> 1\n", text)
        self.ok(*words, exit=2)
        self.assertTrue(self.ok(*words, "--yes")["assigned"])
        (record,) = [r for r in self.records("half") if r["type"] == "PROCESS_ASSIGNED"]
        self.assertNotIn("process", record["data"])
        self.assertRegex(self.call("run:events", "half").out, "PROCESS_ASSIGNED +rules 1")
        shutil.rmtree(self.home)
        self.unpack("flight")
        self.assertTrue(self.ok("run:assign-process", "bare", "--rules", "newest")["assigned"])
        self.assertEqual(self.ok("run:status", "bare")["rules"], 1)

    def test_all_runs_of_a_home_are_given_them(self):
        self.unpack("flight")
        words = ("run:assign-process", "--rules", "newest", "--home", self.home)
        planned = self.ok(*words, "--dry-run")
        runs = {run["runId"]: run for run in planned["runs"]}
        self.assertIn("halfway", runs)
        self.assertIn("chat", runs)
        self.ok(*words, exit=2)
        self.assertNotIn("rules", self.ok("run:status", "halfway"))
        given = self.call(*words, "--yes", "--json")
        harness.validate(given.json, "run:assign-process")
        left = [run["runId"] for run in given.json["runs"] if not run["assigned"]]
        self.assertEqual(given.exit, 1 if left else 0, given)
        for run in given.json["runs"]:
            self.assertEqual(run["assigned"], self.ok("run:status", run["runId"]).get("rules") == 1)
        rest = self.call(*words, "--json").json["runs"]
        self.assertEqual([run["runId"] for run in rest], left)
        complaints = self.complaints()
        self.assertEqual(complaints != [], left != [])
        text = self.call(*words).out
        self.assertIn("with older rules", text)

    def test_what_is_not_said_is_asked_for(self):
        self.checklist("r")
        self.refused(2, "MISSING_ARGUMENT", "run:assign-process", "r")
        self.refused(2, "MISSING_ARGUMENT", "run:assign-process", "--rules", "newest")
        home = ("--home", self.home)
        self.refused(2, "MISSING_ARGUMENT", "run:assign-process", "--process", "checklist", *home)
        self.refused(2, "INVALID_ARGUMENT", "run:assign-process", "--process", "checklist",
                     "--rules", "newest", *home)
        self.refused(2, "INVALID_ARGUMENT", "run:assign-process", "r", "--rules", "9")


if __name__ == "__main__":
    harness.main()
