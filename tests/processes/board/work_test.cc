// Workers of cards.
#include "tests/processes/board/board_fixture.h"

namespace reprise::board {

namespace {

/// A card whose worker w1 is at it in the channel "web".
std::string worked_on(TestBoard& board) {
  auto card =
      board.add("fix the login", {{"status", "ready"}, {"channel", "web"}, {"agent", "coder"}});
  board.hear("web", 20, "worker.spawned", {{"workerId", "w1"}, {"taskId", card}});
  board.resolve("spawn:" + card + ":1", {{"runId", "web"}});
  return card;
}

}  // namespace

TEST_CASE("a ready card with a channel gets one worker") {
  TestBoard board;
  const auto card =
      board.add("fix the login",
                {{"channel", "web"}, {"agent", "coder"}, {"description", "It fails on Mondays."}});
  CHECK(board.open().empty());
  CHECK(board.move(card, "ready").empty());
  CHECK(board.news() == "board.card.added board.card.moved board.worker.asked board.card.moved");
  CHECK(board.asked("spawn:card-1:1").kind == "run.signal");
  CHECK(board.asked("spawn:card-1:1").inputs ==
        Json{{"run", "web"},
             {"name", "worker.spawn"},
             {"value",
              {{"taskId", "card-1"},
               {"title", "fix the login"},
               {"objective", "fix the login\n\nIt fails on Mondays."},
               {"mode", "interactive"},
               {"agent", "coder"}}}});
  CHECK(board.status(card) == "in_progress");
  CHECK(board.open().size() == 1);
}

TEST_CASE("a ready card without a channel waits for people") {
  TestBoard board;
  const auto card = board.add("fix the login", {{"status", "ready"}});
  CHECK(board.open().empty());
  CHECK(board.code("card.assign", {{"cardId", card}, {"agent", "coder"}}) == "INVALID_SIGNAL");
  CHECK(board.code("card.assign", {{"cardId", card}, {"channel", "ops"}}).empty());
  CHECK(board.asked("spawn:card-1:1").inputs["run"] == "ops");
}

TEST_CASE("what becomes of the worker moves the card") {
  TestBoard board;
  const auto card = worked_on(board);
  CHECK(board.card(card)["worker"] ==
        Json{{"channel", "web"}, {"workerId", "w1"}, {"unwanted", false}});
  board.hear("web", 21, "worker.progress",
             {{"workerId", "w1"}, {"progress", "waiting_for_route"}, {"report", "which login?"}});
  CHECK(board.status(card) == "waiting_input");
  CHECK(board.card(card)["reason"] == "which login?");
  board.hear("web", 22, "worker.progress", {{"workerId", "w1"}, {"progress", "received_route"}});
  CHECK(board.status(card) == "in_progress");
  board.hear("web", 23, "worker.completed", {{"workerId", "w1"}, {"summary", "It works."}});
  CHECK(board.status(card) == "needs_review");
  CHECK(board.card(card)["reason"] == "It works.");
  CHECK_FALSE(board.card(card).contains("worker"));
  CHECK(board.move(card, "ready").empty());
  CHECK(board.asked("spawn:card-1:2").inputs["run"] == "web");
}

TEST_CASE("a failed worker blocks its card, with the reason") {
  TestBoard board;
  const auto card = worked_on(board);
  board.hear("web", 21, "worker.failed", {{"workerId", "w1"}, {"error", "no compiler"}});
  CHECK(board.status(card) == "blocked");
  CHECK(board.card(card)["reason"] == "no compiler");
}

TEST_CASE("workers of somebody else move nothing") {
  TestBoard board;
  const auto card = worked_on(board);
  const Json done = {{"workerId", "w1"}, {"summary", "done"}};
  board.hear("ops", 5, "worker.completed", done);
  board.hear("web", 21, "worker.spawned", {{"workerId", "w2"}, {"taskId", card}});
  board.hear("web", 22, "worker.failed", {{"workerId", "w2"}, {"error", "no"}});
  board.hear("web", 23, "worker.completed", {{"summary", "of nobody"}});
  CHECK(board.status(card) == "in_progress");
  CHECK(board.card(card)["worker"]["workerId"] == "w1");
}

TEST_CASE("who takes a card away ends its worker, and another begins when that has ended") {
  TestBoard board;
  const auto card = worked_on(board);
  CHECK(board.move(card, "ready").empty());
  CHECK(board.asked("cancel:card-1:1").inputs["value"]["workerId"] == "w1");
  CHECK(board.open().size() == 1);
  board.resolve("cancel:card-1:1", {});
  CHECK(board.open().empty());
  board.hear("web", 21, "worker.failed", {{"workerId", "w1"}, {"error", "cancelled"}});
  CHECK(board.asked("spawn:card-1:2").inputs["name"] == "worker.spawn");
  CHECK(board.status(card) == "in_progress");
}

TEST_CASE("a worker that is not wanted before it has a name is ended when it has one") {
  TestBoard board;
  const auto card = board.add("fix the login", {{"status", "ready"}, {"channel", "web"}});
  CHECK(board.move(card, "cancelled").empty());
  CHECK(board.open().size() == 1);
  board.hear("web", 20, "worker.spawned", {{"workerId", "w1"}, {"taskId", card}});
  CHECK(board.asked("cancel:card-1:1").inputs["value"]["workerId"] == "w1");
  board.hear("web", 21, "worker.completed", {{"workerId", "w1"}, {"summary", "too late"}});
  CHECK(board.status(card) == "cancelled");
  CHECK_FALSE(board.card(card).contains("worker"));
}

TEST_CASE("a worker that its channel refuses blocks the card") {
  TestBoard board;
  const auto card = board.add("fix the login", {{"status", "ready"}, {"channel", "web"}});
  board.fail("spawn:card-1:1", {{"name", "RunSignalRefused"}, {"message", "there is no run web"}});
  CHECK(board.status(card) == "blocked");
  CHECK(board.card(card)["reason"] == "there is no run web");
  CHECK(board.open().empty());
}

TEST_CASE("a channel that is gone takes its workers along") {
  TestBoard board;
  const auto card = worked_on(board);
  const Json gone = {{"channel", "web"}, {"events", Json::array()}, {"gone", true}};
  CHECK(board.code("channel.heard", gone).empty());
  CHECK(board.status(card) == "blocked");
  board.news();
  CHECK(board.code("channel.heard", gone).empty());
  CHECK(board.news().empty());
}

TEST_CASE("an end that cannot be told any more is heard of all the same") {
  TestBoard board;
  const auto card = worked_on(board);
  CHECK(board.move(card, "done").empty());
  board.fail("cancel:card-1:1", {{"name", "RunSignalRefused"},
                                 {"message", "w1 has completed"},
                                 {"data", {{"code", "WORKER_FINISHED"}}}});
  CHECK(board.card(card).contains("worker"));
  board.hear("web", 21, "worker.completed", {{"workerId", "w1"}, {"summary", "done"}});
  CHECK_FALSE(board.card(card).contains("worker"));
  CHECK(board.status(card) == "done");
}

TEST_CASE("a card is not removed, assigned or left without its channel while a worker is at it") {
  TestBoard board;
  const auto card = worked_on(board);
  CHECK(board.code("card.remove", {{"cardId", card}}) == "CARD_BUSY");
  CHECK(board.code("card.assign", {{"cardId", card}, {"channel", "ops"}}) == "CARD_BUSY");
  const Json web = {{{"channel", "web"}, {"from", 0}}};
  CHECK(board.code("project.unlink", {{"projectId", "site"}, {"channels", web}}) == "CARD_BUSY");
}

}  // namespace reprise::board
