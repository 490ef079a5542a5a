#include "engine/heartbeat/visor_chore.h"

#include <functional>
#include <nlohmann/json.hpp>

#include "engine/ask.h"
#include "engine/family.h"
#include "engine/heartbeat/visor_facts.h"
#include "engine/home_run.h"
#include "engine/process_loader.h"

namespace reprise {

namespace {

using Json = nlohmann::json;
using Ask = std::function<Json(const Json& question)>;

HomeRun visor_run(bool simulated) {
  return {.name = kVisorRun, .process = kVisorRun, .simulated = simulated};
}

/// Before its run exists, a visor that knows nothing answers.
void with_new_visor(const Context& context, int64_t now_ms, const std::function<void(Ask)>& use) {
  const Inputs inputs([] { return std::string("{}"); });
  const auto visor = find_built_in(context.built_ins, kVisorRun).make(inputs);
  Activation start;
  start.at_ms = now_ms;
  start.rules = kNewestRules;
  start.inputs = inputs.text();
  visor->evolve(start);
  use([&](const Json& question) { return Json::parse(visor->answer(question.dump())); });
}

/// Not called for one that ended or rests: somebody wants no visor.
void with_visor(BeatHome& home, const std::function<void(Ask)>& use) {
  const bool found = home.asked.ask(
      home, visor_run(home.simulated), [&](const Machine& machine, const RunState& state) {
        if (state.end || state.paused) return;
        use([&](const Json& question) { return Json::parse(machine.answer(question.dump())); });
      });
  if (!found) with_new_visor(home.context, home.now_ms, use);
}

class VisorChore final : public Chore {
 public:
  std::string_view name() const override { return "visor"; }

  std::vector<Due> due(BeatHome& home) override {
    std::vector<Due> due;
    with_visor(home, [&](const Ask& ask) { look(home, ask, due); });
    return due;
  }

  void perform(BeatHome& home, const Due& due) override {
    const auto run = open_home_run(home.workspace, home.context, visor_run(home.simulated));
    const Signal tick{
        .name = "visor.tick", .value = parse_value(x_tick, "the tick"), .key = due.key};
    const auto no_files = [](const std::string&) -> std::optional<std::string> { return {}; };
    // What it tells channels is delivered at once, and healed later when that fails.
    tell_among({home.workspace.runs(), home.workspace.runs_path(), no_files}, run.name, *run.dir,
               home.context, {tick}, After::kIterate, {});
  }

 private:
  void look(BeatHome& home, const Ask& ask, std::vector<Due>& due) {
    auto facts = visor_facts(home);
    const auto foresee = [&] {
      return ask({{"ask", "tick"}, {"at", home.now_ms}, {"value", facts}});
    };
    auto foreseen = foresee();
    if (foreseen.value("maintenance", false) && begins_interval(home, facts["settings"])) {
      auto upkeep = visor_upkeep(home, foreseen.at("examinedUntil"));
      if (!upkeep.is_null()) facts["maintenance"] = std::move(upkeep);
    }
    if (foreseen.at("bulletin").get<bool>()) {
      facts["memories"] = visor_memories(home, facts["counts"]["channels"]);
    }
    if (facts.contains("maintenance")) foreseen = foresee();
    if (!foreseen.at("decides").get<bool>()) return;
    x_tick = facts.dump(-1, ' ', false, Json::error_handler_t::replace);
    due.push_back({.key = "tick@" + std::to_string(facts["window"].get<int64_t>()),
                   .what = foreseen.at("what"),
                   .run = kVisorRun});
  }

  /// To look through all memories is work for once in an interval. The visor remembers when
  /// something came of it; that nothing did is nowhere recorded.
  static bool begins_interval(const BeatHome& home, const Json& settings) {
    const auto interval_ms = settings.at("maintenanceIntervalSeconds").get<int64_t>() * 1000;
    return !home.last_beat_ms || *home.last_beat_ms / interval_ms != home.now_ms / interval_ms;
  }

  std::string x_tick;  ///< what due() found
};

}  // namespace

std::unique_ptr<Chore> make_visor_chore() { return std::make_unique<VisorChore>(); }

std::string visor_report(BeatHome& home) {
  Json report = {{"state", nullptr}, {"facts", visor_facts(home)}, {"next", Json::object()}};
  const auto wanted = visor_run(home.simulated);
  if (const auto run = find_home_run(home.workspace, wanted)) {
    report["state"] = Json::parse(ask(*run->dir, home.context, R"({"ask":"status"})"));
  }
  with_visor(home, [&](const Ask& ask) {
    report["next"] = ask({{"ask", "tick"}, {"at", home.now_ms}, {"value", report["facts"]}});
  });
  return report.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace reprise
