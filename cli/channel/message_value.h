// A message as message:post and message:interrupt are given it.
#pragma once

#include <optional>
#include <string>

#include "cli/channel/channels.h"

namespace reprise {

/// A message may be so long; what is longer belongs into a file.
constexpr size_t kLargestMessageBytes = size_t{1} << 20U;

struct MessageValue {
  std::string id;  ///< --id, or a new one
  Document value;  ///< of the signal channel.message
};

/// Errors, exit 2: EMPTY_MESSAGE, MESSAGE_TOO_LARGE, INVALID_JSON (no UTF-8), INVALID_ARGUMENT;
/// exit 3: FILE_NOT_FOUND of --file and --attach.
MessageValue read_message(const Arguments& arguments, const Session& session, bool interrupt);

/// --delay or --not-before, in milliseconds since 1970; nullopt without them. Error
/// INVALID_ARGUMENT, exit 2.
std::optional<int64_t> not_before_flag(const Arguments& arguments, const Session& session);

/// Would the agent answer it in a channel that does not exist yet? `prefix`: of such channels.
bool is_triggered(const MessageValue& message, const std::string& prefix);

}  // namespace reprise
