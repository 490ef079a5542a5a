"""How a command line names a home, a run and an effect."""

import harness


class Runs(harness.Home):
    def setUp(self):
        super().setUp()
        for run in ("alpha-1", "alpha-2", "beta"):
            self.ok("run:create", "--run-id", run)

    def run_id(self, selector, **options):
        return self.ok("run:status", selector, **options)["runId"]

    def test_by_id_prefix_path_and_age(self):
        self.assertEqual(self.run_id("beta"), "beta")
        self.assertEqual(self.run_id("be"), "beta")
        self.assertEqual(self.run_id(self.run_dir("alpha-1")), "alpha-1")
        self.assertEqual(self.run_id("./alpha-2", cwd=self.home / "runs"), "alpha-2")
        self.assertEqual(self.run_id("@last"), "beta")

    def test_an_exact_id_wins_over_a_prefix(self):
        self.ok("run:create", "--run-id", "alpha")
        self.assertEqual(self.run_id("alpha"), "alpha")

    def test_what_names_no_run(self):
        error = self.refused(3, "RUN_NOT_FOUND", "run:status", "gamma")
        self.assertIn(str(self.home / "runs"), error["message"])
        error = self.refused(2, "RUN_AMBIGUOUS", "run:status", "alpha")
        self.assertIn("alpha-1, alpha-2", error["message"])
        self.refused(3, "RUN_NOT_FOUND", "run:status", "./gamma")
        self.refused(3, "RUN_NOT_FOUND", "run:status", str(self.work))
        self.refused(2, "INVALID_RUN_ID", "run:status", "..")
        self.refused(2, "INVALID_RUN_ID", "run:status", "a b")

    def test_a_moved_run_is_the_same_run(self):
        self.checklist("moved", "make", "make test")
        self.post("moved", "t1", {"exitCode": 0})
        there = self.work / "elsewhere" / "moved"
        there.parent.mkdir()
        self.run_dir("moved").rename(there)
        document = self.ok("run:iterate", there)
        self.assertEqual(document["nextActions"][0]["effectId"], "t2")
        self.assertTrue(self.ok("run:verify", there)["ok"])


class Homes(harness.Home):
    def test_the_nearest_reprise_folder_above_is_the_home(self):
        environment = {"REPRISE_HOME": ""}
        (self.work / ".reprise").mkdir()
        below = self.work / "deep" / "below"
        below.mkdir(parents=True)
        created = self.ok("run:create", "--run-id", "r", cwd=below, environment=environment)
        self.assertEqual(created["runDir"], str(self.work / ".reprise" / "runs" / "r"))

    def test_flags_win_over_the_environment(self):
        created = self.ok("run:create", "--run-id", "r", "--home", "here")
        self.assertEqual(created["runDir"], str(self.work / "here" / "runs" / "r"))
        created = self.ok("run:create", "--run-id", "r", "--runs-dir", "bare")
        self.assertEqual(created["runDir"], str(self.work / "bare" / "r"))

    def test_a_home_that_does_not_exist(self):
        error = self.refused(3, "HOME_NOT_FOUND", "run:status", "r", "--home", "nowhere")
        self.assertIn("nowhere", error["message"])
        for command in ("run:list", "task:list", "approval:list", "event:list", "inbox",
                        "index:status", "executor:list", "config:show"):  # fmt: skip
            error = self.refused(3, "HOME_NOT_FOUND", command, "--home", "nowhere")
            self.assertIn(str(self.work / "nowhere") + ", which --home names", error["message"])
            self.assertIn("reprise init", error["hint"])
        error = self.refused(3, "HOME_NOT_FOUND", "run:list", "--runs-dir", "nowhere")
        self.assertIn("which --runs-dir names", error["message"])
        self.assertIn("$REPRISE_HOME", self.refused(3, "HOME_NOT_FOUND", "run:list")["message"])
        self.assertFalse((self.work / "nowhere").exists())
        self.assertFalse(self.ok("config:path", "--home", "nowhere")["home"]["exists"])
        unnamed = {"REPRISE_HOME": ""}
        self.assertEqual(self.ok("run:list", environment=unnamed)["runs"], [])
        self.ok("run:create", "--run-id", "r", "--home", "elsewhere")
        there = self.work / "elsewhere" / "runs" / "r"
        self.assertEqual(self.ok("run:status", there, "--home", "nowhere")["runId"], "r")


class Effects(harness.Home):
    def test_by_id_key_and_path(self):
        self.script(
            "export async function process(i, ctx) {"
            " const t = { id: 'a', build: () => ({ kind: 'agent' }) };"
            " return [await ctx.task(t, 1, { key: 'first' }), await ctx.task(t, 2)]; }"
        )
        show = lambda *words: self.ok("task:show", *words)["effect"]["effectId"]
        self.assertEqual(show("r", "t1"), "t1")
        self.assertEqual(show("r/t1"), "t1")
        self.assertEqual(show(f"{self.run_dir('r')}/t1"), "t1")
        self.assertEqual(show("r", "--key", "first"), "t1")
        posted = self.ok(
            "task:post", "r", "--effect-key", "first", "--status", "ok", "--value-inline", "1"
        )
        self.assertEqual(posted["effectId"], "t1")
        posted = self.ok(
            "task:post", "r", "--effect-id", "t1", "--status", "ok", "--value-inline", "1"
        )
        self.assertFalse(posted["recorded"])
        for other in ("t1", "t2"):
            self.refused(2, "INVALID_ARGUMENT", "task:post", "r", "t1", "--effect-id", other,
                         "--status", "ok", "--value-inline", "1")
        self.refused(3, "EFFECT_NOT_FOUND", "task:show", "r", "t9")
        self.refused(3, "EFFECT_NOT_FOUND", "task:show", "r", "--key", "second")
        for command in ("task:show", "approval:approve"):
            error = self.refused(2, "INVALID_EFFECT_ID", command, "r", "first")
            self.assertIn("--key KEY", error["hint"])
        error = self.refused(2, "INVALID_EFFECT_ID", "task:post", "r", "first", "--status", "ok",
                             "--value-inline", "1")
        self.assertIn("--effect-key KEY", error["hint"])
        self.refused(2, "MISSING_ARGUMENT", "task:show", "r")
        self.refused(2, "INVALID_ARGUMENT", "task:show", "r", "t1", "--key", "first")


if __name__ == "__main__":
    harness.main()
