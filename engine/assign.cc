#include "engine/assign.h"

#include "engine/commands.h"
#include "engine/create.h"
#include "engine/json_writer.h"
#include "engine/task_files.h"
#include "journal/error.h"
#include "journal/ids.h"

namespace reprise {

namespace {

[[noreturn]] void refuse_ended(const RunState& state) {
  throw Error(Exit::kConflict, "RUN_ENDED",
              "run " + state.run_id + " is " + std::string(status_name(state.status())) +
                  " and takes no process",
              "take back its end first: reprise run:rewind " + state.run_id +
                  " --to SEQ --entry FILE; or create another run");
}

[[noreturn]] void refuse_built_in(const RunState& state) {
  throw Error(Exit::kConflict, "PROCESS_BUILT_IN",
              "run " + state.run_id + " has another process already: " + state.process_id +
                  "; only scripts can take over from scripts",
              "create another run: reprise run:create");
}

std::string assigned_members(const ChosenProcess& chosen, const std::string& plan,
                             const std::string& abandoned, const Author& author) {
  JsonWriter data;
  data.text("processId", chosen.process_id).raw("process", descriptor_json(chosen.descriptor));
  if (chosen.rules != 0) data.number("rules", chosen.rules);
  auto text = data.raw_if("abandoned", abandoned).raw("by", author_json(author)).done();
  if (!plan.empty()) text.insert(text.size() - 1, "," + plan);
  return text;
}

/// What does not concern what was decided before.
void record_assignment(Dir& run, OpenRun& open, std::string data, int64_t at_ms,
                       AssignedProcess& result) {
  Commit commit(open, at_ms);
  commit.add({RecordType::kProcessAssigned, 0, 0, std::move(data)});
  commit.write();
  result.assigned = true;
  write_derived(result.notes, [&] {
    replace_file(run, "run.json", run_json(run, open.history.state, open.reader), false);
    refresh_state(run, open, nullptr, false);
  });
}

void assign_first(Dir& run, OpenRun& open, const Context& context, const ChosenProcess& chosen,
                  int64_t at_ms, AssignedProcess& result) {
  write_sources(run, chosen);
  record_assignment(run, open, assigned_members(chosen, {}, {}, context.author), at_ms, result);
}

/// For what is recorded from then on.
void assign_rules(Dir& run, OpenRun& open, const Context& context, uint32_t rules, int64_t at_ms,
                  AssignedProcess& result) {
  auto data = JsonWriter()
                  .text("processId", open.history.state.process_id)
                  .number("rules", rules)
                  .raw("by", author_json(context.author))
                  .done();
  record_assignment(run, open, std::move(data), at_ms, result);
}

PlannedItem item_of(const CommandRecord& command, const OpenRun& open, JsonReader& reader) {
  PlannedItem item{.words = describe(command, reader), .effect = command.effect};
  if (command.kind != CommandRecord::Kind::kRequested) return item;
  const auto effect = open.history.state.open.find(command.effect);
  item.settled = effect == open.history.state.open.end();
  item.claimed = !item.settled && effect->second.claim.has_value();
  return item;
}

/// What --abandon cancels.
std::vector<uint64_t> open_reserve(const Plan& plan, const RunState& state) {
  std::vector<uint64_t> open;
  for (const auto effect : plan.assignment.reserve) {
    if (state.open.contains(effect)) open.push_back(effect);
  }
  return open;
}

}  // namespace

PlanSummary summarize(const Plan& plan, const OpenRun& open, JsonReader& reader) {
  PlanSummary summary{.ended_at = plan.ended_at};
  std::map<uint64_t, const CommandRecord*> requests, events;
  for (const auto* commands : {&open.history.superseded, &open.history.commands}) {
    for (const auto& command : *commands) {
      if (command.adopts) continue;
      if (command.kind == CommandRecord::Kind::kRequested) requests[command.effect] = &command;
      if (command.kind == CommandRecord::Kind::kEmitted) events[command.seq] = &command;
    }
  }
  for (size_t i = 0; i < plan.commands.size(); ++i) {
    const auto& command = plan.commands[i];
    const auto id = plan.assignment.plan[i].id;
    if (is_end(command)) {
      summary.end = describe(command);
    } else if (plan.kept[i]) {
      const bool request = command.kind == Command::Kind::kRequest;
      summary.kept.push_back(item_of(*(request ? requests : events).at(id), open, reader));
    } else {
      summary.added.push_back({.words = describe(command), .effect = command.effect});
    }
  }
  for (const auto effect : plan.assignment.reserve)
    summary.reserve.push_back(item_of(*requests.at(effect), open, reader));
  for (const auto event : plan.assignment.reserve_events)
    summary.reserve.push_back(item_of(*events.at(event), open, reader));
  return summary;
}

ChosenProcess choose_for_run(Dir& run, OpenRun& open, const Context& context,
                             const SourceReader& read, ProcessChoice process, uint32_t rules,
                             int64_t at_ms) {
  const auto& state = open.history.state;
  if (process.entry.empty() && process.built_in.empty()) {
    ChosenProcess present{.process_id = state.process_id, .rules = rules};
    if (!state.has_process) return present;
    present.descriptor = read_descriptor(run, state, open.reader);
    present.sources = read_pinned(run, present.descriptor);
    return present;
  }
  auto identity = read_identity(run, state, {}, open.reader);
  identity.rules = rules;
  std::string buffer;
  const auto inputs =
      load_value(read_data(run, state.created_place, buffer, open.reader), "inputs", run);
  if (process.process_id.empty()) process.process_id = state.process_id;
  return choose_process(context, read, process, identity, inputs, at_ms);
}

Plan plan_assignment(Dir& run, OpenRun& open, const Context& context, const ChosenProcess& chosen,
                     int64_t at_ms, uint64_t until) {
  const auto& history = open.history;
  auto identity = read_identity(run, history.state, chosen.descriptor, open.reader);
  identity.process_id = chosen.process_id;
  identity.rules = chosen.rules;  // a rewind may go behind the assignment that gave them
  Plan plan;
  const auto make = [&](bool keep_withdrawn) {
    ScriptMachine machine(context.scripts, identity, chosen.sources, at_ms,
                          history.activations.size());
    plan = make_plan(machine, open, run, until, keep_withdrawn);
    machine.begin_live();
  };
  context.scripts.run([&] {
    make(true);
    if (plan.wants_withdrawn) make(false);
  });
  return plan;
}

void add_assignment(Dir& run, OpenRun& open, const Context& context, ChosenProcess chosen,
                    Plan plan, bool abandon, uint64_t seq, Commit& commit) {
  chosen.descriptor.folder = ".assigned-" + std::to_string(seq);
  write_sources(run, chosen);
  plan.assignment.seq = seq;
  uint64_t next = seq;
  for (size_t i = 0; i < plan.commands.size(); ++i) {
    if (plan.kept[i]) continue;
    ++next;
    if (plan.assignment.plan[i].kind == PlannedCommand::Kind::kEvent)
      plan.assignment.plan[i].id = next;
  }
  const auto abandoned =
      abandon ? array_json(open_reserve(plan, open.history.state),
                           [](uint64_t effect) { return quote(format_effect_id(effect)); })
              : std::string();
  if (abandon) plan.assignment.reserve.clear();
  commit.add(
      {RecordType::kProcessAssigned, 0, 0,
       assigned_members(chosen, assignment_members(plan.assignment), abandoned, context.author)});
  for (size_t i = 0; i < plan.commands.size(); ++i) {
    if (plan.kept[i]) continue;
    commit.add(record_of(plan.commands[i], seq, run, open.history.state.open));
  }
}

void refresh_rewritten(Dir& run, OpenRun& open, std::vector<std::string>& notes) {
  write_derived(notes, [&] {
    auto read = read_effective(run);
    open.history.fold(read.fold.so_far(), open.reader);
    open.history.state.head = read.scan.head;
    open.effective = std::move(read.scan);
    const auto& state = open.history.state;
    store_state(run, state, {});
    replace_file(run, "run.json", run_json(run, state, open.reader), false);
    refresh_task_files(run, state, open.reader);
  });
}

namespace {

/// What waits to be given to the process, either code would answer.
bool decides_the_same(Dir& run, OpenRun& open, const Context& context, const ChosenProcess& chosen,
                      int64_t at_ms) {
  const auto applied = open.history.state.applied;
  const auto plan = plan_assignment(run, open, context, chosen, at_ms, applied + 1);
  return summarize(plan, open, open.reader).same();
}

/// `only_abandons`: the run has this very code already.
void plan_code(Dir& run, OpenRun& open, const Context& context, const AssignRequest& request,
               ChosenProcess chosen, int64_t at_ms, bool only_abandons, AssignedProcess& result) {
  const auto& state = open.history.state;
  auto plan = plan_assignment(run, open, context, chosen, at_ms, state.head.seq + 1);
  if (only_abandons && open_reserve(plan, state).empty()) {
    result.proposed = false;
    return;
  }
  result.plan = summarize(plan, open, open.reader);
  result.plan->abandons = request.abandon;
  if (request.dry_run || !request.yes) return;
  if (request.only_same && !decides_the_same(run, open, context, chosen, at_ms)) return;
  Commit commit(open, at_ms);
  add_assignment(run, open, context, std::move(chosen), std::move(plan), request.abandon,
                 state.head.seq + 1, commit);
  commit.write();
  result.assigned = true;
  refresh_rewritten(run, open, result.notes);
}

}  // namespace

AssignedProcess assign_process(Dir& run, const Context& context, const SourceReader& read,
                               const AssignRequest& request) {
  auto open = open_run(run, context, Read::kAll);
  auto& state = open.history.state;
  const bool over = state.end && state.end->type != RecordType::kRunFailed;
  if (over && !state.has_process) refuse_ended(state);
  const auto at_ms = commit_time(open, context.clock);
  const auto rules = request.newest_rules ? kNewestRules : state.rules;
  auto chosen = choose_for_run(run, open, context, read, request.process, rules, at_ms);
  AssignedProcess result{.process_id = chosen.process_id,
                         .entry = chosen.entry(),
                         .rules_before = state.rules,
                         .rules = rules};
  const bool same_rules = rules == state.rules;
  if (!state.has_process) {
    if (chosen.bare() && same_rules) return result;
    result.proposed = true;
    if (request.dry_run) return result;
    if (chosen.bare()) {
      assign_rules(run, open, context, rules, at_ms, result);
    } else {
      assign_first(run, open, context, chosen, at_ms, result);
    }
    return result;
  }
  const auto present = read_descriptor(run, state, open.reader);
  const bool same =
      state.process_id == chosen.process_id && same_program(present, chosen.descriptor);
  const bool left_open = open.history.assignment && request.abandon && !over;
  if (same && same_rules && !left_open) return result;
  if (over) refuse_ended(state);
  result.proposed = true;
  if (same && !present.script) {
    if (request.yes && !request.dry_run) assign_rules(run, open, context, rules, at_ms, result);
    return result;
  }
  if (!present.script || !chosen.descriptor.script) refuse_built_in(state);
  plan_code(run, open, context, request, std::move(chosen), at_ms, same && same_rules, result);
  return result;
}

}  // namespace reprise
