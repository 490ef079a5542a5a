#include "engine/decider_machine.h"

namespace reprise {

void DeciderMachine::replay(const Activation& activation, std::span<const CommandRecord> commands,
                            uint64_t) {
  x_decider->evolve(activation);
  for (const auto& command : commands) x_decider->evolve(command);
}

std::vector<Command> DeciderMachine::advance(const Activation& activation, uint64_t next_effect) {
  x_decider->evolve(activation);
  auto commands = x_decider->decide(activation);
  std::erase_if(commands, [&](const Command& command) {
    if (command.kind != Command::Kind::kWithdraw) return false;
    x_withdrawn.insert(command.effect);
    return true;
  });
  for (auto& command : commands) {
    if (command.kind == Command::Kind::kRequest) command.effect = next_effect++;
  }
  return commands;
}

}  // namespace reprise
