// A run that stays loaded from step to step: its process lives on between the commits, so that a
// step costs what is new and not what was. The lock is free between steps, and others post, signal,
// pause, iterate meanwhile: each step first reads what they wrote. Where that changes more than
// what comes next (a rewind, other code, an end) the LiveRun is over, and the run is loaded anew.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/context.h"
#include "engine/machine.h"
#include "engine/post.h"
#include "engine/reserve.h"
#include "engine/run.h"
#include "engine/task_files.h"
#include "journal/error.h"

namespace reprise {

class Commit;

/// What a driver says of an effect that could start now.
enum class Take : uint8_t {
  kNo,
  kInside,   ///< it is performed in this process
  kOutside,  ///< a program performs it, which wants tasks/<id>/
};

/// What one step is to do besides taking the process as far as it goes.
struct StepRequest {
  std::vector<Post> posts;  ///< each with the token of its claim
  /// Own claims that go on, by effect: their tokens. They are renewed in time.
  std::map<uint64_t, std::string> working;
  std::map<uint64_t, std::string> releases;  ///< own claims that are given back
  std::map<uint64_t, std::string> progress;  ///< reports of work that goes on, JSON
  Claim claimer;                             ///< see make_claimer
  size_t room = 0;                           ///< so many effects may be claimed
  /// Asked about the effects that can start, in their order. `load` reads what was requested.
  std::function<Take(const OpenEffect&, const std::function<EffectRequest()>& load)> take;
};

struct Step {
  /// A post was taken (or had been taken before), or refused for good.
  struct Result {
    Posted posted;
    std::optional<Error> refusal;
  };
  int64_t at_ms = 0;
  bool committed = false;
  std::vector<Result> results;      ///< one for each post
  std::vector<OpenEffect> claimed;  ///< with their claims
  std::vector<uint64_t> lost;       ///< of `working`: the claim is over, it was decided otherwise
  std::vector<LogLine> log;
  std::vector<std::string> notes;
};

class LiveRun {
 public:
  /// For with_live_run. `machine` is null for a run that does not go on: it ended or is paused.
  /// Results are recorded all the same.
  LiveRun(Dir& run, const Context& context, OpenRun& open, Machine* machine);

  /// Posts, what the process does with them, and claims of what can start then: one commit (more
  /// only beyond kEngineActivationsPerCommit). nullopt when the run is to be loaded anew before
  /// anything can be done. Errors: those of iterate; nothing of the step is known to be recorded
  /// then, all of it may be asked for again, and is_over().
  std::optional<Step> step(const StepRequest& request);
  /// Brings the files of pending effects up to date, as an iterate does.
  void refresh_files();

  /// To be loaded anew before the next step.
  bool is_over() const { return x_over; }
  const RunState& state() const { return x_open.history.state; }

 private:
  using Taken = std::map<uint64_t, Take>;

  bool take_lock();
  bool catch_up();
  bool goes_on() const;
  void write(const StepRequest& request, Step& step, Taken& taken);
  void add_posts(Commit& commit, const StepRequest& request, Step& step);
  void add_leases(Commit& commit, const StepRequest& request, int64_t now_ms);
  const OpenEffect* held(uint64_t effect, const std::string& token) const;
  void add_claims(Commit& commit, const StepRequest& request, int64_t now_ms, Taken& taken);
  void refresh_derived(Step& step, const Taken& taken);
  void forget_history();

  Dir& x_run;
  const Context& x_context;
  OpenRun& x_open;
  Machine* x_machine;
  std::optional<Reserve> x_reserve;
  size_t x_next = 0;  ///< of the history's activations: the first that is live
  bool x_over = false;
};

/// Loads the run and gives it to `use`, which holds it as long as it likes; on the script engine's
/// thread when the process is a script, of which only one lives at a time. Errors: those of
/// iterate.
void with_live_run(Dir& run, const Context& context, const std::function<void(LiveRun&)>& use);

}  // namespace reprise
