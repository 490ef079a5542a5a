// A visor without an engine: ticks and results go in, events and requests come out, and after each
// of them the state equals that of a full replay and that of a snapshot with its tail.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/process/process.h"
#include "processes/visor/tick.h"

namespace reprise::visor {

constexpr int64_t kBeginMs = 1'767'225'600'000;

struct ToldEvent {
  std::string type;
  Json payload;
};

struct Asked {
  std::string kind;
  std::string key;
  Json inputs;
};

class TestVisor {
 public:
  TestVisor();

  int64_t now_ms = kBeginMs;
  /// What the next tick tells; a test changes it as it likes. The window follows the clock.
  Json facts;

  /// One tick of now: what was told in it.
  std::vector<ToldEvent> tick();
  /// The same after so many seconds.
  std::vector<ToldEvent> tick_after(int64_t seconds);
  /// Whether the chore would record a tick.
  Json foresee() const;
  std::vector<ToldEvent> signal(const std::string& name, const Json& value);
  std::vector<ToldEvent> resolve(const std::string& key, const Json& value);
  std::vector<ToldEvent> fail(const std::string& key, const Json& error);

  /// Adds a worker that began at that time.
  void add_worker(const std::string& channel, const std::string& id, int64_t since_ms);

  const std::map<uint64_t, Asked>& open() const { return x_open; }
  /// Inputs of the requests so far with such a key: "worker:web/w1".
  std::vector<Json> requests(const std::string& key) const;
  std::vector<ToldEvent> events(const std::string& type) const;
  Json status() const;
  std::optional<Refusal> check(const std::string& name, const Json& value) const;

 private:
  struct Recorded {
    Activation activation;
    std::string name, value, error;  ///< that its views point to
    std::vector<CommandRecord> commands;
    std::vector<std::string> texts;
  };
  Json value_of_now() const;
  std::vector<ToldEvent> end(const std::string& key, bool ok, const Json& value);
  std::vector<ToldEvent> give(std::unique_ptr<Recorded> given);
  void record(Recorded& recorded, const Command& command, std::vector<ToldEvent>& told);
  void verify();

  Inputs x_inputs;
  std::unique_ptr<Decider> x_decider;
  std::vector<std::unique_ptr<Recorded>> x_history;
  std::vector<ToldEvent> x_events;
  std::vector<Asked> x_asked;
  std::map<uint64_t, Asked> x_open;
  uint64_t x_seq = 0;
  uint64_t x_effects = 0;
  std::string x_old_snapshot;
  size_t x_covered = 0;
};

/// Types, joined by spaces; memory.* are left out.
std::string types_of(const std::vector<ToldEvent>& events);

}  // namespace reprise::visor
