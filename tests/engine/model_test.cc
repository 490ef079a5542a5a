// Random processes live through random histories: posts in any order, twice, too late; signals,
// cancellations, clocks that jump; commands that are killed, disks that fail, power that goes.
// After every step the oracles of model_oracle.h must hold, and replay must decide the same again.
//
// REPRISE_MODEL_SEEDS=20000 makes a long run of it, REPRISE_MODEL_FIRST=77 begins at that seed.
#include <catch2/catch.hpp>

#include "engine/attempt.h"
#include "engine/signal.h"
#include "engine/stop.h"
#include "journal/error.h"
#include "journal/memory_files.h"
#include "tests/engine/model_oracle.h"
#include "tests/engine/model_program.h"
#include "tests/engine/model_workers.h"
#include "tests/engine/run_fixture.h"
#include "tests/fakes/fault_files.h"
#include "tests/fakes/seeds.h"

namespace reprise::test {
namespace {

constexpr uint64_t kHistorySeeds = 100;
constexpr int kHistorySteps = 40;

/// Files that a command leaves as they were when it dies before it is done with them.
class Saved {
 public:
  Saved(Dir& run, const std::vector<std::string>& paths) {
    for (const auto& path : paths) x_files[path] = read_file(run, path);
  }
  void restore(Dir& run) const {
    for (const auto& [path, bytes] : x_files) {
      run.remove(path);
      if (bytes) replace_file(run, path, *bytes, true);
    }
  }

 private:
  std::map<std::string, std::optional<std::string>> x_files;
};

class RandomHistory {
 public:
  explicit RandomHistory(uint64_t seed) : x_dice(seed) {
    x_world.runs = x_files.root();
    x_program = random_program(x_dice);
    x_run.emplace(x_world, x_program);
    x_id = x_run->state().run_id;
  }

  void live() {
    for (int step = 0; step < kHistorySteps && x_steps_after_end < 5; ++step) one_step();
    go_to_the_end();
    x_run->check_replay();
    check_run(*x_run, x_told);
  }

  const std::string& program() const { return x_program; }
  TestRun& run() { return *x_run; }

 private:
  /// What becomes of a step.
  enum class Fate { kFine, kFault, kKilledBefore, kKilledAfter, kPowerLoss };

  void one_step() {
    const auto fate = x_dice.chance(70)
                          ? Fate::kFine
                          : x_dice.one_of({Fate::kFault, Fate::kFault, Fate::kKilledBefore,
                                           Fate::kKilledAfter, Fate::kPowerLoss});
    const Saved all(x_run->dir(), {kJournal, "state/head", "state/state.json"});
    const Saved derived(x_run->dir(), {"state/head", "state/state.json"});
    const auto told = x_told;
    Faults faults;
    faults.error = x_dice.one_of({EIO, ENOSPC});
    faults.short_write = x_dice.chance(50);
    faults.from_then_on = x_dice.chance(30);
    if (fate == Fate::kFault) faults.fail_at = 1 + x_dice.below(60);
    x_dir = with_faults(x_world.runs->open_dir(x_id), faults);
    try {
      act();
    } catch (const Error& error) {
      INFO(error.code() << ": " << error.message());
      REQUIRE(fate == Fate::kFault);
      REQUIRE(error.exit() == Exit::kSystem);
    }
    x_dir = x_world.runs->open_dir(x_id);
    if (fate == Fate::kKilledBefore) {
      all.restore(x_run->dir());
      x_told = told;
    } else if (fate == Fate::kKilledAfter) {
      derived.restore(x_run->dir());
    } else if (fate == Fate::kPowerLoss) {
      x_files.power_loss(x_dice.chance(50));
    }
    check_run(*x_run, x_told);
    if (x_run->end() != "open") ++x_steps_after_end;
  }

  void act() {
    const auto dice = x_dice.below(100);
    if (dice < 24) return iterate();
    if (dice < 32) return post_some();
    if (dice < 37) return post_again();
    if (dice < 78) return x_workers.act(*x_run, *x_dir, x_told);
    if (dice < 82) return send();
    if (dice < 84) return cancel();
    if (dice < 85 && x_dice.chance(40)) return stop();
    if (dice < 88) return pause_or_resume();
    change_time();
  }

  /// A clock that is far behind the journal is refused.
  void change_time() {
    x_latest_ms = std::max(x_latest_ms, x_world.clock.now_ms());
    if (x_world.clock.now_ms() <= x_latest_ms - 100'000) x_world.clock.set(x_latest_ms);
    x_world.clock.advance(x_dice.one_of({1, 5, 10, 20, 60, 100'000, -7, -100'000}));
  }

  void iterate() {
    const auto before = read_state(*x_dir).state;
    const auto iteration = reprise::iterate(*x_dir, x_world.context);
    check_live(iteration.state);
    CHECK((iteration.state.end || iteration.state.paused || iteration.state.unapplied.empty()));
    std::vector<std::string> logged;
    for (const auto& line : iteration.log) logged.push_back(unquote(line.message));
    CHECK(logged == labels_applied(*x_run, before.applied, iteration.state.applied));
    x_run->check_replay();
  }

  /// The state that a command came to is that of its journal.
  void check_live(const RunState& state) {
    CHECK(text_of(state) == text_of(read_state(x_run->dir(), true).state));
  }

  void post_some() {
    for (auto left = 1 + x_dice.below(3); left > 0; --left) {
      const auto state = read_state(*x_dir).state;
      std::vector<const OpenEffect*> open;
      for (const auto& [id, effect] : state.open) {
        if (effect.kind != "sleep") open.push_back(&effect);
      }
      if (open.empty()) return;
      post_for(*open[x_dice.below(open.size())], state, 60);
    }
  }

  /// A new result, from who holds the claim or from anybody: then a claim that lives refuses it.
  void post_for(const OpenEffect& effect, const RunState& state, uint64_t percent_with_token) {
    auto result = random_result(effect);
    if (effect.claim && x_dice.chance(percent_with_token)) result.token = effect.claim->token;
    const auto now_ms = std::max(x_world.clock.now_ms(), state.head.at_ms);
    const bool fenced =
        result.token.empty() && effect.claim && lives(*effect.claim, now_ms, x_world.host);
    const auto refused = refusal_of(*x_run, [&] { post(result); });
    CHECK(refused == (fenced ? "EFFECT_CLAIMED" : ""));
  }

  Post random_result(const OpenEffect& effect) {
    Post result;
    result.effect.id = effect.id;
    result.ok = x_dice.chance(effect.options.empty() ? 90 : 60);
    const auto pad = x_dice.chance(4) ? std::string(kInlineValueBytes, 'x') : std::string();
    const auto facts = R"({"for":)" + quote(effect.label) + R"(,"n":)" + std::to_string(++x_nonce) +
                       R"(,"pad":")" + pad + "\"}";
    result.value = result.ok
                       ? parse_value(facts, "value")
                       : parse_error_value(R"({"name":")" +
                                               std::string(x_dice.chance(20) ? "Final" : "Posted") +
                                               R"(","message":"no","data":)" + facts + "}",
                                           "error");
    if (x_dice.chance(25)) result.attempt = effect.attempt;
    if (x_dice.chance(25)) result.post_key = "post " + std::to_string(x_nonce);
    return result;
  }

  /// A post is remembered before it is sent, as an executor would: whatever happens to it, it is
  /// posted again later. The values of all are different.
  void post(const Post& result) {
    x_posts.push_back(result);
    const auto posted = send_post(result);
    CHECK(posted.recorded);
  }

  Posted send_post(const Post& result) {
    auto posted = post_result(*x_dir, x_world.context, result);
    check_live(posted.state);
    const auto& told = x_told.outcomes[{posted.effect.id, posted.effect.attempt}];
    if (!posted.recorded) CHECK((told.empty() || told == result.value.text));
    x_told.outcomes[{posted.effect.id, posted.effect.attempt}] = result.value.text;
    if (!posted.followup.again && posted.recorded) {
      x_told.results[result.effect.id] = result.value.text;
    }
    return posted;
  }

  /// The attempt that was told to have had this outcome; nullopt when nobody was.
  std::optional<uint32_t> attempt_with(const Post& result) {
    std::optional<uint32_t> last;
    for (const auto& [attempt, value] : x_told.outcomes) {
      if (attempt.first == result.effect.id && value == result.value.text) last = attempt.second;
    }
    return last;
  }

  /// A post that says which one it is finds its outcome, however long ago it was. One that does not
  /// may count for the present attempt instead.
  void post_again() {
    if (x_posts.empty()) return;
    auto result = x_posts[x_dice.below(x_posts.size())];
    const auto attempt = attempt_with(result);
    if (attempt && x_dice.chance(40)) result.attempt = *attempt;
    const bool named = result.attempt != 0 || !result.token.empty() || !result.post_key.empty();
    if (attempt && x_dice.chance(30)) {
      result.value = parse_value(R"({"name":"E","message":"other"})", "");
      result.post_key.clear();
      if (result.attempt == 0 && result.token.empty()) return;
      const auto refused =
          refusal_of(*x_run, [&] { post_result(*x_dir, x_world.context, result); });
      CHECK_FALSE(refused.empty());
      return;
    }
    const auto state = read_state(*x_dir).state;
    const auto open = state.open.find(result.effect.id);
    Posted posted;
    std::string refused;
    try {
      refused = refusal_of(*x_run, [&] { posted = send_post(result); });
    } catch (const Error& error) {
      if (error.exit() != Exit::kNotFound || attempt) throw;
      return;  // its request was undone
    }
    if (!attempt) return;  // nobody knows whether it arrived
    if (named || x_told.results[result.effect.id] == result.value.text) {
      CHECK(refused.empty());
      CHECK_FALSE(posted.recorded);
      CHECK(posted.effect.attempt == *attempt);
    } else if (open == state.open.end()) {
      CHECK((!refused.empty() || !posted.recorded));  // who denies a held effect repeats its error
    }
  }

  void send() {
    Signal signal;
    signal.name = x_dice.one_of({"x", "y"});
    const auto number = std::to_string(++x_nonce);
    signal.value = parse_value(number, "value");
    if (x_dice.chance(40)) signal.key = "key " + number;
    x_told.unsure.insert(number);
    const auto sent = send_signal(*x_dir, x_world.context, signal);
    CHECK(sent.recorded);
    check_live(sent.state);
    x_told.signals[number] = signal.name;
    if (signal.key.empty() || x_dice.chance(50)) return;
    const auto again = send_signal(*x_dir, x_world.context, signal);
    CHECK_FALSE(again.recorded);
  }

  void cancel() {
    const auto state = read_state(*x_dir).state;
    if (state.open.empty()) return;
    const auto id = state.open.begin()->first;
    check_live(cancel_effect(*x_dir, x_world.context, {id, {}}, "not needed", false).state);
    const auto again = cancel_effect(*x_dir, x_world.context, {id, {}}, "", false);
    CHECK_FALSE(again.recorded);
  }

  /// At once, or by asking the process.
  void stop() {
    const auto before = read_state(*x_dir).state;
    if (x_dice.chance(60)) {
      const auto refused = refusal_of(*x_run, [&] {
        check_live(cancel_run(*x_dir, x_world.context, "enough", false).state);
        const auto again = cancel_run(*x_dir, x_world.context, "", false);
        CHECK_FALSE(again.recorded);
      });
      const bool over =
          before.status() == RunStatus::kCompleted || before.status() == RunStatus::kHalted;
      CHECK(refused == (over ? "RUN_ENDED" : ""));
    } else if (before.status() != RunStatus::kCompleted) {
      check_live(halt_run(*x_dir, x_world.context, "enough", false).state);
      const auto status = x_run->status();
      CHECK((status == "halted" || status == "cancelled"));
    }
  }

  void pause_or_resume() {
    const auto before = read_state(*x_dir).state;
    const auto set = before.paused || x_dice.chance(20) ? resume_run : pause_run;
    const auto refused = refusal_of(*x_run, [&] {
      check_live(set(*x_dir, x_world.context, "", false).state);
      const auto again = set(*x_dir, x_world.context, "", false);
      CHECK_FALSE(again.recorded);
    });
    CHECK(refused == (before.end ? "RUN_ENDED" : ""));
  }

  /// Everything that is asked for is answered; what then still waits would wait for ever.
  void go_to_the_end() {
    if (x_run->end() == "open") resume_run(x_run->dir(), x_world.context, "", false);
    for (int round = 0; round < 30 && x_run->end() == "open"; ++round) {
      iterate();
      if (x_run->end() != "open") return;
      const auto state = x_run->state();
      for (const auto& [id, effect] : state.open) {
        if (effect.kind != "sleep" && x_dice.chance(80)) post_for(effect, state, 100);
      }
      send();
      x_world.clock.advance(1'000);
    }
  }

  static constexpr const char* kJournal = "journal/00000001.jsonl";

  Dice x_dice;
  MemoryFiles x_files;
  World x_world;
  std::string x_program;
  std::optional<TestRun> x_run;
  std::string x_id;
  std::unique_ptr<Dir> x_dir;  ///< of the run, as the step under way sees it
  Acknowledged x_told;
  Workers x_workers{x_world, x_dice};
  std::vector<Post> x_posts;
  uint64_t x_nonce = 0;
  int x_steps_after_end = 0;
  int64_t x_latest_ms = kStartMs;
};

/// What became of attempts.
void count_attempts(TestRun& run, std::map<std::string, int>& ends) {
  JsonReader reader;
  for_each_event(run.dir(), [&](const RecordView& record) {
    const auto& data = reader.members(record.data);
    if (record.type == RecordType::kEffectClaimed) {
      ++ends[data.flag("released") ? "claim given back" : "claim"];
    } else if (record.type == RecordType::kEffectRetryScheduled) {
      ++ends["attempt " + data.text("status")];
      if (data.has("held")) ++ends["held"];
    } else if (record.type == RecordType::kEffectResolved) {
      if (data.number("attempt") > 1) ++ends["attempt 2 " + data.text("status")];
      if (!data.has("error")) return;
      const std::string error(data.raw("error"));
      ++ends[reader.members_of_copy(error).text("name")];
    }
  });
}

TEST_CASE("Random processes keep every promise through random histories") {
  const auto first = number_from("REPRISE_MODEL_FIRST", 1);
  const auto seeds = number_from("REPRISE_MODEL_SEEDS", usual_seeds(kHistorySeeds));
  std::map<std::string, int> ends;
  for (uint64_t seed = first; seed < first + seeds; ++seed) {
    RandomHistory history(seed);
    INFO("REPRISE_MODEL_FIRST=" << seed << " REPRISE_MODEL_SEEDS=1 repeats it:\n"
                                << own_part(history.program()));
    REQUIRE_NOTHROW(history.live());
    ++ends[history.run().status()];
    count_attempts(history.run(), ends);
  }
  // All kinds of ends are reached, so the histories have something to say.
  if (seeds < kHistorySeeds) return;
  for (const auto* end : {"completed", "failed", "halted", "cancelled", "claim", "claim given back",
                          "attempt 2 ok", "attempt lost", "attempt error", "attempt approved",
                          "held", "TimeoutError", "ClaimLostError"}) {
    INFO(end);
    CHECK(ends[end] > 0);
  }
}

}  // namespace
}  // namespace reprise::test
