// The facts of a tick, from the index and the states of those channels whose workers live: the
// value of the signal visor.tick (processes/visor/visor.h). Reads only.
#pragma once

#include <nlohmann/json.hpp>

#include "engine/heartbeat/chore.h"

namespace reprise {

/// {"window", "settings", "counts", "workers", "branches", "complete", "failures",
/// "lastMessageAt"?, "cards"}. Few questions to the index, one to each of at most 256 channels, and
/// one to the board.
nlohmann::json visor_facts(BeatHome& home);

/// Memories to be forgotten and merged, {"forget","merges","examinedUntil"}; null: none are.
/// `examined_ms` is up to where others were merged before.
nlohmann::json visor_upkeep(BeatHome& home, int64_t examined_ms);

/// What a bulletin may name, [{"section","id","note"}]: what holds for the whole home, and for the
/// only channel of a home that has one.
nlohmann::json visor_memories(BeatHome& home, int64_t channels);

}  // namespace reprise
