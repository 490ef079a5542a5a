#include "cli/next_steps.h"

#include <optional>
#include <utility>

#include "engine/children.h"
#include "engine/inspect.h"
#include "engine/run.h"
#include "journal/error.h"
#include "journal/ids.h"

namespace reprise {

std::string approval_step(const std::string& effect, const std::string& by) {
  return "  next  reprise approval:show " + effect + "\n        reprise approval:approve " +
         effect + by + "\n";
}

namespace {

/// As run:retry decides, without the run's lock.
std::optional<OpenEffect> failing_effect(Dir& run, const RunState& state) {
  if (state.status() != RunStatus::kFailed) return std::nullopt;
  std::string buffer;
  const auto cause = read_record(run, state.end->place, buffer).cause;
  for (auto& effect : list_effects(run)) {
    const bool fails = effect.settled_seq == cause && effect.status == "resolved_error";
    if (fails) return std::move(effect.request);
  }
  return std::nullopt;
}

}  // namespace

void add_failed_by(Document& document, Dir& run, const RunState& state) try {
  const auto found = failing_effect(run, state);
  if (!found) return;
  const auto& effect = *found;
  Document& by = document["failedBy"] = {
      {"effectId", format_effect_id(effect.id)}, {"kind", effect.kind}, {"label", effect.label}};
  if (effect.kind == kRunKind) by["childRunId"] = child_run_id(state.run_id, effect.id);
} catch (const Error&) {
  // A hint is no reason to fail: run:verify tells what cannot be read.
}

std::string failed_step(const Document& document, const std::string& run) {
  if (!document.contains("failedBy")) {
    return "  next  reprise run:assign-process " + run +
           " --entry FILE --dry-run    with other code\n        reprise run:rewind " + run +
           " --to SEQ --dry-run    from an earlier point\n";
  }
  const Document& by = document["failedBy"];
  if (by.contains("childRunId")) {
    return "  next  reprise run:status " + by["childRunId"].get<std::string>() + "\n";
  }
  return "  next  reprise run:retry " + run + "\n";
}

}  // namespace reprise
