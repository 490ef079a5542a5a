// Random processes whose course is changed at random: retries, rewinds to any point, other code and
// back, newer rules, between posts, signals and iterations. Whatever was done, the run must replay
// the same ever after, a result must reach no other call, no signal may be lost, no number be used
// twice.
//
// REPRISE_MODEL_SEEDS=20000 makes a long run of it, REPRISE_MODEL_FIRST=77 begins at that seed.
#include <catch2/catch.hpp>
#include <set>

#include "engine/signal.h"
#include "journal/error.h"
#include "tests/engine/model_oracle.h"
#include "tests/engine/model_program.h"
#include "tests/engine/run_fixture.h"
#include "tests/fakes/seeds.h"

namespace reprise::test {
namespace {

constexpr uint64_t kCourseSeeds = 120;
constexpr int kCourseSteps = 30;

class Course {
 public:
  explicit Course(uint64_t seed) : x_dice(seed) {
    x_codes.push_back(random_program(x_dice));
    x_world.rules = seed % 2 == 0 ? kNewestRules : 0;
    x_run.emplace(x_world, x_codes.back());
  }

  void live() {
    for (int step = 0; step < kCourseSteps; ++step) {
      act();
      check();
    }
    for (int round = 0; round < 10 && x_run->end() == "open"; ++round) {
      post_some(100);
      x_world.clock.advance(1'000);
      x_run->iterate();
      check();
    }
  }

  std::string codes() {
    std::string text;
    for (const auto& code : x_codes) text += "--- code\n" + own_part(code);
    text += "--- history\n";
    for_each_event(x_run->dir(), [&](const RecordView& record) {
      text += std::to_string(record.seq) + " " + std::string(record_type_name(record.type)) +
              " cause " + std::to_string(record.cause) + " applied " +
              std::to_string(record.applied) + " " + std::string(record.data.substr(0, 160)) + "\n";
    });
    return text;
  }
  const std::map<std::string, int>& counts() const { return x_counts; }

 private:
  void act() {
    const auto dice = x_dice.below(100);
    if (dice < 40) {
      x_run->iterate();
    } else if (dice < 62) {
      post_some(60);
    } else if (dice < 70) {
      signal();
    } else if (dice < 78) {
      x_world.clock.advance(x_dice.one_of({1, 10, 100}));
    } else if (dice < 83) {
      x_run->dir().remove("state/state.json");
    } else if (dice < 88) {
      attempt("retry", [&] { return x_run->retry().recorded; });
    } else if (dice < 93) {
      rewind();
    } else if (dice < 95) {
      attempt("rules", [&] { return give_newest_rules(); });
    } else {
      assign();
    }
  }

  /// Something that may be refused, and then changes nothing.
  void attempt(const std::string& what, const std::function<bool()>& step) {
    const auto types = x_run->types();
    try {
      x_counts[step() ? what : what + " without effect"] += 1;
    } catch (const Error& error) {
      INFO(what << ": " << error.code() << ": " << error.message());
      REQUIRE(error.exit() == Exit::kConflict);
      CHECK(x_run->types() == types);
      x_counts[what + " refused"] += 1;
    }
  }

  void post_some(uint64_t percent) {
    const auto open = x_run->state().open;
    for (const auto& [id, effect] : open) {
      if (effect.kind == "sleep" || !x_dice.chance(percent)) continue;
      const auto facts =
          R"({"for":)" + quote(effect.label) + R"(,"n":)" + std::to_string(++x_nonce) + "}";
      if (x_dice.chance(80)) {
        x_run->post(format_effect_id(id), facts);
      } else {
        x_run->post_error(format_effect_id(id),
                          R"({"name":"Posted","message":"no","data":)" + facts + "}");
      }
    }
  }

  void signal() {
    Signal signal;
    signal.name = x_dice.one_of({"x", "y"});
    signal.value = parse_value(std::to_string(++x_nonce), "value");
    send_signal(x_run->dir(), x_world.context, signal);
    ++x_signals;
  }

  void rewind() {
    const auto applied = x_run->state().applied;
    if (applied == 0) return;
    attempt("rewind",
            [&] { return x_run->rewind(std::to_string(1 + x_dice.below(applied))).recorded; });
  }

  bool give_newest_rules() {
    AssignRequest request;
    request.newest_rules = request.yes = true;
    return assign_process(x_run->dir(), x_world.context, {}, request).assigned;
  }

  /// Code with a statement more, or code that the run had before.
  void assign() {
    const bool back = x_codes.size() > 1 && x_dice.chance(40);
    if (!back) x_codes.push_back(edited_program(x_codes.back(), x_dice));
    const auto& code = back ? x_codes[x_dice.below(x_codes.size())] : x_codes.back();
    attempt("assign", [&] { return x_run->assign(code, true, x_dice.chance(20)).assigned; });
  }

  void check() {
    INFO("step " << ++x_checks);
    try {
      x_run->check_replay();
    } catch (const Error& error) {
      FAIL(error.message() << "\n" << codes());
    }
    CHECK(text_of(read_state(x_run->dir()).state) == text_of(read_state(x_run->dir(), true).state));
    std::set<uint64_t> asked;
    JsonReader reader;
    for_each_event(x_run->dir(), [&](const RecordView& record) {
      const auto& data = reader.members(record.data);
      if (record.type == RecordType::kEffectRequested && !data.has("adopts")) {
        CHECK(asked.insert(parse_effect_id(data.text("effectId")).value()).second);
      }
      if (record.type == RecordType::kEventEmitted) CHECK(data.text("type") != "mismatch");
    });
    const auto effective = read_effective(x_run->dir());
    size_t signals = 0;
    for (const auto& record : effective.fold.so_far().records)
      signals += record.type == RecordType::kSignalReceived ? 1 : 0;
    CHECK(signals == x_signals);
  }

  Dice x_dice;
  World x_world;
  std::vector<std::string> x_codes;
  std::optional<TestRun> x_run;
  std::map<std::string, int> x_counts;
  uint64_t x_nonce = 0;
  size_t x_signals = 0;
  int x_checks = 0;
};

TEST_CASE("A run whose course was changed at random replays the same ever after") {
  const auto first = number_from("REPRISE_MODEL_FIRST", 1);
  const auto seeds = number_from("REPRISE_MODEL_SEEDS", usual_seeds(kCourseSeeds));
  std::map<std::string, int> counts;
  for (uint64_t seed = first; seed < first + seeds; ++seed) {
    Course course(seed);
    INFO("REPRISE_MODEL_FIRST=" << seed << " REPRISE_MODEL_SEEDS=1 repeats it");
    const auto told = [&] { return course.codes(); };
    try {
      course.live();
    } catch (const Error& error) {
      FAIL(error.code() << ": " << error.message() << "\n" << told());
    }
    for (const auto& [what, count] : course.counts()) counts[what] += count;
  }
  if (seeds < kCourseSeeds) return;
  for (const auto* what :
       {"retry", "retry refused", "rewind", "rewind refused", "assign", "rules"}) {
    INFO(what);
    CHECK(counts[what] > 0);
  }
}

}  // namespace
}  // namespace reprise::test
