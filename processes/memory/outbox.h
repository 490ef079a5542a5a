// What is on its way to an executor of embeddings: one batch at a time, tried again for ever, with
// pauses that grow.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "engine/process/process.h"

namespace reprise::memory {

using Json = nlohmann::json;

struct Outbox {
  uint64_t batches = 0;        ///< how many there have been: the next is "embedding:<n+1>"
  uint64_t effect = 0;         ///< of the batch that is open; 0: none is
  Json items = Json::array();  ///< of it: [{"memoryId","textAt"}]
  uint64_t failures = 0;       ///< since the last success
  int64_t retry_at_ms = 0;
  std::string error;  ///< of the last failure

  /// The signal memory.embed, before what it causes.
  void take(const Json& value);
  void requested(uint64_t number, std::string_view key);
  /// An event of the process's own.
  void evolve(std::string_view type, const Json& payload);
  Json to_json() const;
  static Outbox from_json(const Json& json);
};

/// What emits an event.
Command emitted(const char* type, const Json& payload);
/// What is wrong with the value of memory.embed; empty: nothing.
std::string embed_problem(const Json& value);
/// The effect that it asks for.
Command embedding_request(const Outbox& outbox, const Json& value);
/// The events that a result becomes.
std::vector<Command> embedded(const Outbox& outbox, const Activation& result);

}  // namespace reprise::memory
