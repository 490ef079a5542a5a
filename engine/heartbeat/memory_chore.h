// The outbox to an executor of embeddings: memories without a vector are handed to the run
// "memory", a batch at a time (docs/memory.md). Off unless memory.embedding.enabled says otherwise
// and an executor performs effects of the kind "embedding".
#pragma once

#include <memory>

#include "engine/heartbeat/chore.h"

namespace reprise {

std::unique_ptr<Chore> make_memory_chore();

}  // namespace reprise
