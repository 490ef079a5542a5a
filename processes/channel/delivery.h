// The end of an agent run: what its result becomes, in this order: the session, the rows of
// streamed turns, the reply, what was spent, a card or a spawn, what is processed, the status.
#pragma once

#include <string>

#include "processes/channel/scribe.h"

namespace reprise::channel {

/// Of a result, an object.
void deliver(Scribe& scribe, const Json& result);
/// A row "agent error: ..."; the session stays as it is. The state is "timeout" for a TimeoutError,
/// else "error".
void end_in_error(Scribe& scribe, const Json& error);

/// Streamed turns as rows of their kind. Returns the last text among them that is a message.
std::string write_turns(Scribe& scribe, const Json& turns);
void write_system_row(Scribe& scribe, const std::string& text);

/// agent.status of the active run; unless it is "running" the run is over. `withdrawn`: an effect
/// that is given up with it, or 0.
void tell_status(Scribe& scribe, const std::string& state, Json more, uint64_t withdrawn = 0);

}  // namespace reprise::channel
