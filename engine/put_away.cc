#include "engine/put_away.h"

#include <filesystem>

#include "engine/children.h"
#include "engine/identity.h"
#include "engine/inspect.h"
#include "engine/run.h"
#include "engine/workspace.h"
#include "journal/error.h"
#include "journal/ids.h"
#include "journal/real_files.h"
#include "journal/run_dir.h"

namespace reprise {

namespace {

namespace fs = std::filesystem;

/// Of descendants; a longer line than this is none that a process made.
constexpr int kLongestLineage = 64;

[[noreturn]] void refuse_open(const std::string& name, const RunState& state) {
  throw Error(
      Exit::kConflict, "RUN_OPEN",
      "run " + name + " is " + std::string(status_name(state.status())) + ": it has not ended",
      "let it end first: reprise run:cancel " + name + " --iterate, or run:halt " + name);
}

/// None of a run that cannot be read, with context.force.
std::optional<RunState> state_of(Dir& run, const Context& context) {
  try {
    return read_state(run).state;
  } catch (const Error& error) {
    if (error.exit() != Exit::kCorrupt || !context.force) throw;
    return std::nullopt;
  }
}

void refuse_needed(Dir& runs, const std::string& name, const RunState& state,
                   const Context& context) {
  if (state.parent.empty()) return;
  const auto parent_dir = runs.open_dir(state.parent);
  if (!parent_dir) return;
  const auto parent = state_of(*parent_dir, context);
  if (!parent || parent->end || !is_child_of(state, *parent, state.parent_effect)) return;
  throw Error(Exit::kConflict, "RUN_NEEDED",
              "run " + name + " is a child of " + state.parent + ", which has not ended",
              "it goes with its parent, once that has ended");
}

/// What a run that is to be put away asked for as one of its children.
struct AskedChild {
  const RunState& parent;
  uint64_t effect;
};

/// One that cannot be read goes with its parent. `asked`: nullptr for the run that was named.
void add_with_descendants(Dir& runs, const std::string& name, const AskedChild* asked,
                          const Context& context, int depth, std::vector<PutAwayRun>& plan) {
  const auto run = runs.open_dir(name);
  if (!run || depth == 0) return;
  const auto known = state_of(*run, context);
  if (!known) {
    plan.push_back({.name = name});
    return;
  }
  const auto& state = *known;
  if (asked != nullptr && !is_child_of(state, asked->parent, asked->effect)) return;
  if (!state.end && !context.force) refuse_open(name, state);
  for (const auto& effect : list_effects(*run)) {
    if (effect.request.kind != kRunKind || state.run_id != name) continue;
    const AskedChild child{state, effect.request.id};
    add_with_descendants(runs, child_run_id(state.run_id, effect.request.id), &child, context,
                         depth - 1, plan);
  }
  plan.push_back({name, state.status(), state.head.seq, state.open.size()});
}

std::string last_part(const std::string& path) { return fs::path(path).filename().string(); }

std::unique_ptr<Dir> open_parent(const std::string& runs_path) {
  auto parent = open_real_dir(fs::path(runs_path).parent_path().string(), false);
  if (parent) return parent;
  throw Error(Exit::kNotFound, "HOME_NOT_FOUND", runs_path + " does not exist any more");
}

/// Under the run's lock, for whoever writes to it just now is let finish. False when the run is
/// gone.
bool move_run(Dir& parent, const std::string& from, const std::string& to, const Context& context) {
  const auto run = parent.open_dir(from);
  if (!run) return false;
  const auto lock = lock_run(*run, context.lock_timeout_ms, context.author.command);
  const auto state = state_of(*run, context);
  if (state && !state->end && !context.force) refuse_open(last_part(from), *state);
  if (!parent.rename(from, to, false)) {
    throw Error(Exit::kConflict, "RUN_EXISTS", to + " exists already in " + parent.path(),
                "move that one away first");
  }
  return true;
}

}  // namespace

std::string archive_path(const std::string& runs_path) {
  const fs::path runs(runs_path);
  const auto name = runs.filename() == "runs" ? "archive" : runs.filename().string() + "-archive";
  return (runs.parent_path() / name).string();
}

bool is_archived(const std::string& runs_path, const std::string& name) {
  const auto archive = open_real_dir(archive_path(runs_path), false);
  return archive != nullptr && archive->stat(name).has_value();
}

std::vector<PutAwayRun> plan_put_away(Dir& runs, const std::string& name, const Context& context) {
  std::vector<PutAwayRun> plan;
  if (const auto run = runs.open_dir(name)) {
    if (const auto state = state_of(*run, context)) refuse_needed(runs, name, *state, context);
  }
  add_with_descendants(runs, name, nullptr, context, kLongestLineage, plan);
  return plan;
}

void archive_runs(const std::string& runs_path, const std::vector<PutAwayRun>& plan,
                  const Context& context) {
  const auto parent = open_parent(runs_path);
  const auto folder = last_part(runs_path);
  const auto archive = last_part(archive_path(runs_path));
  if (parent->make_dir(archive)) parent->sync_dir("");
  for (const auto& run : plan) {
    move_run(*parent, folder + "/" + run.name, archive + "/" + run.name, context);
  }
  parent->sync_dir(archive);
  parent->sync_dir(folder);
}

void delete_runs(const std::string& runs_path, const std::vector<PutAwayRun>& plan,
                 const Context& context) {
  const auto parent = open_parent(runs_path);
  const auto folder = last_part(runs_path);
  for (const auto& run : plan) {
    const auto aside = folder + "/.deleted-" + make_ulid(context.clock.now_ms(), context.random);
    if (!move_run(*parent, folder + "/" + run.name, aside, context)) continue;
    parent->sync_dir(folder);
    parent->remove_tree(aside);
    if (parent->stat(last_part(archive_path(runs_path)) + "/" + run.name)) continue;
    parent->remove(log_path(run.name));
    parent->remove(log_path(run.name) + ".old");
  }
}

}  // namespace reprise
