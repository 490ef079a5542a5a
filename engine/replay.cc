#include "engine/replay.h"

#include <algorithm>

#include "engine/plan.h"

namespace reprise {

size_t replay(Machine& machine, OpenRun& open, Dir& run, Reserve& reserve) {
  const auto& history = open.history;
  size_t index = history.assignment ? follow_plan(machine, open, run, reserve) : 0;
  auto demand = history.first_numbers.begin();
  uint64_t first_number = history.assignment ? history.assignment->first_number : 0;
  for (; index < history.activations.size(); ++index) {
    const auto& activation = history.activations[index];
    if (activation.seq > history.state.applied) break;
    for (; demand != history.first_numbers.end() && demand->first <= activation.seq; ++demand) {
      first_number = std::max(first_number, demand->second);
    }
    if (reserve.holds(activation)) continue;
    const auto commands = history.commands_of(activation.seq);
    for (const auto& command : commands) reserve.adopted(command);
    const PreparedActivation prepared(activation, history.state, run, open.reader);
    machine.replay(prepared.get(), commands, first_number);
  }
  return index;
}

}  // namespace reprise
