// Hooks: who is told of events, as the section "hooks" of config.json says. A hook is a command or
// a url, and the types of the events that it is for (docs/hooks.md).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/home/config.h"
#include "journal/error.h"

namespace reprise {

struct HookHeader {
  std::string name;
  std::string value;     ///< as it is sent
  std::string variable;  ///< or the variable that holds it
};

struct Hook {
  std::string name;
  std::vector<std::string> types;    ///< "deploy.done", "deploy.*"
  std::vector<std::string> command;  ///< words; empty: the url
  std::string url;
  std::vector<HookHeader> headers;
  int64_t timeout_ms = 10'000;  ///< of one attempt
  uint32_t attempts = 10;       ///< before an event is parked
};

/// By name. Error CONFIG_INVALID, exit 2, with file and line, for a hook that is neither a command
/// nor a url, or both, or that is given no time.
std::vector<Hook> configured_hooks(const Config& config);

/// The same for those who deliver: a hook that is wrong keeps no other one from its events.
struct SoundHooks {
  std::vector<Hook> hooks;
  std::map<std::string, Error> faults;  ///< of the others, by name
};
SoundHooks sound_hooks(const Config& config);

}  // namespace reprise
