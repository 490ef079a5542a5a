#include "engine/family.h"

#include <functional>

#include "engine/ask.h"
#include "engine/identity.h"
#include "engine/run.h"
#include "engine/run_signal.h"
#include "engine/stop.h"
#include "journal/error.h"
#include "journal/ids.h"

namespace reprise {

namespace {

/// A process that asks for impossible children again and again must not keep a command for ever.
constexpr int kRounds = 32;
/// Of descendants that one command goes down to.
constexpr int kMostGenerations = 32;

/// A run that was copied under another name is not the one that its relatives know.
bool has_name(const RunState& state, std::string_view name) { return state.run_id == name; }

class Family {
 public:
  Family(const RunFolder& folder, const Context& context, std::vector<std::string>& notes)
      : x_folder(folder), x_context(context), x_notes(notes) {}

  /// Does what `state` owes its children and other runs. True when the run was given a result.
  bool settle_children(Dir& run, const RunState& state) {
    bool posted = false;
    bool made = false;
    for (const auto id : state.watched) {
      const auto& effect = state.open.at(id);
      if (effect.kind == kRunSignalKind) {
        attempt(state.run_id, [&] {
          posted = deliver_signal(x_folder, run, state, effect, x_context).recorded || posted;
        });
      }
      if (effect.kind != kRunKind) continue;
      attempt(child_run_id(state.run_id, effect.id), [&] {
        const auto child = find_or_make(run, state, effect, posted);
        made = made || !child;
        if (child && child->state.end) posted = take_end(run, *child) || posted;
      });
    }
    auto orphans = state.orphans;
    // An effect that was cancelled while its child was being made has a child all the same.
    if (made) attempt(state.run_id, [&] { orphans = read_state(run).state.orphans; });
    for (const auto id : orphans) {
      attempt(child_run_id(state.run_id, id), [&] { cancel_child(state, id); });
    }
    return posted;
  }

  /// Posts the end of a run to the parent that waits for it. True when the parent has given it up
  /// and the run was told so.
  bool tell_parent(Dir& run, const RunState& state) {
    bool cancelled = false;
    attempt(state.parent, [&] {
      const auto dir = x_folder.runs.open_dir(state.parent);
      if (!dir) return;
      const auto parent = read_state(*dir).state;
      const bool ours = has_name(parent, state.parent) &&
                        is_child_of(state, parent, state.parent_effect) &&
                        child_run_id(parent.run_id, state.parent_effect) == state.run_id;
      if (!ours) return;
      if (!state.end && parent.orphans.contains(state.parent_effect)) {
        cancelled = cancel_run(run, x_context, given_up(parent), false).recorded;
      }
      if (!state.end || !parent.open.contains(state.parent_effect)) return;
      x_folder.runs.sync_dir("");
      post_end(*dir, x_context, run, state);
    });
    return cancelled;
  }

  void descend(Dir& run, int depth, std::vector<IteratedChild>& iterated) {
    const auto state = read_state(run).state;
    if (state.paused) return;
    settle_children(run, state);
    std::set<uint64_t> children = state.orphans;
    for (const auto id : state.watched) {
      if (state.open.at(id).kind == kRunKind) children.insert(id);
    }
    for (const auto id : children) {
      const auto name = child_run_id(state.run_id, id);
      attempt(name, [&] {
        const auto child = find_child(x_folder, state, id);
        if (!child || child->state.end) return;
        if (depth == 0) return x_notes.push_back(name + " lies too deep and was not iterated");
        descend(*child->dir, depth - 1, iterated);
        if (!has_news(read_state(*child->dir).state)) return;
        iterated.push_back({name, iterate_among(x_folder, name, *child->dir, x_context)});
      });
    }
  }

 private:
  void attempt(const std::string& other, const std::function<void()>& action) {
    try {
      action();
    } catch (const Error& error) {
      x_notes.push_back("run " + other + ": " + error.message());
    }
  }

  /// nullopt when it was made just now, or cannot be made (which is the effect's result then).
  std::optional<ChildRun> find_or_make(Dir& run, const RunState& state, const OpenEffect& effect,
                                       bool& posted) {
    try {
      auto child = find_child(x_folder, state, effect.id);
      if (!child && !state.end) create_child(x_folder, run, state, effect, x_context);
      return child;
    } catch (const Error& error) {
      if (!is_settled_by(error)) throw;
      posted = post_result(run, x_context, child_not_created(effect.id, error)).recorded || posted;
      return std::nullopt;
    }
  }

  /// What a parent is told must be durable in the child first: opening it for writing sees to that.
  bool take_end(Dir& run, const ChildRun& child) {
    const auto state = open_run(*child.dir, x_context, Read::kTail).history.state;
    if (!state.end) return false;
    x_folder.runs.sync_dir("");
    return post_end(run, x_context, *child.dir, state).recorded;
  }

  void cancel_child(const RunState& state, uint64_t effect) {
    const auto child = find_child(x_folder, state, effect);
    if (!child || child->state.end || child->state.cancel_seq != 0) return;
    cancel_run(*child->dir, x_context, given_up(state), false);
  }

  static std::string given_up(const RunState& parent) {
    return "run " + parent.run_id + " does not wait for it any longer";
  }

  bool has_news(const RunState& state) const {
    const auto due = state.next_due_ms();
    if (state.status() == RunStatus::kWaiting) return due && *due <= x_context.clock.now_ms();
    return state.status() == RunStatus::kReady ||
           (state.status() == RunStatus::kCreated && state.has_process);
  }

  const RunFolder& x_folder;
  const Context& x_context;
  std::vector<std::string>& x_notes;
};

void append(Iteration& all, Iteration next) {
  all.state = std::move(next.state);
  all.activations += next.activations;
  all.commits += next.commits;
  all.log.insert(all.log.end(), next.log.begin(), next.log.end());
}

/// Round after round, as long as the run is given something new. True when it was.
bool settle_all(const RunFolder& folder, std::string_view name, Dir& run, const Context& context,
                Iteration& result) {
  std::vector<std::string> notes;
  int rounds = 0;
  while (rounds < kRounds && settle_relatives(folder, name, run, result.state, context, notes)) {
    append(result, iterate(run, context));
    ++rounds;
  }
  result.notes.insert(result.notes.end(), notes.begin(), notes.end());
  return rounds > 0;
}

}  // namespace

bool settle_relatives(const RunFolder& folder, std::string_view name, Dir& run,
                      const RunState& state, const Context& context,
                      std::vector<std::string>& notes) {
  if (!has_name(state, name) || state.paused) return false;
  Family family(folder, context, notes);
  const bool given = family.settle_children(run, state);
  return (!state.parent.empty() && family.tell_parent(run, state)) || given;
}

Iteration iterate_among(const RunFolder& folder, std::string_view name, Dir& run,
                        const Context& context) {
  auto result = iterate(run, context);
  settle_all(folder, name, run, context, result);
  return result;
}

Told tell_among(const RunFolder& folder, std::string_view name, Dir& run, const Context& context,
                const std::vector<Signal>& signals, After after, std::string_view question) {
  auto told = tell(run, context, signals, after, question);
  if (after == After::kNothing) return told;
  try {
    const bool given = settle_all(folder, name, run, context, told.iteration);
    if (given && !question.empty()) told.answer = ask(run, context, question);
  } catch (const Error& error) {
    told.iteration.notes.push_back(
        "the signals are recorded; what follows is left to the next "
        "iterate: " +
        error.message());
  }
  return told;
}

std::vector<IteratedChild> iterate_descendants(const RunFolder& folder, std::string_view name,
                                               Dir& run, const Context& context,
                                               std::vector<std::string>& notes) {
  std::vector<IteratedChild> iterated;
  const auto state = read_state(run).state;
  if (has_name(state, name))
    Family(folder, context, notes).descend(run, kMostGenerations, iterated);
  return iterated;
}

}  // namespace reprise
