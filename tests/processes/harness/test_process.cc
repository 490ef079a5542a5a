#include "tests/processes/harness/test_process.h"

#include <catch2/catch.hpp>

namespace reprise {

namespace {

/// A snapshot is taken anew after so many activations, so that tails of all lengths are folded.
constexpr size_t kTail = 7;

std::string text_of(const std::vector<Command>& commands) {
  std::string text;
  for (const auto& it : commands) {
    text += std::to_string(static_cast<int>(it.kind)) + " " + it.name + it.json + it.key + it.args +
            it.definition + it.options + "\n";
  }
  return text;
}

}  // namespace

TestProcess::TestProcess(const BuiltIn& process)
    : x_process(process), x_inputs([] { return std::string("{}"); }) {
  REQUIRE(process.check_inputs("{}").empty());
  x_decider = process.make(x_inputs);
  x_old_snapshot = x_decider->snapshot();
  give({});
}

std::optional<Refusal> TestProcess::signal(const std::string& name, const Json& value) {
  const auto text = value.dump();
  Activation activation;
  activation.kind = Activation::Kind::kSignal;
  activation.at_ms = now_ms;
  activation.name = name;
  activation.value = text;
  if (auto refusal = x_decider->check(activation)) return refusal;
  force_signal(name, value);
  return std::nullopt;
}

std::string TestProcess::code(const std::string& name, const Json& value) {
  const auto refusal = signal(name, value);
  return refusal ? refusal->code : "";
}

void TestProcess::force_signal(const std::string& name, const Json& value) {
  Recorded recorded{.kind = Activation::Kind::kSignal};
  recorded.name = name;
  recorded.value = value.dump();
  give(std::move(recorded));
}

uint64_t TestProcess::take(const std::string& key) {
  const auto effect = asked(key).effect;
  x_open.erase(key);
  return effect;
}

void TestProcess::resolve(const std::string& key, const Json& value) {
  Recorded recorded{.kind = Activation::Kind::kResolved, .effect = take(key), .ok = true};
  recorded.value = value.dump();
  give(std::move(recorded));
}

void TestProcess::fail(const std::string& key, const Json& error) {
  Recorded recorded{.kind = Activation::Kind::kResolved, .effect = take(key)};
  recorded.error = error.dump();
  give(std::move(recorded));
}

void TestProcess::cancel_run(const std::string& reason) {
  Recorded recorded{.kind = Activation::Kind::kCancelRun};
  recorded.value = Json{{"reason", reason}}.dump();
  give(std::move(recorded));
}

std::vector<TestProcess::Json> TestProcess::events(const std::string& type) const {
  std::vector<Json> found;
  for (const auto& event : x_events) {
    if (event.type == type) found.push_back(event.payload);
  }
  return found;
}

std::string TestProcess::news() {
  std::string types;
  for (; x_told < x_events.size(); ++x_told) {
    types += (types.empty() ? "" : " ") + x_events[x_told].type;
  }
  return types;
}

const TestProcess::Asked& TestProcess::asked(const std::string& key) const {
  const auto found = x_open.find(key);
  if (found == x_open.end()) FAIL("no open request has the key " << key);
  return found->second;
}

Activation TestProcess::activation_of(const Recorded& recorded) {
  Activation activation;
  activation.kind = recorded.kind;
  activation.at_ms = recorded.at_ms;
  activation.effect = recorded.effect;
  activation.ok = recorded.ok;
  activation.value = recorded.value;
  activation.error = recorded.error;
  activation.name = recorded.name;
  activation.inputs = "{}";
  return activation;
}

void TestProcess::give(Recorded given) {
  REQUIRE_FALSE(x_ended);
  given.at_ms = now_ms;
  auto& recorded = *x_history.emplace_back(std::make_unique<Recorded>(std::move(given)));
  auto activation = activation_of(recorded);
  activation.seq = ++x_seq;
  x_decider->evolve(activation);
  const auto commands = x_decider->decide(activation);
  recorded.texts.reserve(2 * commands.size());
  recorded.decided = text_of(commands);
  for (const auto& command : commands) record(recorded, command);
  for (const auto& command : recorded.commands) x_decider->evolve(command);
  if (verifies) verify();
}

void TestProcess::record(Recorded& recorded, const Command& command) {
  CommandRecord record{.seq = ++x_seq};
  if (command.kind == Command::Kind::kEmit) {
    record.kind = CommandRecord::Kind::kEmitted;
    record.data = recorded.texts.emplace_back(Json{{"type", command.name}}.dump());
    record.payload = recorded.texts.emplace_back(command.json);
    x_events.push_back({command.name, Json::parse(command.json)});
  } else if (command.kind == Command::Kind::kRequest) {
    record.kind = CommandRecord::Kind::kRequested;
    record.effect = ++x_effects;
    record.data = recorded.texts.emplace_back(
        Json{{"key", command.key}, {"kind", command.effect_kind}}.dump());
    REQUIRE_FALSE(x_open.contains(command.key));
    x_open[command.key] = {record.effect,
                           command.effect_kind,
                           command.key,
                           Json::parse(command.args),
                           Json::parse(command.definition),
                           command.options.empty() ? Json() : Json::parse(command.options)};
  } else {
    REQUIRE(command.kind == Command::Kind::kHalt);
    record.kind = CommandRecord::Kind::kHalted;
    x_ended = true;
  }
  recorded.commands.push_back(record);
}

void TestProcess::verify() {
  const auto snapshot = x_decider->snapshot();
  const auto fold = [&](Decider& decider, size_t from) {
    for (size_t i = from; i < x_history.size(); ++i) {
      decider.evolve(activation_of(*x_history[i]));
      for (const auto& command : x_history[i]->commands) decider.evolve(command);
    }
    return decider.snapshot();
  };
  REQUIRE(fold(*x_process.make(x_inputs), 0) == snapshot);
  const auto tail = x_process.make(x_inputs);
  REQUIRE(tail->restore(x_old_snapshot));
  REQUIRE(fold(*tail, x_covered) == snapshot);
  if (x_history.size() - x_covered < kTail) return;
  x_old_snapshot = snapshot;
  x_covered = x_history.size();
}

}  // namespace reprise
