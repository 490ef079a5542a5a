// A loop in a test: what is told to it most often, in short.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "processes/subconscious/subconscious.h"
#include "tests/processes/kit/test_process.h"

namespace reprise::subconscious {

using kit::Json;

constexpr int64_t kWindowMs = 300'000;

class TestLoop : public kit::TestProcess {
 public:
  /// Only tasks of the test are enabled: the three of the system are disabled, unless `seeded`.
  explicit TestLoop(bool seeded = false) : TestProcess(subconscious_process()) {
    if (seeded) return;
    for (const char* id : {"task-1", "task-2", "task-3"}) {
      REQUIRE_FALSE(signal("task.disable", {{"taskId", id}}));
    }
    news();
  }

  /// Returns its id.
  std::string add(const std::string& title, const Json& more = Json::object()) {
    Json value = {{"title", title}};
    value.update(more);
    REQUIRE_FALSE(signal("task.add", value));
    return events("heartbeat.task.added").back().payload.at("taskId");
  }

  /// Opens the tick of the window that now_ms lies in, and returns the refusal's code, or its id.
  std::string tick(Json more = Json::object()) {
    more["trigger"] = "window";
    more["window"] = now_ms - now_ms % kWindowMs;
    return open_tick(more);
  }
  std::string run_now(Json more = Json::object()) {
    more["trigger"] = "manual";
    return open_tick(more);
  }

  std::string next_tick(const Json& more = Json::object()) {
    pass_time(kWindowMs);
    return tick(more);
  }

  /// The evaluation that is open is answered: {taskId: decision}.
  void decide(const std::vector<std::pair<std::string, std::string>>& decisions) {
    auto list = Json::array();
    for (const auto& [task, decision] : decisions) {
      list.push_back({{"taskId", task}, {"decision", decision}, {"reason", "because"}});
    }
    resolve(open_of("evaluate:").effect, {{"evaluations", list}});
  }

  /// The open request whose key begins so; fails the test when there is none.
  const kit::Asked& open_of(const std::string& key) const {
    for (const auto& [effect, asked] : open()) {
      if (asked.key.starts_with(key)) return asked;
    }
    FAIL("no open request has a key that begins with " << key);
    throw 0;
  }
  bool is_open(const std::string& key) const {
    for (const auto& [effect, asked] : open()) {
      if (asked.key.starts_with(key)) return true;
    }
    return false;
  }

  Json entries() const { return ask({{"ask", "log"}}).at("entries"); }
  /// The newest entry of a task.
  Json entry(const std::string& task) const {
    Json found;
    for (const auto& entry : entries()) {
      if (entry.at("taskId") == task) found = entry;
    }
    return found;
  }
  Json status() const { return ask({{"ask", "status"}, {"at", now_ms}}); }
  Json task(const std::string& id) const {
    for (const auto& task : ask({{"ask", "tasks"}, {"at", now_ms}})) {
      if (task.at("taskId") == id) return task;
    }
    return nullptr;
  }
  bool is_due(const std::string& id) const { return task(id).at("due"); }

 private:
  std::string open_tick(const Json& value) {
    const auto before = events("heartbeat.tick.opened").size();
    if (const auto refusal = signal("heartbeat.tick", value)) return refusal->code;
    const auto opened = events("heartbeat.tick.opened");
    return opened.size() == before ? "" : opened.back().payload.at("tickId").get<std::string>();
  }
};

}  // namespace reprise::subconscious
