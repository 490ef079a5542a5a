// The tick of the visor: gathers what it needs to know, asks it whether anything would follow, and
// records a tick only then (docs/visor.md).
#pragma once

#include <memory>
#include <string>

#include "engine/heartbeat/chore.h"

namespace reprise {

/// The run that it tells, and its process.
constexpr const char* kVisorRun = "visor";

std::unique_ptr<Chore> make_visor_chore();

/// {"state": what the visor remembers, or null before its first tick; "facts": of now; "next":
/// {"decides", "what"}: what the next tick would tell, {} when there is to be none}. JSON. Reads
/// only.
std::string visor_report(BeatHome& home);

}  // namespace reprise
