#include "tests/simulation/relatives.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/family.h"
#include "journal/memory_files.h"
#include "tests/engine/model_program.h"
#include "tests/engine/run_fixture.h"
#include "tests/fakes/fault_files.h"
#include "tests/simulation/relative.h"

namespace reprise::test {

namespace {

using Json = nlohmann::json;

const std::vector<BuiltIn> kRelative = {relative()};
const std::string kRunsPath = "/home/runs";
constexpr int kQuietRounds = 3;  ///< after which nothing more happens

struct Broken {
  std::string text;
};
void must(bool holds, const std::string& what) {
  if (!holds) throw Broken{what};
}

std::string other_of(const std::string& id) { return id == "a" ? "b" : "a"; }

class Relatives {
 public:
  explicit Relatives(Carelessness program) : x_world(kRelative) {
    if (program == Carelessness::kForgetsIdentities) x_world.rules = 0;
    x_world.runs = x_files.root();
    for (const std::string id : {"a", "b"}) make(*x_world.runs, id);
  }

  Life live(const StepSeeds& steps) {
    try {
      for (const auto seed : steps) {
        Dice dice(seed);
        step(dice);
      }
      come_to_rest();
      judge();
    } catch (const Broken& broken) {
      x_told.failure = broken.text;
    } catch (const Error& error) {
      x_told.failure = std::string(error.code()) + ": " + error.message();
    }
    for (const std::string id : {"a", "b"}) {
      const auto run = x_world.runs->open_dir(id);
      if (run) x_told.journal += read_file(*run, "journal/00000001.jsonl").value_or("");
    }
    return std::move(x_told);
  }

 private:
  // What is known of the runs that were, beside those that are.
  struct Ledger {
    std::map<std::string, std::set<std::string>> heard;  ///< by life: tokens of signals
    std::set<std::string> sent;                          ///< tokens of those that were delivered
    std::set<std::string> asked;                         ///< tokens of all
  };

  void make(Dir& runs, const std::string& id) {
    CreateRequest request;
    request.run_id = id;
    request.process.built_in = "relative";
    request.inputs =
        parse_value(Json{{"life", ++x_lives}, {"peer", other_of(id)}}.dump(), "inputs");
    request.rules = x_world.rules;
    create_run(&runs, kRunsPath, x_world.context, {}, request);
  }

  void step(Dice& dice) {
    x_world.clock.advance(dice.one_of({0, 1, 30}));
    Faults faults;
    const bool harmed = dice.chance(35);
    if (harmed) faults.fail_at = 1 + dice.below(90);
    faults.from_then_on = dice.chance(60);
    faults.short_write = dice.chance(50);
    const bool power = dice.chance(harmed ? 15 : 3);
    const auto runs = with_faults(x_files.root(), faults);
    const auto id = dice.chance(50) ? "a" : "b";
    try {
      act(*runs, id, dice);
    } catch (const Error& error) {
      const bool met = harmed && faults.count >= faults.fail_at;
      must(met, x_told.story + ": " + std::string(error.code()) + ": " + error.message());
    }
    if (harmed && faults.count >= faults.fail_at) ++x_told.counts["fault"];
    if (power) {
      ++x_told.counts["power failure"];
      x_files.power_loss(dice.chance(50));
      x_told.story += ", and the power went";
    }
    x_told.story += "\n";
  }

  void act(Dir& runs, const std::string& id, Dice& dice) {
    const auto what = dice.below(100);
    const auto say = [&](const std::string& deed) {
      ++x_told.counts[deed];
      x_told.story += deed + " " + id;
    };
    if (!runs.stat(id) || what < 8) {
      say("make again");
      make_again(runs, id, dice.chance(60));
    } else if (what < 50) {
      say("iterate");
      iterate(runs, id);
    } else if (what < 75) {
      say("iterate children");
      std::vector<std::string> notes;
      const RunFolder folder{runs, kRunsPath, {}};
      iterate_descendants(folder, id, *runs.open_dir(id), x_world.context, notes);
    } else {
      say("perform");
      perform(runs, dice);
    }
  }

  void iterate(Dir& runs, const std::string& id) {
    const RunFolder folder{runs, kRunsPath, {}};
    iterate_among(folder, id, *runs.open_dir(id), x_world.context);
  }

  /// What there is of the old one is deleted as run:delete does; its children are, or stay.
  void make_again(Dir& runs, const std::string& id, bool with_children) {
    for (const auto& name : runs.list("")) {
      const bool child = name.starts_with(id + ".t");
      if (name == id || (child && with_children)) remove(runs, name);
    }
    make(runs, id);
  }

  void remove(Dir& runs, const std::string& name) {
    if (name == "a" || name == "b") enter(name, x_past);
    const auto aside = ".deleted-" + std::to_string(++x_removed);
    runs.rename(name, aside, false);
    runs.sync_dir("");
    runs.remove_tree(aside);
  }

  /// An agent does what one of the runs asks for. False: nobody asks for any.
  bool perform(Dir& runs, Dice& dice) {
    std::vector<std::pair<std::string, uint64_t>> open;
    for (const auto& name : runs.list("")) {
      if (name.starts_with('.')) continue;
      for (const auto& [effect, request] : read_state(*runs.open_dir(name)).state.open) {
        if (request.kind == "agent") open.emplace_back(name, effect);
      }
    }
    if (open.empty()) return false;
    const auto& [name, effect] = open[dice.below(open.size())];
    Post post;
    post.effect.id = effect;
    post.value = parse_value("1", "value");
    post_result(*runs.open_dir(name), x_world.context, post);
    return true;
  }

  void come_to_rest() {
    auto& runs = *x_world.runs;
    for (const std::string id : {"a", "b"}) {
      if (!runs.stat(id)) make(runs, id);
    }
    Dice dice(1);
    for (int quiet = 0; quiet < kQuietRounds;) {
      for (const auto& name : runs.list("")) {
        if (!name.starts_with('.')) iterate(runs, name);
      }
      quiet = perform(runs, dice) ? 0 : quiet + 1;
    }
  }

  /// What the run's journal says of it.
  void enter(const std::string& id, Ledger& ledger) {
    const auto run = x_world.runs->open_dir(id);
    const auto state = read_state(*run).state;
    const auto life = Json::parse(load_inputs(*run, state)).at("life").dump();
    std::map<std::string, Json> asked;  // by effect
    std::set<std::string> heard;
    for_each_event(*run, [&](const RecordView& record) {
      const auto data = Json::parse(record.data);
      if (record.type == RecordType::kEffectRequested) {
        asked[data.at("effectId")] = data;
        if (data.at("kind") == "run.signal") ledger.asked.insert(token_of(data));
      } else if (record.type == RecordType::kSignalReceived) {
        must(heard.insert(data.at("value").dump()).second,
             "run " + id + " received twice " + data.at("value").dump());
      } else if (record.type == RecordType::kEffectResolved) {
        take_result(id, asked.at(data.at("effectId")), data, ledger);
      }
    });
    ledger.heard[life] = std::move(heard);  // a run whose removal failed is entered once more
  }

  static std::string token_of(const Json& request) {
    const auto& args = request.at("inputs");
    return args.contains("value") ? args.at("value").dump() : args.at("inputs").dump();
  }

  void take_result(const std::string& id, const Json& request, const Json& result, Ledger& ledger) {
    const std::string kind = request.at("kind");
    if (kind == "agent") return;
    const bool ok = result.at("status") == "ok";
    if (kind == "run.signal") {
      if (ok) ledger.sent.insert(token_of(request));
      ++x_told.counts[ok ? "signal sent" : "signal refused"];
      return;
    }
    ++x_told.counts[ok ? "child's result" : "child refused"];
    if (ok) {
      must(result.at("value").dump() == token_of(request),
           "run " + id + " asked for " + token_of(request) + " and was given " +
               result.at("value").dump());
    } else {
      must(result.at("error").at("name") == "ChildRunNotCreated", result.dump());
    }
  }

  void judge() {
    auto ledger = x_past;
    for (const std::string id : {"a", "b"}) {
      enter(id, ledger);
      const auto state = read_state(*x_world.runs->open_dir(id)).state;
      for (const auto& [effect, request] : state.open) {
        must(request.kind == "agent", "run " + id + " waits for " + request.kind + " " +
                                          format_effect_id(effect) + " at the end");
      }
      TestRun(x_world, x_world.runs->open_dir(id)).check_replay();
    }
    std::set<std::string> heard;
    for (const auto& [life, tokens] : ledger.heard) heard.insert(tokens.begin(), tokens.end());
    for (const auto& token : ledger.sent) must(heard.contains(token), "nobody received " + token);
    for (const auto& token : heard) must(ledger.asked.contains(token), "nobody sent " + token);
  }

  MemoryFiles x_files;
  World x_world;
  Ledger x_past;
  uint64_t x_lives = 0;
  uint64_t x_removed = 0;
  Life x_told;
};

}  // namespace

Life live_among_relatives(const StepSeeds& steps, Carelessness program) {
  return Relatives(program).live(steps);
}

}  // namespace reprise::test
