// state/state.json: the state of a run folded up to a head, and for built-in processes a snapshot.
// Derived: it is dropped when it is damaged, of another version or ahead of the journal, and
// rebuilt from the journal.
//
// The first line is the state as a JSON document, with its sum and the digest of the snapshot; most
// commands read no more. Then come the keys of signals (engine/key_set.h), of which a few blocks
// are read when one is looked for, and last the snapshot, a JSON document, too. Both may be long.
#pragma once

#include <optional>
#include <string>

#include "engine/run_state.h"
#include "journal/files.h"

namespace reprise {

struct CachedState {
  RunState state;
  bool has_snapshot = false;  ///< of the built-in process; false for scripts
  std::string snapshot;       ///< everything up to state.applied folded; empty when not asked for
  uint64_t bytes = 0;         ///< size of the file
};

enum class CachePart { kState, kSnapshot };
/// nullopt when there is none that can be used. kSnapshot reads the snapshot, too.
std::optional<CachedState> load_state(Dir& run, CachePart part);

/// Replaces it, unsynced. Returns the size of the file. Where keys that it held are damaged it is
/// removed, and 0 returned.
uint64_t store_state(Dir& run, const RunState& state, std::string_view snapshot);

/// Is the journal's part behind the cache long enough to pay for a rewrite? True beyond 64 KiB and
/// half the file's size (architecture section 10), so that the cost of rewriting is spread over
/// what was appended.
bool state_is_behind(const std::optional<Head>& cached, uint64_t cached_bytes, const Head& head);

}  // namespace reprise
