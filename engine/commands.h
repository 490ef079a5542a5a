// Commands as records: how a decision is written into the journal, and how a replayed one is
// compared with what was written.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/process/process.h"
#include "engine/run_state.h"
#include "journal/files.h"
#include "journal/record.h"
#include "journal/value.h"

namespace reprise {

/// The record of a request, an event or an end; large values become blobs of the run (durable when
/// this returns). `abandoned` lists the effects that a completion or a halt leaves open. `by`: who
/// halts the run when it is not its process, JSON.
NewRecord record_of(const Command& command, uint64_t cause, Dir& run,
                    const std::map<uint64_t, OpenEffect>& abandoned, std::string_view by = {});

/// Does it end the run?
bool is_end(const Command& command);

/// The record of a request or an event that older code had made already (`adopted`: the effect's
/// number, the event's seq): it is taken over, not made a second time.
NewRecord adoption_of(const Command& command, uint64_t cause, uint64_t adopted);

/// What two requests, or two events, must share to be the same thing for new code: task, label, key
/// and arguments; type and payload.
std::string shape_of(const Command& command);
std::string shape_of(const CommandRecord& recorded, JsonReader& reader);

/// A record as deciders fold it. The views are those of `record`.
CommandRecord command_record(const RecordView& record, const Members& data);

/// What identifies a command at replay, in words: "request t1 of task "build" (label "v1",
/// arguments
/// {"target":"all"})"; a long value is named by the beginning of its digest.
std::string describe(const Command& command);
std::string describe(const CommandRecord& recorded, JsonReader& reader);

/// Is this the command that was recorded? Requests: effect, task, label, key, digest of arguments.
/// Events: type and digest. Ends: type and outcome.
bool same_command(const Command& command, const CommandRecord& recorded, JsonReader& reader);

/// The payload of an event that is larger lies in a blob: the event's envelope stays small for
/// those who follow the stream (seed 000's budget of a payload).
constexpr size_t kInlinePayloadBytes = 16'384;

/// `name` or, beyond the limit, `name`Ref with the value stored as a blob.
class JsonWriter;
void add_value(JsonWriter& data, std::string_view name, std::string_view json, Dir& run,
               size_t limit = kInlineValueBytes);

}  // namespace reprise
