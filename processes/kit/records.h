// Members of a record's data, found without parsing all of it: it may hold long values, and is
// folded often. What they hold was written by the process itself, without escapes.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/process/process.h"
#include "processes/kit/effects.h"

namespace reprise::kit {

/// What stands between the quotes; empty when there is none. Valid as long as `data`.
std::string_view record_text(std::string_view data, std::string_view name);
/// Whose request a kRequested record is.
Owner owner_of(const CommandRecord& command);
/// What an activation brought to the owner of an open effect, which is open no more; nullopt for
/// any other activation.
std::optional<Result> take_result(Effects& effects, const Activation& activation);

}  // namespace reprise::kit
