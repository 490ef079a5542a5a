#include "engine/stop.h"

#include "engine/commands.h"
#include "engine/commit.h"
#include "engine/inspect.h"
#include "engine/json_writer.h"
#include "engine/run.h"
#include "engine/task_files.h"
#include "journal/error.h"
#include "journal/ids.h"

namespace reprise {

namespace {

/// Appends the one record, unless it is a dry run.
Stopped record(Dir& run, const Context& context, OpenRun& open, NewRecord stop, bool dry_run) {
  Stopped result{.recorded = !dry_run, .at_ms = commit_time(open, context.clock)};
  if (!dry_run) {
    Commit commit(open, result.at_ms);
    commit.add(std::move(stop));
    commit.write();
    write_derived(result.notes, [&] {
      refresh_state(run, open, nullptr, false);
      refresh_task_files(run, open.history.state, open.reader);
    });
  }
  result.state = std::move(open.history.state);
  return result;
}

NewRecord cancelled_record(const OpenEffect& effect, const std::string& reason,
                           const Author& author) {
  JsonWriter data;
  data.text("effectId", format_effect_id(effect.id)).text_if("reason", reason);
  return {RecordType::kEffectCancelled, 0, 0, data.raw("by", author_json(author)).done()};
}

/// The effect is not open: cancelled before is success, everything else a conflict.
Stopped judge_settled(Dir& run, const EffectSelector& selector, const RunState& state) {
  const auto effect = find_effect(run, selector);
  if (effect.status == "cancelled") return {.state = state};
  throw Error(Exit::kConflict, "EFFECT_CONFLICT",
              format_effect_id(effect.request.id) + " has a result and cannot be cancelled",
              "reprise task:show " + state.run_id + " " + format_effect_id(effect.request.id) +
                  " shows it");
}

}  // namespace

Stopped cancel_effect(Dir& run, const Context& context, const EffectSelector& selector,
                      const std::string& reason, bool dry_run) {
  auto open = open_run(run, context, Read::kTail);
  const auto* effect = find_open(open.history.state, selector);
  if (effect == nullptr) return judge_settled(run, selector, open.history.state);
  return record(run, context, open, cancelled_record(*effect, reason, context.author), dry_run);
}

Stopped halt_run(Dir& run, const Context& context, const std::string& reason, bool dry_run) {
  auto open = open_run(run, context, Read::kTail);
  const auto& state = open.history.state;
  if (state.end && state.end->type == RecordType::kRunHalted) return {.state = state};
  if (state.end && state.end->type == RecordType::kRunCompleted) {
    throw Error(Exit::kConflict, "RUN_ENDED",
                "run " + state.run_id + " completed and cannot be halted",
                "reprise run:output " + state.run_id + " prints its output");
  }
  Command halt;
  halt.kind = Command::Kind::kHalt;
  halt.name = reason;
  const auto by = author_json(context.author);
  return record(run, context, open, record_of(halt, 0, run, state.open, by), dry_run);
}

}  // namespace reprise
