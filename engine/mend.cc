#include "engine/mend.h"

#include <array>
#include <set>

#include "engine/advance.h"
#include "engine/create.h"
#include "engine/process_loader.h"
#include "engine/replay.h"
#include "engine/task_files.h"
#include "journal/blobs.h"
#include "journal/error.h"
#include "journal/run_dir.h"

namespace reprise {

namespace {

/// What the records name besides themselves.
struct Named {
  std::set<std::string> blobs;
  std::set<std::string> logs;
};

Named collect_names(Dir& run, std::string& run_id) {
  constexpr std::array<std::string_view, 7> blobs = {
      "inputsRef", "taskDefRef", "valueRef", "errorRef", "outputRef", "payloadRef", "metadataRef"};
  constexpr std::array<std::string_view, 2> logs = {"stdoutRef", "stderrRef"};
  Named named;
  JsonReader reader;
  read_journal(run, nullptr, Keep::kNothing, [&](const RecordView& record) {
    const auto& data = reader.members(record.data);
    if (record.type == RecordType::kRunCreated) run_id = data.text("runId");
    for (const auto name : blobs) {
      if (data.has(name)) named.blobs.insert(data.text(name));
    }
    for (const auto name : logs) {
      if (data.has(name)) named.logs.insert(data.text(name));
    }
  });
  return named;
}

/// Whose run this is, as run.json says; empty when it says nothing. The file is derived: that it is
/// damaged is no problem, that it belongs to another run is.
std::string told_run_id(Dir& run) {
  try {
    const auto text = read_file(run, "run.json");
    JsonReader reader;
    return text ? reader.members_of_copy(*text).text("runId") : std::string();
  } catch (const Error&) {
    return {};
  }
}

void verify_named(Dir& run, RunVerdict& verdict) {
  std::string run_id;
  const auto named = collect_names(run, run_id);
  const std::string advice = "restore the file from a copy of the run";
  for (const auto& blob : named.blobs) {
    try {
      check_blob(run, blob);
      ++verdict.blobs;
    } catch (const Error& error) {
      verdict.problems.push_back({"blob", "blobs/" + blob, error.message(), advice});
    }
  }
  for (const auto& log : named.logs) {
    if (!run.stat(log)) verdict.problems.push_back({"log", log, "is missing", advice});
  }
  const auto recorded = told_run_id(run);
  if (recorded.empty() || recorded == run_id) return;
  verdict.problems.push_back(
      {"identity", "run.json", "belongs to run " + recorded + ", the journal to run " + run_id,
       "put the journal back that belongs here; if run.json is wrong: reprise run:rebuild-state"});
}

void verify_process(Dir& run, RunVerdict& verdict) {
  JsonReader reader;
  const auto state = read_state(run, true).state;
  if (!state.has_process) return;
  try {
    verdict.modules = read_pinned(run, read_descriptor(run, state, reader)).size();
  } catch (const Error& error) {
    verdict.problems.push_back({"process", "process/", error.message(), error.hint()});
  }
}

}  // namespace

RunVerdict verify_run(Dir& run, std::string_view run_name) {
  RunVerdict verdict{.journal = verify_journal(run)};
  if (const auto& damage = verdict.journal.damage) {
    const auto name = std::string(run_name);
    const auto remedy = damage->last_good_seq == 0
                            ? "reprise run:delete " + name + " --yes --force"
                            : "reprise run:repair-journal " + name + " --accept-loss";
    char file[32];
    std::snprintf(file, sizeof file, "journal/%08u.jsonl", damage->segment);
    verdict.problems.push_back({damage->kind, file, damage->reason, remedy});
    return verdict;
  }
  verify_named(run, verdict);
  verify_process(run, verdict);
  return verdict;
}

Repair repair_run(Dir& run, const Context& context, bool accept_loss, bool dry_run) {
  auto repair = [&] {
    const auto lock = lock_run(run, context.lock_timeout_ms, context.author.command);
    // Behind its last good record, so that an index reads it anew as long as that is the last.
    if (context.changes != nullptr && !dry_run) {
      const auto would = repair_journal(run, accept_loss, true);
      context.changes->touch(run.path(), would.before.head.seq);
    }
    return repair_journal(run, accept_loss, dry_run);
  }();
  if (!dry_run) rebuild_run(run, context);
  return repair;
}

RunState rebuild_run(Dir& run, const Context& context) {
  auto open = open_run(run, context, Read::kAll);
  auto& state = open.history.state;
  std::string snapshot;
  if (state.has_process && !read_descriptor(run, state, open.reader).script) {
    with_machine(run, open, context, [&](Machine& machine) {
      Reserve reserve(open.history, open.reader);
      replay(machine, open, run, reserve);
      snapshot = machine.snapshot();
    });
  }
  run.make_dir("state");
  store_state(run, state, snapshot);
  std::string buffer;
  const auto& created = read_data(run, state.created_place, buffer, open.reader);
  // Its age tells which run was created last, so it is written only when it is not right.
  const auto inputs = load_value(created, "inputs", run) + "\n";
  if (read_file(run, "inputs.json") != inputs) replace_file(run, "inputs.json", inputs, false);
  replace_file(run, "run.json", run_json(run, state, open.reader), false);
  refresh_task_files(run, state, open.reader);
  return state;
}

}  // namespace reprise
