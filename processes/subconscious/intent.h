// What a task's title says of its intent, when its author did not say it.
#pragma once

#include <string_view>

namespace reprise::subconscious {

/// Whether the title asks for an action. Only whole words count, and only where an order stands: at
/// the beginning ("Schedule a meeting" does, "Review my schedule" does not), and behind "and" or
/// "then" where the word can be nothing else ("Draft and send it"). What is not seen here costs an
/// approval; what is seen wrongly would run with full permission.
bool asks_for_action(std::string_view title);

}  // namespace reprise::subconscious
