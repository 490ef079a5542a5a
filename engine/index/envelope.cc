#include "engine/index/envelope.h"

#include "engine/history.h"
#include "engine/identity.h"
#include "engine/json_writer.h"
#include "journal/clock.h"
#include "journal/error.h"
#include "journal/journal.h"

namespace reprise {

namespace {

std::string id_of(const EventRow& event, uint64_t seq) {
  return with_identity(event.run + "/" + std::to_string(seq), event.identity);
}

/// What is read of the event's record.
struct RecordedEvent {
  uint64_t cause = 0;
  uint64_t trace = 0;
  std::string payload;
};

RecordedEvent read_event(Dir& runs, const EventRow& event) {
  const auto run = runs.open_dir(event.run);
  if (!run) throw Error(Exit::kNotFound, "RUN_NOT_FOUND", "the run is gone");
  std::string buffer;
  const auto record = read_record(*run, event.place, buffer);
  JsonReader reader;
  const auto& data = reader.members(record.data);
  const auto trace = data.number("trace");
  return {record.cause, trace == 0 ? record.cause : trace, load_value(data, "payload", *run)};
}

/// What the payload is about, for those who look at envelopes only.
void lift_ids(JsonWriter& envelope, std::string_view payload) {
  if (!payload.starts_with('{')) return;
  JsonReader reader;
  const auto& members = reader.members(payload);
  for (const auto* name : {"taskId", "branchId", "workerId"}) {
    if (const auto raw = members.raw(name); raw.starts_with('"')) envelope.raw(name, raw);
  }
}

}  // namespace

std::string message_id(const EventRow& event) { return id_of(event, event.seq); }

std::string envelope(Dir& runs, const EventRow& event, std::string_view cursor) {
  RecordedEvent recorded;
  std::string error;
  try {
    recorded = read_event(runs, event);
  } catch (const Error& why) {
    error = JsonWriter().text("code", why.code()).text("message", why.message()).done();
  }
  JsonWriter json;
  json.text("protocolVersion", "1.0")
      .text("messageId", message_id(event))
      .text("messageType", event.type)
      .text("ts", format_time(event.at_ms))
      .text("traceId", id_of(event, recorded.trace == 0 ? event.seq : recorded.trace));
  if (event.process == kChannelProcess) json.text("channelId", event.run);
  lift_ids(json, recorded.payload);
  json.raw_if("error", error).raw_if("payload", recorded.payload);
  JsonWriter extensions;
  extensions.number("seq", event.seq)
      .text("runId", event.run)
      .text_if("identity", event.identity)
      .text("processId", event.process);
  if (recorded.cause != 0) extensions.number("cause", recorded.cause);
  return json.raw("extensions", extensions.text_if("cursor", cursor).done()).done();
}

}  // namespace reprise
