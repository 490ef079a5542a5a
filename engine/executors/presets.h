// Command lines of coding agents that are known, as entries of config.json's "executors".
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace reprise {

struct Preset {
  std::string_view name;
  std::string_view about;  ///< one line for people
  std::string_view json;   ///< what an entry that names it begins with
};

std::span<const Preset> command_presets();

/// The entry with what its "preset" says where it says nothing itself. Error INVALID_EXECUTOR, exit
/// 2, when there is no preset of that name.
std::string with_preset(std::string_view executor);

}  // namespace reprise
