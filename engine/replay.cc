#include "engine/replay.h"

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "engine/plan.h"

namespace reprise {

namespace {

/// The commands of an activation as a machine that folds wants them: with all payloads.
class FoldedCommands {
 public:
  FoldedCommands(std::span<const CommandRecord> recorded, Dir& run, JsonReader& reader)
      : x_commands(recorded.begin(), recorded.end()) {
    for (auto& command : x_commands) {
      if (command.kind != CommandRecord::Kind::kEmitted || !command.payload.empty()) continue;
      command.payload =
          x_loaded.emplace_back(load_value(reader.members(command.data), "payload", run));
    }
  }

  std::span<const CommandRecord> get() const { return x_commands; }

 private:
  std::vector<CommandRecord> x_commands;
  std::deque<std::string> x_loaded;
};

}  // namespace

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
    if (machine.folds()) {
      const FoldedCommands folded(commands, run, open.reader);
      machine.replay(prepared.get(), folded.get(), first_number);
    } else {
      machine.replay(prepared.get(), commands, first_number);
    }
  }
  return index;
}

}  // namespace reprise
