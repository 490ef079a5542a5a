// What the channel is: its place among other channels, its folder, its platform.
#pragma once

#include <cstdint>
#include <string>

#include "processes/channel/event.h"

namespace reprise::channel {

struct Identity {
  std::string id;  ///< of the channel, as its inputs say
  std::string name;
  std::string platform;
  std::string guild;
  std::string dir;
  std::string parent;      ///< id of the channel whose thread this is; empty: none
  std::string parent_dir;  ///< of the nearest ancestor that is no worktree
  bool worktree = false;
  bool created = false;
  bool deleted = false;
  bool held = false;  ///< channel:hold: nothing is claimed
  int64_t created_at_ms = 0;

  void evolve(const Event& event);
  Json to_json() const;
  void restore(const Json& json);

  /// What is wrong with the inputs of a channel, or empty.
  static std::string check(const Json& inputs);
};

}  // namespace reprise::channel
