#include "tests/simulation/model.h"

#include <algorithm>

#include "engine/history.h"
#include "journal/ids.h"

namespace reprise::test {

namespace {

std::string id(uint64_t effect) { return " " + format_effect_id(effect); }
std::string by(uint64_t cause) { return " by " + std::to_string(cause); }

/// The value or error of a record, if somebody posted it.
std::string posted(const Members& data, Dir& run) {
  const auto value = load_value(data, "value", run);
  const auto text = value.empty() ? load_value(data, "error", run) : value;
  return text.find("nonce ") == std::string::npos ? "" : " " + text;
}

std::string line_of(const RecordView& record, const Members& data, Dir& run) {
  auto effect = data.has("effectId") ? " " + data.text("effectId") : "";
  switch (record.type) {
    case RecordType::kEffectRequested:
      return effect + " " + data.text("label") + by(record.cause);
    case RecordType::kEffectClaimed:
      return effect + " " + data.text("worker");
    case RecordType::kEffectResolved:
    case RecordType::kEffectRetryScheduled:
      return effect + posted(data, run);
    case RecordType::kEventEmitted:
      return " " + load_value(data, "payload", run) + by(record.cause);
    case RecordType::kRunCompleted:
      return " " + load_value(data, "output", run) + by(record.cause);
    case RecordType::kRunFailed:
      return by(record.cause);
    case RecordType::kRunReopened:
      return " " + data.text("mode") + " " + std::to_string(data.number("activation"));
    case RecordType::kSignalReceived:
      return posted(data, run);
    case RecordType::kProcessAssigned:
      return " rules " + std::to_string(data.number("rules"));
    default:
      return effect;
  }
}

}  // namespace

std::vector<std::string> journal_lines(Dir& run) {
  std::vector<std::string> lines;
  JsonReader reader;
  for_each_event(run, [&](const RecordView& record) {
    auto line = std::string(record_type_name(record.type));
    line += line_of(record, reader.members(record.data), run);
    line += " at " + std::to_string(record.at_ms);
    if (record.applied != 0) line += " applied " + std::to_string(record.applied);
    lines.push_back(std::move(line));
  });
  return lines;
}

Activation Model::Given::activation() const {
  Activation activation{
      .kind = kind, .seq = seq, .at_ms = at_ms, .rules = rules, .effect = effect, .ok = ok};
  (ok || kind == Activation::Kind::kSignal ? activation.value : activation.error) = text;
  return activation;
}

Model::Model(int64_t now_ms, uint32_t rules) : x_rules(rules) {
  const auto seq = record("RUN_CREATED", now_ms);
  enqueue({.seq = seq, .kind = Activation::Kind::kStart});
}

/// A commit's time is never before the last one's.
uint64_t Model::record(const std::string& line, int64_t now_ms) {
  x_at_ms = std::max(x_at_ms, now_ms);
  x_lines.push_back(line + " at " + std::to_string(x_at_ms));
  return x_lines.size();
}

void Model::enqueue(Given given) {
  given.at_ms = x_at_ms;
  given.rules = x_rules;
  x_activations.push_back(std::move(given));
}

void Model::iterate(int64_t now_ms) {
  if (!x_end.empty() || x_paused) return;
  const auto recorded = x_lines.size();
  const auto last_ms = x_at_ms;
  x_at_ms = std::max(x_at_ms, now_ms);
  bool gave = false;
  while (x_end.empty()) {
    const auto next = std::ranges::find_if(
        x_activations, [&](const auto& given) { return given.seq > x_applied; });
    if (next == x_activations.end()) {
      if (!record_due()) break;
      continue;
    }
    const auto given = *next;
    give(given);
    gave = true;
  }
  if (!gave) {
    x_at_ms = last_ms;
    return;
  }
  if (x_lines.size() == recorded) record("ITERATED", x_at_ms);
  x_lines.back() += " applied " + std::to_string(x_applied);
  x_reopened.reset();
}

bool Model::record_due() {
  std::vector<std::pair<int64_t, uint64_t>> due;
  for (const auto& [number, effect] : x_effects) {
    const bool sleeps = effect.open && effect.move.kind == Move::Kind::kSleep;
    if (sleeps && effect.due_ms <= x_at_ms) due.emplace_back(effect.due_ms, number);
  }
  std::ranges::sort(due);
  for (const auto& [when, number] : due) {
    x_effects[number].open = false;
    const auto seq = record("EFFECT_RESOLVED" + id(number), x_at_ms);
    enqueue({.seq = seq, .kind = Activation::Kind::kResolved, .effect = number, .ok = true});
  }
  return !due.empty();
}

void Model::give(const Given& given) {
  x_applied = given.seq;
  const auto activation = given.activation();
  x_process.see(activation);
  for (const auto& move : x_process.decide(activation)) carry_out(move, given.seq);
}

void Model::carry_out(const Move& move, uint64_t cause) {
  switch (move.kind) {
    case Move::Kind::kAsk:
    case Move::Kind::kSleep:
      x_effects[++x_highest] = {.cause = cause, .move = move, .due_ms = x_at_ms + move.sleep_ms};
      // A process counts from the time that it was given, which may lie before the commit's.
      for (const auto& given : x_activations) {
        if (given.seq == cause) x_effects[x_highest].due_ms = given.at_ms + move.sleep_ms;
      }
      ++x_process.waits;
      record("EFFECT_REQUESTED" + id(x_highest) + " " + label_of(move) + by(cause), x_at_ms);
      return;
    case Move::Kind::kTell:
      record("EVENT_EMITTED " + std::to_string(move.number) + by(cause), x_at_ms);
      return;
    case Move::Kind::kComplete:
      x_end = "RUN_COMPLETED";
      record(x_end + " " + std::to_string(move.number) + by(cause), x_at_ms);
      return;
    case Move::Kind::kFail:
      x_end = "RUN_FAILED";
      x_end_cause = cause;
      record(x_end + by(cause), x_at_ms);
      return;
  }
}

void Model::post(uint64_t number, bool ok, const std::string& value, int64_t now_ms) {
  auto& effect = x_effects.at(number);
  effect.worker.clear();
  effect.outcome = value;
  if (!ok && effect.attempt < effect.move.most_attempts) {
    ++effect.attempt;
    record("EFFECT_RETRY_SCHEDULED" + id(number) + " " + value, now_ms);
    return;
  }
  effect.open = false;
  const auto seq = record("EFFECT_RESOLVED" + id(number) + " " + value, now_ms);
  enqueue(
      {.seq = seq, .kind = Activation::Kind::kResolved, .effect = number, .ok = ok, .text = value});
}

void Model::claim(uint64_t number, const std::string& worker, int64_t now_ms) {
  x_effects.at(number).worker = worker;
  record("EFFECT_CLAIMED" + id(number) + " " + worker, now_ms);
}

void Model::signal(const std::string& value, int64_t now_ms) {
  const auto seq = record("SIGNAL_RECEIVED " + value, now_ms);
  enqueue({.seq = seq, .kind = Activation::Kind::kSignal, .text = value});
}

void Model::cancel(uint64_t number, int64_t now_ms) {
  x_effects.at(number).open = false;
  const auto seq = record("EFFECT_CANCELLED" + id(number), now_ms);
  enqueue({.seq = seq, .kind = Activation::Kind::kCancelled, .effect = number});
}

void Model::pause(bool paused, int64_t now_ms) {
  x_paused = paused;
  record(paused ? "RUN_PAUSED" : "RUN_RESUMED", now_ms);
}

/// For what is recorded from then on.
void Model::give_rules(uint32_t rules, int64_t now_ms) {
  record("PROCESS_ASSIGNED rules " + std::to_string(rules), now_ms);
  x_rules = rules;
}

void Model::halt(int64_t now_ms) {
  x_end = "RUN_HALTED";
  record(x_end, now_ms);
}

/// The error result that the run failed at is taken back; its effect is open again.
bool Model::retry(int64_t now_ms) {
  const auto failing = std::ranges::find_if(
      x_activations, [&](const auto& given) { return given.seq == x_end_cause; });
  if (failing == x_activations.end()) return false;
  if (failing->kind != Activation::Kind::kResolved || failing->ok) return false;
  const auto back = failing->seq;
  auto& effect = x_effects.at(failing->effect);
  effect.open = true;
  ++effect.attempt;
  effect.worker.clear();
  x_activations.erase(failing);
  record("RUN_REOPENED retry " + std::to_string(back), now_ms);
  go_back(back);
  return true;
}

void Model::rewind(uint64_t activation, int64_t now_ms) {
  record("RUN_REOPENED rewind " + std::to_string(activation), now_ms);
  go_back(activation);
  x_reopened = activation;
}

/// What was asked from there on is void, with its results; everything else waits to be given again.
void Model::go_back(uint64_t activation) {
  for (auto& [number, effect] : x_effects) {
    if (effect.cause < activation) continue;
    effect.is_void = true;
    effect.open = false;
  }
  std::erase_if(x_activations, [&](const auto& given) {
    return given.effect != 0 && x_effects.at(given.effect).is_void;
  });
  x_applied = activation - 1;
  x_end.clear();
  x_end_cause = 0;
  x_process = {};
  for (const auto& given : x_activations) {
    if (given.seq >= activation) break;
    x_process.see(given.activation());
    for (const auto& move : x_process.decide(given.activation())) {
      const bool asks = move.kind == Move::Kind::kAsk || move.kind == Move::Kind::kSleep;
      x_process.waits += asks ? 1 : 0;
    }
  }
}

std::vector<uint64_t> Model::open() const {
  std::vector<uint64_t> list;
  for (const auto& [number, effect] : x_effects) {
    if (effect.open && effect.move.kind == Move::Kind::kAsk) list.push_back(number);
  }
  return list;
}

std::vector<uint64_t> Model::given() const {
  std::vector<uint64_t> list;
  for (const auto& given : x_activations) {
    if (given.seq <= x_applied) list.push_back(given.seq);
  }
  return list;
}

bool Model::stands_at(uint64_t activation) const { return x_reopened == activation; }

}  // namespace reprise::test
