#include "cli/heartbeat/chores.h"

#include "cli/configured.h"
#include "engine/heartbeat/agents_chore.h"
#include "engine/heartbeat/board_chore.h"
#include "engine/heartbeat/deliveries_chore.h"
#include "engine/heartbeat/memory_chore.h"
#include "engine/heartbeat/schedules_chore.h"
#include "engine/heartbeat/subconscious_chore.h"
#include "engine/heartbeat/visor_chore.h"

namespace reprise {

std::vector<std::unique_ptr<Chore>> make_chores(const HomePlace& home) {
  std::vector<std::unique_ptr<Chore>> chores;
  chores.push_back(make_schedules_chore());
  chores.push_back(make_subconscious_chore());
  chores.push_back(make_agents_chore());
  chores.push_back(make_board_chore());
  chores.push_back(make_visor_chore());
  chores.push_back(make_memory_chore());
  chores.push_back(make_deliveries_chore([home] { require_trust(home); }));
  return chores;
}

}  // namespace reprise
