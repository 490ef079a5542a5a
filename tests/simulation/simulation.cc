#include "tests/simulation/simulation.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "engine/claim.h"
#include "engine/mend.h"
#include "engine/signal.h"
#include "engine/stop.h"
#include "journal/memory_files.h"
#include "journal/segment.h"
#include "tests/engine/model_oracle.h"
#include "tests/engine/model_program.h"
#include "tests/fakes/fault_files.h"
#include "tests/simulation/model.h"

namespace reprise::test {

namespace {

constexpr uint64_t kMostSteps = 45;
constexpr int64_t kLeaseMs = 3'600'000;  ///< longer than any life
const std::vector<BuiltIn> kRoamer = {roamer()};

struct Failure {
  std::string text;
};
void demand(bool holds, const std::string& what) {
  if (!holds) throw Failure{what};
}

/// What a step does, and what the model says of it.
struct Deed {
  std::string name;
  std::function<void(Dir&)> act;
  Model after;
  bool refused = false;  ///< exit 4, and nothing changed
};

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += "  " + line + "\n";
  return text;
}

class Simulation {
 public:
  Simulation(DiskKind disk, uint32_t rules)
      : x_disk(disk), x_world(kRoamer), x_model(kStartMs, rules) {
    x_world.rules = rules;
    x_world.runs = x_files.root();
    x_run.emplace(TestRun::built_in(x_world, "roamer", "{}"));
    x_id = x_run->state().run_id;
  }

  Life live(const StepSeeds& steps) {
    try {
      for (const auto seed : steps) {
        Dice dice(seed);
        step(dice);
      }
      x_run->check_replay();
      check_state();
    } catch (const Failure& failure) {
      x_life.failure = failure.text;
    } catch (const Error& error) {
      x_life.failure = std::string(error.code()) + ": " + error.message();
    }
    ++x_life.counts[x_model.end().empty() ? "open" : x_model.end()];
    for (const auto segment : list_segments(x_run->dir())) {
      x_life.journal += read_file(x_run->dir(), segment_path(segment)).value_or("");
    }
    return std::move(x_life);
  }

 private:
  void step(Dice& dice) {
    auto deed = draw(dice);
    x_life.story += deed.name;
    Faults faults;
    const bool harmed = dice.chance(25);
    const bool killed = harmed && dice.chance(60);
    if (harmed) faults.fail_at = 1 + dice.below(45);
    faults.from_then_on = killed || dice.chance(20);
    faults.short_write = dice.chance(50);
    faults.error = dice.one_of({EIO, ENOSPC, EDQUOT, EROFS});
    const bool power = dice.chance(killed ? 30 : 4);
    if (x_disk == DiskKind::kForgets) faults.forgets = true;
    ++x_life.counts["command"];
    ++x_life.counts[deed.name.substr(0, deed.name.find(' ')) + (deed.refused ? " refused" : "")];
    const bool told = carry_out(deed, faults);
    const bool met = faults.fail_at != 0 && faults.count >= faults.fail_at;
    if (met) ++x_life.counts[killed ? "killed" : "fault"];
    x_life.story +=
        met ? (killed ? ", killed at " : ", failed at ") + faults.log[faults.fail_at - 1] : "";
    settle(deed, told && !(met && killed), met);
    if (power) lose_power(dice.chance(50));
    if (dice.chance(10)) x_run->dir().remove("state/state.json");
    if (dice.chance(20)) check_state();
    x_life.story += "\n";
  }

  /// False: it ended with an error.
  bool carry_out(const Deed& deed, Faults& faults) {
    const auto dir = with_faults(x_world.runs->open_dir(x_id), faults);
    try {
      deed.act(*dir);
    } catch (const Error& error) {
      if (deed.refused && error.exit() == Exit::kConflict) return true;
      const bool met = faults.fail_at != 0 && faults.count >= faults.fail_at;
      demand(met && error.exit() == Exit::kSystem,
             deed.name + ": " + std::string(error.code()) + ": " + error.message());
      return false;
    }
    demand(!deed.refused, deed.name + " was not refused");
    return true;
  }

  /// The journal is that of the model: after the deed when somebody was told so, else before or
  /// after it.
  void settle(const Deed& deed, bool told, bool met) {
    const auto lines = journal_lines(x_run->dir());
    const bool after = lines == deed.after.lines();
    const bool before = lines == x_model.lines();
    demand(after || (before && !told), deed.name +
                                           (told ? " was acknowledged" : " was not acknowledged") +
                                           ", and the journal holds\n" + joined(lines) +
                                           "instead of\n" + joined(deed.after.lines()));
    // What nobody synced for certain can still be lost, until a command has written behind it.
    if (!told && after && !before && met) {
      x_unsure = x_model;
    } else if (told) {
      x_unsure.reset();
    }
    if (after) x_model = deed.after;
  }

  void lose_power(bool names_survive) {
    x_life.story += ", and the power went";
    ++x_life.counts["power failure"];
    x_files.power_loss(names_survive);
    const auto lines = journal_lines(x_run->dir());
    if (x_unsure && lines == x_unsure->lines() && lines != x_model.lines()) x_model = *x_unsure;
    x_unsure.reset();
    demand(lines == x_model.lines(), "after a power failure the journal holds\n" + joined(lines) +
                                         "instead of\n" + joined(x_model.lines()));
  }

  void check_state() {
    demand(text_of(read_state(x_run->dir()).state) == text_of(read_state(x_run->dir(), true).state),
           "the cached state is not that of the journal");
  }

  int64_t now() const { return x_now_ms; }
  std::string nonce() { return "nonce " + std::to_string(++x_nonce); }

  Deed draw(Dice& dice) {
    x_now_ms += dice.one_of({0, 0, 0, 1, 7, 30, 150, 1'000, -20, -1'000});
    x_world.clock.set(x_now_ms);
    const auto open = x_model.open();
    const bool over = !x_model.end().empty() && x_model.end() != "RUN_FAILED";
    const auto what = dice.below(100);
    if (what < 30 || (open.empty() && what < 66)) return iterate();
    if (what < 52 && !over) return post(open[dice.below(open.size())], dice);
    if (what < 58) return post_again(dice);
    if (what < 66 && !over) return claim(open[dice.below(open.size())], dice);
    if (what < 76) return signal();
    if (what < 79 && !over) return cancel(dice);
    if (what < 82) return pause();
    if (what < 84) return rules();
    if (what < 86) return halt();
    if (what < 90) return retry();
    if (what < 95) return rewind(dice);
    return mend(dice);
  }

  Deed iterate() {
    Deed deed{"iterate", [this](Dir& dir) { reprise::iterate(dir, x_world.context); }, x_model};
    deed.after.iterate(now());
    return deed;
  }

  static Post result(uint64_t effect, bool ok, const std::string& value) {
    Post post;
    post.effect.id = effect;
    post.ok = ok;
    post.value = ok ? parse_value(value, "value") : parse_error_value(value, "error");
    return post;
  }

  /// Without its token a claimed effect takes no result.
  Deed post(uint64_t effect, Dice& dice) {
    const bool ok = dice.chance(65);
    const auto text = ok ? '"' + nonce() + '"' : R"({"name":"E","message":")" + nonce() + "\"}";
    const bool claimed = !x_model.effects().at(effect).worker.empty();
    const bool force = claimed && dice.chance(70);
    const auto post = result(effect, ok, text);
    Deed deed{"post " + format_effect_id(effect) + " " + text,
              [this, post, force](Dir& dir) {
                x_world.context.force = force;
                post_result(dir, x_world.context, post);
              },
              x_model};
    deed.refused = claimed && !force;
    if (!deed.refused) {
      deed.after.post(effect, ok, post.value.text, now());
      x_posts.push_back({effect, ok, text});
    }
    return deed;
  }

  /// The last outcome of an effect once more: nothing changes.
  Deed post_again(Dice& dice) {
    if (x_posts.empty()) return iterate();
    const auto [effect, ok, text] = x_posts[dice.below(x_posts.size())];
    const auto known = x_model.effects().find(effect);
    const auto post = result(effect, ok, text);
    const bool last = known != x_model.effects().end() && !known->second.is_void &&
                      known->second.outcome == post.value.text && !known->second.open;
    if (!last || was_cancelled(effect)) return iterate();
    return {"post again " + format_effect_id(effect) + " " + text,
            [this, post](Dir& dir) { post_result(dir, x_world.context, post); }, x_model};
  }

  bool was_cancelled(uint64_t effect) const {
    const auto begin = "EFFECT_CANCELLED " + format_effect_id(effect) + " ";
    return std::ranges::any_of(x_model.lines(),
                               [&](const auto& line) { return line.starts_with(begin); });
  }

  Deed claim(uint64_t effect, Dice& dice) {
    const std::string worker = dice.chance(50) ? "ann" : "ben";
    const auto& holder = x_model.effects().at(effect).worker;
    ClaimRequest request;
    request.effect = EffectSelector{effect, {}};
    request.worker = worker;
    request.lease_ms = kLeaseMs;
    Deed deed{"claim " + format_effect_id(effect) + " for " + worker,
              [this, request](Dir& dir) { claim_effect(dir, x_world.context, request); }, x_model};
    deed.refused = !holder.empty() || x_model.paused() || !x_model.end().empty();
    if (!deed.refused) deed.after.claim(effect, worker, now());
    return deed;
  }

  Deed signal() {
    const auto value = '"' + nonce() + '"';
    const Signal sent{"x", parse_value(value, "value"), "key " + value, false};
    Deed deed{"signal " + value,
              [this, sent](Dir& dir) {
                send_signal(dir, x_world.context, sent);
                send_signal(dir, x_world.context, sent);
              },
              x_model};
    deed.after.signal(value, now());
    return deed;
  }

  Deed cancel(Dice& dice) {
    const auto open = x_model.open();
    if (open.empty()) return iterate();
    const auto effect = open[dice.below(open.size())];
    Deed deed{"cancel " + format_effect_id(effect),
              [this, effect](Dir& dir) {
                cancel_effect(dir, x_world.context, {effect, {}}, "enough", false);
              },
              x_model};
    deed.after.cancel(effect, now());
    return deed;
  }

  Deed pause() {
    const bool paused = !x_model.paused();
    Deed deed{paused ? "pause" : "resume",
              [this, paused](Dir& dir) {
                (paused ? pause_run : resume_run)(dir, x_world.context, "", false);
              },
              x_model};
    deed.refused = !x_model.end().empty();
    if (!deed.refused) deed.after.pause(paused, now());
    return deed;
  }

  Deed rules() {
    AssignRequest request;
    request.newest_rules = request.yes = true;
    Deed deed{"rules",
              [this, request](Dir& dir) { assign_process(dir, x_world.context, {}, request); },
              x_model};
    if (x_model.rules() == kNewestRules) return deed;
    deed.refused = !x_model.end().empty() && x_model.end() != "RUN_FAILED";
    if (!deed.refused) deed.after.give_rules(kNewestRules, now());
    return deed;
  }

  Deed halt() {
    if (x_model.paused()) return pause();
    Deed deed{"halt", [this](Dir& dir) { halt_run(dir, x_world.context, "enough", false); },
              x_model};
    deed.refused = x_model.end() == "RUN_COMPLETED";
    if (x_model.end().empty() || x_model.end() == "RUN_FAILED") deed.after.halt(now());
    return deed;
  }

  Deed retry() {
    if (x_model.end() != "RUN_FAILED") return iterate();
    Deed deed{"retry", [this](Dir& dir) { retry_run(dir, x_world.context, false); }, x_model};
    deed.refused = !deed.after.retry(now());
    return deed;
  }

  Deed rewind(Dice& dice) {
    const auto given = x_model.given();
    if (given.empty() || x_model.paused()) return iterate();
    RewindRequest request;
    request.to = given[dice.below(given.size())];
    request.reason = "a test";
    request.yes = true;
    Deed deed{"rewind to " + std::to_string(request.to),
              [this, request](Dir& dir) { rewind_run(dir, x_world.context, {}, request); },
              x_model};
    if (!x_model.stands_at(request.to)) deed.after.rewind(request.to, now());
    return deed;
  }

  /// Nothing that mends changes what is recorded.
  Deed mend(Dice& dice) {
    if (dice.chance(50)) {
      return {"rebuild", [this](Dir& dir) { rebuild_run(dir, x_world.context); }, x_model};
    }
    return {"repair", [this](Dir& dir) { repair_run(dir, x_world.context, false, false); },
            x_model};
  }

  struct Sent {
    uint64_t effect = 0;
    bool ok = false;
    std::string text;
  };

  DiskKind x_disk;
  MemoryFiles x_files;
  World x_world;
  Model x_model;
  std::optional<Model> x_unsure;  ///< what a power failure may go back to
  std::optional<TestRun> x_run;
  std::string x_id;
  std::vector<Sent> x_posts;
  uint64_t x_nonce = 0;
  int64_t x_now_ms = kStartMs;
  Life x_life;
};

}  // namespace

StepSeeds steps_of(uint64_t seed) {
  Dice dice(seed);
  StepSeeds steps(5 + dice.below(kMostSteps));
  for (auto& step : steps) step = dice.next();
  return steps;
}

Life live(const StepSeeds& steps, DiskKind disk) {
  const bool has_rules = steps.empty() || steps.front() % 2 == 0;
  return Simulation(disk, has_rules ? kNewestRules : 0).live(steps);
}

StepSeeds shrink(StepSeeds steps, const std::function<Life(const StepSeeds&)>& relive) {
  for (size_t part = steps.size() / 2; part > 0; part /= 2) {
    for (size_t begin = 0; begin < steps.size();) {
      auto fewer = steps;
      const auto from = fewer.begin() + static_cast<std::ptrdiff_t>(begin);
      fewer.erase(from, from + static_cast<std::ptrdiff_t>(std::min(part, steps.size() - begin)));
      if (relive(fewer).failure.empty()) {
        begin += part;
      } else {
        steps = std::move(fewer);
      }
    }
  }
  return steps;
}

}  // namespace reprise::test
