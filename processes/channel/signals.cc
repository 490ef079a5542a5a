#include "processes/channel/signals.h"

#include <algorithm>
#include <array>

#include "processes/channel/branch.h"
#include "processes/channel/control.h"
#include "processes/channel/intake.h"
#include "processes/channel/permissions.h"
#include "processes/channel/session.h"
#include "processes/channel/worker.h"

namespace reprise::channel {

const SignalSpec* find_signal(std::string_view name) {
  const std::array tables = {intake_signals(),  control_signals(), permission_signals(),
                             session_signals(), worker_signals(),  branch_signals()};
  for (const auto& table : tables) {
    const auto found = std::ranges::find(table, name, &SignalSpec::name);
    if (found != table.end()) return &*found;
  }
  return nullptr;
}

}  // namespace reprise::channel
