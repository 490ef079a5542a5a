#include "engine/inspect.h"

#include <algorithm>
#include <map>

#include "engine/process_loader.h"
#include "journal/error.h"
#include "journal/ids.h"

namespace reprise {

namespace {

void settle(std::map<uint64_t, EffectInfo>& effects, const RecordView& record,
            const Members& data) {
  const auto found = effects.find(parse_effect_id(data.text("effectId")).value_or(0));
  if (found == effects.end()) return;
  auto& effect = found->second;
  const bool resolved = record.type == RecordType::kEffectResolved;
  effect.status = resolved ? "resolved_" + data.text("status") : "cancelled";
  effect.settled_seq = record.seq;
  effect.settled_at_ms = record.at_ms;
  effect.settled_place = record.place;
  effect.stdout_ref = data.text("stdoutRef");
  effect.stderr_ref = data.text("stderrRef");
}

void close(EffectInfo& effect, const RecordView& record) {
  effect.status = "cancelled";
  effect.settled_seq = record.seq;
  effect.settled_at_ms = record.at_ms;
  effect.settled_place = record.place;
}

void abandon(std::map<uint64_t, EffectInfo>& effects, const RecordView& record) {
  for (auto& [id, effect] : effects) {
    if (!effect.settled_seq) close(effect, record);
  }
}

}  // namespace

std::vector<EffectInfo> list_effects(Dir& run) {
  std::map<uint64_t, EffectInfo> effects;
  RunState state;
  JsonReader reader;
  read_journal(run, nullptr, Keep::kNothing, [&](const RecordView& record) {
    const auto& data = reader.members(record.data);
    switch (record.type) {
      case RecordType::kEffectResolved:
      case RecordType::kEffectCancelled:
        settle(effects, record, data);
        break;
      case RecordType::kRunCompleted:
      case RecordType::kRunHalted:
        abandon(effects, record);
        break;
      case RecordType::kSignalReceived:
        if (data.flag("cancel")) abandon(effects, record);
        break;
      default:
        break;
    }
    evolve(state, record, data);
    if (record.type != RecordType::kEffectRequested) return;
    auto effect = requested_effect(record, data);
    const auto id = effect.id;
    effects[id].request = std::move(effect);
    // One that was asked for by a process that did not know yet of a run:cancel.
    if (!state.open.contains(id)) close(effects[id], record);
  });
  std::vector<EffectInfo> list;
  list.reserve(effects.size());
  for (auto& [id, effect] : effects) list.push_back(std::move(effect));
  return list;
}

EffectInfo find_effect(Dir& run, const EffectSelector& selector) {
  auto effects = list_effects(run);
  std::erase_if(effects,
                [&](const EffectInfo& effect) { return !names(selector, effect.request); });
  if (effects.size() == 1) return std::move(effects.front());
  if (effects.empty()) throw no_such_effect(selector);
  throw ambiguous_effect(selector, effects.front().request, effects.back().request);
}

EffectResult load_result(Dir& run, const EffectInfo& effect, JsonReader& reader) {
  EffectResult result;
  if (!effect.status.starts_with("resolved")) return result;
  std::string buffer;
  const auto& data = read_data(run, effect.settled_place, buffer, reader);
  result.value = load_value(data, "value", run);
  result.error = load_value(data, "error", run);
  result.metadata = load_value(data, "metadata", run);
  result.started_at = data.text("startedAt");
  result.finished_at = data.text("finishedAt");
  result.by = data.raw("by");
  return result;
}

std::optional<EndDetails> load_end(Dir& run, const RunState& state, JsonReader& reader) {
  if (!state.end) return std::nullopt;
  std::string buffer;
  const auto& data = read_data(run, state.end->place, buffer, reader);
  EndDetails end;
  end.output = load_value(data, "output", run);
  end.error = load_value(data, "error", run);
  end.reason = data.text("reason");
  end.payload = load_value(data, "payload", run);
  if (data.has("abandoned")) {
    for (const auto id : array_elements(data.raw("abandoned")))
      end.abandoned.push_back(unquote(id));
  }
  return end;
}

RunOrigin load_origin(Dir& run, const RunState& state, JsonReader& reader) {
  RunOrigin origin;
  {
    std::string buffer;
    const auto& created = read_data(run, state.created_place, buffer, reader);
    origin.labels = created.raw("labels");
    origin.request = created.text("request");
    origin.run_dir = created.text("runDir");
  }
  if (!state.has_process) return origin;
  const auto descriptor = read_descriptor(run, state, reader);
  origin.entry =
      descriptor.script ? descriptor.import_path + "#" + descriptor.export_name : descriptor.name;
  return origin;
}

void for_each_event(Dir& run, const RecordVisitor& visit) {
  read_journal(run, nullptr, Keep::kNothing, visit);
}

}  // namespace reprise
