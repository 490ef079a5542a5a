// The three standard streams of the process.
#pragma once

#include <string_view>

namespace reprise {

/// Opens whatever of the streams 0 to 2 the caller closed, so that no journal file gets their
/// numbers and a message never lands in one. A broken pipe and a file that may not grow
/// (ulimit -f) become errors of write instead of signals.
void secure_streams();

/// Standard output is a terminal that understands more than lines (TERM is not dumb).
bool draws_on_terminal();

/// Writes all bytes to standard output. False when they could not be written; a reader that went
/// away is fine.
bool write_out(std::string_view bytes);
/// The same, but a reader that went away is an error, too: errno says which.
bool deliver_out(std::string_view bytes);
/// Writes to standard error; what cannot be said is lost.
void write_err(std::string_view bytes);

}  // namespace reprise
