#include "engine/history.h"

#include <algorithm>

#include "engine/commands.h"
#include "engine/json_writer.h"
#include "engine/past_attempt.h"
#include "journal/blobs.h"
#include "journal/error.h"
#include "journal/ids.h"

namespace reprise {

namespace {

/// What a failed shell task gives its process: a value to look at, as babysitter gives it.
std::string shell_failure(std::string_view error, JsonReader& reader) {
  const auto& fields = reader.members_of_copy(error);
  const std::string data(fields.raw("data"));
  JsonWriter value;
  value.raw("success", "false");
  std::string exit_code, out, err;
  if (data.starts_with('{')) {
    const auto& extra = reader.members_of_copy(data);
    exit_code = extra.raw("exitCode");
    out = extra.raw("stdout");
    err = extra.raw("stderr");
  }
  value.raw("exitCode", exit_code.empty() ? "1" : exit_code);
  value.raw("stdout", out.empty() ? "\"\"" : out);
  value.raw("stderr", err.empty() ? "\"\"" : err);
  return value.raw("error", error).done();
}

}  // namespace

RecordedActivation::RecordedActivation(const RecordView& record, const Members& members,
                                       const ActivationPlace& activation)
    : seq(record.seq),
      at_ms(record.at_ms),
      data(record.data),
      type(record.type),
      shell(activation.shell),
      rules(activation.rules) {
  const bool resolved = type == RecordType::kEffectResolved;
  if (!resolved && type != RecordType::kEffectCancelled) return;
  effect = parse_effect_id(members.text("effectId")).value_or(0);
  if (resolved && members.raw("status") == "\"ok\"") value = members.raw("value");
}

void History::resume(RunState cached, Dir& run, JsonReader& reader) {
  state = std::move(cached);
  for (const auto& waiting : state.unapplied) {
    const auto record = read_record(run, waiting.place, x_buffers.emplace_back());
    activations.emplace_back(record, reader.members(record.data), waiting);
  }
}

void History::read(const RecordView& record, JsonReader& reader) {
  if (rewritten) return;
  rewritten = rewrites(record, reader.members(record.data));
  if (!rewritten) add(record, reader);
}

std::optional<ActivationPlace> History::add(const RecordView& record, JsonReader& reader) {
  const auto& data = reader.members(record.data);
  auto activation = evolve(state, record, data);
  if (activation) {
    activations.emplace_back(record, data, *activation);
  } else if (is_command(record.type) && record.cause != 0) {
    commands.push_back(command_record(record, data));
  } else if (record.type == RecordType::kEffectWithdrawn) {
    withdrawn.insert(parse_effect_id(data.text("effectId")).value_or(0));
  } else if (rewrites(record, data)) {
    add_rewrite(record, data);
  }
  return activation;
}

void History::add_rewrite(const RecordView& record, const Members& data) {
  if (record.type == RecordType::kRunReopened) {
    auto& first = first_numbers[data.number("activation")];
    first = std::max(first, data.number("firstNumber"));
    return;
  }
  assignment = parse_assignment(record.seq, data);
  superseded.insert(superseded.end(), commands.begin(), commands.end());
  commands.clear();
  first_numbers.clear();
  if (!data.has("abandoned")) return;
  for (const auto id : array_elements(data.raw("abandoned")))
    given_up.insert(parse_effect_id(unquote(id)).value_or(0));
}

void History::fold(const EffectiveRecords& effective, JsonReader& reader) {
  *this = History();
  std::vector<ActivationPlace> places;
  for (const auto& record : effective.records) {
    if (const auto activation = add(record, reader)) places.push_back(*activation);
  }
  state.highest_effect = std::max(state.highest_effect, effective.highest_effect);
  for (const auto& record : effective.retried) {
    const auto& data = reader.members(record.data);
    const auto effect = state.open.find(parse_effect_id(data.text("effectId")).value_or(0));
    if (effect == state.open.end()) continue;
    auto past = past_attempt(data);
    if (past.attempt + 1 == effect->second.attempt) effect->second.past = std::move(past);
  }
  for (const auto& record : effective.voided)
    orphan_child(state, record, reader.members(record.data));
  state.applied = effective.applied;
  state.unapplied.clear();
  for (const auto& activation : places) {
    if (activation.seq > state.applied) state.unapplied.push_back(activation);
  }
}

std::span<const CommandRecord> History::commands_of(uint64_t activation_seq) const {
  const auto begin =
      std::lower_bound(commands.begin(), commands.end(), activation_seq,
                       [](const CommandRecord& a, uint64_t seq) { return a.cause < seq; });
  auto end = begin;
  while (end != commands.end() && end->cause == activation_seq) ++end;
  return {begin, end};
}

PreparedActivation::PreparedActivation(const RecordedActivation& recorded, const RunState& state,
                                       Dir& run, JsonReader& reader) {
  x_activation.seq = recorded.seq;
  x_activation.at_ms = recorded.at_ms;
  x_activation.effect = recorded.effect;
  x_activation.rules = recorded.rules;
  if (!recorded.value.empty()) {
    x_activation.kind = Activation::Kind::kResolved;
    x_activation.ok = true;
    x_activation.value = recorded.value;
    return;
  }
  const auto& data = reader.members(recorded.data);
  switch (recorded.type) {
    case RecordType::kEffectResolved:
      x_activation.kind = Activation::Kind::kResolved;
      x_activation.ok = data.raw("status") == "\"ok\"";
      if (x_activation.ok) {
        x_activation.value = x_value = load_value(data, "value", run);
      } else {
        x_value = load_value(data, "error", run);
        if (recorded.shell) x_value = shell_failure(std::string(x_value), reader);
        x_activation.ok = recorded.shell;
        (recorded.shell ? x_activation.value : x_activation.error) = x_value;
      }
      break;
    case RecordType::kEffectCancelled:
      x_activation.kind = Activation::Kind::kCancelled;
      x_activation.error = recorded.data;
      break;
    case RecordType::kSignalReceived:
      x_activation.kind =
          data.flag("cancel") ? Activation::Kind::kCancelRun : Activation::Kind::kSignal;
      x_activation.name = x_name = data.text("name");
      x_activation.value = x_value = load_value(data, "value", run);
      break;
    default: {
      std::string buffer;
      const auto created = read_record(run, state.created_place, buffer);
      x_activation.kind = Activation::Kind::kStart;
      x_activation.inputs = x_value = load_value(reader.members(created.data), "inputs", run);
      x_activation.name = x_name = state.run_id;
    }
  }
}

std::string load_value(const Members& data, std::string_view name, Dir& run) {
  const auto inline_value = data.raw(name);
  if (!inline_value.empty()) return std::string(inline_value);
  const auto blob = data.text(std::string(name) + "Ref");
  return blob.empty() ? std::string() : get_blob(run, blob);
}

}  // namespace reprise
