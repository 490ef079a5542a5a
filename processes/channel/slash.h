// Commands in a message's text: /stop, /status, ... They are the same as those of the operator,
// under the permission of the message's author. A text that begins with / and is none of them is
// the agent's business.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "processes/channel/permissions.h"
#include "processes/channel/scribe.h"

namespace reprise::channel {

struct Slash {
  std::string name;                ///< "/stop"
  std::vector<std::string> words;  ///< behind it
};

struct Speaker {
  Author author;
  Role role = Role::kNone;
  std::string msg_id;
  uint64_t signal = 0;  ///< seq
};

/// The prefix of the settings may stand before it ("!loop /stop"), and whom it is for behind it
/// ("/stop@bot").
std::optional<Slash> parse_slash(const Settings& settings, const std::string& text);

/// Carries it out, or refuses it; a system row says what came of it.
void perform_slash(Scribe& scribe, const Slash& slash, const Speaker& speaker);

}  // namespace reprise::channel
