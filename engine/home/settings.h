// The layers of a configuration, laid over each other.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/home/config.h"
#include "engine/home/config_schema.h"
#include "engine/home/config_text.h"

namespace reprise {

/// What the sources say, from the weakest to the strongest, each checked by the schema; the first
/// holds the schema's own defaults. Paths in files are absolute (config_paths.h).
std::vector<ConfigLayer> read_layers(const ConfigSources& sources, const ConfigSchema& schema);

struct MergedConfig {
  nlohmann::json values;
  std::map<std::string, std::string> origins;  ///< of each value that was said as a whole
};
/// Objects are merged member by member, so a stronger layer changes what it names. An executor and
/// a list are replaced as a whole; only of the rules in "match" the stronger layer's come first,
/// and the weaker ones stay.
MergedConfig merge_layers(const std::vector<ConfigLayer>& layers);

/// One for each value that was said as a whole, sorted by key.
std::vector<Setting> list_settings(const MergedConfig& merged);

}  // namespace reprise
