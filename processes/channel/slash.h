// Commands in a message's text: /stop, /status, ... They are the same as those of the operator,
// under the permission of the message's author.
#pragma once

#include <string>

#include "processes/channel/scribe.h"

namespace reprise::channel {

/// True when the text is a command: it was carried out, or refused, and a system row says so.
bool perform_slash(Scribe& scribe, const std::string& text, const std::string& role);

}  // namespace reprise::channel
