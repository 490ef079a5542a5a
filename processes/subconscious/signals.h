// What a loop is told: each signal with its check and what it does.
#pragma once

#include <optional>
#include <string_view>

#include "engine/process/process.h"
#include "processes/subconscious/state.h"

namespace reprise::subconscious {

struct SignalSpec {
  std::string_view name;
  std::optional<Refusal> (*check)(const Loop& loop, const Json& value);
  /// Only what check() let pass. `seq` is that of the signal's record.
  void (*apply)(Pen& pen, const Json& value, uint64_t seq);
};

/// nullptr when there is none of that name.
const SignalSpec* find_signal(std::string_view name);

// heartbeat.tick, pause, resume, abandon, approval.retry: signals.cc. The others: task_signals.cc.
extern const SignalSpec kTaskAdd;
extern const SignalSpec kTaskEdit;
extern const SignalSpec kTaskEnable;
extern const SignalSpec kTaskDisable;
extern const SignalSpec kTaskRemove;
extern const SignalSpec kTasksImport;

/// The tasks that every loop begins with.
void seed_tasks(Pen& pen);

}  // namespace reprise::subconscious
