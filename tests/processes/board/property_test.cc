// Random commands, channels that tell what they like, requests that are done or refused in any
// order. Whatever happens: cards move as the table says, no card has two workers, no two cards that
// are not over have one title.
#include <algorithm>
#include <random>
#include <set>

#include "processes/board/status.h"
#include "processes/board/titles.h"
#include "tests/processes/board/board_fixture.h"

namespace reprise::board {

namespace {

class Life {
 public:
  explicit Life(uint32_t seed) : x_random(seed) {}

  void step() {
    switch (pick(8)) {
      case 0:
        add();
        break;
      case 1:
      case 2:
        x_board.move(any_card(), any_status());
        break;
      case 3:
        x_board.code("card.approve", {{"cardId", any_card()}, {"to", any_status()}});
        break;
      case 4:
        pick(2) == 0 ? assign() : remove();
        break;
      case 5:
        propose();
        break;
      case 6:
        settle();
        break;
      default:
        end_worker();
    }
    check();
  }

 private:
  uint32_t pick(uint32_t below) { return static_cast<uint32_t>(x_random() % below); }
  std::string any_card() { return "card-" + std::to_string(1 + pick(12)); }
  std::string any_status() { return std::string(name_of(static_cast<Status>(pick(9)))); }
  std::string any_title() { return "Task number " + std::to_string(pick(8)); }
  std::string any_channel() { return pick(2) == 0 ? "web" : "ops"; }

  void add() {
    Json card = {{"projectId", "site"}, {"title", any_title()}, {"status", any_status()}};
    if (pick(2) == 0) card["channel"] = any_channel();
    x_board.code("card.add", card);
  }
  void assign() {
    Json value = {{"cardId", any_card()}};
    if (pick(3) != 0) value["channel"] = any_channel();
    x_board.code("card.assign", value);
  }
  void remove() { x_board.code("card.remove", {{"cardId", any_card()}}); }
  void propose() {
    // Sometimes what was told before.
    const auto seq = pick(4) == 0 ? 11 : ++x_seq;
    x_board.hear(any_channel(), seq, "todo.proposed", {{"todos", {any_title(), any_title()}}});
  }

  /// A request reaches its channel, or is refused.
  void settle() {
    if (x_board.open().empty()) return;
    const auto asked = x_board.open().begin()->second;
    const auto channel = asked.inputs["run"].get<std::string>();
    if (pick(5) == 0) {
      x_board.fail(asked.key, {{"name", "RunSignalRefused"}, {"message", "no"}});
      return;
    }
    if (asked.inputs["name"] == "worker.spawn") {
      const auto worker = "w" + std::to_string(++x_workers);
      const auto task = asked.inputs["value"]["taskId"].get<std::string>();
      REQUIRE(x_alive.emplace(task, std::make_pair(channel, worker)).second);
      x_board.resolve(asked.key, {});
      x_board.hear(channel, ++x_seq, "worker.spawned", {{"workerId", worker}, {"taskId", task}});
    } else {
      x_board.resolve(asked.key, {});
    }
  }

  void end_worker() {
    if (x_alive.empty()) return;
    const auto [channel, worker] = x_alive.begin()->second;
    const Json told = {{"workerId", worker},
                       {"summary", "done"},
                       {"error", "no"},
                       {"progress", pick(2) == 0 ? "waiting_for_route" : "received_route"}};
    const bool goes_on = pick(3) == 0;
    if (!goes_on) x_alive.erase(x_alive.begin());
    const auto* type = goes_on        ? "worker.progress"
                       : pick(2) == 0 ? "worker.completed"
                                      : "worker.failed";
    x_board.hear(channel, ++x_seq, type, told);
  }

  void check() {
    for (; x_seen < x_board.events().size(); ++x_seen) {
      const auto& type = x_board.events()[x_seen].type;
      const auto& payload = x_board.events()[x_seen].payload;
      if (type == "board.card.moved") check_move(payload);
      if (type == "board.worker.asked") CHECK(x_asked.insert(key_of(payload)).second);
    }
    std::multiset<std::string> titles;
    const Json board = x_board.ask({{"ask", "board"}});
    for (const auto& card : board["cards"]) {
      const auto status = find_status(card["status"].get<std::string>());
      if (!is_over(*status)) titles.insert(normal_title(card["title"].get<std::string>()));
      // What is ready and has a channel has a worker, or waits for the end of another one.
      if (*status == Status::kReady && card.contains("channel")) CHECK(card.contains("worker"));
    }
    CHECK(std::ranges::adjacent_find(titles) == titles.end());
  }
  static std::string key_of(const Json& asked) {
    return asked["cardId"].get<std::string>() + ":" + std::to_string(asked["attempt"].get<int>());
  }
  static void check_move(const Json& moved) {
    const auto from = *find_status(moved["from"].get<std::string>());
    const auto to = *find_status(moved["to"].get<std::string>());
    INFO(moved.dump());
    CHECK((may_move(from, to, MoveBy::kAnyone) || may_move(from, to, MoveBy::kApproval)));
  }

  std::minstd_rand x_random;
  TestBoard x_board;
  uint64_t x_seq = 100;
  uint64_t x_workers = 0;
  size_t x_seen = 0;
  std::map<std::string, std::pair<std::string, std::string>> x_alive;  ///< by card
  std::set<std::string> x_asked;
};

}  // namespace

TEST_CASE("whatever is told to a board, cards keep to the table and have one worker each") {
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    Life life(seed);
    for (int i = 0; i < 60; ++i) life.step();
  }
}

}  // namespace reprise::board
