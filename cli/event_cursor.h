// A place in the stream of all domain events: the epoch of the index, a dot, and a number.
#pragma once

#include <cstdint>
#include <string>

namespace reprise {

std::string make_cursor(const std::string& epoch, int64_t place);

/// The place behind which to go on. Errors: INVALID_ARGUMENT (exit 2) for what is no cursor;
/// CURSOR_EXPIRED (exit 4) when the index was made anew since. `what` named it: "--after".
int64_t read_cursor(const std::string& cursor, const std::string& epoch, const std::string& what);

}  // namespace reprise
