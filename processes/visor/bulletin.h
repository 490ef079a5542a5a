// Bulletins: what goes on in the home, in so few words that every prompt can carry them. Pure text.
#pragma once

#include <string>
#include <string_view>

#include "processes/visor/tick.h"

namespace reprise::visor {

/// What a bulletin stands for: with the same state the old one is still right. What is remembered
/// does not count, or each bulletin, being remembered itself, would ask for the next.
std::string state_of(const Tick& tick);
/// The state of a home in which nothing goes on.
bool is_quiet(const Tick& tick);

/// {"bulletinId","headline","digest","state","memoryRefs","channelId"?}: the bulletin as numbers
/// and names alone make it, within the limit of words.
Json draft_bulletin(const Tick& tick, const std::string& id);

/// What somebody who writes it in better words is asked for.
std::string writing_prompt(const Json& draft, int64_t most_words);

/// At most so many words, and no more characters than such words have; what was cut off shows.
std::string cut_to_words(std::string_view text, int64_t most);
int64_t count_words(std::string_view text);

}  // namespace reprise::visor
