#include "engine/heartbeat/board_chore.h"

#include "engine/index/change_log.h"
#include "tests/engine/chores/chore_home.h"

namespace reprise::test {

namespace {

struct BoardHome : ChoreHome {
  BoardHome() {
    make("web", "channel");
    tell("web", "channel.configure",
         {{"settings", {{"routing", {{"policy", "direct"}}}, {"memory", {{"recall", false}}}}}});
    make("board", "board");
    tell("board", "project.create",
         {{"projectId", "site"}, {"channels", {{{"channel", "web"}, {"from", records("web")}}}}});
  }
  void propose(const std::string& todos) { tell("web", "branch.spawn", {{"prompt", todos}}); }
  std::string status(const std::string& card) {
    return asked("board", {{"ask", "card"}, {"id", card}})["status"];
  }
  size_t cards() { return asked("board", {{"ask", "board"}})["cards"].size(); }
  Json workers() { return asked("web", {{"ask", "workers"}}); }
  void answer(const Json& result) { post("web", "worker:w1", result); }

  std::unique_ptr<Chore> chore = make_board_chore();
};

}  // namespace

TEST_CASE("a home without a board has nothing to tell it") {
  ChoreHome home;
  const auto chore = make_board_chore();
  CHECK(home.due(*chore).empty());
  home.perform(*chore, "web@1");
  CHECK_FALSE(home.folder.world.runs->stat("board"));
}

TEST_CASE("todos of branches become proposals once, also when the index is made anew") {
  BoardHome home;
  CHECK(home.perform(*home.chore) == 0);
  home.propose("- [ ] update the docs\ntodo: fix the login\n");
  const auto due = home.due(*home.chore);
  REQUIRE(due.size() == 1);
  CHECK(home.perform(*home.chore) == 1);
  CHECK(home.cards() == 2);
  CHECK(home.status("card-1") == "pending_approval");
  const auto records = home.records("board");
  home.index().rebuild();
  CHECK(home.perform(*home.chore) == 0);
  home.perform(*home.chore, due.front());  // as a second heartbeat would
  CHECK(home.records("board") == records);
}

TEST_CASE("a ready card has its worker, whose end moves it") {
  BoardHome home;
  home.tell(
      "board", "card.add",
      {{"projectId", "site"}, {"title", "fix the login"}, {"status", "ready"}, {"channel", "web"}});
  CHECK(home.status("card-1") == "in_progress");
  home.folder.iterate("web");
  REQUIRE(home.workers().size() == 1);
  CHECK(home.workers()[0]["taskId"] == "card-1");
  home.perform(*home.chore);
  home.answer({{"status", "waiting"}, {"report", "which login?"}});
  home.perform(*home.chore);
  CHECK(home.status("card-1") == "waiting_input");
  home.tell("web", "worker.route", {{"workerId", "w1"}, {"command", "continue"}, {"text", "ours"}});
  home.perform(*home.chore);
  CHECK(home.status("card-1") == "in_progress");
  home.post("web", "worker:w1:2", {{"summary", "It works."}});
  home.perform(*home.chore);
  CHECK(home.status("card-1") == "needs_review");
  CHECK(home.perform(*home.chore) == 0);
}

TEST_CASE("a card that is taken away has its worker cancelled") {
  BoardHome home;
  home.tell(
      "board", "card.add",
      {{"projectId", "site"}, {"title", "fix the login"}, {"status", "ready"}, {"channel", "web"}});
  home.folder.iterate("web");
  home.perform(*home.chore);
  home.tell("board", "card.move", {{"cardId", "card-1"}, {"to", "backlog"}});
  home.folder.iterate("web");
  CHECK(home.workers()[0]["state"] == "failed");
  home.perform(*home.chore);
  CHECK(home.status("card-1") == "backlog");
  CHECK_FALSE(home.asked("board", {{"ask", "card"}, {"id", "card-1"}}).contains("worker"));
}

TEST_CASE("the cards of a channel that has ended are blocked") {
  BoardHome home;
  home.tell(
      "board", "card.add",
      {{"projectId", "site"}, {"title", "fix the login"}, {"status", "ready"}, {"channel", "web"}});
  home.folder.iterate("web");
  home.perform(*home.chore);
  home.folder.cancel("web");
  home.folder.iterate("web");
  CHECK(home.perform(*home.chore) == 1);
  CHECK(home.status("card-1") == "blocked");
  CHECK(home.perform(*home.chore) == 0);
}

}  // namespace reprise::test
