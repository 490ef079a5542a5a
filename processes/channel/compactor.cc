#include "processes/channel/compactor.h"

#include "processes/channel/scribe.h"

namespace reprise::channel {

void Compactor::evolve(const Event& event) {
  if (event.type == "compactor.threshold.hit") ++jobs;
}

Json Compactor::to_json() const { return {{"jobs", jobs}}; }

void Compactor::restore(const Json& json) { jobs = json.at("jobs"); }

void evaluate_compaction(Scribe&) {}

void resolve_compaction(Scribe&, const Result&) {}

}  // namespace reprise::channel
