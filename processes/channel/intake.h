// Messages coming in, and the next one going to the agent.
#pragma once

#include <optional>

#include "processes/channel/scribe.h"
#include "processes/channel/signals.h"

namespace reprise::channel {

std::optional<Refusal> check_message(const Channel& channel, const Json& value, int64_t at_ms);
/// channel.message: a row, its trigger and permission, its place in the queue; with "interrupt" the
/// active run is stopped behind it.
void receive(Scribe& scribe, const Json& value, uint64_t signal);

/// Claims what is next, as long as the agent is free: route, then reply, branch or worker.
void go_on(Scribe& scribe);

/// A row that the channel itself writes: role "system" or "assistant".
void write_row(Scribe& scribe, const std::string& role, const std::string& content,
               Json extra = Json::object());

}  // namespace reprise::channel
