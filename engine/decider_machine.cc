#include "engine/decider_machine.h"

#include <new>

#include "journal/error.h"

namespace reprise {

template <typename Record>
void DeciderMachine::fold(const Record& record) {
  try {
    x_decider->evolve(record);
  } catch (const std::bad_alloc&) {
    throw;  // says nothing about the record
  } catch (const Error&) {
    throw;  // what it needed for the record could not be read
  } catch (const std::exception& error) {
    throw Error(Exit::kDiverged, "DIVERGED",
                "the process " + x_name + " cannot take record " + std::to_string(record.seq) +
                    " of its history: " + error.what(),
                "this version of it would not have had that history: go on with the version that "
                "wrote it, or a later one; nothing was recorded");
  }
}

void DeciderMachine::replay(const Activation& activation, std::span<const CommandRecord> commands,
                            uint64_t) {
  fold(activation);
  for (const auto& command : commands) fold(command);
}

std::vector<Command> DeciderMachine::advance(const Activation& activation, uint64_t next_effect) {
  fold(activation);
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

void DeciderMachine::recorded(const CommandRecord& command) { fold(command); }

}  // namespace reprise
