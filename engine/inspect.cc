#include "engine/inspect.h"

#include <algorithm>
#include <map>

#include "engine/process_loader.h"
#include "journal/blobs.h"
#include "journal/error.h"
#include "journal/ids.h"

namespace reprise {

namespace {

Attempt& attempt_of(EffectInfo& effect, const Members& data) {
  const auto number = static_cast<uint32_t>(data.number("attempt"));
  const auto found = std::ranges::find(effect.attempts, number, &Attempt::number);
  if (found != effect.attempts.end()) return *found;
  effect.request.attempt = number;
  return effect.attempts.emplace_back(Attempt{.number = number});
}

void note_claim(EffectInfo& effect, const Members& data) {
  auto& attempt = attempt_of(effect, data);
  const auto token = data.text("token");
  if (std::ranges::find(attempt.tokens, token) != attempt.tokens.end()) return;
  attempt.tokens.push_back(token);
  attempt.worker = data.text("worker");
}

void note_outcome(Attempt& attempt, const RecordView& record, const Members& data) {
  attempt.status = data.text("status");
  attempt.digest = data.text("digest");
  attempt.key = data.text("key");
  attempt.at_ms = record.at_ms;
  attempt.place = record.place;
}

void settle(EffectInfo& effect, const RecordView& record, const Members& data) {
  const bool resolved = record.type == RecordType::kEffectResolved;
  if (resolved) note_outcome(attempt_of(effect, data), record, data);
  effect.withdrawn = record.type == RecordType::kEffectWithdrawn;
  effect.status = resolved ? "resolved_" + data.text("status") : "cancelled";
  effect.settled_seq = record.seq;
  effect.settled_at_ms = record.at_ms;
  effect.settled_place = record.place;
  effect.stdout_ref = data.text("stdoutRef");
  effect.stderr_ref = data.text("stderrRef");
}

void close_effect(EffectInfo& effect, const RecordView& record) {
  effect.status = "cancelled";
  effect.settled_seq = record.seq;
  effect.settled_at_ms = record.at_ms;
  effect.settled_place = record.place;
}

void abandon(std::map<uint64_t, EffectInfo>& effects, const RecordView& record) {
  for (auto& [id, effect] : effects) {
    if (!effect.settled_seq) close_effect(effect, record);
  }
}

/// A record about one effect.
void note(EffectInfo& effect, const RecordView& record, const Members& data) {
  switch (record.type) {
    case RecordType::kEffectClaimed:
      return note_claim(effect, data);
    case RecordType::kEffectRetryScheduled:
      if (data.text("status") != "approved") {
        return note_outcome(attempt_of(effect, data), record, data);
      }
      attempt_of(effect, data).approved = true;
      return;
    case RecordType::kEffectLate: {
      auto& late = effect.late.emplace_back();
      late.number = static_cast<uint32_t>(data.number("attempt"));
      return note_outcome(late, record, data);
    }
    default:
      settle(effect, record, data);
  }
}

/// The effects of a run as its records tell of them, one after the other.
class Listing {
 public:
  explicit Listing(const EffectSelector* only) : x_only(only) {}

  void add(const RecordView& record, const Members& data) {
    note_ends(record, data);
    evolve(x_state, record, data);
    if (record.type != RecordType::kEffectRequested || data.has("adopts")) return;
    auto* effect = enter(record, data);
    // One that was asked for by a process that did not know yet of a run:cancel.
    if (effect != nullptr && !x_state.open.contains(effect->request.id))
      close_effect(*effect, record);
  }

  void add_voided(const RecordView& record, const Members& data) {
    if (auto* effect = enter(record, data)) effect->status = "voided";
  }

  /// An error that was taken back: its attempt ended, and the effect is open again.
  void add_retried(const RecordView& record, const Members& data) {
    const auto effect = x_effects.find(parse_effect_id(data.text("effectId")).value_or(0));
    if (effect == x_effects.end()) return;
    note_outcome(attempt_of(effect->second, data), record, data);
  }

  /// Takes them out, in the order of their requests; what is open is as it stands now.
  std::vector<EffectInfo> take() {
    std::vector<EffectInfo> list;
    list.reserve(x_effects.size());
    for (auto& [id, effect] : x_effects) {
      const auto open = x_state.open.find(id);
      if (open != x_state.open.end()) effect.request = open->second;
      list.push_back(std::move(effect));
    }
    return list;
  }

 private:
  /// nullptr when it is none of those that are wanted.
  EffectInfo* enter(const RecordView& record, const Members& data) {
    auto effect = requested_effect(record, data);
    if (x_only != nullptr && !names(*x_only, effect)) return nullptr;
    auto& info = x_effects[effect.id];
    info.request = std::move(effect);
    return &info;
  }

  void note_ends(const RecordView& record, const Members& data) {
    switch (record.type) {
      case RecordType::kEffectResolved:
      case RecordType::kEffectCancelled:
      case RecordType::kEffectWithdrawn:
      case RecordType::kEffectLate:
      case RecordType::kEffectClaimed:
      case RecordType::kEffectRetryScheduled: {
        if (data.has("of")) break;  // delivered once more
        const auto id = parse_effect_id(data.text("effectId")).value_or(0);
        const auto effect = x_effects.find(id);
        if (effect == x_effects.end()) break;
        const auto open = x_state.open.find(id);
        effect->second.denied = open != x_state.open.end() && !open->second.held.empty() &&
                                record.type == RecordType::kEffectResolved;
        note(effect->second, record, data);
        break;
      }
      case RecordType::kRunCompleted:
      case RecordType::kRunHalted:
        abandon(x_effects, record);
        break;
      case RecordType::kProcessAssigned:
        if (!data.has("abandoned")) break;
        for (const auto id : array_elements(data.raw("abandoned"))) {
          const auto effect = x_effects.find(parse_effect_id(unquote(id)).value_or(0));
          if (effect != x_effects.end()) close_effect(effect->second, record);
        }
        break;
      case RecordType::kSignalReceived:
        if (data.flag("cancel")) abandon(x_effects, record);
        break;
      default:
        break;
    }
  }

  const EffectSelector* x_only;
  std::map<uint64_t, EffectInfo> x_effects;
  RunState x_state;
};

std::vector<EffectInfo> list_rewritten(Dir& run, const EffectSelector* only) {
  const auto read = read_effective(run);
  const auto& effective = read.fold.so_far();
  Listing listing(only);
  JsonReader reader;
  auto retried = effective.retried.begin();
  for (const auto& record : effective.records) {
    for (; retried != effective.retried.end() && retried->seq < record.seq; ++retried)
      listing.add_retried(*retried, reader.members(retried->data));
    listing.add(record, reader.members(record.data));
  }
  for (const auto& record : effective.voided)
    listing.add_voided(record, reader.members(record.data));
  return listing.take();
}

EffectResult load_outcome(Dir& run, const Place& place, JsonReader& reader, uint64_t most_bytes) {
  EffectResult result;
  std::string buffer;
  const auto& data = read_data(run, place, buffer, reader);
  const auto file = data.has("valueRef") ? blob_path(data.text("valueRef")) : std::string();
  const auto there = file.empty() ? std::nullopt : run.stat(file);
  if (there && there->size > most_bytes) {
    result.value_file = file;
    result.value_bytes = there->size;
  } else {
    result.value = load_value(data, "value", run);
  }
  result.error = load_value(data, "error", run);
  result.metadata = load_value(data, "metadata", run);
  result.started_at = data.text("startedAt");
  result.finished_at = data.text("finishedAt");
  result.by = data.raw("by");
  result.stdout_ref = data.text("stdoutRef");
  result.stderr_ref = data.text("stderrRef");
  return result;
}

}  // namespace

std::vector<EffectInfo> list_effects(Dir& run, const EffectSelector* only) {
  Listing listing(only);
  JsonReader reader;
  bool rewritten = false;
  read_journal(run, nullptr, Keep::kNothing, [&](const RecordView& record) {
    const auto& data = reader.members(record.data);
    rewritten = rewritten || rewrites(record, data);
    if (!rewritten) listing.add(record, data);
  });
  return rewritten ? list_rewritten(run, only) : listing.take();
}

std::optional<EffectInfo> look_up_effect(Dir& run, const EffectSelector& selector) {
  auto effects = list_effects(run, &selector);
  if (effects.empty()) return std::nullopt;
  if (effects.size() == 1) return std::move(effects.front());
  throw ambiguous_effect(selector, effects.front().request, effects.back().request);
}

EffectInfo find_effect(Dir& run, const EffectSelector& selector) {
  auto effect = look_up_effect(run, selector);
  if (!effect) throw no_such_effect(selector);
  return std::move(*effect);
}

EffectResult load_result(Dir& run, const EffectInfo& effect, JsonReader& reader,
                         uint64_t most_bytes) {
  if (!effect.status.starts_with("resolved")) return {};
  return load_outcome(run, effect.settled_place, reader, most_bytes);
}

EffectResult load_late(Dir& run, const Attempt& late, JsonReader& reader, uint64_t most_bytes) {
  return load_outcome(run, late.place, reader, most_bytes);
}

std::string load_error(Dir& run, const Attempt& attempt, JsonReader& reader) {
  if (attempt.status != "error" && attempt.status != "lost") return {};
  std::string buffer;
  return load_value(read_data(run, attempt.place, buffer, reader), "error", run);
}

std::string load_progress(Dir& run, const OpenEffect& effect, JsonReader& reader) {
  if (!effect.progress) return {};
  std::string buffer;
  return load_value(read_data(run, *effect.progress, buffer, reader), "progress", run);
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
