#include "processes/channel/worker.h"

#include "processes/channel/scribe.h"

namespace reprise::channel {

void Workers::evolve(const Event&, bool) {}

Json Workers::to_json() const { return {{"spawned", spawned}}; }

void Workers::restore(const Json& json) { spawned = json.at("spawned"); }

std::string spawn_worker(Scribe&, const Json&) { return {}; }

void resolve_worker(Scribe&, const Result&) {}

std::span<const SignalSpec> worker_signals() { return {}; }

}  // namespace reprise::channel
