#include "tests/processes/schedules/harness.h"

#include <catch2/catch.hpp>

#include "processes/schedules/schedules.h"

namespace reprise::test {

namespace {

/// A snapshot is taken anew after so many steps, so that tails of all lengths are folded.
constexpr size_t kTail = 7;

std::string text_of(const std::vector<Command>& commands) {
  std::string text;
  for (const auto& it : commands) {
    text += std::to_string(static_cast<int>(it.kind)) + it.name + it.json + it.key + it.args +
            it.definition + "\n";
  }
  return text;
}

}  // namespace

TestSchedules::TestSchedules() {
  x_decider = schedules_process().make(x_inputs);
  x_snapshot = x_decider->snapshot();
  give({.kind = Activation::Kind::kStart}, {}, {});
}

std::string TestSchedules::signal(const std::string& name, const Json& value) {
  const auto text = value.dump();
  Activation activation{.kind = Activation::Kind::kSignal, .at_ms = now_ms, .rules = kNewestRules};
  activation.name = name;
  activation.value = text;
  if (const auto refusal = x_decider->check(activation)) return refusal->code;
  force(name, value);
  return {};
}

void TestSchedules::force(const std::string& name, const Json& value) {
  give({.kind = Activation::Kind::kSignal}, name, value.dump());
}

void TestSchedules::resolve(uint64_t effect, const Json& value) {
  REQUIRE(x_open.erase(effect) == 1);
  give({.kind = Activation::Kind::kResolved, .effect = effect, .ok = true}, {}, value.dump());
}

void TestSchedules::fail(uint64_t effect, const std::string& message) {
  REQUIRE(x_open.erase(effect) == 1);
  give({.kind = Activation::Kind::kResolved, .effect = effect}, {},
       Json{{"name", "Error"}, {"message", message}}.dump());
}

void TestSchedules::cancel(uint64_t effect) {
  REQUIRE(x_open.erase(effect) == 1);
  give({.kind = Activation::Kind::kCancelled, .effect = effect}, {}, "{}");
}

uint64_t TestSchedules::add(const Json& timing, int64_t next_ms, const Json& more) {
  Json value = {{"timing", timing},
                {"next", next_ms},
                {"target", {{"kind", "command"}, {"command", "make"}}}};
  value.update(more);
  REQUIRE(signal("schedule.add", value).empty());
  return x_events.back().second.at("scheduleId");
}

Json TestSchedules::ask(const Json& question) const {
  return Json::parse(x_decider->answer(question.dump()));
}

std::string TestSchedules::news() {
  std::string types;
  for (; x_told < x_events.size(); ++x_told) {
    types += (types.empty() ? "" : " ") + x_events[x_told].first.substr(9);
  }
  return types;
}

void TestSchedules::give(Activation activation, const std::string& name, const std::string& value) {
  auto& step = x_steps.emplace_back();
  activation.seq = x_steps.size();
  activation.at_ms = now_ms;
  activation.rules = kNewestRules;
  activation.name = step.texts.emplace_back(name);
  activation.value = step.texts.emplace_back(value);
  activation.inputs = "{}";
  if (!activation.ok) activation.error = activation.value;
  step.activation = activation;
  x_decider->evolve(activation);
  const auto commands = x_decider->decide(activation);
  step.decided = text_of(commands);
  for (const auto& command : commands) record(step, command);
  for (const auto& command : step.commands) x_decider->evolve(command);

  const auto live = x_decider->snapshot();
  REQUIRE(fold(*schedules_process().make(x_inputs), 0) == live);
  const auto restored = schedules_process().make(x_inputs);
  REQUIRE(restored->restore(x_snapshot));
  REQUIRE(fold(*restored, x_covered) == live);
  if (x_steps.size() - x_covered < kTail) return;
  x_snapshot = live;
  x_covered = x_steps.size();
}

std::string TestSchedules::fold(Decider& decider, size_t from) const {
  for (size_t i = from; i < x_steps.size(); ++i) {
    const auto& step = x_steps[i];
    decider.evolve(step.activation);
    REQUIRE(text_of(decider.decide(step.activation)) == step.decided);
    for (const auto& command : step.commands) decider.evolve(command);
  }
  return decider.snapshot();
}

void TestSchedules::record(Step& step, const Command& command) {
  CommandRecord record{.cause = step.activation.seq};
  if (command.kind == Command::Kind::kEmit) {
    record.kind = CommandRecord::Kind::kEmitted;
    record.data = step.texts.emplace_back(Json{{"type", command.name}}.dump());
    record.payload = step.texts.emplace_back(command.json);
    x_events.emplace_back(command.name, Json::parse(command.json));
  } else {
    REQUIRE(command.kind == Command::Kind::kRequest);
    record.kind = CommandRecord::Kind::kRequested;
    record.effect = ++x_effects;
    record.data = step.texts.emplace_back(Json{{"key", command.key}}.dump());
    auto asked = Json::parse(command.args);
    asked["kind"] = command.effect_kind;
    x_open[x_effects] = std::move(asked);
  }
  step.commands.push_back(record);
}

}  // namespace reprise::test
