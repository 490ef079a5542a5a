// Generated courses of a loop: commands, results, errors and clocks that a seed chooses, watched by
// an oracle that knows only events and requests.
#include <array>
#include <random>

#include "tests/processes/subconscious/oracle.h"

namespace reprise::subconscious {
namespace {

class Course {
 public:
  Course(uint64_t seed, bool verifies) : x_random(seed), x_loop(chance(4)), x_oracle(x_loop) {
    x_loop.verifies = verifies;
  }

  void run(size_t commands) {
    for (size_t i = 0; i < commands; ++i) {
      x_oracle.look();
      step();
    }
    x_oracle.look();
  }
  TestLoop& loop() { return x_loop; }

 private:
  uint64_t below(uint64_t limit) { return x_random() % limit; }
  bool chance(uint64_t one_in) { return below(one_in) == 0; }
  std::string some_task() { return "task-" + std::to_string(1 + below(8)); }

  void step() {
    const auto kind = below(24);
    if (kind < 4) {
      pass_time();
    } else if (kind < 8) {
      tick();
    } else if (kind < 17) {
      answer();
    } else if (kind < 20) {
      change_tasks();
    } else {
      control();
    }
  }

  /// Clocks may stand still; the engine lets none go back.
  void pass_time() { x_loop.pass_time(static_cast<int64_t>(below(3) * 100'000 + below(5000))); }

  void tick() {
    Json next = Json::object();
    for (int number = 1; number <= 12; ++number) {
      if (!chance(5)) next["task-" + std::to_string(number)] = x_loop.now_ms + 400'000;
    }
    Json value = {{"next", next},
                  {"budgetBytes", below(400)},
                  {"writeTasks", chance(3) ? "approve" : "auto"},
                  {"sections", {{"memory", std::string(below(300), 'm')}}}};
    if (chance(3)) {
      x_loop.run_now(value);
    } else {
      x_loop.tick(value);
    }
  }

  void answer() {
    if (x_loop.open().empty()) return;
    auto at = x_loop.open().begin();
    std::advance(at, static_cast<std::ptrdiff_t>(below(x_loop.open().size())));
    const auto asked = at->second;
    if (asked.kind == "sleep") {
      x_loop.pass_time(std::max<int64_t>(asked.due_ms - x_loop.now_ms, 0));
    } else if (chance(15)) {
      x_loop.cancel(asked.effect);
    } else if (asked.kind == "breakpoint") {
      x_loop.resolve(asked.effect, {{"approved", chance(2)}, {"respondedBy", "anna"}});
    } else if (chance(4)) {
      x_loop.fail(asked.effect, error());
    } else {
      x_loop.resolve(asked.effect, result_of(asked));
    }
  }

  Json error() {
    static constexpr std::array kNames = {"RateLimited", "AgentError", "EndpointFailed",
                                          "KeyRefused"};
    return {{"name", kNames.at(below(kNames.size()))}, {"message", "no"}};
  }

  Json result_of(const kit::Asked& asked) {
    if (asked.kind != "evaluate") {
      static constexpr std::array kTexts = {"done", "RECOMMENDED ACTION: tidy up",
                                            "seen\nRECOMMENDED ACTION: mend it",
                                            "RECOMMENDED ACTION: none"};
      return kTexts.at(below(kTexts.size()));
    }
    if (chance(10)) return "I cannot say.";
    static constexpr std::array kDecisions = {"noop", "act", "escalate", "act", "escalate", "?"};
    auto list = Json::array();
    for (const auto& task : asked.inputs.at("tasks")) {
      for (auto times = below(8) == 0 ? below(3) : 1; times > 0; --times) {
        list.push_back(
            {{"taskId", task.at("taskId")}, {"decision", kDecisions.at(below(kDecisions.size()))}});
      }
    }
    if (chance(5)) list.push_back({{"taskId", some_task()}, {"decision", "act"}});
    return {{"evaluations", list}};
  }

  void change_tasks() {
    static constexpr std::array kTitles = {"Look",     "Send it", "Check and delete",
                                           "Find out", "Publish", "Watch"};
    const std::string title = kTitles.at(below(kTitles.size()));
    switch (below(6)) {
      case 0:
      case 1: {
        Json task = {{"title", title}};
        if (chance(3)) task["recurrence"] = "once";
        if (chance(3)) {
          task["recurrence"] = "cron";
          task["cron"] = "* * * * *";
          task["next"] = x_loop.now_ms + static_cast<int64_t>(below(400'000));
        }
        x_loop.signal("task.add", task);
        break;
      }
      case 2:
        x_loop.signal("task.remove", {{"taskId", some_task()}});
        break;
      case 3:
        x_loop.signal("task.edit",
                      {{"taskId", some_task()}, {"intent", chance(2) ? "write" : "read"}});
        break;
      case 4:
        x_loop.signal(chance(3) ? "task.disable" : "task.enable", {{"taskId", some_task()}});
        break;
      default:
        x_loop.signal("tasks.import", {{"digest", std::to_string(below(3))},
                                       {"titles", chance(2) ? Json{"F", "Send F"} : Json{"F"}}});
    }
  }

  void control() {
    switch (below(5)) {
      case 0:
        x_loop.signal("heartbeat.pause", {{"reason", "holiday"}});
        break;
      case 1:
      case 2:
        x_loop.signal("heartbeat.resume", Json::object());
        break;
      case 3:
        x_loop.signal("heartbeat.abandon", {{"taskId", some_task()}});
        break;
      default:
        x_loop.signal("approval.retry", {{"effect", 1 + below(40)}});
    }
  }

  std::mt19937_64 x_random;
  TestLoop x_loop;
  Oracle x_oracle;
};

#ifdef REPRISE_SANITIZED
constexpr uint64_t kCourses = 120;
#else
constexpr uint64_t kCourses = 3000;
#endif

TEST_CASE("No course breaks an invariant of ticks, entries, cards, windows or permissions") {
  for (uint64_t seed = 0; seed < kCourses; ++seed) {
    INFO("seed " << seed);
    Course course(seed, false);
    course.run(120);
  }
}

TEST_CASE("After every step of a course its state is that of a replay and of a snapshot") {
  for (uint64_t seed = 10'000; seed < 10'012; ++seed) {
    INFO("seed " << seed);
    Course course(seed, true);
    course.run(60);
  }
}

TEST_CASE("A course of a loop can be gone on with from every cut of its history") {
  for (uint64_t seed = 20'000; seed < 20'012; ++seed) {
    INFO("seed " << seed);
    Course course(seed, false);
    course.run(80);
    course.loop().check_cuts();
  }
}

}  // namespace
}  // namespace reprise::subconscious
