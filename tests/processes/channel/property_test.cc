// Generated courses of a channel, watched by an oracle that knows only the events. A failure prints
// its seed; REPRISE_MODEL_SEEDS and REPRISE_MODEL_FIRST as in docs/testing.md.
#include <array>
#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "tests/fakes/seeds.h"
#include "tests/processes/channel/harness.h"

namespace reprise::channel {
namespace {

using test::number_from;

/// What the queue must be, by its definition: no line of the process is used.
class Oracle {
 public:
  explicit Oracle(const TestChannel& channel) : x_channel(channel) {}

  /// Looks at the events that are new.
  void look() {
    for (; x_seen < x_channel.events().size(); ++x_seen) see(x_channel.events()[x_seen]);
  }
  void expect_interrupt(const std::string& msg_id) { x_interrupt = msg_id; }

  std::vector<std::string> waiting() const {
    std::vector<std::string> ids;
    for (const auto& [row, message] : x_waiting) ids.push_back(message.msg_id);
    return ids;
  }
  const std::string& running() const { return x_running; }
  bool is_idle() const { return x_run.empty() && x_waiting.empty(); }

 private:
  struct Waiting {
    std::string msg_id;
    int64_t priority = 0;
    int64_t not_before_ms = 0;
  };

  void see(const ToldEvent& event) {
    const auto& payload = event.payload;
    if (event.type == "channel.message.received") {
      receive(payload);
    } else if (event.type == "message.claimed") {
      claim(payload);
    } else if (event.type == "agent.status" && payload.at("state") != "running") {
      CHECK(payload.at("runId") == x_run);
      x_run.clear();
      x_running.clear();
    } else if (event.type == "message.deleted") {
      for (const auto& id : payload.at("msgIds")) {
        CHECK(id != x_running);
        CHECK(std::erase_if(x_waiting, [&](const auto& it) { return it.second.msg_id == id; }) ==
              1);
      }
    } else if (event.type == "messages.processed") {
      for (const auto& id : payload.at("msgIds")) CHECK(x_processed.insert(id).second);
    } else if (event.type == "queue.reordered") {
      for (auto& [row, message] : x_waiting) {
        const auto& ids = payload.at("msgIds");
        const auto at = std::ranges::find(ids, Json(message.msg_id)) - ids.begin();
        if (at < static_cast<std::ptrdiff_t>(ids.size())) {
          message.priority = payload.at("priorities").at(static_cast<size_t>(at));
        }
      }
    } else if (event.type == "message.delayed") {
      for (auto& [row, message] : x_waiting) {
        if (message.msg_id == payload.at("msgId")) message.not_before_ms = payload.at("notBefore");
      }
    } else if (event.type == "channel.held" || event.type == "channel.released") {
      x_held = event.type == "channel.held";
    } else if (event.type == "channel.parked" || event.type == "channel.unparked") {
      x_parked = event.type == "channel.parked";
    }
  }

  void receive(const Json& payload) {
    const std::string id = payload.at("msgId");
    CHECK(x_received.insert(id).second);
    if (!payload.at("triggered") || !payload.at("allowed") || payload.contains("command")) return;
    const Waiting message = {id, payload.at("priority"), payload.value("notBefore", int64_t{0})};
    if (id == x_interrupt && message.not_before_ms == 0) {
      for (const auto& [row, other] : x_waiting) CHECK(other.priority < message.priority);
      if (!x_run.empty()) CHECK(x_running_priority < message.priority);
    }
    x_waiting[payload.at("row")] = message;
  }

  void claim(const Json& payload) {
    CHECK(x_run.empty());
    CHECK_FALSE(x_held);
    CHECK_FALSE(x_parked);
    CHECK(payload.at("queue") == x_waiting.size());
    auto head = x_waiting.end();
    for (auto it = x_waiting.begin(); it != x_waiting.end(); ++it) {
      if (it->second.not_before_ms > x_channel.now_ms) continue;
      if (head == x_waiting.end() || it->second.priority > head->second.priority) head = it;
    }
    REQUIRE(head != x_waiting.end());
    CHECK(payload.at("msgId") == head->second.msg_id);
    CHECK(x_claimed.insert(head->second.msg_id).second);
    x_run = payload.at("runId");
    x_running = head->second.msg_id;
    x_running_priority = head->second.priority;
    x_waiting.erase(head);
  }

  const TestChannel& x_channel;
  size_t x_seen = 0;
  std::map<uint64_t, Waiting> x_waiting;  ///< by row
  std::set<std::string> x_received;
  std::set<std::string> x_claimed;
  std::set<std::string> x_processed;
  std::string x_run;
  std::string x_running;
  int64_t x_running_priority = 0;
  std::string x_interrupt;
  bool x_held = false;
  bool x_parked = false;
};

/// One course: commands that a seed chooses.
class Course {
 public:
  explicit Course(uint64_t seed) : x_random(seed), x_channel(inputs()), x_oracle(x_channel) {}

  void run(size_t commands) {
    for (size_t i = 0; i < commands; ++i) {
      step();
      x_oracle.look();
    }
  }

  /// Everything that may be answered is: then nothing may be left.
  void drain() {
    x_channel.signal("channel.release", Json::object());
    for (size_t i = 0; i < 400 && !x_oracle.is_idle(); ++i) {
      x_oracle.look();
      if (!answer_one(true)) x_channel.pass_time(3'600'000);
      x_oracle.look();
    }
    CHECK(x_oracle.is_idle());
  }

  TestChannel& channel() { return x_channel; }

 private:
  Json inputs() {
    if (chance(2)) return {{"settings", {{"routing", {{"policy", "direct"}}}}}};
    return {
        {"platform", "discord"},
        {"permissions", {{"owners", {{"users", {"u0"}}}}, {"members", {{"users", {"u1", "u2"}}}}}}};
  }

  uint64_t below(uint64_t limit) { return x_random() % limit; }
  bool chance(uint64_t one_in) { return below(one_in) == 0; }

  void step() {
    const auto kind = below(20);
    if (kind < 8) {
      say(kind == 0);
    } else if (kind < 13) {
      answer_one(false);
    } else if (kind < 15) {
      x_channel.pass_time(static_cast<int64_t>(below(3000)));
    } else if (kind < 18) {
      edit_queue();
    } else {
      control();
    }
  }

  void say(bool interrupts) {
    static constexpr std::array kTexts = {"hello", "fix it",   "research it", "/stop",
                                          "/hold", "/release", "how are you"};
    Json more = {{"author", {{"id", "u" + std::to_string(below(4))}}},
                 {"flags", {{"dm", !chance(4)}}},
                 {"priority", static_cast<int64_t>(below(3)) - 1}};
    if (chance(6)) more["notBefore"] = x_channel.now_ms + static_cast<int64_t>(below(4000));
    const auto id = "m" + std::to_string(++x_messages);
    if (interrupts) {
      more["interrupt"] = true;
      x_oracle.expect_interrupt(more.contains("notBefore") ? "" : id);
    }
    CHECK_FALSE(x_channel.say(id, kTexts.at(below(kTexts.size())), more));
  }

  void edit_queue() {
    auto ids = x_oracle.waiting();
    std::ranges::shuffle(ids, x_random);
    if (chance(6) && !x_oracle.running().empty()) ids.insert(ids.begin(), x_oracle.running());
    if (ids.size() > 3) ids.resize(3);
    if (ids.empty()) return;
    const bool is_running = ids[0] == x_oracle.running();
    std::optional<Refusal> refusal;
    switch (below(3)) {
      case 0:
        refusal = x_channel.signal("channel.cancel", {{"msgIds", {ids[0]}}});
        break;
      case 1:
        refusal = x_channel.signal("channel.reorder", {{"msgIds", ids}});
        break;
      default:
        refusal = x_channel.signal(
            "channel.delay",
            {{"msgId", ids[0]},
             {"notBefore", x_channel.now_ms + static_cast<int64_t>(below(3000)) - 1000}});
    }
    CHECK(refusal.has_value() == is_running);
  }

  void control() {
    switch (below(6)) {
      case 0:
        CHECK_FALSE(x_channel.signal("channel.stop", {{"hold", chance(3)}}));
        break;
      case 1:
        CHECK_FALSE(x_channel.signal("channel.hold", Json::object()));
        break;
      case 2:
      case 3:
        CHECK_FALSE(x_channel.signal("channel.release", Json::object()));
        break;
      case 4:
        CHECK_FALSE(x_channel.signal("channel.recover", Json::object()));
        break;
      default:
        x_channel.signal(chance(2) ? "channel.allow" : "channel.deny", {{"users", {"u3"}}});
    }
  }

  /// A result for one of the open effects; false when there is none to answer.
  bool answer_one(bool well) {
    std::vector<Asked> open;
    for (const auto& [effect, asked] : x_channel.open()) {
      if (asked.kind != "sleep") open.push_back(asked);
    }
    if (open.empty()) return false;
    const auto asked = open[below(open.size())];
    if (!well && chance(5)) {
      x_channel.fail(asked.effect, {{"name", "Error"}, {"message", "no"}});
    } else if (!well && chance(8)) {
      x_channel.cancel(asked.effect);
    } else {
      x_channel.resolve(asked.effect, result_of(asked.kind, well));
    }
    return true;
  }

  Json result_of(const std::string& kind, bool well) {
    if (kind == "recall") return {{"memories", Json::array()}, {"bulletin", nullptr}};
    if (kind == "breakpoint") return {{"approved", chance(2)}};
    if (kind == "compaction") return {{"summary", "what was said"}};
    if (kind == "branch") return {{"summary", "it is so"}};
    if (kind == "worker") {
      return {{"status", well || chance(2) ? "completed" : "waiting"}, {"summary", "done"}};
    }
    Json result = {{"text", "yes"}};
    if (!well && chance(6)) result["ask"] = {{"question", "which?"}};
    if (!well && chance(6)) result["sessionId"] = "s" + std::to_string(below(3));
    return result;
  }

  std::mt19937_64 x_random;
  TestChannel x_channel;
  Oracle x_oracle;
  size_t x_messages = 0;
};

TEST_CASE(
    "No course loses a message, claims one twice, or claims another than the head; after every "
    "command the state is that of a replay and of a snapshot, and from every cut it goes on the "
    "same") {
#ifdef REPRISE_SANITIZED
  constexpr uint64_t kCourses = 100;
#else
  constexpr uint64_t kCourses = 2800;
#endif
  const auto first = number_from("REPRISE_MODEL_FIRST", 0);
  const auto count = number_from("REPRISE_MODEL_SEEDS", test::swept_seeds(kCourses));
  size_t given = 0;
  for (auto seed = first; seed < first + count; ++seed) {
    INFO("seed " << seed);
    Course course(seed);
    course.run(60);
    course.drain();
    course.channel().check_cuts();
    given += course.channel().given();
  }
  CHECK(given >= 45 * count);  // 48 a course, on the average
}

}  // namespace
}  // namespace reprise::channel
