// Random lives of a channel: messages, results, errors, stops, deadlines, cards, compactions, in
// any order. A failure prints its seed; REPRISE_MODEL_SEEDS and REPRISE_MODEL_FIRST as in
// docs/testing.md.
#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "tests/fakes/seeds.h"
#include "tests/processes/channel/harness.h"

namespace reprise::channel {
namespace {

using test::number_from;

/// No activation may do more than this: a loop would.
constexpr size_t kMostEvents = 60;
constexpr int64_t kIdleMs = 300'000;

/// What may change the session.
enum class Op { kOther, kResult, kSummary, kClose };

class Life {
 public:
  explicit Life(uint64_t seed)
      : x_random(seed), x_channel(Json::parse(R"({"settings":
            {"contextWindow":300,"historyMessages":30,"routing":{"policy":"direct"},
             "compactor":{"keepMessages":4},
             "sessions":{"autoCloseEnabled":true,"autoCloseAfterMinutes":5}}})")) {
    judge();
  }

  size_t given() const { return x_channel.given(); }

  void live(int steps) {
    for (int i = 0; i < steps; ++i) {
      act();
      judge();
    }
    settle();
  }

 private:
  uint64_t upto(uint64_t count) { return x_random() % count; }
  bool one_in(uint64_t count) { return upto(count) == 0; }
  std::string text() { return std::string(1 + upto(120), 'x') + std::to_string(++x_texts); }

  void act() {
    x_op = Op::kOther;
    const auto what = upto(20);
    if (what < 7) return say();
    if (what < 16 && !x_channel.open().empty()) return end_some_effect();
    if (what == 16) return send("channel.stop");
    if (what == 17) {
      x_op = Op::kClose;
      return send("channel.close");
    }
    if (what == 18) return send(one_in(2) ? "channel.hold" : "channel.release");
    x_channel.pass_time(static_cast<int64_t>(upto(400'000)));
  }

  void say() {
    x_channel.say("m" + std::to_string(++x_messages), text(),
                  {{"priority", upto(3)},
                   {"mode", one_in(6) ? "plan" : ""},
                   {"interrupt", one_in(8)},
                   {"flags", {{"dm", !one_in(4)}}}});
  }

  void send(const char* signal) { x_channel.signal(signal, Json::object()); }

  void end_some_effect() {
    auto chosen = x_channel.open().begin();
    std::advance(chosen, static_cast<std::ptrdiff_t>(upto(x_channel.open().size())));
    const auto asked = chosen->second;
    x_channel.now_ms += static_cast<int64_t>(upto(1000));
    if (asked.kind == "sleep") return;
    if (one_in(12)) return x_channel.cancel(asked.effect);
    if (asked.kind == "breakpoint") return answer(asked);
    if (one_in(4)) return x_channel.fail(asked.effect, error());
    x_op = asked.kind == "compaction" ? Op::kSummary : Op::kResult;
    x_channel.resolve(asked.effect, asked.kind == "compaction" ? summary() : result());
  }

  void answer(const Asked& asked) {
    const char* texts[] = {"", "no", "2", "rather so"};
    x_channel.resolve(asked.effect, {{"approved", one_in(2)}, {"response", texts[upto(4)]}});
  }

  Json error() {
    const char* names[] = {"too_long", "TimeoutError", "Down"};
    Json error = {{"name", names[upto(3)]}, {"message", text()}};
    if (one_in(4)) error["data"] = {{"turns", {{{"kind", "message"}, {"text", text()}}}}};
    return error;
  }

  Json summary() {
    Json summary = {{"summary", one_in(8) ? "" : std::string(upto(600), 's')}};
    if (one_in(2)) summary["sessionId"] = "s" + std::to_string(++x_sessions);
    return summary;
  }

  Json result() {
    Json result = {{"text", one_in(8) ? "" : text()}};
    if (one_in(2)) result["sessionId"] = one_in(4) ? "" : "s" + std::to_string(++x_sessions);
    if (one_in(3)) {
      result["usage"] = {{"promptTokens", upto(400)}, {"completionTokens", upto(50)}};
    }
    if (one_in(3)) {
      result["turns"] = {{{"kind", "thinking"}, {"text", text()}},
                         {{"kind", "message"},
                          {"text", one_in(2) ? result.at("text").get<std::string>() : text()}}};
    }
    if (one_in(10)) result["plan"] = text();
    if (one_in(10)) result["ask"] = {{"question", text()}, {"options", {"red", "blue"}}};
    return result;
  }

  /// What must hold of the events that came since the last look.
  void judge() {
    const auto& events = x_channel.events();
    CHECK(events.size() - x_judged < kMostEvents * 2);
    for (; x_judged < events.size(); ++x_judged) judge(events[x_judged]);
  }

  void judge(const ToldEvent& event) {
    const auto& payload = event.payload;
    judge_session(event);
    if (event.type == "message.claimed") {
      CHECK_FALSE(x_run_active);
      CHECK_FALSE(x_parked);
      x_run_active = true;
    } else if (event.type == "agent.status" && payload.at("state") != "running") {
      CHECK(x_run_active);
      CHECK(x_ended.insert(payload.at("runId")).second);
      x_run_active = false;
    } else if (event.type == "channel.parked" || event.type == "channel.unparked") {
      CHECK(x_parked == (event.type == "channel.unparked"));
      x_parked = !x_parked;
    } else if (event.type == "message.created" && payload.at("role") == "assistant") {
      if (payload.at("kind") == "message") CHECK(x_written.insert(payload.at("content")).second);
    } else if (event.type.starts_with("compactor.")) {
      judge_compactor(event);
    }
  }

  void judge_session(const ToldEvent& event) {
    if (event.type == "session.updated") {
      const bool summarised = event.payload.at("cause") == "compaction";
      CHECK(x_op == (summarised ? Op::kSummary : Op::kResult));
    } else if (event.type == "session.closed") {
      const auto reason = event.payload.at("reason");
      if (reason == "compaction") {
        CHECK(x_op == Op::kSummary);
      } else if (reason == "inactive_timeout") {
        CHECK(x_channel.now_ms - x_used_at_ms >= kIdleMs);
      } else {
        CHECK(x_op == Op::kClose);
      }
    }
    const bool uses = event.type == "session.updated" || event.type == "message.claimed" ||
                      event.type == "agent.status";
    if (uses) x_used_at_ms = x_channel.now_ms;
  }

  void judge_compactor(const ToldEvent& event) {
    const auto& payload = event.payload;
    if (event.type == "compactor.threshold.hit") {
      CHECK(x_levels.insert(payload.at("level")).second);
      CHECK(++x_jobs <= 2 * runs());
    } else if (event.type != "compactor.ineffective") {
      CHECK(x_levels.erase(payload.at("level")) == 1);
    }
    if (event.type == "compactor.ineffective") CHECK(payload.at("after") >= payload.at("before"));
    if (event.type != "compactor.summary.applied" || payload.at("level") == "too_long") return;
    const auto failures = x_channel.events("compactor.ineffective");
    const bool is_told = std::ranges::any_of(failures, [&](const ToldEvent& it) {
      return it.cause == event.cause && it.payload.at("jobId") == payload.at("jobId");
    });
    CHECK(is_told == (payload.at("after") >= payload.at("before")));
  }

  size_t runs() const { return x_channel.events("message.claimed").size(); }

  /// When everything is answered, nothing is left: each message was dealt with once.
  void settle() {
    x_op = Op::kOther;
    send("channel.release");
    judge();
    for (int i = 0; i < 1000 && works(); ++i) {
      for (const auto& [effect, asked] : x_channel.open()) {
        if (asked.kind == "sleep") continue;
        const auto id = effect;
        if (asked.kind == "breakpoint") {
          x_channel.resolve(id, {{"approved", false}});
        } else if (asked.kind == "compaction") {
          x_op = Op::kSummary;
          x_channel.resolve(id, {{"summary", "short"}});
        } else {
          x_channel.resolve(id, {{"text", text()}});
        }
        break;
      }
      judge();
    }
    CHECK_FALSE(works());
    CHECK_FALSE(x_run_active);
    CHECK(x_channel.ask({{"ask", "queue"}}).empty());
    std::map<std::string, int> processed;
    for (const auto& event : x_channel.events("messages.processed")) {
      for (const auto& id : event.payload.at("msgIds")) ++processed[id];
    }
    for (const auto& event : x_channel.events("message.claimed")) {
      CHECK(processed[event.payload.at("msgId")] == 1);
    }
  }

  bool works() const {
    return std::ranges::any_of(x_channel.open(),
                               [](const auto& entry) { return entry.second.kind != "sleep"; });
  }

  std::mt19937_64 x_random;
  TestChannel x_channel;
  size_t x_judged = 0;
  int x_messages = 0;
  int x_texts = 0;
  int x_sessions = 0;
  size_t x_jobs = 0;
  bool x_run_active = false;
  bool x_parked = false;
  Op x_op = Op::kOther;
  int64_t x_used_at_ms = 0;
  std::set<std::string> x_ended;
  std::set<std::string> x_written;
  std::set<std::string> x_levels;
};

TEST_CASE("whatever happens, a channel delivers once, parks, compacts and settles") {
  const auto first = number_from("REPRISE_MODEL_FIRST", 0);
#ifdef REPRISE_SANITIZED
  constexpr uint64_t kLives = 60;
#else
  constexpr uint64_t kLives = 1000;
#endif
  const auto count = number_from("REPRISE_MODEL_SEEDS", test::swept_seeds(kLives));
  size_t given = 0;
  for (auto seed = first; seed < first + count; ++seed) {
    INFO("seed " << seed);
    Life life(seed);
    life.live(60);
    given += life.given();
  }
  CHECK(given >= 60 * count);
}

}  // namespace
}  // namespace reprise::channel
