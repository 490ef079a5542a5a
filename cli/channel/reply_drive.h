// message:post --drive: what the reply needs is performed, until it is there.
#pragma once

#include <string>

#include "cli/channel/channels.h"

namespace reprise {

/// Performs the channel's own effects (reply, recall, compaction; workers and branches are left to
/// run:drive) until the message is processed. Adds "reply" to the document when there is one and
/// brings "message", "pending" and "runStatus" up to date; the exit is that of run:drive without
/// one (10 when a signal ended it: "stoppedBy"), and 1 when the agent failed or was stopped.
/// Errors: UNTRUSTED_HOME, CONFIG_INVALID.
void drive_reply(Reply& reply, const Arguments& arguments, const Session& session,
                 const RunHandle& run, const std::string& msg_id);

}  // namespace reprise
