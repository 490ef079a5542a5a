#include "engine/against_open.h"

#include <filesystem>

namespace reprise {

namespace {

/// As open_run gives it, but without the lock: good for planning, not for writing.
OpenRun read_unlocked(Dir& run) {
  OpenRun open;
  auto read = read_effective(run);
  open.history.fold(read.fold.so_far(), open.reader);
  open.history.state.head = read.scan.head;
  open.effective = std::move(read.scan);
  return open;
}

std::string first_difference(const PlanSummary& plan) {
  if (!plan.reserve.empty()) return plan.reserve.front().words + " is not asked for";
  if (!plan.added.empty()) return plan.added.front().words + " is asked for, but not recorded";
  return plan.end.empty() ? "" : "it ends: " + plan.end;
}

}  // namespace

bool runs_program(Dir& run, const RunState& state, const std::string& entry) {
  if (!state.has_process) return false;
  JsonReader reader;
  const auto descriptor = read_descriptor(run, state, reader);
  if (!descriptor.script) return false;
  const std::filesystem::path file(entry);
  return descriptor.root + "/" + descriptor.import_path == file.lexically_normal().string() ||
         state.process_id == file.stem().string();
}

AgainstRun check_against(Dir& run, const Context& context, const SourceReader& read,
                         const ProcessChoice& code) {
  auto open = read_unlocked(run);
  const auto& state = open.history.state;
  const auto chosen = choose_for_run(run, open, context, read, code, state.rules, state.head.at_ms);
  const auto plan =
      plan_assignment(run, open, context, chosen, state.head.at_ms, state.applied + 1);
  const auto summary = summarize(plan, open, open.reader);
  return {.goes_on = summary.same(),
          .difference = first_difference(summary),
          .kept = summary.kept.size(),
          .added = summary.added.size(),
          .not_reached = summary.reserve.size()};
}

}  // namespace reprise
