#include "engine/heartbeat/subconscious_chore.h"

#include <algorithm>

#include "engine/ask.h"
#include "engine/heartbeat/loop_tick.h"
#include "engine/index/queries.h"
#include "engine/tell.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

constexpr const char* kFileKey = "file@";
constexpr const char* kTickKey = "tick@";
constexpr const char* kLookKey = "look@";
constexpr uint64_t kMostDueLoops = 50;
/// A tick whose evaluation nobody has begun is left alone for so long: opening another one in each
/// window would fill the journal of a home where nobody performs effects.
constexpr int64_t kUnattendedMs = 3'600'000;

/// What a loop answers, and whether its evaluation waits for somebody to begin it.
struct Look {
  Json beat;
  bool unattended = false;
};

class SubconsciousChore final : public Chore {
 public:
  std::string_view name() const override { return "subconscious"; }

  std::vector<Due> due(BeatHome& home) override {
    std::vector<Due> due;
    const auto settings = loop_settings(home.config);
    if (!settings.enabled) return due;
    for (const auto& name : loops(home)) {
      try {
        look(home, settings, name, due);
      } catch (const Error&) {
        // To look again says what is wrong with this loop, and stops no other.
        due.push_back({kLookKey + name, "look into the loop", name});
      }
    }
    return due;
  }

  void perform(BeatHome& home, const Due& due) override {
    if (due.key.starts_with(kLookKey)) {
      std::vector<Due> found;  // is due in the next round
      return look(home, loop_settings(home.config), due.run, found);
    }
    HomeRun wanted = subconscious_run({}, home.simulated);
    wanted.name = due.run;
    const auto run = open_home_run(home.workspace, home.context, wanted);
    const auto settings = loop_settings(home.config);
    const auto file = owns_file(due.run) ? read_task_file(home.workspace.home_path()) : TaskFile();
    const auto beat = ask_loop(*run.dir, home.context, {{"ask", "beat"}, {"at", home.now_ms}});
    std::vector<Signal> signals;
    if (auto import = import_signal(file, beat.at("fileDigest"))) {
      signals.push_back(std::move(*import));
    }
    if (due.key.starts_with(kTickKey)) {
      const auto window = window_of(home.now_ms, settings.interval_ms);
      if (beat.at("lastWindow") < window) {
        signals.push_back(tick_signal(home, settings, beat, file.notices, window));
        signals.back().key = kTickKey + std::to_string(window);
      }
    }
    if (!signals.empty()) tell(*run.dir, home.context, signals, After::kIterate, {});
  }

 private:
  static bool owns_file(const std::string& run) { return run == kSubconsciousProcess; }

  /// Names of the runs. The home's own one need not exist.
  static std::vector<std::string> loops(BeatHome& home) {
    std::vector<std::string> names = {kSubconsciousProcess};
    const auto page = home.index.ask([](Database& database) {
      RunFilter filter;
      filter.process = kSubconsciousProcess;
      filter.statuses = {"ready", "waiting"};
      filter.limit = kMostDueLoops;
      return list_runs(database, filter);
    });
    const auto prefix = names.front() + "-";
    for (const auto& row : page ? page->rows : std::vector<RunRow>()) {
      if (row.name.starts_with(prefix)) names.push_back(row.name);
    }
    return names;
  }

  static void look(BeatHome& home, const LoopSettings& settings, const std::string& name,
                   std::vector<Due>& due) {
    HomeRun wanted = subconscious_run({}, home.simulated);
    wanted.name = name;
    const auto look = ask_beat(home, wanted);
    const bool evaluates = settings.inference && has_evaluator(home.config);
    const auto window = window_of(home.now_ms, settings.interval_ms);
    const auto key = kTickKey + std::to_string(window) + ":" + name;
    if (!look) {
      // It begins with tasks of its own, so its first tick finds something that is due.
      if (evaluates) due.push_back({key, "evaluate the tasks of the home", name});
      return;
    }
    if (look->beat.is_null()) return;
    if (owns_file(name)) {
      const auto file = read_task_file(home.workspace.home_path());
      if (import_signal(file, look->beat.at("fileDigest"))) {
        due.push_back({kFileKey + file.digest, "take over the tasks of HEARTBEAT.md", name});
      }
    }
    const auto tasks = look->beat.at("due").size();
    if (!evaluates || look->unattended || look->beat.at("paused").get<bool>() || tasks == 0 ||
        look->beat.at("lastWindow") >= window) {
      return;
    }
    due.push_back(
        {key, "evaluate " + std::to_string(tasks) + (tasks == 1 ? " task" : " tasks"), name});
  }

  /// Null of a run that has ended or is paused; nullopt: there is none.
  static std::optional<Look> ask_beat(BeatHome& home, const HomeRun& wanted) {
    Look look;
    const bool found =
        home.asked.ask(home, wanted, [&](const Machine& machine, const RunState& state) {
          if (state.end || state.paused) return;
          const Json question = {{"ask", "beat"}, {"at", home.now_ms}};
          look.beat = Json::parse(machine.answer(question.dump()));
          const auto effect = state.open.find(look.beat.at("evaluation"));
          look.unattended = effect != state.open.end() && !effect->second.claim &&
                            home.now_ms - look.beat.at("opened").get<int64_t>() < kUnattendedMs;
        });
    return found ? std::optional(std::move(look)) : std::nullopt;
  }
};

}  // namespace

std::unique_ptr<Chore> make_subconscious_chore() { return std::make_unique<SubconsciousChore>(); }

}  // namespace reprise
