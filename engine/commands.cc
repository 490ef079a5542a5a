#include "engine/commands.h"

#include <algorithm>

#include "engine/json_writer.h"
#include "journal/blobs.h"
#include "journal/error.h"
#include "journal/ids.h"
#include "journal/value.h"

namespace reprise {

namespace {

/// Of an error, in a message.
constexpr size_t kExcerptBytes = 200;

NewRecord request_record(const Command& command, uint64_t cause, Dir& run) {
  JsonWriter data;
  data.text("effectId", format_effect_id(command.effect))
      .text("taskId", command.task)
      .text("kind", command.effect_kind)
      .text("label", command.label)
      .text_if("key", command.key)
      .text("digest", digest128(command.args));
  if (command.due_ms != 0) data.signed_number("dueMs", command.due_ms);
  if (command.trace != 0 && command.trace != cause) data.number("trace", command.trace);
  data.raw_if("options", command.options);
  add_value(data, "inputs", command.args, run);
  add_value(data, "taskDef", command.definition, run);
  return {RecordType::kEffectRequested, 0, 0, data.done()};
}

std::string id_list(const std::map<uint64_t, OpenEffect>& effects) {
  return array_json(effects,
                    [](const auto& entry) { return quote(format_effect_id(entry.first)); });
}

/// The beginning of a text, cut between two characters.
std::string_view excerpt(std::string_view text) {
  size_t size = std::min<size_t>(text.size(), kExcerptBytes);
  const auto continues = [&](size_t at) { return (text[at] & 0xC0) == 0x80; };
  while (size < text.size() && size > 0 && continues(size)) --size;
  return text.substr(0, size);
}

/// Replay compares every request, so texts without escapes are compared where they stand.
bool same_text(const Members& data, std::string_view name, std::string_view text) {
  const auto literal = data.raw(name);
  if (literal.find('\\') != std::string_view::npos) return data.text(name) == text;
  return literal.empty() ? text.empty() : literal.substr(1, literal.size() - 2) == text;
}

}  // namespace

void add_value(JsonWriter& data, std::string_view name, std::string_view json, Dir& run,
               size_t limit) {
  if (json.empty()) return;
  if (json.size() <= limit) {
    data.raw(name, json);
  } else {
    data.text(std::string(name) + "Ref", put_blob(run, json));
  }
}

NewRecord record_of(const Command& command, uint64_t cause, Dir& run,
                    const std::map<uint64_t, OpenEffect>& abandoned, std::string_view by) {
  NewRecord record;
  JsonWriter data;
  switch (command.kind) {
    case Command::Kind::kRequest:
      record = request_record(command, cause, run);
      break;
    case Command::Kind::kEmit:
      data.text("type", command.name).text("digest", digest128(command.json));
      if (command.trace != 0 && command.trace != cause) data.number("trace", command.trace);
      add_value(data, "payload", command.json, run, kInlinePayloadBytes);
      record = {RecordType::kEventEmitted, 0, 0, data.done()};
      break;
    case Command::Kind::kComplete:
      data.text("digest", digest128(command.json));
      add_value(data, "output", command.json, run);
      if (!abandoned.empty()) data.raw("abandoned", id_list(abandoned));
      record = {RecordType::kRunCompleted, 0, 0, data.done()};
      break;
    case Command::Kind::kHalt:
      data.text("reason", command.name);
      if (command.cancelled) data.flag("cancelled", true);
      add_value(data, "payload", command.json, run);
      if (!abandoned.empty()) data.raw("abandoned", id_list(abandoned));
      record = {RecordType::kRunHalted, 0, 0, data.raw_if("by", by).done()};
      break;
    case Command::Kind::kFail:
      add_value(data, "error", command.json, run);
      record = {RecordType::kRunFailed, 0, 0, data.done()};
      break;
    case Command::Kind::kLog:
    case Command::Kind::kWithdraw:
      throw Error(Exit::kBug, "NO_COMMAND", "what is no command was to be recorded as one");
  }
  record.cause = cause;
  return record;
}

CommandRecord command_record(const RecordView& record, const Members& data) {
  CommandRecord command{.seq = record.seq, .cause = record.cause, .data = record.data};
  switch (record.type) {
    case RecordType::kEffectRequested: {
      command.kind = CommandRecord::Kind::kRequested;
      command.effect = parse_effect_id(data.text("effectId")).value_or(0);
      command.adopts = data.flag("adopts");
      break;
    }
    case RecordType::kEventEmitted:
      command.kind = CommandRecord::Kind::kEmitted;
      command.adopted_event = data.number("adopts");
      command.adopts = command.adopted_event != 0;
      command.payload = data.raw("payload");
      break;
    case RecordType::kRunCompleted:
      command.kind = CommandRecord::Kind::kCompleted;
      break;
    case RecordType::kRunFailed:
      command.kind = CommandRecord::Kind::kFailed;
      break;
    default:
      command.kind = CommandRecord::Kind::kHalted;
      break;
  }
  return command;
}

bool is_end(const Command& command) {
  return command.kind == Command::Kind::kComplete || command.kind == Command::Kind::kFail ||
         command.kind == Command::Kind::kHalt;
}

NewRecord adoption_of(const Command& command, uint64_t cause, uint64_t adopted) {
  JsonWriter data;
  if (command.kind == Command::Kind::kEmit) {
    data.text("type", command.name).text("digest", digest128(command.json));
    return {RecordType::kEventEmitted, cause, 0, data.number("adopts", adopted).done()};
  }
  data.text("effectId", format_effect_id(adopted))
      .text("taskId", command.task)
      .text("kind", command.effect_kind)
      .text("label", command.label)
      .text_if("key", command.key)
      .text("digest", digest128(command.args))
      .flag("adopts", true);
  return {RecordType::kEffectRequested, cause, 0, data.done()};
}

namespace {

std::string shape(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const auto part : parts) text.append(part).append(1, '\0');
  return text;
}

}  // namespace

std::string shape_of(const Command& command) {
  if (command.kind == Command::Kind::kEmit) {
    return shape({"event", command.name, digest128(command.json)});
  }
  return shape({"request", command.task, command.label, command.key, digest128(command.args)});
}

std::string shape_of(const CommandRecord& recorded, JsonReader& reader) {
  const auto& data = reader.members(recorded.data);
  if (recorded.kind == CommandRecord::Kind::kEmitted) {
    return shape({"event", data.text("type"), data.text("digest")});
  }
  return shape(
      {"request", data.text("taskId"), data.text("label"), data.text("key"), data.text("digest")});
}

bool same_command(const Command& command, const CommandRecord& recorded, JsonReader& reader) {
  const auto& data = reader.members(recorded.data);
  switch (command.kind) {
    case Command::Kind::kRequest:
      return recorded.kind == CommandRecord::Kind::kRequested &&
             command.effect == recorded.effect && same_text(data, "taskId", command.task) &&
             same_text(data, "label", command.label) && same_text(data, "key", command.key) &&
             same_text(data, "digest", digest128(command.args));
    case Command::Kind::kEmit:
      return recorded.kind == CommandRecord::Kind::kEmitted &&
             same_text(data, "type", command.name) &&
             same_text(data, "digest", digest128(command.json));
    case Command::Kind::kComplete:
      return recorded.kind == CommandRecord::Kind::kCompleted &&
             same_text(data, "digest", digest128(command.json));
    case Command::Kind::kHalt:
      return recorded.kind == CommandRecord::Kind::kHalted &&
             same_text(data, "reason", command.name);
    case Command::Kind::kFail:
      return recorded.kind == CommandRecord::Kind::kFailed;
    case Command::Kind::kLog:
    case Command::Kind::kWithdraw:
      break;
  }
  return false;
}

namespace {

/// A value that is short, itself; else the beginning of its digest.
std::string value_words(std::string_view json, std::string_view digest) {
  constexpr size_t kShort = 80;
  return std::string(!json.empty() && json.size() <= kShort ? json : digest.substr(0, 8));
}

std::string describe_request(std::string_view effect, std::string_view task, std::string_view label,
                             std::string_view key, const std::string& arguments) {
  std::string text =
      "request " + std::string(effect) + " of task " + quote(task) + " (label " + quote(label);
  if (!key.empty()) text += ", key " + quote(key);
  return text + ", arguments " + arguments + ")";
}

}  // namespace

std::string describe(const Command& command) {
  switch (command.kind) {
    case Command::Kind::kRequest:
      return describe_request(format_effect_id(command.effect), command.task, command.label,
                              command.key, value_words(command.args, digest128(command.args)));
    case Command::Kind::kEmit:
      return "event " + quote(command.name) + " (payload " +
             value_words(command.json, digest128(command.json)) + ")";
    case Command::Kind::kComplete:
      return "completion (output " + value_words(command.json, digest128(command.json)) + ")";
    case Command::Kind::kHalt:
      return "halt (reason " + quote(command.name) + ")";
    case Command::Kind::kFail:
      return "failure " + std::string(excerpt(command.json));
    case Command::Kind::kLog:
      return "log line";
    case Command::Kind::kWithdraw:
      break;
  }
  return "withdrawal of " + format_effect_id(command.effect);
}

std::string describe(const CommandRecord& recorded, JsonReader& reader) {
  const auto& data = reader.members(recorded.data);
  switch (recorded.kind) {
    case CommandRecord::Kind::kRequested:
      return describe_request(data.text("effectId"), data.text("taskId"), data.text("label"),
                              data.text("key"),
                              value_words(data.raw("inputs"), data.text("digest")));
    case CommandRecord::Kind::kEmitted:
      return "event " + quote(data.text("type")) + " (payload " +
             value_words(data.raw("payload"), data.text("digest")) + ")";
    case CommandRecord::Kind::kCompleted:
      return "completion (output " + value_words(data.raw("output"), data.text("digest")) + ")";
    case CommandRecord::Kind::kHalted:
      return "halt (reason " + quote(data.text("reason")) + ")";
    case CommandRecord::Kind::kFailed:
      break;
  }
  if (data.has("errorRef")) return "failure (error " + data.text("errorRef").substr(0, 8) + ")";
  return "failure " + std::string(excerpt(data.raw("error")));
}

}  // namespace reprise
