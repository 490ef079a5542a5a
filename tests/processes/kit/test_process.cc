#include "tests/processes/kit/test_process.h"

#include <algorithm>
#include <catch2/catch.hpp>

namespace reprise::kit {

namespace {

/// A snapshot is taken anew after so many activations, so that tails of all lengths are folded.
constexpr size_t kTail = 7;

std::string text_of(const std::vector<Command>& commands) {
  std::string text;
  for (const auto& it : commands) {
    text += std::to_string(static_cast<int>(it.kind)) + " " + it.name + it.json + it.key + it.args +
            it.definition + it.options + " " + std::to_string(it.effect) + " " +
            std::to_string(it.due_ms) + " " + std::to_string(it.trace) + "\n";
  }
  return text;
}

}  // namespace

TestProcess::TestProcess(const BuiltIn& process, const Json& inputs) : x_process(process) {
  const auto text = inputs.dump();
  REQUIRE(process.check_inputs(text).empty());
  x_inputs = std::make_unique<Inputs>([inputs] { return inputs.dump(); });
  x_decider = make();
  x_replayed = make();
  x_restored = make();
  REQUIRE(x_restored->restore(x_decider->snapshot()));
  Recorded start{.kind = Activation::Kind::kStart};
  start.inputs = text;
  give(std::move(start));
}

std::optional<Refusal> TestProcess::signal(const std::string& name, const Json& value) {
  const auto text = value.dump();
  Activation activation;
  activation.kind = Activation::Kind::kSignal;
  activation.at_ms = now_ms;
  activation.rules = rules;
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

void TestProcess::resolve(uint64_t effect, const Json& value) {
  REQUIRE(x_open.erase(effect) == 1);
  Recorded recorded{.kind = Activation::Kind::kResolved};
  recorded.effect = effect;
  recorded.ok = true;
  recorded.value = value.dump();
  give(std::move(recorded));
}

void TestProcess::fail(uint64_t effect, const Json& error) {
  REQUIRE(x_open.erase(effect) == 1);
  Recorded recorded{.kind = Activation::Kind::kResolved};
  recorded.effect = effect;
  recorded.error = error.dump();
  give(std::move(recorded));
}

void TestProcess::cancel(uint64_t effect) {
  REQUIRE(x_open.erase(effect) == 1);
  Recorded recorded{.kind = Activation::Kind::kCancelled};
  recorded.effect = effect;
  recorded.error = R"({"reason":"cancelled"})";
  give(std::move(recorded));
}

void TestProcess::cancel_run(const std::string& reason) {
  Recorded recorded{.kind = Activation::Kind::kCancelRun};
  recorded.value = Json{{"reason", reason}}.dump();
  give(std::move(recorded));
}

void TestProcess::pass_time(int64_t ms) {
  now_ms += ms;
  while (true) {
    const Asked* first = nullptr;
    for (const auto& [effect, asked] : x_open) {
      if (asked.kind != "sleep" || asked.due_ms > now_ms) continue;
      if (first == nullptr || asked.due_ms < first->due_ms) first = &asked;
    }
    if (first == nullptr) return;
    resolve(first->effect, Json());
  }
}

Json TestProcess::ask(const Json& question) const {
  return Json::parse(x_decider->answer(question.dump()));
}

std::vector<ToldEvent> TestProcess::events(const std::string& type) const {
  std::vector<ToldEvent> found;
  for (const auto& event : x_events) {
    if (event.type == type) found.push_back(event);
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

const Asked& TestProcess::asked(const std::string& key) const {
  for (const auto& [effect, asked] : x_open) {
    if (asked.key == key) return asked;
  }
  FAIL("no open request has the key " << key);
  throw 0;
}

bool TestProcess::has(const std::string& key) const {
  return std::ranges::any_of(x_open, [&](const auto& entry) { return entry.second.key == key; });
}

Activation TestProcess::activation_of(const Recorded& recorded) {
  Activation activation;
  activation.kind = recorded.kind;
  activation.seq = recorded.seq;
  activation.at_ms = recorded.at_ms;
  activation.rules = recorded.rules;
  activation.effect = recorded.effect;
  activation.ok = recorded.ok;
  activation.value = recorded.value;
  activation.error = recorded.error;
  activation.name = recorded.name;
  activation.inputs = recorded.inputs;
  return activation;
}

void TestProcess::give(Recorded given) {
  REQUIRE_FALSE(x_ended);
  given.seq = ++x_seq;
  given.at_ms = now_ms;
  given.rules = rules;
  auto& recorded = *x_history.emplace_back(std::make_unique<Recorded>(std::move(given)));
  const auto activation = activation_of(recorded);
  x_decider->evolve(activation);
  const auto commands = x_decider->decide(activation);
  recorded.texts.reserve(2 * commands.size());
  recorded.decided = text_of(commands);
  for (const auto& command : commands) record(recorded, command);
  for (const auto& command : recorded.commands) x_decider->evolve(command);
  if (verifies) verify();
  go_on();
}

void TestProcess::record(Recorded& recorded, const Command& command) {
  CommandRecord record{.cause = recorded.seq};
  switch (command.kind) {
    case Command::Kind::kWithdraw:
      REQUIRE(x_open.erase(command.effect) == 1);
      x_withdrawn.push_back(command.effect);
      return;
    case Command::Kind::kEmit: {
      record.kind = CommandRecord::Kind::kEmitted;
      record.seq = ++x_seq;
      const auto trace = command.trace == 0 ? recorded.seq : command.trace;
      record.data = recorded.texts.emplace_back(Json{{"type", command.name}}.dump());
      record.payload = recorded.texts.emplace_back(command.json);
      x_events.push_back(
          {command.name, Json::parse(command.json), record.seq, recorded.seq, trace});
      break;
    }
    case Command::Kind::kRequest: {
      record.kind = CommandRecord::Kind::kRequested;
      record.seq = ++x_seq;
      record.effect = ++x_effects;
      Json data = {{"key", command.key}, {"kind", command.effect_kind}};
      if (command.trace != 0 && command.trace != recorded.seq) data["trace"] = command.trace;
      record.data = recorded.texts.emplace_back(data.dump());
      for (const auto& [effect, asked] : x_open) CHECK(asked.key != command.key);
      x_open[record.effect] = {
          record.effect,
          command.effect_kind,
          command.key,
          Json::parse(command.args),
          Json::parse(command.definition),
          command.options.empty() ? Json::object() : Json::parse(command.options),
          command.due_ms};
      break;
    }
    default:
      record.kind = CommandRecord::Kind::kCompleted;
      record.seq = ++x_seq;
      x_ended = true;
      x_open.clear();
  }
  recorded.commands.push_back(record);
}

void TestProcess::check_cuts() const {
  const auto folded = make();
  for (const auto& recorded : x_history) {
    const auto restored = make();
    REQUIRE(restored->restore(folded->snapshot()));
    const auto activation = activation_of(*recorded);
    restored->evolve(activation);
    CHECK(text_of(restored->decide(activation)) == recorded->decided);
    fold(*folded, *recorded);
  }
}

void TestProcess::fold(Decider& decider, const Recorded& recorded) {
  decider.evolve(activation_of(recorded));
  for (const auto& command : recorded.commands) decider.evolve(command);
}

void TestProcess::verify() {
  for (; x_folded < x_history.size(); ++x_folded) {
    fold(*x_replayed, *x_history[x_folded]);
    fold(*x_restored, *x_history[x_folded]);
  }
  const auto live = x_decider->snapshot();
  CHECK(x_replayed->snapshot() == live);
  CHECK(x_restored->snapshot() == live);
  if (x_history.size() % kTail != 0) return;
  x_restored = make();
  REQUIRE(x_restored->restore(live));
}

}  // namespace reprise::kit
