// Which messages a compaction folds: all but the first, which mostly says what it is all about, and
// the newest. A first one that is longer than all of the newest may be is folded like the others.
#pragma once

#include <cstdint>
#include <vector>

#include "processes/channel/state.h"

namespace reprise::channel {

struct Folding {
  std::vector<MessagePtr> messages;  ///< oldest first; the summary so far stands before them
  uint64_t from = 0;                 ///< places that the new summary stands for: those of
  uint64_t to = 0;                   ///< the summary so far, or 0, when there is nothing to fold
};

/// The newest that stay: keepMessages of them, or fewer when they have keepTokens; at least one.
/// What an active run answers stays too, with all behind it.
Folding choose_folding(const Channel& channel);

/// The messages as the prompt of a compaction shows them: of one that would fill more than a
/// quarter of the window only the beginning, and how much is left out.
std::vector<MessagePtr> shortened(const std::vector<MessagePtr>& messages, const Channel& channel);

}  // namespace reprise::channel
