// Channels as commands name them: runs of the built-in process "channel" (docs/channels.md).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/command_table.h"
#include "cli/reply.h"
#include "cli/session.h"
#include "engine/ask.h"
#include "engine/index/envelope.h"

namespace reprise {

/// CHANNEL of the tables.
inline constexpr Positional kChannelPositional = {
    "CHANNEL", "the channel: its id, a unique prefix of one, a path, or @last"};
inline constexpr Positional kChannelPositionals[] = {kChannelPositional};

/// The channel that the positional CHANNEL names, as RUN does. Error NOT_A_CHANNEL, exit 3, says
/// what the run is.
RunHandle find_channel(const Session& session, const Arguments& arguments);
/// The channel of exactly this id: a message for "general" is none for "general-2". nullopt when
/// there is none. A path or @last must exist. Errors: INVALID_RUN_ID (exit 2), NOT_A_CHANNEL.
std::optional<RunHandle> look_up_channel(const Session& session, const std::string& id);
/// Error NOT_A_CHANNEL, exit 3.
void require_channel(const RunHandle& run);

/// What the channel answers: docs/channel-protocol.md lists the questions. Times are texts.
Document ask_channel(const Session& session, const RunHandle& run, const Document& question,
                     Past past = Past::kPresent);

/// The effects that are open, each with its identity and who keeps it: "pending" of documents.
Document pending_effects(const RunState& state, int64_t now_ms);

/// The times in an answer, milliseconds since 1970, as format_time writes them; 0, no time, is left
/// out.
void write_times(Document& answer);

/// A worker is running when an executor holds its effect, which its process is not told: "state" of
/// each of the workers (an array, or one) is brought up to date.
void mark_running(Document& workers, const RunState& state);

}  // namespace reprise
