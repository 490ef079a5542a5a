// What one command works with, made from its arguments and the environment: the home, the clock,
// the caller, the script engine. The only place where the program meets its surroundings.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/touched_runs.h"
#include "engine/context.h"
#include "engine/effect_selector.h"
#include "engine/index/change_log.h"
#include "engine/index/run_index.h"
#include "engine/memory/indexed_memory.h"
#include "engine/run_state.h"
#include "engine/workspace.h"

namespace reprise {

/// Empty when it is not set.
std::string environment(const char* name);

class Session {
 public:
  /// Keeps a reference to the arguments. Errors of --now and --lock-timeout: INVALID_ARGUMENT,
  /// exit 2.
  explicit Session(const Arguments& arguments);
  /// What the command recorded is told to the hooks of the home.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Arguments& arguments() const { return x_arguments; }
  const Context& context() const { return x_context; }
  const std::string& working_dir() const { return x_working_dir; }

  /// The home; `create` makes it when it is missing.
  Workspace workspace(bool create = false) const;
  /// The home for commands that tell what is in it. Error HOME_NOT_FOUND, exit 3, when it was named
  /// and is not there; one that nobody named is empty until it is made.
  Workspace workspace_to_read() const;

  /// The index over all runs of the home, which must exist. It refers to the workspace.
  RunIndex index(Workspace& workspace) const;

  /// The run that the positional RUN names. A writing command refuses --now unless the run is
  /// simulated.
  RunHandle find_run() const;
  /// The same of a selector that stands elsewhere.
  RunHandle find_run(const std::string& selector) const;

  /// RUN and EFFECT as task:show and task:post take them: two words, RUN/EFFECT, or a key given by
  /// `key_flag`.
  struct RunAndEffect {
    RunHandle run;
    EffectSelector effect;
  };
  RunAndEffect find_effect(std::string_view key_flag) const;

  /// The token of the caller's claim: --token, or $REPRISE_CLAIM unless $REPRISE_RUN or
  /// $REPRISE_EFFECT say that it is of another effect. Empty: none.
  std::string claim_token(const RunAndEffect& named) const;

  /// "the last record is 3 d ahead of the clock", for Reply::warnings; empty when the clock is
  /// right.
  std::vector<std::string> clock_warnings(const RunState& state) const;

 private:
  const Arguments& x_arguments;
  std::string x_working_dir;
  std::unique_ptr<Clock> x_clock;
  SystemRandom x_random;
  ScriptHost x_scripts;
  ThisHost x_host;
  ChangeLog x_changes;
  TouchedRuns x_touched{x_changes};
  IndexedMemory x_memory;
  Context x_context;
  int64_t x_started_ms;
};

}  // namespace reprise
