// A domain event as the world sees it: the envelope around what a process told. It is made where
// events are read, never stored (docs/events.md).
#pragma once

#include <string>
#include <string_view>

#include "engine/index/queries.h"
#include "journal/files.h"

namespace reprise {

/// The process whose runs are channels.
constexpr std::string_view kChannelProcess = "channel";

/// "RUN/SEQ/IDENTITY", without the last where the run has none: of this event alone, whenever and
/// wherever it is read.
std::string message_id(const EventRow& event);

/// One minified JSON object: {protocolVersion, messageId, messageType, ts, traceId
/// "<run>/<seq where its story began>", channelId?, taskId?, branchId?, workerId?, payload,
/// extensions {seq, runId, identity?, processId, cause?, cursor?}}. An event whose record cannot be
/// read has `error` {code, message} in place of `payload`. `cursor` may be empty.
std::string envelope(Dir& runs, const EventRow& event, std::string_view cursor = {});

}  // namespace reprise
