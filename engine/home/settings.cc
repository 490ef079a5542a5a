#include "engine/home/settings.h"

#include <algorithm>
#include <filesystem>

#include "engine/home/config_paths.h"
#include "engine/home/home_file.h"
#include "journal/error.h"
#include "journal/value.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

constexpr std::string_view kMatch = "/match";

/// Of these each entry is replaced as a whole: two halves of different ones make no sense.
bool is_one_piece(std::string_view path) {
  return path.starts_with("/executors/") || path.starts_with("/hooks/");
}

void add_file(std::vector<ConfigLayer>& layers, const std::string& path) {
  if (path.empty()) return;
  const auto text = read_home_file(path);
  if (text) layers.push_back(parse_config_text(path, *text));
}

/// "channelSessions" is another name for the sessions of "channels", which is stronger in the same
/// place.
void take_other_name(ConfigLayer& layer) {
  if (!layer.values.contains("channelSessions")) return;
  const Json said = layer.values["channelSessions"];
  Json& sessions = layer.values["channels"]["sessions"];
  for (const auto& [name, value] : said.items()) {
    if (sessions.contains(name)) continue;
    sessions[name] = value;
    const auto line = layer.lines.find("/channelSessions/" + name);
    if (line != layer.lines.end()) layer.lines["/channels/sessions/" + name] = line->second;
  }
}

ConfigLayer layer_of_flag(const ConfigSchema& schema, const std::string& word) {
  const auto equals = word.find('=');
  if (equals == std::string::npos || equals == 0) {
    refuse_config("--set", "it is KEY=VALUE, not \"" + word + "\"", "as --set drive.jobs=8");
  }
  parse_value(quote(word), "--set");
  const auto key = word.substr(0, equals);
  auto document = schema.document_of(key, word.substr(equals + 1));
  if (!document) refuse_config("--set", "there is no key " + key, schema.near_key(key));
  return {.name = "--set " + key, .values = std::move(*document), .lines = {}};
}

class Merger {
 public:
  void add(const ConfigLayer& layer) { merge(x_values, layer.values, "", layer); }
  MergedConfig done() {
    Json rules = Json::array();
    for (auto& [rule, origin] : x_rules) {
      x_origins[std::string(kMatch) + "/" + std::to_string(rules.size())] = origin;
      rules.push_back(std::move(rule));
    }
    x_values["match"] = std::move(rules);
    return {std::move(x_values), std::move(x_origins)};
  }

 private:
  void merge(Json& into, const Json& from, const std::string& at, const ConfigLayer& layer) {
    for (const auto& [name, value] : from.items()) {
      Json::json_pointer pointer(at);
      pointer.push_back(name);
      const auto path = pointer.to_string();
      if (path == kMatch) {
        add_rules(value, layer);
      } else if (value.is_object() && !is_one_piece(path)) {
        if (!into.contains(name)) into[name] = Json::object();
        merge(into[name], value, path, layer);
      } else if (path != "/$schema") {
        into[name] = value;
        x_origins[path] = layer.origin(path);
      }
    }
  }
  void add_rules(const Json& rules, const ConfigLayer& layer) {
    std::vector<std::pair<Json, std::string>> all;
    for (const Json& rule : rules) {
      all.emplace_back(rule, layer.origin(std::string(kMatch) + "/" + std::to_string(all.size())));
    }
    std::ranges::move(x_rules, std::back_inserter(all));
    x_rules = std::move(all);
  }

  Json x_values = Json::object();
  std::vector<std::pair<Json, std::string>> x_rules;
  std::map<std::string, std::string> x_origins;
};

}  // namespace

void check_layer(const ConfigSchema& schema, const ConfigLayer& layer) {
  const auto problem = schema.find_problem(layer.values);
  if (!problem) return;
  const auto where = layer.origin(problem->pointer);
  const bool is_file = !layer.lines.empty() && !problem->pointer.empty();
  refuse_config(is_file ? where + ": " + problem->pointer : where, problem->why, problem->hint);
}

std::vector<ConfigLayer> read_layers(const ConfigSources& sources, const ConfigSchema& schema) {
  std::vector<ConfigLayer> layers = {{.name = "default", .values = schema.defaults(), .lines = {}}};
  add_file(layers, sources.user_file);
  add_file(layers, sources.home_file);
  for (const auto& key : schema.scalar_keys()) {
    const auto name = variable_of(key);
    const auto text = sources.environment ? sources.environment(name) : std::nullopt;
    if (!text) continue;
    parse_value(quote(*text), "$" + name);
    layers.push_back({"$" + name, *schema.document_of(key, *text), {}});
  }
  for (const auto& word : sources.set) layers.push_back(layer_of_flag(schema, word));
  for (auto& layer : layers) {
    if (&layer != &layers.front()) check_layer(schema, layer);
    take_other_name(layer);
    if (layer.name.starts_with('/')) {
      resolve_paths(layer.values, std::filesystem::path(layer.name).parent_path().string());
    }
  }
  return layers;
}

MergedConfig merge_layers(const std::vector<ConfigLayer>& layers) {
  Merger merger;
  for (const auto& layer : layers) merger.add(layer);
  return merger.done();
}

std::vector<Setting> list_settings(const MergedConfig& merged) {
  std::vector<Setting> settings;
  for (const auto& [path, origin] : merged.origins) {
    auto key = path.substr(1);
    std::ranges::replace(key, '/', '.');
    settings.push_back({key, merged.values.at(Json::json_pointer(path)).dump(), origin});
  }
  return settings;
}

}  // namespace reprise
