// Generated homes: workers come, go and hang, channels fail and fall silent, clocks step. Whatever
// the order of ticks, each thing is told as often as it happened, and never twice.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <set>

#include "tests/processes/visor/harness.h"

using namespace reprise;
using namespace reprise::visor;

namespace {

struct Home {
  std::map<std::string, int64_t> workers;  ///< "c1/w7": since
  std::map<std::string, std::vector<std::pair<int64_t, uint64_t>>> failures;
  int64_t last_message_ms = kBeginMs;
  uint64_t seq = 0;
  int next = 0;
};

/// The facts of now, as the chore gathers them.
void show(const Home& home, TestVisor& visor) {
  visor.facts["workers"] = Json::array();
  for (const auto& [name, since_ms] : home.workers) {
    const auto slash = name.find('/');
    visor.add_worker(name.substr(0, slash), name.substr(slash + 1), since_ms);
  }
  visor.facts["failures"] = Json::array();
  for (const auto& [channel, list] : home.failures) {
    Json seqs = Json::array();
    for (const auto& [at_ms, seq] : list) {
      if (at_ms > visor.now_ms - 600'000) seqs.push_back(seq);
    }
    if (!seqs.empty()) visor.facts["failures"].push_back({{"channelId", channel}, {"seqs", seqs}});
  }
  visor.facts["lastMessageAt"] = home.last_message_ms;
  visor.facts["counts"] = {{"channels", 3},
                           {"openWorkers", home.workers.size()},
                           {"allWorkers", home.next},
                           {"questions", 0}};
}

void happen(Home& home, int64_t now_ms, std::mt19937_64& dice) {
  const auto channel = "c" + std::to_string(dice() % 3);
  switch (dice() % 5) {
    case 0:
      home.workers[channel + "/w" + std::to_string(++home.next)] = now_ms;
      break;
    case 1:
      if (!home.workers.empty()) {
        home.workers.erase(
            std::next(home.workers.begin(), static_cast<long>(dice() % home.workers.size())));
      }
      break;
    case 2:
      home.failures[channel].emplace_back(now_ms, ++home.seq);
      break;
    case 3:
      if (dice() % 4 == 0) home.last_message_ms = now_ms;
      break;
    default:
      break;
  }
}

void check_once(const TestVisor& visor) {
  std::set<std::string> late;
  for (const auto& event : visor.events("visor.worker.timeout")) {
    const auto name = event.payload["channelId"].get<std::string>() + "/" +
                      event.payload["workerId"].get<std::string>();
    CHECK(late.insert(name).second);
    CHECK(visor.requests("worker:" + name).size() == 1);
  }
  std::set<int64_t> silences;
  for (const auto& event : visor.events("visor.signal.idle")) {
    CHECK(silences.insert(event.payload["since"].get<int64_t>()).second);
    CHECK(event.payload["idleSeconds"].get<int64_t>() >= 1800);
  }
  std::map<std::string, uint64_t> through;
  for (const auto& event : visor.events("visor.signal.channel_degraded")) {
    CHECK(event.payload["failureCount"].get<int64_t>() >= 3);
    auto& last = through[event.payload["channelId"]];
    CHECK(event.payload["through"].get<uint64_t>() >= last + 3);
    last = event.payload["through"];
  }
  std::string state;
  for (const auto& event : visor.events("visor.bulletin.generated")) {
    CHECK(event.payload["state"] != state);
    state = event.payload["state"];
  }
}

}  // namespace

TEST_CASE("Whatever happens in whatever order, everything is told once") {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 dice(seed);
    TestVisor visor;
    Home home;
    std::set<std::string> must_be_late;
    for (int step = 0; step < 120; ++step) {
      // Mostly a beat each minute; sometimes late, twice, or after the clock stepped back.
      const int64_t passed[] = {60, 60, 60, 60, 7, 0, 900, 4000, -60};
      visor.now_ms = std::max(kBeginMs, visor.now_ms + passed[dice() % 9] * 1000);
      for (auto n = dice() % 4; n > 0; --n) happen(home, visor.now_ms, dice);
      show(home, visor);
      const auto foreseen = visor.foresee();
      // An idle visor is not told anything, as the chore does it; now and then it is all the same.
      const bool told = foreseen["decides"].get<bool>() || dice() % 10 == 0;
      if (!told) continue;
      const auto events = visor.tick();
      CHECK((!events.empty() || visor.open().size() > 0) >= foreseen["decides"].get<bool>());
      for (const auto& [effect, asked] : std::map(visor.open())) {
        if (dice() % 2 == 0) visor.resolve(asked.key, Json::object());
      }
    }
    check_once(visor);
    CHECK(!visor.events("visor.bulletin.generated").empty());
  }
}

TEST_CASE("Every worker that hangs is told, whenever the ticks come") {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 dice(seed);
    TestVisor visor;
    std::set<std::string> hanging;
    for (int i = 0; i < 10; ++i) {
      const auto id = "w" + std::to_string(i);
      visor.add_worker("web", id, visor.now_ms);
      hanging.insert("web/" + id);
      visor.tick_after(static_cast<int64_t>(dice() % 700));
    }
    visor.tick_after(630);
    std::set<std::string> told;
    for (const auto& event : visor.events("visor.worker.timeout")) {
      told.insert("web/" + event.payload["workerId"].get<std::string>());
    }
    CHECK(told == hanging);
  }
}
