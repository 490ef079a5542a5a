// Messages coming in, and the next one going to the agent.
#pragma once

#include <optional>
#include <span>

#include "processes/channel/scribe.h"
#include "processes/channel/signals.h"

namespace reprise::channel {

/// Bytes of a message's content, and of its attachments as JSON.
constexpr size_t kLargestMessageBytes = size_t{1024} * 1024;

/// Code points of the trigger, where an event or a status repeats it for people.
constexpr size_t kTriggerCharacters = 120;

/// channel.message: a row, its trigger and permission, its place in the queue; with "interrupt" the
/// active run is stopped behind it. A text that is a command (slash.h) is carried out at once.
std::span<const SignalSpec> intake_signals();

/// Claims what is next, as long as the agent is free: route, then reply, branch or worker.
void go_on(Scribe& scribe);

/// The sleep of a message whose time has not come.
void request_delay(Scribe& scribe, uint64_t row, const std::string& msg_id, int64_t not_before_ms);

/// A row that the channel itself writes: role "system" or "assistant".
void write_row(Scribe& scribe, const std::string& role, const std::string& content,
               const Json& extra = Json::object());

}  // namespace reprise::channel
