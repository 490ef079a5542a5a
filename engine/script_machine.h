// Runs a JavaScript process: replay is running it again and comparing what it asks for with what is
// recorded.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/machine.h"
#include "engine/script_host.h"
#include "journal/json_reader.h"

namespace reprise {

/// A pinned source file, as the module wants it.
struct PinnedSource {
  std::string path;  ///< relative to the pinned root
  std::string text;
};

/// What the script is and knows, all of it recorded.
struct ScriptIdentity {
  std::string run_id;
  std::string run_dir;
  std::string process_id;
  std::string seed;   ///< 32 hex digits
  std::string entry;  ///< path among the sources
  std::string export_name;
  std::string engine;             ///< that recorded it
  uint32_t rules = kNewestRules;  ///< of its whole history
};

/// Budgets of CPU time: architecture section 6 gives the live one; a replay may take as long as one
/// live activation and a little for each activation that it repeats.
constexpr int64_t kLiveBudgetMs = 10'000;
constexpr int64_t kReplayBudgetPerActivationMs = 5;
constexpr uint64_t kHeapBudgetBytes = 512ull * 1024 * 1024;

/// To be made, used and destroyed inside ScriptHost::run.
class ScriptMachine final : public Machine {
 public:
  /// Compiles, links and evaluates the modules with the clock at `started_at_ms`. `replays` is the
  /// number of recorded activations to come, `budget_ms` what loading and each live activation may
  /// take. Error SCRIPT_INVALID when it cannot be loaded or lacks the export.
  ScriptMachine(const ScriptHost& host, const ScriptIdentity& identity,
                const std::vector<PinnedSource>& sources, int64_t started_at_ms, size_t replays,
                int64_t budget_ms = kLiveBudgetMs);
  ~ScriptMachine() override;
  ScriptMachine(const ScriptMachine&) = delete;
  ScriptMachine& operator=(const ScriptMachine&) = delete;

  void replay(const Activation& activation, std::span<const CommandRecord> commands,
              uint64_t next_effect) override;
  std::vector<Command> repeat(const Activation& activation, uint64_t next_effect) override;
  void adopt(uint64_t call, uint64_t effect) override;
  void begin_live() override;
  void begin_replay(size_t activations) override;
  std::vector<Command> advance(const Activation& activation, uint64_t next_effect) override;
  void recorded(const CommandRecord&) override {}
  bool folds() const override { return false; }
  std::string snapshot() const override { return {}; }
  std::optional<Refusal> check(const Activation&) const override { return std::nullopt; }
  std::string answer(std::string_view) const override { return "null"; }
  std::set<uint64_t> take_withdrawn() override;
  std::string awaited() const override;
  std::vector<LogLine> take_log() override { return std::exchange(x_log, {}); }

 private:
  std::vector<Command> apply(const Activation& activation, uint64_t next_effect);
  void check();

  [[noreturn]] void diverge(const Activation& activation, size_t index,
                            std::span<const CommandRecord> recorded,
                            std::span<const Command> requested);

  const reprise_script_table& x_table;
  std::string x_recorded_engine;
  int64_t x_budget_ms;
  reprise_script* x_script = nullptr;
  std::vector<LogLine> x_log;
  std::set<uint64_t> x_withdrawn;        ///< numbers of calls
  std::map<uint64_t, uint64_t> x_calls;  ///< by effect: the calls that adopted one
  JsonReader x_reader;
};

/// Runs a script that asks for nothing and gives its output; nullopt when it ended otherwise.
/// Errors as those of ScriptMachine.
std::optional<std::string> script_output(const ScriptHost& host,
                                         const std::vector<PinnedSource>& sources,
                                         const std::string& entry, int64_t budget_ms);

/// What a script is called that belongs to no run.
ScriptIdentity identity_without_run(const std::string& process_id, const std::string& entry);

}  // namespace reprise
