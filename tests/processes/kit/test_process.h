// A built-in process without an engine: signals and results go in, events and requests come out,
// and after each of them the state equals that of a full replay and that of a snapshot with its
// tail.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/process/process.h"
#include "processes/kit/json.h"

namespace reprise::kit {

struct ToldEvent {
  std::string type;
  Json payload;
  uint64_t seq = 0;
  uint64_t cause = 0;
  uint64_t trace = 0;
};

struct Asked {
  uint64_t effect = 0;
  std::string kind;
  std::string key;  ///< "evaluate:k2/1"
  Json inputs;
  Json definition;
  Json options;
  int64_t due_ms = 0;
};

class TestProcess {
 public:
  explicit TestProcess(const BuiltIn& process, const Json& inputs = Json::object());
  virtual ~TestProcess() = default;

  int64_t now_ms = 1'700'000'000'000;
  uint32_t rules = kNewestRules;
  bool verifies = true;  ///< compares with replay and snapshot after each activation

  /// Judged by check() first: a refusal records nothing and is returned.
  std::optional<Refusal> signal(const std::string& name, const Json& value);
  /// "", or the code of the refusal.
  std::string code(const std::string& name, const Json& value);
  /// Recorded without being judged, as run:signal does.
  void force_signal(const std::string& name, const Json& value);
  void resolve(uint64_t effect, const Json& value);
  void fail(uint64_t effect, const Json& error);
  /// Of the open request with that key.
  void resolve(const std::string& key, const Json& value) { resolve(asked(key).effect, value); }
  void fail(const std::string& key, const Json& error) { fail(asked(key).effect, error); }
  void cancel(uint64_t effect);
  void cancel_run(const std::string& reason);
  /// Resolves sleeps that are due at now_ms, as the engine does.
  void pass_time(int64_t ms);

  Json ask(const Json& question) const;
  const std::vector<ToldEvent>& events() const { return x_events; }
  std::vector<ToldEvent> events(const std::string& type) const;
  /// Types of the events since the last call, in order, joined by spaces.
  std::string news();
  const std::map<uint64_t, Asked>& open() const { return x_open; }
  /// The open request with that key ("evaluate:k2/1"); fails the test when there is none.
  const Asked& asked(const std::string& key) const;
  bool has(const std::string& key) const;
  const std::vector<uint64_t>& withdrawn() const { return x_withdrawn; }
  bool ended() const { return x_ended; }
  /// How many activations there were.
  size_t given() const { return x_history.size(); }
  std::string snapshot() const { return x_decider->snapshot(); }
  /// From every prefix of the history, folded and restored, the same is decided next.
  void check_cuts() const;

 protected:
  /// After each activation; what the engine would do at once may be done here.
  virtual void go_on() {}

 private:
  struct Recorded {
    Activation::Kind kind = Activation::Kind::kStart;
    uint64_t seq = 0;
    int64_t at_ms = 0;
    uint32_t rules = 0;
    uint64_t effect = 0;
    bool ok = false;
    std::string value;
    std::string error;
    std::string name;
    std::string inputs;
    std::vector<CommandRecord> commands;
    std::vector<std::string> texts;  ///< that the views of `commands` point to
    std::string decided;
  };
  static Activation activation_of(const Recorded& recorded);
  void give(Recorded recorded);
  void record(Recorded& recorded, const Command& command);
  static void fold(Decider& decider, const Recorded& recorded);
  void verify();
  std::unique_ptr<Decider> make() const { return x_process.make(*x_inputs); }

  BuiltIn x_process;
  std::unique_ptr<Inputs> x_inputs;
  std::unique_ptr<Decider> x_decider;
  std::vector<std::unique_ptr<Recorded>> x_history;
  std::vector<ToldEvent> x_events;
  size_t x_told = 0;
  std::map<uint64_t, Asked> x_open;
  std::vector<uint64_t> x_withdrawn;
  uint64_t x_seq = 0;
  uint64_t x_effects = 0;
  bool x_ended = false;
  std::unique_ptr<Decider> x_replayed;  ///< folds everything, and decides nothing
  std::unique_ptr<Decider> x_restored;  ///< the same, from a snapshot on
  size_t x_folded = 0;                  ///< so much of the history, both
};

}  // namespace reprise::kit
