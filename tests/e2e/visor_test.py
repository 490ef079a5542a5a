"""What the visor watches, and the bulletins that it made."""

import json

import harness

BELL = """
export async function process(inputs, ctx) {
  for (let i = 1; i <= 5; i++) {
    ctx.emit('visor.bulletin.generated', { bulletinId: 'b' + i, headline: 'Headline ' + i,
      digest: 'Number ' + i + ' \\u001b[31m', words: 2, memoryRefs: [] });
  }
}
"""
TICK = {
    "window": 1,
    "settings": {
        "tickIntervalSeconds": 30, "workerTimeoutSeconds": 600, "branchTimeoutSeconds": 60,
        "maintenanceIntervalSeconds": 3600, "channelDegradedFailureCount": 3,
        "channelDegradedWindowSeconds": 600, "idleThresholdSeconds": 1800,
        "bootstrapBulletin": True, "bulletinMaxWords": 300, "bulletinExecutor": False,
    },
    "counts": {"channels": 1, "openWorkers": 0, "allWorkers": 0, "questions": 0},
    "workers": [], "branches": [], "failures": [], "complete": True,
    "memories": [{"section": "Goals", "id": "memory/m3", "note": "Ship it"}],
}


class Visor(harness.Home):
    def tick(self, **changes):
        self.ok("run:signal", "visor", "visor.tick", "--value-inline", json.dumps(TICK | changes))
        self.ok("run:iterate", "visor")

    def test_one_that_is_paused_says_so(self):
        self.ok("channel:create", "general")
        self.ok("run:create", "--process", "visor", "--run-id", "visor")
        self.ok("run:iterate", "visor")
        self.ok("run:pause", "visor")
        self.assertEqual(self.ok("visor:status")["stopped"]["command"], "run:resume visor")
        text = self.call("visor:status").out
        self.assertIn("the run visor is paused", text)
        self.assertNotIn("tells nothing", text)

    def test_it_looks_at_a_home_and_changes_nothing(self):
        self.refused(3, "HOME_NOT_FOUND", "visor:status")
        self.ok("channel:create", "general")
        self.ok("worker:spawn", "general", "work")
        status = self.ok("visor:status")
        self.assertEqual(status["counts"], {"channels": 1, "openWorkers": 1, "allWorkers": 1,
                                            "questions": 0})
        self.assertEqual((status["begun"], status["workers"]), (False, []))
        self.assertEqual(status["next"], "a bulletin")
        self.ok("task:claim", "general", "--next", "--worker", "bot")
        (worker,) = self.ok("visor:status")["workers"]
        self.assertEqual((worker["channelId"], worker["workerId"], worker["status"]),
                         ("general", "w1", "running"))
        late = self.ok("visor:status", "--set", "visor.workerTimeoutSeconds=1", "--now",
                       "2099-01-01T00:00:00Z")["next"]
        self.assertIn("a worker takes too long, cancel general/w1", late)
        self.assertEqual([run["runId"] for run in self.ok("run:list")["runs"]], ["general"])
        self.refused(2, "CONFIG_INVALID", "visor:status", "--set", "visor.bulletinMaxWords=0")

    def test_bulletins_are_listed_newest_first_and_shown(self):
        self.ok("init")
        self.assertEqual(self.ok("bulletin:list")["bulletins"], [])
        self.refused(3, "BULLETIN_NOT_FOUND", "bulletin:show")
        self.script(BELL, run="bell")
        self.assertEqual(self.ok("bulletin:show")["digest"], "Number 5 \u001b[31m")
        self.assertEqual(self.ok("bulletin:show", "b2")["headline"], "Headline 2")
        self.refused(3, "BULLETIN_NOT_FOUND", "bulletin:show", "b9")
        self.assertNotIn("\u001b", self.call("bulletin:show").out)
        names, cursor = [], ()
        while True:
            page = self.ok("bulletin:list", "--limit", "2", *cursor)
            names += [bulletin["bulletinId"] for bulletin in page["bulletins"]]
            if "next" not in page:
                break
            cursor = ("--after", page["next"])
        self.assertEqual(names, ["b5", "b4", "b3", "b2", "b1"])

    def test_what_it_told_is_shown_and_remembered(self):
        self.ok("run:create", "--process", "visor", "--run-id", "visor")
        self.ok("run:iterate", "visor")
        self.tick()
        bulletin = self.ok("bulletin:show")
        self.assertEqual(bulletin["digest"],
                         "Active channels: 1 | Workers in progress: 0 / 0 total\nGoals: Ship it")
        status = self.ok("visor:status")
        self.assertEqual((status["begun"], status["bulletin"]["bulletinId"]), (True, "b1"))
        self.tick(window=2, counts=TICK["counts"] | {"allWorkers": 3})
        (found,) = self.ok("memory:recall", "active channels", "--class", "bulletin")["memories"]
        self.assertEqual(found["memoryId"], "visor/b2")  # the first one is superseded
        shown = self.ok("memory:show", "visor/b1")
        self.assertEqual(shown["supersededBy"], "visor/b2")
        self.assertIn({"from": "visor/b1", "to": "m3", "relation": "about", "weight": 1.0,
                       "provenance": "visor.bulletin"}, shown["links"])
        self.assertEqual(self.call("run:signal", "visor", "visor.tick",
                                   "--value-inline", "{").exit, 2)
        self.ok("run:verify", "visor")

    def test_the_board_is_part_of_what_is_told(self):
        self.ok("project:create", "site", "--name", "The site")
        card = self.ok("board:add", "site", "Fix the login")["card"]["cardId"]
        self.ok("heartbeat")
        told = f"Active tasks: Project The site: [{card}] Fix the login"
        self.assertIn(f"{told} (backlog)", self.ok("bulletin:show")["digest"])


if __name__ == "__main__":
    harness.main()
