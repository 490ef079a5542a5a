// A board with a project "site", to which the channels "web" and "ops" are linked.
#pragma once

#include <catch2/catch.hpp>
#include <string>

#include "processes/board/board.h"
#include "tests/processes/kit/test_process.h"

namespace reprise::board {

using Json = nlohmann::json;

struct TestBoard : kit::TestProcess {
  TestBoard() : TestProcess(board_process()) {
    const Json channels = {{{"channel", "web"}, {"from", 10}}, {{"channel", "ops"}, {"from", 0}}};
    REQUIRE(code("project.create", {{"projectId", "site"}, {"channels", channels}}).empty());
    news();
  }

  /// Its id. `more` is merged into the signal.
  std::string add(const std::string& title, const Json& more = Json::object()) {
    Json value = {{"projectId", "site"}, {"title", title}, {"by", "ann"}};
    value.update(more);
    REQUIRE(code("card.add", value).empty());
    return events("board.card.added").back().payload["cardId"];
  }
  std::string move(const std::string& card, const std::string& to) {
    return code("card.move", {{"cardId", card}, {"to", to}, {"by", "ann"}});
  }
  void hear(const std::string& channel, uint64_t seq, const std::string& type,
            const Json& payload) {
    const Json events = {{{"seq", seq}, {"type", type}, {"payload", payload}}};
    REQUIRE(code("channel.heard", {{"channel", channel}, {"events", events}}).empty());
  }
  Json card(const std::string& id) const { return ask({{"ask", "card"}, {"id", id}}); }
  std::string status(const std::string& id) const { return card(id)["status"]; }
  /// The titles of all cards, in order.
  std::vector<std::string> titles() const {
    std::vector<std::string> found;
    const Json board = ask({{"ask", "board"}});
    for (const auto& card : board["cards"]) found.push_back(card["title"]);
    return found;
  }
};

}  // namespace reprise::board
