#include "engine/recall_effect.h"

#include <exception>

#include "engine/commands.h"
#include "engine/json_writer.h"
#include "journal/error.h"
#include "journal/ids.h"
#include "journal/value.h"

namespace reprise {

namespace {

std::vector<OwnEvent> own_events(const Commit& commit, Dir& run) {
  std::vector<OwnEvent> own;
  JsonReader reader;
  for (const auto& record : commit.records()) {
    if (record.type != RecordType::kEventEmitted) continue;
    const auto& data = reader.members(record.data);
    auto type = data.text("type");
    if (!is_remembered(type)) continue;
    own.push_back({record.seq, std::move(type), load_value(data, "payload", run)});
  }
  return own;
}

/// The request may be a part of the commit that is being made.
std::string args_of(const OpenEffect& effect, const Commit& commit, Dir& run) {
  JsonReader reader;
  std::string buffer;
  const auto* record = commit.find(effect.requested_seq);
  const auto& data = record != nullptr ? reader.members(record->data)
                                       : read_data(run, effect.place, buffer, reader);
  return load_value(data, "inputs", run);
}

/// The ids, for those who count what is used: the answer itself may lie in a blob.
std::string recalled_ids(std::string_view answer) {
  JsonReader reader;
  const auto memories = array_elements(reader.members(answer).raw("memories"));
  if (memories.empty()) return {};
  return array_json(memories, [&](std::string_view memory) {
    return std::string(reader.members(memory).raw("id"));
  });
}

NewRecord recalled_record(const OpenEffect& effect, const char* status, const std::string& digest,
                          const char* name, const std::string& json, Dir& run,
                          const std::string& recalled = {}) {
  JsonWriter data;
  data.text("effectId", format_effect_id(effect.id))
      .number("attempt", effect.attempt)
      .text("status", status)
      .text("digest", digest);
  add_value(data, name, json, run);
  data.raw_if("recalled", recalled);
  return {RecordType::kEffectResolved, 0, 0, data.done()};
}

NewRecord failed_record(const OpenEffect& effect, const char* why, Dir& run) {
  const auto error = JsonWriter().text("name", "RecallFailed").text("message", why).done();
  return recalled_record(effect, "error", value_digest(parse_value(error, "error").canonical()),
                         "error", error, run);
}

}  // namespace

bool is_remembered(std::string_view event_type) {
  return event_type.starts_with("memory.") || event_type == "visor.bulletin.generated";
}

std::vector<NewRecord> answer_recalls(const Commit& commit, Dir& run, MemorySource* memory) {
  std::vector<NewRecord> records;
  for (const auto id : commit.state().watched) {
    const auto& effect = commit.state().open.at(id);
    if (effect.kind != kRecallKind || !effect.held.empty()) continue;
    try {
      std::string answer(kNothingRecalled);
      if (memory != nullptr) {
        answer = memory->answer({.run_path = run.path(),
                                 .args = args_of(effect, commit, run),
                                 .now_ms = commit.at_ms(),
                                 .own = own_events(commit, run)});
      }
      const auto digest = value_digest(parse_value(answer, "the memories").canonical());
      records.push_back(
          recalled_record(effect, "ok", digest, "value", answer, run, recalled_ids(answer)));
    } catch (const std::exception& error) {
      records.push_back(failed_record(effect, error.what(), run));
    }
  }
  return records;
}

}  // namespace reprise
