// A built-in process without an engine: signals and results go in, events and requests come out,
// and after each of them the state equals that of a full replay and that of a snapshot with its
// tail.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/process/process.h"

namespace reprise {

class TestProcess {
 public:
  using Json = nlohmann::json;

  struct Told {
    std::string type;
    Json payload;
  };
  struct Asked {
    uint64_t effect = 0;
    std::string kind;
    std::string key;
    Json args;
    Json definition;
    Json options;
  };

  explicit TestProcess(const BuiltIn& process);

  int64_t now_ms = 1'700'000'000'000;
  bool verifies = true;  ///< compares with replay and snapshot after each activation

  /// Judged by check() first: a refusal records nothing and is returned.
  std::optional<Refusal> signal(const std::string& name, const Json& value);
  /// "" or the code of the refusal.
  std::string code(const std::string& name, const Json& value);
  /// Recorded without being judged, as run:signal does.
  void force_signal(const std::string& name, const Json& value);
  void resolve(const std::string& key, const Json& value);
  void fail(const std::string& key, const Json& error);

  Json ask(const Json& question) const { return Json::parse(x_decider->answer(question.dump())); }
  const std::vector<Told>& events() const { return x_events; }
  /// The payloads of one type.
  std::vector<Json> events(const std::string& type) const;
  /// Types of the events since the last call, in order, joined by spaces.
  std::string news();
  const std::map<std::string, Asked>& open() const { return x_open; }
  /// The open request with that key; fails the test when there is none.
  const Asked& asked(const std::string& key) const;
  bool ended() const { return x_ended; }
  std::string snapshot() const { return x_decider->snapshot(); }
  void cancel_run(const std::string& reason);

 private:
  struct Recorded {
    Activation::Kind kind = Activation::Kind::kStart;
    int64_t at_ms = 0;
    uint64_t effect = 0;
    bool ok = false;
    std::string value;
    std::string error;
    std::string name;
    std::string decided;
    std::vector<CommandRecord> commands;
    std::vector<std::string> texts;  ///< that the views of `commands` point to
  };
  static Activation activation_of(const Recorded& recorded);
  void give(Recorded recorded);
  void record(Recorded& recorded, const Command& command);
  void verify();
  uint64_t take(const std::string& key);

  BuiltIn x_process;
  Inputs x_inputs;
  std::unique_ptr<Decider> x_decider;
  std::vector<std::unique_ptr<Recorded>> x_history;
  std::vector<Told> x_events;
  size_t x_told = 0;
  std::map<std::string, Asked> x_open;
  uint64_t x_seq = 0;
  uint64_t x_effects = 0;
  bool x_ended = false;
  std::string x_old_snapshot;  ///< and how much of the history it covers
  size_t x_covered = 0;
};

}  // namespace reprise
