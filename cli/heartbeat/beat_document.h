// What a beat did, and what one would do, as documents.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "cli/reply.h"
#include "engine/heartbeat/beat.h"
#include "engine/heartbeat/drivers.h"

namespace reprise {

/// Of a home without runs, in which nothing can be due.
Document quiet_document(const Workspace& workspace, const Context& context);

Document beat_document(const BeatHome& home, const BeatDone& done);

/// What is due, without doing it. `drivable` is null when nothing is to be driven.
Document beat_plan(BeatHome& home, std::span<const std::unique_ptr<Chore>> chores, BeatRuns& runs,
                   const std::vector<Drivable>* drivable, uint64_t max_runs);

}  // namespace reprise
