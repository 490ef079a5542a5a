// A part of the home whose run is paused or has ended looks alive in its own answers: what commands
// that show it say of that.
#pragma once

#include <string>

#include "cli/text.h"
#include "engine/home_run.h"

namespace reprise {

/// Adds "stopped": {runId, status, command}, the last one what helps, when the run is there and
/// goes on no more.
void add_stopped(Document& document, Workspace& workspace, const HomeRun& wanted);

/// Two lines for people; empty when it goes on.
std::string stopped_text(const Document& document, const Style& style);

}  // namespace reprise
