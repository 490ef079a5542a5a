#include "engine/rewind.h"

#include <algorithm>

#include "engine/commands.h"
#include "engine/json_writer.h"
#include "engine/run.h"
#include "journal/error.h"
#include "journal/ids.h"

namespace reprise {

namespace {

/// `effect`: what to go back to; 0: there is none.
[[noreturn]] void refuse_retry(const RunState& state, const std::string& why, uint64_t effect) {
  const auto before = effect == 0 ? "EFFECT" : format_effect_id(effect);
  throw Error(Exit::kConflict, "RETRY_USELESS", why + ": the same code would fail the same way",
              "go back to before it: reprise run:rewind " + state.run_id + " --before " + before +
                  " --dry-run; or give it other code: reprise run:assign-process " + state.run_id +
                  " --entry FILE --dry-run");
}

/// The last RUN_REOPENED that stands, while nothing was given to the process since; else nullptr.
const RecordView* standing_reopen(const EffectiveRecords& effective, JsonReader& reader) {
  const auto& records = effective.records;
  const auto last = std::find_if(records.rbegin(), records.rend(), [](const RecordView& record) {
    return record.type == RecordType::kRunReopened;
  });
  if (last == records.rend()) return nullptr;
  const auto activation = reader.members(last->data).number("activation");
  return effective.applied < activation ? &*last : nullptr;
}

/// A retry whose attempt has no result yet.
std::optional<Reopened> repeated_retry(Dir& run, const OpenRun& open, JsonReader& reader) {
  const auto effective = read_effective(run);
  const auto* reopened = standing_reopen(effective.fold.so_far(), reader);
  if (reopened == nullptr) return std::nullopt;
  const auto& data = reader.members(reopened->data);
  const auto effect = parse_effect_id(data.text("effectId")).value_or(0);
  if (!open.history.state.open.contains(effect)) return std::nullopt;
  return Reopened{.activation = data.number("activation"),
                  .effect = effect,
                  .attempt = static_cast<uint32_t>(data.number("attempt")),
                  .state = open.history.state};
}

/// The error result that failed the run.
const RecordedActivation& failing_result(const OpenRun& open, Dir& run, JsonReader& reader) {
  const auto& state = open.history.state;
  if (!state.end || state.end->type != RecordType::kRunFailed) {
    throw Error(Exit::kConflict, "RUN_NOT_FAILED",
                "run " + state.run_id + " has not failed: it is " +
                    std::string(status_name(state.status())),
                "reprise run:status " + state.run_id + " shows where it stands");
  }
  std::string buffer;
  const auto cause = read_record(run, state.end->place, buffer).cause;
  const auto& activations = open.history.activations;
  const auto found = std::find_if(activations.begin(), activations.end(),
                                  [&](const auto& activation) { return activation.seq == cause; });
  if (found == activations.end() || found->type != RecordType::kEffectResolved) {
    refuse_retry(state, "it was no result of an effect that failed the run", 0);
  }
  if (reader.members(found->data).raw("status") == "\"ok\"") {
    refuse_retry(
        state,
        "the result that it failed at, of " + format_effect_id(found->effect) + ", is no error",
        found->effect);
  }
  return *found;
}

std::string numbers_json(const std::vector<uint64_t>& numbers) {
  if (numbers.empty()) return {};
  return array_json(numbers, [](uint64_t number) { return std::to_string(number); });
}

/// The activation that a rewind goes back to.
uint64_t find_activation(const EffectiveRecords& effective, const RewindRequest& request,
                         JsonReader& reader) {
  if (!request.before) return request.to;
  const auto& before = *request.before;
  // The last one: new code may have come to the same request later.
  for (const auto* records : {&effective.records, &effective.voided}) {
    for (auto record = records->rbegin(); record != records->rend(); ++record) {
      if (record->type != RecordType::kEffectRequested) continue;
      const auto& data = reader.members(record->data);
      const bool meant = before.key.empty() ? parse_effect_id(data.text("effectId")) == before.id
                                            : data.text("key") == before.key;
      if (meant) return record->cause;
    }
  }
  throw no_such_effect(before);
}

void check_activation(const OpenRun& open, const EffectiveFold& fold, uint64_t activation) {
  const auto& state = open.history.state;
  const auto look = "reprise run:events " + state.run_id + " lists the records";
  const auto number = std::to_string(activation);
  if (activation == 0 || activation > state.head.seq) {
    throw Error(Exit::kNotFound, "SEQ_NOT_FOUND",
                "run " + state.run_id + " has no record " + number + ": its last is " +
                    std::to_string(state.head.seq),
                look);
  }
  const auto why = fold.obstacle(activation);
  if (!why.empty()) {
    throw Error(Exit::kConflict, "REWIND_REFUSED", "record " + number + " " + why, look);
  }
}

/// Only what came unasked can be taken back with the decisions.
void check_dropped(const EffectiveRecords& effective, const RewindRequest& request,
                   uint64_t activation) {
  for (const auto seq : request.dropped) {
    const bool signal = std::any_of(
        effective.records.begin(), effective.records.end(), [&](const RecordView& record) {
          return record.seq == seq && record.type == RecordType::kSignalReceived;
        });
    if (signal && seq >= activation) continue;
    throw Error(Exit::kUsage, "NOT_DROPPABLE",
                "record " + std::to_string(seq) + " is no signal from record " +
                    std::to_string(activation) + " on",
                "only such signals can be dropped: reprise run:events RUN --filter-type "
                "SIGNAL_RECEIVED shows them");
  }
}

/// Was this rewind, with this code, done before?
bool is_repeated_with_code(Dir& run, const EffectiveRecords& effective, uint64_t activation,
                           const RunState& state, const ChosenProcess& chosen, JsonReader& reader) {
  const auto& records = effective.records;
  for (size_t i = 0; i + 1 < records.size(); ++i) {
    if (records[i].type != RecordType::kRunReopened) continue;
    if (reader.members(records[i].data).number("activation") != activation) continue;
    if (records[i + 1].type != RecordType::kProcessAssigned) continue;
    return same_program(read_descriptor(run, state, reader), chosen.descriptor);
  }
  return false;
}

PlannedItem voided_item(const RecordView& request, const RunState& state, JsonReader& reader) {
  const auto& data = reader.members(request.data);
  const auto command = command_record(request, data);
  PlannedItem item{.words = describe(command, reader), .effect = command.effect};
  const auto open = state.open.find(command.effect);
  item.claimed = open != state.open.end() && open->second.claim.has_value();
  return item;
}

RewindPlan make_rewind_plan(const EffectiveFold& fold, const RunState& state, uint64_t activation,
                            JsonReader& reader) {
  RewindPlan plan{.activation = activation};
  const auto voided = fold.would_void(activation);
  std::set<uint64_t> settled;
  for (const auto& resolution : voided.resolutions) {
    settled.insert(parse_effect_id(reader.members(resolution.data).text("effectId")).value_or(0));
  }
  for (const auto& request : voided.requests) {
    plan.requests.push_back(voided_item(request, state, reader));
    plan.requests.back().settled = settled.contains(plan.requests.back().effect);
  }
  for (const auto& event : voided.events) plan.events.push_back(voided_item(event, state, reader));
  plan.assignments = voided.assignments;
  if (!voided.ends.empty()) plan.end = record_type_name(voided.ends.back().type);
  return plan;
}

void count_kept(RewindPlan& plan, const History& history) {
  for (const auto& activation : history.activations) {
    if (activation.seq < plan.activation) continue;
    plan.kept_signals += activation.type == RecordType::kSignalReceived ? 1 : 0;
    if (activation.seq == history.state.cancel_seq) plan.kept_cancel = activation.seq;
    plan.kept_results += activation.effect != 0 ? 1 : 0;
  }
}

/// A record as the fold will meet it, before it is written.
RecordView proposed_record(const std::string& data, uint64_t seq, int64_t at_ms) {
  RecordView record;
  record.seq = seq;
  record.type = RecordType::kRunReopened;
  record.at_ms = at_ms;
  record.data = data;
  return record;
}

/// The code to go on with, when the request names some.
std::optional<ChosenProcess> choose_code(Dir& run, OpenRun& open, const Context& context,
                                         const SourceReader& read, const RewindRequest& request,
                                         int64_t at_ms) {
  if (!request.process) return std::nullopt;
  return choose_for_run(run, open, context, read, *request.process, open.history.state.rules,
                        at_ms);
}

bool is_repeated(Dir& run, const EffectiveRecords& effective, uint64_t activation, OpenRun& open,
                 const std::optional<ChosenProcess>& chosen) {
  const auto& state = open.history.state;
  if (chosen) {
    return is_repeated_with_code(run, effective, activation, state, *chosen, open.reader);
  }
  const auto* reopened = standing_reopen(effective, open.reader);
  return reopened != nullptr &&
         open.reader.members(reopened->data).number("activation") == activation;
}

std::string reopened_data(const RewindRequest& request, uint64_t activation, const RunState& state,
                          const Author& author) {
  return JsonWriter()
      .text("mode", "rewind")
      .number("activation", activation)
      .number("firstNumber", state.highest_effect + 1)
      .raw_if("dropped", numbers_json(request.dropped))
      .text_if("reason", request.reason)
      .raw("by", author_json(author))
      .done();
}

}  // namespace

Reopened retry_run(Dir& run, const Context& context, bool dry_run) {
  auto open = open_run(run, context, Read::kAll);
  if (auto repeated = repeated_retry(run, open, open.reader)) return *repeated;
  const auto& failing = failing_result(open, run, open.reader);
  const auto attempt =
      static_cast<uint32_t>(open.reader.members(failing.data).number("attempt")) + 1;
  Reopened result{.activation = failing.seq, .effect = failing.effect, .attempt = attempt};
  if (!dry_run) {
    Commit commit(open, commit_time(open, context.clock));
    commit.add({RecordType::kRunReopened, 0, 0,
                JsonWriter()
                    .text("mode", "retry")
                    .number("activation", result.activation)
                    .text("effectId", format_effect_id(result.effect))
                    .number("attempt", attempt)
                    .number("firstNumber", open.history.state.highest_effect + 1)
                    .raw("by", author_json(context.author))
                    .done()});
    commit.write();
    result.recorded = true;
    refresh_rewritten(run, open, result.notes);
  }
  result.state = std::move(open.history.state);
  return result;
}

Rewound rewind_run(Dir& run, const Context& context, const SourceReader& read,
                   const RewindRequest& request) {
  auto open = open_run(run, context, Read::kAll);
  auto effective = read_effective(run);
  const auto& now = effective.fold.so_far();
  const auto activation = find_activation(now, request, open.reader);
  const auto at_ms = commit_time(open, context.clock);
  const auto chosen = choose_code(run, open, context, read, request, at_ms);
  if (is_repeated(run, now, activation, open, chosen)) {
    return {.plan = {.activation = activation}, .repeated = true, .state = open.history.state};
  }
  check_activation(open, effective.fold, activation);
  check_dropped(now, request, activation);
  Rewound result{.plan =
                     make_rewind_plan(effective.fold, open.history.state, activation, open.reader)};
  const auto data = reopened_data(request, activation, open.history.state, context.author);
  const auto head = open.history.state.head;
  const auto reopened = head.seq + 1;
  effective.fold.add(proposed_record(data, reopened, at_ms));
  open.history.fold(effective.fold.so_far(), open.reader);
  open.history.state.head = head;
  count_kept(result.plan, open.history);

  std::optional<Plan> plan;
  if (chosen) {
    plan = plan_assignment(run, open, context, *chosen, at_ms, reopened + 1);
    result.plan.code = summarize(*plan, open, open.reader);
  }
  if (request.yes && !request.dry_run) {
    Commit commit(open, at_ms);
    commit.add({RecordType::kRunReopened, 0, 0, data});
    if (plan) add_assignment(run, open, context, *chosen, *plan, false, reopened + 1, commit);
    commit.write();
    result.recorded = true;
    refresh_rewritten(run, open, result.notes);
  }
  result.state = std::move(open.history.state);
  return result;
}

}  // namespace reprise
