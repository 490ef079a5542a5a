// A run as the rules describe it, in the simplest way: what was recorded, what is queued, what is
// open. It has no files, no caches, no snapshots. It tells every line that the journal must hold.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/engine/run_fixture.h"
#include "tests/simulation/roamer.h"

namespace reprise::test {

class Model {
 public:
  struct Effect {
    uint64_t cause = 0;
    Move move;
    int64_t due_ms = 0;
    uint32_t attempt = 1;
    std::string worker;  ///< who claimed the attempt
    bool open = true;
    bool is_void = false;
    std::string outcome;  ///< the last one that was posted
  };

  Model(int64_t now_ms, uint32_t rules);

  void iterate(int64_t now_ms);
  void post(uint64_t effect, bool ok, const std::string& value, int64_t now_ms);
  void claim(uint64_t effect, const std::string& worker, int64_t now_ms);
  void signal(const std::string& value, int64_t now_ms);
  void cancel(uint64_t effect, int64_t now_ms);
  void pause(bool paused, int64_t now_ms);
  void halt(int64_t now_ms);
  void give_rules(uint32_t rules, int64_t now_ms);
  /// False: refused, for the run did not fail at an error result.
  bool retry(int64_t now_ms);
  void rewind(uint64_t activation, int64_t now_ms);

  const std::vector<std::string>& lines() const { return x_lines; }
  const std::map<uint64_t, Effect>& effects() const { return x_effects; }
  std::vector<uint64_t> open() const;
  bool paused() const { return x_paused; }
  uint32_t rules() const { return x_rules; }
  /// "RUN_FAILED"; empty: it goes on.
  const std::string& end() const { return x_end; }
  /// Those that can be gone back to.
  std::vector<uint64_t> given() const;
  /// Back there, and nothing was given since.
  bool stands_at(uint64_t activation) const;

 private:
  struct Given {
    uint64_t seq = 0;
    int64_t at_ms = 0;
    Activation::Kind kind{};
    uint64_t effect = 0;
    bool ok = false;
    std::string text;
    uint32_t rules = 0;  ///< that the run had then

    Activation activation() const;
  };

  uint64_t record(const std::string& line, int64_t now_ms);
  void enqueue(Given given);
  void give(const Given& given);
  void carry_out(const Move& move, uint64_t cause);
  bool record_due();
  void go_back(uint64_t activation);

  std::vector<std::string> x_lines;
  int64_t x_at_ms = 0;
  std::map<uint64_t, Effect> x_effects;
  uint64_t x_highest = 0;
  std::vector<Given> x_activations;  ///< that stand, in order
  uint64_t x_applied = 0;
  Roaming x_process;
  std::string x_end;
  uint64_t x_end_cause = 0;
  bool x_paused = false;
  uint32_t x_rules = 0;
  std::optional<uint64_t> x_reopened;
};

/// The same lines of a run's journal.
std::vector<std::string> journal_lines(Dir& run);

}  // namespace reprise::test
