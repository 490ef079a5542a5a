#include "tests/processes/board/board_fixture.h"

namespace reprise::board {

TEST_CASE("a card is added, moved, assigned and removed, and each of it is told") {
  TestBoard board;
  const auto card = board.add("write the docs", {{"priority", "high"}, {"description", "all"}});
  CHECK(card == "card-1");
  CHECK(board.news() == "board.card.added");
  CHECK(board.move(card, "in_progress").empty());
  const auto moved = board.events("board.card.moved").back().payload;
  CHECK(moved == Json{{"cardId", card},
                      {"projectId", "site"},
                      {"title", "write the docs"},
                      {"from", "backlog"},
                      {"to", "in_progress"},
                      {"by", "ann"}});
  CHECK(board.code("card.assign", {{"cardId", card}, {"channel", "web"}}).empty());
  CHECK(board.card(card)["channel"] == "web");
  CHECK(board.card(card)["moves"].size() == 1);
  CHECK(board.code("card.remove", {{"cardId", card}}).empty());
  CHECK(board.card(card).is_null());
  CHECK(board.add("another") == "card-2");
}

TEST_CASE("a move that the table does not have is refused, and names those that it has") {
  TestBoard board;
  const auto card = board.add("write the docs");
  const auto refusal = board.signal("card.move", {{"cardId", card}, {"to", "needs_review"}});
  REQUIRE(refusal);
  CHECK(refusal->kind == Refusal::Kind::kConflict);
  CHECK(refusal->code == "MOVE_NOT_ALLOWED");
  CHECK(refusal->message ==
        "card-1 is backlog and cannot go to needs_review; from there it can go to ready, "
        "in_progress, done, blocked, cancelled");
  CHECK(board.move(card, "nowhere") == "INVALID_SIGNAL");
  CHECK(board.move("card-9", "ready") == "CARD_NOT_FOUND");
  CHECK(board.status(card) == "backlog");
}

TEST_CASE("a signal that was recorded without being judged does no harm") {
  TestBoard board;
  const auto card = board.add("write the docs");
  const Json cards = board.ask({{"ask", "board"}});
  board.news();
  board.force_signal("card.move", {{"cardId", card}, {"to", "needs_review"}});
  CHECK(board.events("board.signal.refused").back().payload["code"] == "MOVE_NOT_ALLOWED");
  board.force_signal("card.move", "what");
  board.force_signal("card.add", {{"projectId", "site"}, {"title", 7}});
  board.force_signal("channel.heard", {{"channel", "web"}, {"events", {{{"seq", "x"}}}}});
  board.force_signal("nothing", nullptr);
  CHECK(board.news() ==
        "board.signal.refused board.signal.refused board.signal.refused board.signal.refused "
        "board.signal.refused");
  CHECK(board.ask({{"ask", "board"}}) == cards);
}

TEST_CASE("who adds and who approves is shown his cards at once") {
  TestBoard board;
  CHECK(board.ask({{"ask", "newest"}}).is_null());
  const auto first = board.add("write the docs", {{"status", "pending_approval"}});
  const auto second = board.add("fix the login");
  CHECK(board.ask({{"ask", "newest"}})["cardId"] == second);
  const Json both = board.ask({{"ask", "cards"}, {"ids", {second, "card-9", first}}});
  REQUIRE(both.size() == 2);
  CHECK(both[0]["cardId"] == second);
  CHECK(both[1]["status"] == "pending_approval");
}

TEST_CASE("there are no two cards of one title that are not over") {
  TestBoard board;
  const auto card = board.add("Fix the login");
  const Json again = {{"projectId", "site"}, {"title", " fix  the LOGIN"}};
  CHECK(board.code("card.add", again) == "CARD_EXISTS");
  CHECK(board.move(card, "done").empty());
  CHECK(board.code("card.add", again).empty());
  CHECK(board.move(card, "backlog") == "CARD_EXISTS");
  CHECK(board.move("card-2", "cancelled").empty());
  CHECK(board.move(card, "backlog").empty());
}

TEST_CASE("the todos of a branch become proposals, once each") {
  TestBoard board;
  board.add("Fix the login");
  const Json proposed = {{"branchId", "b1"},
                         {"todos", {"fix the login", "Update the docs. They are old", "", 7}}};
  board.hear("web", 11, "todo.proposed", proposed);
  CHECK(board.titles() == std::vector<std::string>{"Fix the login", "Update the docs"});
  const auto card = board.card("card-2");
  CHECK(card["status"] == "pending_approval");
  CHECK(card["description"] == "Update the docs. They are old");
  CHECK(card["origin"] == Json{{"branchId", "b1"}, {"channel", "web"}, {"seq", 11}});
  board.news();
  board.hear("web", 11, "todo.proposed", proposed);
  board.hear("web", 9, "todo.proposed", {{"todos", {"long before the link"}}});
  CHECK(board.news().empty());
  board.hear("web", 15, "todo.proposed", proposed);
  CHECK(board.news() == "board.heard");
  board.hear("other", 3, "todo.proposed", {{"todos", {"of a channel that is not linked"}}});
  CHECK(board.titles().size() == 2);
}

TEST_CASE("a proposal that was heard before comes back neither when its card is done nor removed") {
  TestBoard board;
  board.hear("web", 11, "todo.proposed", {{"todos", {"Update the docs"}}});
  CHECK(board.code("card.approve", {{"cardId", "card-1"}}).empty());
  CHECK(board.move("card-1", "done").empty());
  board.hear("web", 11, "todo.proposed", {{"todos", {"Update the docs"}}});
  CHECK(board.titles().size() == 1);
}

TEST_CASE("only an approval lets a proposal go further") {
  TestBoard board;
  board.hear("web", 11, "todo.proposed", {{"todos", {"Update the docs", "Update the site"}}});
  CHECK(board.move("card-1", "ready") == "MOVE_NOT_ALLOWED");
  CHECK(board.code("card.approve", {{"cardId", "card-1"}, {"to", "done"}}) ==
        "NOT_PENDING_APPROVAL");
  CHECK(board.code("card.approve", {{"cardId", "card-1"}}).empty());
  CHECK(board.status("card-1") == "backlog");
  CHECK(board.code("card.approve", {{"cardId", "card-1"}}) == "NOT_PENDING_APPROVAL");
  CHECK(board.code("card.approve", {{"cardId", "card-2"}, {"to", "ready"}}).empty());
  CHECK(board.status("card-2") == "in_progress");
}

TEST_CASE("a channel belongs to one project") {
  TestBoard board;
  CHECK(board.code("project.create", {{"projectId", "site"}}) == "PROJECT_EXISTS");
  CHECK(board.code("project.create", {{"projectId", "../x"}}) == "INVALID_SIGNAL");
  CHECK(board.code("project.create", {{"projectId", "app"}}).empty());
  const Json web = {{{"channel", "web"}, {"from", 3}}};
  CHECK(board.code("project.link", {{"projectId", "app"}, {"channels", web}}) == "CHANNEL_LINKED");
  CHECK(board.code("project.unlink", {{"projectId", "app"}, {"channels", web}}) ==
        "CHANNEL_LINKED");
  CHECK(board.code("project.unlink", {{"projectId", "site"}, {"channels", web}}).empty());
  CHECK(board.code("project.link", {{"projectId", "app"}, {"channels", web}}).empty());
  const auto hearing = board.ask({{"ask", "hearing"}});
  CHECK(hearing == Json{{{"channel", "ops"}, {"seq", 0}, {"works", false}},
                        {{"channel", "web"}, {"seq", 10}, {"works", false}}});
  CHECK(board.code("card.add", {{"projectId", "site"}, {"title", "x y"}, {"channel", "web"}}) ==
        "CHANNEL_NOT_LINKED");
  CHECK(board.code("card.add", {{"projectId", "none"}, {"title", "x y"}}) == "PROJECT_NOT_FOUND");
}

TEST_CASE("cards come by priority, then by age") {
  TestBoard board;
  board.add("one", {{"priority", "low"}});
  board.add("two");
  board.add("three", {{"priority", "high"}});
  board.add("four");
  CHECK(board.titles() == std::vector<std::string>{"three", "two", "four", "one"});
}

TEST_CASE("cards that are over are remembered up to a number") {
  TestBoard board;
  board.verifies = false;
  for (int i = 0; i < 203; ++i) {
    CHECK(board.move(board.add("card number " + std::to_string(i)), "done").empty());
  }
  board.verifies = true;
  CHECK(board.titles().size() == 200);
  CHECK(board.card("card-3").is_null());
  CHECK_FALSE(board.card("card-4").is_null());
  CHECK(board.add("one more") == "card-204");
}

TEST_CASE("a board that is cancelled ends") {
  TestBoard board;
  board.cancel_run("enough");
  CHECK(board.ended());
}

}  // namespace reprise::board
