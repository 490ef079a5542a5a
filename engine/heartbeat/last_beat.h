// heartbeat.json of a home: when its last beat was. For people who look whether anything keeps the
// home alive; without it a beat looks for more than it needs to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace reprise {

struct LastBeat {
  int64_t at_ms = 0;
  uint64_t runs = 0;    ///< that went on
  uint64_t chores = 0;  ///< things that chores did
  uint64_t errors = 0;
  std::vector<std::string> troubles = {};  ///< what went wrong, in words; the first few
};

/// Whole or not at all; not synced. A home that cannot be written keeps the one before.
void write_last_beat(const std::string& home_path, const LastBeat& beat);
/// nullopt: there was none, or it cannot be read.
std::optional<LastBeat> read_last_beat(const std::string& home_path);

}  // namespace reprise
