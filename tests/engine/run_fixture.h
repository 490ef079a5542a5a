// A run under test: real engine, real script module, files and clock of the test. Steps can be
// repeated against a copy that was cut at any commit, which is how every process test runs at every
// prefix of its journal.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/assign.h"
#include "engine/create.h"
#include "engine/inspect.h"
#include "engine/iterate.h"
#include "engine/post.h"
#include "engine/replay.h"
#include "engine/rewind.h"
#include "journal/clock.h"
#include "tests/fakes/error_code.h"

namespace reprise::test {

/// The time at which every test begins: 2026-01-01T00:00:00.000Z.
constexpr int64_t kStartMs = 1'767'225'600'000;
constexpr int64_t kMinuteMs = 60'000;

/// A machine whose processes are those that a test says. To wait passes the time.
class FakeHost final : public Host {
 public:
  explicit FakeHost(FixedClock& clock) : x_clock(clock) {}

  std::string name() override { return machine; }
  std::string boot() override { return "boot-1"; }
  std::optional<uint64_t> start_time(uint64_t pid) override {
    const auto found = processes.find(pid);
    return found == processes.end() ? std::nullopt : std::optional(found->second);
  }
  bool has_ended(uint64_t pid, uint64_t start) override { return start_time(pid) != start; }
  void pause(int64_t ms) override {
    x_clock.advance(ms);
    if (while_waiting) while_waiting();
  }

  std::string machine = "host";
  std::map<uint64_t, uint64_t> processes;  ///< pid to start time
  std::function<void()> while_waiting;

 private:
  FixedClock& x_clock;
};

/// What the tests' runs live in.
struct World {
  explicit World(std::vector<BuiltIn> built_ins = {});

  FixedClock clock{kStartMs};
  SeededRandom random;
  ScriptHost scripts;
  FakeHost host{clock};
  std::vector<BuiltIn> built_ins;
  uint32_t rules = kNewestRules;  ///< of runs that are made
  Context context;
  std::unique_ptr<Dir> runs;
};

class TestRun {
 public:
  /// A script: file name to source; "main.js" is the entry.
  TestRun(World& world, const std::map<std::string, std::string>& sources,
          const std::string& inputs = "{}");
  TestRun(World& world, const std::string& source, const std::string& inputs = "{}");
  /// One that is there.
  TestRun(World& world, std::unique_ptr<Dir> dir) : x_world(&world), x_dir(std::move(dir)) {}
  /// A built-in process.
  static TestRun built_in(World& world, const std::string& name, const std::string& inputs);

  Iteration iterate();
  /// Posts a result; an exit code other than 0 is thrown.
  Posted post(const std::string& effect, const std::string& value);
  Posted post_error(const std::string& effect, const std::string& error);

  /// Gives the run to other code, the source of main.js. `abandon` and `yes` as in AssignRequest.
  AssignedProcess assign(const std::string& source, bool yes = true, bool abandon = false);
  Reopened retry();
  /// To before an effect ("t3") or an activation ("7"); with code, if there is any.
  Rewound rewind(const std::string& target, const std::string& source = {}, bool yes = true);

  RunState state() const;
  std::string status() const { return std::string(status_name(state().status())); }
  /// Labels of the open effects: "t1:build t2:test".
  std::string pending() const;
  /// Output of a completed run, or "failed: NAME: MESSAGE", or "halted: REASON", or "open".
  std::string end() const;
  /// Types of all records: "RUN_CREATED EFFECT_REQUESTED ...".
  std::string types() const;
  /// What the process decided, without times: one line for each command record.
  std::vector<std::string> decisions() const;
  /// Number of commits in the journal.
  size_t commits() const;

  /// Replays the whole journal, without going on; a divergence is thrown.
  void check_replay();

  /// A copy whose journal ends behind the first `commits` commits, without anything derived.
  TestRun cut(size_t commits) const;
  Dir& dir() { return *x_dir; }
  World& world() { return *x_world; }

 private:
  World* x_world;
  std::unique_ptr<Dir> x_dir;
};

/// Copies what is below `path`.
void copy_tree(Dir& from, Dir& to, const std::string& path);
/// Ends the journal behind the first `commits` commits and removes everything derived.
void cut_run(Dir& run, size_t commits);

/// Steps that drive a run; each must be harmless when it is repeated.
using Steps = std::function<void(TestRun&)>;

/// Runs the steps, then cuts the journal behind every commit, checks the replay of what is left,
/// runs the steps again and expects the same end and the same decisions. Returns the run that was
/// not cut.
TestRun at_every_prefix(World& world, const std::string& source, const std::string& inputs,
                        const Steps& steps);
/// The same with a run that was made already.
TestRun at_every_prefix(TestRun whole, const Steps& steps);

}  // namespace reprise::test
