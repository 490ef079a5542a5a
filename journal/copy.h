// Copying a journal while others write to it.
#pragma once

#include "journal/journal.h"

namespace reprise {

/// Copies the whole commits that the journal of `from` holds now into `to`, a folder without a
/// journal that nobody else uses, and writes a witness for them. Takes no lock and changes nothing
/// in `from`. What was copied is read again, with all sums checked. Returns its end. Errors: those
/// of read_journal, also for damage; RUN_CHANGED (exit 4) when the journal was mended meanwhile,
/// again and again.
Head copy_journal(Dir& from, Dir& to);

/// Copies at most `size` bytes of a file; returns how many. It must not exist in `to`.
uint64_t copy_bytes(File& from, Dir& to, std::string_view path, uint64_t size);

}  // namespace reprise
