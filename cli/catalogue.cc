#include "cli/catalogue.h"

#include <array>

#include "processes/agents/agents.h"
#include "processes/board/board.h"
#include "processes/channel/channel.h"
#include "processes/checklist/checklist.h"
#include "processes/memory/memory.h"
#include "processes/schedules/schedules.h"
#include "processes/subconscious/subconscious.h"
#include "processes/visor/visor.h"

namespace reprise {

std::span<const BuiltIn> built_in_processes() {
  static const std::array kProcesses = {
      agents_process(), board_process(),     channel_process(),      checklist_process(),
      memory_process(), schedules_process(), subconscious_process(), visor_process()};
  return kProcesses;
}

}  // namespace reprise
