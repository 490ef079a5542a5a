// What the commands project:* and board:* have in common: the run of the home that they tell and
// ask, and how a card and a project look.
#pragma once

#include <string>
#include <vector>

#include "cli/channel/channels.h"
#include "cli/session.h"
#include "cli/text.h"
#include "engine/ask.h"
#include "engine/tell.h"

namespace reprise {

class BoardHome {
 public:
  /// The home is made when it is missing and `writes`.
  BoardHome(const Arguments& arguments, const Session& session, bool writes);

  /// The answer of the board (processes/board/board.h lists the questions), with times as texts;
  /// null in a home without a board.
  Document ask(const Document& question, Past past = Past::kPresent);
  /// Errors PROJECT_NOT_FOUND, CARD_NOT_FOUND, exit 3.
  Document project(const std::string& id);
  Document card(const std::string& id, Past past = Past::kPresent);

  struct Message {
    std::string signal;  ///< "card.move"
    Document value;      ///< without `by`, which is --by or the user
  };
  struct Heard {
    bool recorded = false;  ///< false: it was so before, told by --key
    uint64_t seq = 0;       ///< of the first signal
    Document answer;        ///< of the board to `question`, as ask gives it
    std::vector<std::string> warnings;
  };
  /// All of them in one commit, and what follows from them; the board is made when there is none.
  /// Errors: those of open_home_run and tell.
  Heard tell(const std::vector<Message>& messages, const Document& question);

  /// Of a channel of this home: {"channel","from"}, `from` its last record, or 0 with `past`. Error
  /// CHANNEL_NOT_FOUND, exit 3.
  Document link(const std::string& channel, bool past) const;
  /// Its id, for a card that is to be assigned to it. Error CHANNEL_NOT_FOUND, exit 3.
  std::string channel_id(const std::string& channel) const;
  /// Error AGENT_NOT_FOUND, exit 3.
  void check_agent(const std::string& agent) const;

 private:
  const Arguments& x_arguments;
  const Session& x_session;
  Workspace x_workspace;
};

/// Error NOT_PERMITTED, exit 13, inside an executor: nobody gives himself work. For what approves
/// a card or lets its worker begin.
void refuse_inside_executor(const std::string& way_out);

/// "card-3  in_progress  fix the login".
std::string card_line(const Document& card, const Style& style);
Colour card_colour(std::string_view status);

}  // namespace reprise
