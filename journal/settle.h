// What a writer does before it relies on a journal that it did not write itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "journal/files.h"
#include "journal/journal.h"
#include "journal/segment.h"

namespace reprise {

/// How many bytes lie behind `head`, in its segment and in later ones.
uint64_t bytes_behind(Dir& run, const Head& head);

/// Cuts everything behind `head` off, after keeping it durably in `folder` ("journal/torn"); the
/// cut is durable when it returns. Returns the file that holds the first of the bytes, empty when
/// there were none.
std::string cut_tail(Dir& run, const Head& head, const std::string& folder);

/// Writes the bytes from `from` (nullptr: from the first) to `head` again, where they are, and
/// syncs them: an earlier sync of them may have failed, after which the kernel takes them for
/// written. `chunks` hold them as they were verified.
void rewrite(Dir& run, const std::vector<Chunk>& chunks, const Head* from, const Head& head);

}  // namespace reprise
