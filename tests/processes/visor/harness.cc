#include "tests/processes/visor/harness.h"

#include <catch2/catch.hpp>

#include "processes/visor/visor.h"

namespace reprise::visor {

namespace {

/// A snapshot is taken anew after so many activations, so that tails of all lengths are folded.
constexpr size_t kTail = 5;

}  // namespace

TestVisor::TestVisor()
    : facts(Json::parse(R"({
        "settings": {"tickIntervalSeconds": 30, "workerTimeoutSeconds": 600,
          "branchTimeoutSeconds": 60, "maintenanceIntervalSeconds": 3600,
          "channelDegradedFailureCount": 3, "channelDegradedWindowSeconds": 600,
          "idleThresholdSeconds": 1800, "bootstrapBulletin": false, "bulletinMaxWords": 300,
          "bulletinExecutor": false},
        "counts": {"channels": 0, "openWorkers": 0, "allWorkers": 0, "questions": 0},
        "workers": [], "branches": [], "failures": [], "complete": true})")),
      x_inputs([] { return std::string("{}"); }) {
  x_decider = visor_process().make(x_inputs);
  x_old_snapshot = x_decider->snapshot();
  give(std::make_unique<Recorded>());
}

Json TestVisor::value_of_now() const {
  auto value = facts;
  value["window"] = now_ms / 30'000;
  return value;
}

std::vector<ToldEvent> TestVisor::tick() { return signal("visor.tick", value_of_now()); }

std::vector<ToldEvent> TestVisor::tick_after(int64_t seconds) {
  now_ms += seconds * 1000;
  return tick();
}

Json TestVisor::foresee() const {
  const Json question = {{"ask", "tick"}, {"at", now_ms}, {"value", value_of_now()}};
  return Json::parse(x_decider->answer(question.dump()));
}

std::vector<ToldEvent> TestVisor::signal(const std::string& name, const Json& value) {
  auto recorded = std::make_unique<Recorded>();
  recorded->activation.kind = Activation::Kind::kSignal;
  recorded->name = name;
  recorded->value = value.dump();
  return give(std::move(recorded));
}

std::vector<ToldEvent> TestVisor::resolve(const std::string& key, const Json& value) {
  return end(key, true, value);
}
std::vector<ToldEvent> TestVisor::fail(const std::string& key, const Json& error) {
  return end(key, false, error);
}

std::vector<ToldEvent> TestVisor::end(const std::string& key, bool ok, const Json& value) {
  for (const auto& [effect, asked] : x_open) {
    if (asked.key != key) continue;
    auto recorded = std::make_unique<Recorded>();
    recorded->activation.kind = Activation::Kind::kResolved;
    recorded->activation.effect = effect;
    recorded->activation.ok = ok;
    (ok ? recorded->value : recorded->error) = value.dump();
    x_open.erase(effect);
    return give(std::move(recorded));
  }
  FAIL("no open request has the key " << key);
  return {};
}

void TestVisor::add_worker(const std::string& channel, const std::string& id, int64_t since_ms) {
  facts["workers"].push_back(
      {{"channelId", channel}, {"workerId", id}, {"status", "running"}, {"since", since_ms}});
}

std::vector<Json> TestVisor::requests(const std::string& key) const {
  std::vector<Json> found;
  for (const auto& asked : x_asked) {
    if (asked.key == key) found.push_back(asked.inputs);
  }
  return found;
}

std::vector<ToldEvent> TestVisor::events(const std::string& type) const {
  std::vector<ToldEvent> found;
  for (const auto& event : x_events) {
    if (event.type == type) found.push_back(event);
  }
  return found;
}

Json TestVisor::status() const { return Json::parse(x_decider->answer(R"({"ask":"status"})")); }

std::optional<Refusal> TestVisor::check(const std::string& name, const Json& value) const {
  const auto text = value.dump();
  Activation activation;
  activation.kind = Activation::Kind::kSignal;
  activation.rules = kNewestRules;
  activation.name = name;
  activation.value = text;
  return x_decider->check(activation);
}

std::vector<ToldEvent> TestVisor::give(std::unique_ptr<Recorded> given) {
  auto& recorded = *x_history.emplace_back(std::move(given));
  recorded.activation.seq = ++x_seq;
  recorded.activation.at_ms = now_ms;
  recorded.activation.rules = kNewestRules;
  recorded.activation.name = recorded.name;
  recorded.activation.value = recorded.value;
  recorded.activation.error = recorded.error;
  recorded.activation.inputs = "{}";
  x_decider->evolve(recorded.activation);
  const auto commands = x_decider->decide(recorded.activation);
  recorded.texts.reserve(2 * commands.size());
  std::vector<ToldEvent> told;
  for (const auto& command : commands) record(recorded, command, told);
  for (const auto& command : recorded.commands) x_decider->evolve(command);
  verify();
  x_events.insert(x_events.end(), told.begin(), told.end());
  return told;
}

void TestVisor::record(Recorded& recorded, const Command& command, std::vector<ToldEvent>& told) {
  CommandRecord record{.cause = recorded.activation.seq};
  record.seq = ++x_seq;
  if (command.kind == Command::Kind::kEmit) {
    record.kind = CommandRecord::Kind::kEmitted;
    record.data = recorded.texts.emplace_back(Json{{"type", command.name}}.dump());
    record.payload = recorded.texts.emplace_back(command.json);
    told.push_back({command.name, Json::parse(command.json)});
  } else {
    REQUIRE(command.kind == Command::Kind::kRequest);
    for (const auto& [effect, asked] : x_open) CHECK(asked.key != command.key);
    record.kind = CommandRecord::Kind::kRequested;
    record.effect = ++x_effects;
    record.data = recorded.texts.emplace_back(Json{{"key", command.key}}.dump());
    Asked asked{command.effect_kind, command.key, Json::parse(command.args)};
    CHECK(Json::parse(command.definition)["kind"] == command.effect_kind);
    x_asked.push_back(asked);
    x_open[record.effect] = std::move(asked);
  }
  recorded.commands.push_back(record);
}

void TestVisor::verify() {
  const auto folded = visor_process().make(x_inputs);
  const auto restored = visor_process().make(x_inputs);
  REQUIRE(restored->restore(x_old_snapshot));
  for (size_t i = 0; i < x_history.size(); ++i) {
    for (auto* decider : {folded.get(), restored.get()}) {
      if (decider == restored.get() && i < x_covered) continue;
      decider->evolve(x_history[i]->activation);
      for (const auto& command : x_history[i]->commands) decider->evolve(command);
    }
  }
  CHECK(folded->snapshot() == x_decider->snapshot());
  CHECK(restored->snapshot() == x_decider->snapshot());
  if (x_history.size() - x_covered < kTail) return;
  x_old_snapshot = x_decider->snapshot();
  x_covered = x_history.size();
}

std::string types_of(const std::vector<ToldEvent>& events) {
  std::string types;
  for (const auto& event : events) {
    if (event.type.starts_with("memory.")) continue;
    types += (types.empty() ? "" : " ") + event.type;
  }
  return types;
}

}  // namespace reprise::visor
