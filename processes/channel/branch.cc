#include "processes/channel/branch.h"

#include "processes/channel/scribe.h"

namespace reprise::channel {

void Branches::evolve(const Event&, bool) {}

Json Branches::to_json() const { return {{"spawned", spawned}}; }

void Branches::restore(const Json& json) { spawned = json.at("spawned"); }

std::string spawn_branch(Scribe&, const Json&) { return {}; }

void resolve_branch(Scribe&, const Result&) {}

std::span<const SignalSpec> branch_signals() { return {}; }

}  // namespace reprise::channel
