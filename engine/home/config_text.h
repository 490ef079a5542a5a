// A configuration file as text: JSON with comments, and the lines on which its values stand.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace reprise {

/// One place that says something about the configuration.
struct ConfigLayer {
  std::string name;  ///< a path, "$REPRISE_DRIVE_JOBS", "--set", "default"
  nlohmann::json values = nlohmann::json::object();
  std::map<std::string, size_t> lines;  ///< by JSON pointer; empty where there are none

  /// "PATH:7", or the name alone.
  std::string origin(const std::string& pointer) const;
};

/// Error CONFIG_INVALID, exit 2, with line and column: no JSON, a name twice in one object, deep
/// nesting, no object.
ConfigLayer parse_config_text(const std::string& name, std::string_view text);

class ConfigSchema;
/// Error CONFIG_INVALID, exit 2, with the line and the key of the first thing that is wrong.
void check_layer(const ConfigSchema& schema, const ConfigLayer& layer);

/// Error CONFIG_INVALID, exit 2.
[[noreturn]] void refuse_config(const std::string& where, const std::string& why,
                                const std::string& hint = {});

}  // namespace reprise
