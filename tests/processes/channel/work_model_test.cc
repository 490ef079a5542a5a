// Generated stories of workers and branches: sensible and senseless spawns, results, routes,
// cancels and timeouts in any order, and what must hold after each step.
#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "tests/fakes/seeds.h"
#include "tests/processes/channel/work_fixture.h"

namespace reprise::channel {
namespace {

class Story {
 public:
  Story(uint64_t seed, bool recalls)
      : x_random(seed), x_channel(recalls ? Json::object() : no_recall()) {}

  TestChannel& channel() { return x_channel; }

  void step() {
    x_channel.now_ms += static_cast<int64_t>(pick(3));
    switch (pick(10)) {
      case 0:
      case 1:
        return spawn_worker();
      case 2:
        return spawn_branch();
      case 3:
        return route();
      case 4:
        return send("worker.cancel", {{"workerId", any_id("w")}});
      case 5:
        return send("branch.timeout", {{"branchId", any_id("b")}});
      default:
        return answer();
    }
  }

  void check() {
    check_workers();
    check_branches();
    x_checked = x_channel.events().size();
  }

 private:
  size_t pick(size_t below) { return x_random() % below; }

  /// Of one that is there, or that is not.
  std::string any_id(const std::string& letter) {
    return letter + std::to_string(pick(x_spawned + 3));
  }

  /// As somebody who asks first, or as somebody who does not.
  void send(const std::string& name, const Json& value) {
    if (pick(4) == 0) {
      x_channel.force_signal(name, value);
    } else {
      x_channel.signal(name, value);
    }
  }

  void spawn_worker() {
    ++x_spawned;
    const std::vector<Json> specs = {{{"objective", "do"}},
                                     {{"objective", "ask"}, {"mode", "interactive"}},
                                     {{"objective", "ask"}, {"mode", "interactive"}},
                                     {{"entry", "/srv/p.js"}},
                                     {{"objective", ""}},
                                     {{"objective", 1}},
                                     {{"objective", "x"}, {"mode", "now and then"}}};
    send("worker.spawn", specs[pick(specs.size())]);
  }

  void spawn_branch() {
    ++x_spawned;
    const std::vector<Json> specs = {{{"prompt", "why?\ntodo: find it out"}},
                                     {{"prompt", "how?"}, {"tools", {"file"}}},
                                     {{"prompt", nullptr}}};
    send("branch.spawn", specs[pick(specs.size())]);
  }

  void route() {
    const std::vector<Json> routes = {
        {{"command", "continue"}, {"text", "go on"}},     {{"command", "continue"}},
        {{"command", "complete"}, {"summary", "enough"}}, {{"command", "complete"}},
        {{"command", "fail"}, {"error", "no"}},           {{"command", "stop"}}};
    auto value = routes[pick(routes.size())];
    value["workerId"] = any_id("w");
    send("worker.route", value);
  }

  void answer() {
    const auto& open = x_channel.open();
    if (open.empty()) return;
    const auto asked = std::next(open.begin(), static_cast<long>(pick(open.size())))->second;
    const auto luck = pick(10);
    if (luck == 0) return x_channel.cancel(asked.effect);
    if (luck == 1) return x_channel.fail(asked.effect, {{"name", "Error"}, {"message", "broke"}});
    const std::vector<Json> results = {
        {{"summary", "done"}, {"usage", {{"promptTokens", 5}, {"completionTokens", 1}}}},
        {{"status", "waiting"}, {"report", "what now?"}},
        {{"status", "waiting"}},
        {{"status", "failed"}, {"error", "no way"}},
        {{"summary", "done"}, {"memoryRefs", {"m1", "m9"}}, {"artifactRefs", {"a1", "a1"}}},
        {{"summary", "done"}, {"usage", {{"promptTokens", -5}}}},
        {{"memories", {{{"id", "m1"}, {"note", "x"}}, {{"id", "m1"}}}}, {"bulletin", "news"}},
        "a text",
        Json::array(),
        Json()};
    x_channel.resolve(asked.effect, results[pick(results.size())]);
  }

  void check_workers() {
    for (size_t i = x_checked; i < x_channel.events().size(); ++i) {
      const auto& event = x_channel.events()[i];
      const auto artifact = event.payload.value("artifactId", "");
      if (event.type == "artifact.created") CHECK(x_artifacts.insert(artifact).second);
      if (!event.type.starts_with("worker.")) continue;
      const auto id = event.payload.at("workerId").get<std::string>();
      CHECK(x_ended.count(id) == 0);  // what ended says nothing more
      if (event.type == "worker.completed") CHECK(x_artifacts.count(artifact) == 1);
      if (event.type == "worker.completed" || event.type == "worker.failed") x_ended.insert(id);
    }
    std::map<std::string, int> effects;
    for (const auto& [effect, asked] : x_channel.open()) {
      const auto noun_end = asked.key.find(':');
      const auto noun = asked.key.substr(0, noun_end);
      auto id = asked.key.substr(noun_end + 1);
      id = id.substr(0, id.find(':'));
      if (noun == "branch" || noun == "recall") {
        id = branch_of(x_channel, id).at("workerId").get<std::string>();
      }
      CHECK(++effects[id] == 1);
      CHECK(x_ended.count(id) == 0);
    }
    for (const auto& worker : x_channel.ask({{"ask", "workers"}})) {
      const auto id = worker.at("workerId").get<std::string>();
      const auto state = worker.at("state").get<std::string>();
      CHECK((state == "completed" || state == "failed") == (x_ended.count(id) == 1));
      CHECK((state == "queued") == (effects.count(id) == 1));
    }
  }

  void check_branches() {
    for (size_t i = x_checked; i < x_channel.events().size(); ++i) {
      const auto& event = x_channel.events()[i];
      const auto id = event.payload.value("branchId", "");
      if (event.type == "branch.conclusion") CHECK(x_concluded.insert(id).second);
      if (event.type == "visor.branch.timeout") x_given_up.insert(id);
      if (event.type == "worker.failed" && !id.empty()) x_given_up.insert(id);
      if (event.type == "memory.saved") CHECK(x_saved.insert(id).second);
    }
    CHECK(x_saved == x_concluded);
    for (const auto& id : x_given_up) CHECK(x_concluded.count(id) == 0);
  }

  std::mt19937_64 x_random;
  TestChannel x_channel;
  size_t x_spawned = 0;
  size_t x_checked = 0;  ///< events that were looked at
  std::set<std::string> x_artifacts;
  std::set<std::string> x_ended;
  std::set<std::string> x_concluded;
  std::set<std::string> x_given_up;
  std::set<std::string> x_saved;
};

TEST_CASE("in short stories every state is the same live, replayed, and from a snapshot") {
  for (uint64_t seed = 1; seed <= test::swept_seeds(60); ++seed) {
    INFO("seed " << seed);
    Story story(seed, seed % 2 == 0);
    for (int i = 0; i < 40; ++i) {
      story.step();
      story.check();
    }
  }
}

TEST_CASE("in long stories what ended stays ended, and nothing is saved for what failed") {
  for (uint64_t seed = 1; seed <= test::swept_seeds(12); ++seed) {
    INFO("seed " << seed);
    Story story(1000 + seed, seed % 2 == 0);
    for (int i = 0; i < 500; ++i) {
      story.step();
      story.check();
    }
  }
}

}  // namespace
}  // namespace reprise::channel
