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
Stopped record_stop(Dir& run, const Context& context, OpenRun& open, NewRecord stop, bool dry_run) {
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
Stopped judge_cancelled(Dir& run, const EffectSelector& selector, const RunState& state) {
  const auto effect = find_effect(run, selector);
  if (effect.status == "cancelled") return {.state = state};
  throw Error(Exit::kConflict, "EFFECT_CONFLICT",
              format_effect_id(effect.request.id) + " has a result and cannot be cancelled",
              "reprise task:show " + state.run_id + " " + format_effect_id(effect.request.id) +
                  " shows it");
}

NewRecord halted_record(const RunState& state, const std::string& reason, bool cancelled,
                        const Author& author, Dir& run) {
  Command halt;
  halt.kind = Command::Kind::kHalt;
  halt.name = reason;
  halt.cancelled = cancelled;
  return record_of(halt, 0, run, state.open, author_json(author));
}

NewRecord cancel_signal(const std::string& reason, const Author& author, Dir& run) {
  JsonWriter data;
  data.text("name", kCancelSignal).flag("cancel", true);
  add_value(data, "value", JsonWriter().text("reason", reason).done(), run);
  return {RecordType::kSignalReceived, 0, 0, data.raw("by", author_json(author)).done()};
}

[[noreturn]] void refuse_after_end(const RunState& state, const std::string& what) {
  const std::string status(status_name(state.status()));
  throw Error(Exit::kConflict, "RUN_ENDED",
              "run " + state.run_id + " has ended (" + status + ") and cannot be " + what,
              "reprise run:status " + state.run_id + " shows how");
}

Stopped set_paused(Dir& run, const Context& context, const std::string& reason, bool dry_run,
                   bool paused) {
  auto open = open_run(run, context, Read::kTail);
  const auto& state = open.history.state;
  if (state.end) refuse_after_end(state, paused ? "paused" : "resumed");
  if (state.paused == paused) return {.state = state};
  JsonWriter data;
  data.text_if("reason", reason).raw("by", author_json(context.author));
  const auto type = paused ? RecordType::kRunPaused : RecordType::kRunResumed;
  return record_stop(run, context, open, {type, 0, 0, data.done()}, dry_run);
}

}  // namespace

Stopped cancel_effect(Dir& run, const Context& context, const EffectSelector& selector,
                      const std::string& reason, bool dry_run) {
  auto open = open_run(run, context, Read::kTail);
  const auto* effect = find_open(open.history.state, selector);
  if (effect == nullptr) return judge_cancelled(run, selector, open.history.state);
  return record_stop(run, context, open, cancelled_record(*effect, reason, context.author),
                     dry_run);
}

Stopped halt_run(Dir& run, const Context& context, const std::string& reason, bool dry_run) {
  auto open = open_run(run, context, Read::kTail);
  const auto& state = open.history.state;
  if (state.end && state.end->type == RecordType::kRunHalted) return {.state = state};
  if (state.status() == RunStatus::kCompleted) refuse_after_end(state, "halted");
  auto halted = halted_record(state, reason, false, context.author, run);
  return record_stop(run, context, open, std::move(halted), dry_run);
}

Stopped cancel_run(Dir& run, const Context& context, const std::string& reason, bool dry_run) {
  auto open = open_run(run, context, Read::kTail);
  const auto& state = open.history.state;
  const bool failed = state.status() == RunStatus::kFailed;
  if (state.status() == RunStatus::kCancelled) return {.state = state};
  if (state.end && !failed) refuse_after_end(state, "cancelled");
  // A process that was given nothing yet, or never will be again, has nothing to clean up.
  if (failed || state.applied == 0) {
    auto ended = halted_record(state, reason, true, context.author, run);
    return record_stop(run, context, open, std::move(ended), dry_run);
  }
  if (state.cancel_seq != 0) return {.state = state};
  return record_stop(run, context, open, cancel_signal(reason, context.author, run), dry_run);
}

Stopped pause_run(Dir& run, const Context& context, const std::string& reason, bool dry_run) {
  return set_paused(run, context, reason, dry_run, true);
}

Stopped resume_run(Dir& run, const Context& context, const std::string& reason, bool dry_run) {
  return set_paused(run, context, reason, dry_run, false);
}

std::optional<Rest> rest_of(const RunState& state) {
  if (!state.end && !state.paused) return std::nullopt;
  Rest rest{.status = std::string(status_name(state.status())),
            .command = "run:status " + state.run_id};
  if (state.status() == RunStatus::kPaused) rest.command = "run:resume " + state.run_id;
  // What its process was given last is given to it again, and it was not that which ended it.
  if (state.status() == RunStatus::kHalted && state.applied > 0) {
    rest.command = "run:rewind " + state.run_id + " --to " + std::to_string(state.applied);
  }
  return rest;
}

}  // namespace reprise
