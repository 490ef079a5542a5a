"""Projects and the board: cards, their columns, proposals, workers."""

import json

import harness


class Board(harness.Home):
    def setUp(self):
        super().setUp()
        self.ok("channel:create", "web", "--setting", "routing.policy=direct",
                "--setting", "memory.recall=false")
        self.ok("project:create", "site", "--name", "The site", "--channel", "web")

    def add(self, title, *words, **options):
        return self.ok("board:add", "site", title, *words, **options)["card"]["cardId"]

    def card(self, card="card-1"):
        return self.ok("board:show", card)["card"]

    def moves(self):
        """The moves as domain events."""
        events = self.ok("event:list", "--type", "board.card.moved")["events"]
        return [(e["payload"]["cardId"], e["payload"]["from"], e["payload"]["to"]) for e in events]

    def test_a_card_goes_from_column_to_column(self):
        card = self.add("update the changelog", "--priority", "high", "--description", "all of it")
        self.assertEqual(card, "card-1")
        self.ok("board:move", card, "in_progress")
        moved = self.ok("board:move", card, "done", "--reason", "it is merged", "--by", "ann")
        self.assertEqual(moved["card"]["status"], "done")
        self.assertEqual(moved["card"]["reason"], "it is merged")
        self.assertEqual(self.moves(), [("card-1", "backlog", "in_progress"),
                                        ("card-1", "in_progress", "done")])
        self.assertEqual([move["by"] for move in self.card()["moves"]], ["tester", "ann"])
        self.assertEqual(self.ok("board:list")["cards"], [])
        self.assertEqual(len(self.ok("board:list", "--all")["cards"]), 1)
        self.assertTrue(self.ok("board:remove", card)["recorded"])
        self.assertFalse(self.ok("board:remove", card)["recorded"])
        self.refused(3, "CARD_NOT_FOUND", "board:remove", "card-77")
        self.refused(3, "CARD_NOT_FOUND", "board:move", card, "backlog")
        self.records("board")

    def test_a_move_that_is_not_allowed_says_which_are(self):
        card = self.add("update the changelog")
        error = self.refused(4, "MOVE_NOT_ALLOWED", "board:move", card, "needs_review")
        self.assertIn("ready, in_progress, done, blocked, cancelled", error["message"])
        self.refused(2, "INVALID_SIGNAL", "board:move", card, "nowhere")

    def test_what_is_there_is_not_added_twice(self):
        self.add("Fix the login")
        self.refused(4, "CARD_EXISTS", "board:add", "site", "fix  the LOGIN")
        first = self.ok("board:add", "site", "another", "--key", "k")
        again = self.ok("board:add", "site", "another", "--key", "k")
        self.assertEqual((first["recorded"], again["recorded"]), (True, False))
        self.assertEqual(first["card"]["cardId"], again["card"]["cardId"])

    def test_unknown_things_are_named(self):
        self.refused(3, "PROJECT_NOT_FOUND", "board:add", "app", "x y")
        self.refused(3, "PROJECT_NOT_FOUND", "project:show", "app")
        self.refused(3, "CHANNEL_NOT_FOUND", "project:link", "site", "nowhere")
        self.refused(3, "CHANNEL_NOT_FOUND", "board:add", "site", "x y", "--channel", "nowhere")
        self.refused(2, "INVALID_ARGUMENT", "board:list", "--status", "nowhere")
        self.refused(4, "PROJECT_EXISTS", "project:create", "site")
        self.refused(2, "INVALID_SIGNAL", "board:add", "site", "x" * 121)

    def test_projects_count_their_cards(self):
        self.add("one")
        self.add("two", "--status", "ready")
        (project,) = self.ok("project:list")["projects"]
        self.assertEqual(project["cards"], {"backlog": 1, "ready": 1})
        self.assertEqual(self.ok("project:show", "site")["project"]["channels"], ["web"])
        self.ok("project:link", "site", "web", "--unlink")
        self.assertEqual(self.ok("project:show", "site")["project"]["channels"], [])

    def test_the_text_of_the_board_has_a_column_for_each_status(self):
        self.assertIn("no cards", self.call("board:list").out)
        self.add("update the \x1b[31mchangelog", "--priority", "high")
        self.add("fix the login")
        self.ok("board:move", "card-2", "in_progress")
        text = self.call("board:list").out
        head = text.splitlines()[0]
        self.assertIn("backlog (1)", head)
        self.assertIn("in_progress (1)", head)
        self.assertNotIn("\x1b", text)
        self.assertIn("card-2", self.call("board:show", "card-2").out)

    def test_a_proposal_is_approved_by_somebody_else_than_an_executor(self):
        self.add("an idea", "--status", "pending_approval")
        self.refused(4, "MOVE_NOT_ALLOWED", "board:move", "card-1", "ready")
        self.refused(13, "NOT_PERMITTED", "board:approve", "card-1",
                     environment={"REPRISE_EFFECT": "t1"})
        (card,) = self.ok("board:approve", "card-1")["cards"]
        self.assertEqual(card["status"], "backlog")
        self.refused(4, "NOT_PENDING_APPROVAL", "board:approve", "card-1")

    def test_an_executor_proposes_work_and_gives_itself_none(self):
        inside = {"REPRISE_EFFECT": "t1"}
        self.refused(13, "NOT_PERMITTED", "board:add", "site", "more work", "--channel", "web",
                     "--status", "ready", environment=inside)
        self.add("an idea", "--status", "pending_approval", "--channel", "web", environment=inside)
        self.add("another one", environment=inside)
        self.refused(13, "NOT_PERMITTED", "board:move", "card-2", "ready", environment=inside)
        self.ok("board:move", "card-2", "done", environment=inside)
        self.add("a third one", "--status", "ready")
        self.refused(13, "NOT_PERMITTED", "board:assign", "card-3", "--channel", "web",
                     environment=inside)
        self.assertEqual(self.card("card-3")["status"], "ready")
        self.assertEqual(self.ok("worker:list", "web")["workers"], [])

    def test_a_ready_card_has_a_worker_in_its_channel(self):
        self.refused(3, "AGENT_NOT_FOUND", "board:add", "site", "x", "--agent", "coder")
        self.ok("agent:create", "coder")
        self.add("fix the login", "--channel", "web", "--agent", "coder")
        self.refused(3, "AGENT_NOT_FOUND", "board:assign", "card-1", "--channel", "web",
                     "--agent", "codre")
        self.ok("board:move", "card-1", "ready")
        self.assertEqual(self.card()["status"], "in_progress")
        self.ok("run:iterate", "web")
        (worker,) = self.ok("worker:list", "web")["workers"]
        self.assertEqual((worker["taskId"], worker["title"], worker["agent"]),
                         ("card-1", "fix the login", "coder"))
        self.refused(4, "CARD_BUSY", "board:assign", "card-1", "--nobody")

    def test_a_home_without_a_board_has_no_cards(self):
        empty = {"REPRISE_HOME": str(self.folder / "empty")}
        (self.folder / "empty" / "runs").mkdir(parents=True)
        self.assertEqual(self.ok("board:list", environment=empty)["cards"], [])
        self.assertEqual(self.ok("project:list", environment=empty)["projects"], [])
        self.refused(3, "PROJECT_NOT_FOUND", "board:add", "site", "x y", environment=empty)

    def test_a_board_rebuilds_from_its_journal(self):
        self.add("update the changelog")
        before = json.dumps(self.ok("board:list")["cards"])
        self.ok("run:rebuild-state", "board")
        self.assertTrue(self.ok("run:verify", "board")["ok"])
        self.assertEqual(json.dumps(self.ok("board:list")["cards"]), before)


if __name__ == "__main__":
    harness.main()
