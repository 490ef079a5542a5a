// state/state.json: the state of a run folded up to a head, and for built-in processes a snapshot.
// Derived: it is dropped when it is damaged, of another version or ahead of the journal, and
// rebuilt from the journal.
#pragma once

#include <optional>
#include <string>

#include "engine/run_state.h"
#include "journal/files.h"

namespace reprise {

struct CachedState {
  RunState state;
  std::string snapshot;  ///< of the built-in process with everything up to state.applied folded;
                         ///< empty for scripts
  uint64_t bytes = 0;    ///< size of the file
};

/// nullopt when there is none that can be used.
std::optional<CachedState> load_state(Dir& run);

/// Replaces it, unsynced.
void store_state(Dir& run, const RunState& state, std::string_view snapshot);

/// Is the journal's part behind the cache long enough to pay for a rewrite? True beyond 64 KiB and
/// half the file's size (architecture section 10), so that the cost of rewriting is spread over
/// what was appended.
bool state_is_behind(const std::optional<Head>& cached, uint64_t cached_bytes, const Head& head);

}  // namespace reprise
