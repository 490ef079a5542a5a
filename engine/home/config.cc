// The merged document as the struct that the rest of the program works with. It was checked by the
// schema, so what is read here has the right type.
#include "engine/home/config.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <set>

#include "engine/home/config_schema.h"
#include "engine/home/home_file.h"
#include "engine/home/settings.h"
#include "engine/suggest.h"
#include "engine/units.h"

namespace reprise {

namespace {

using Json = nlohmann::json;
using Texts = std::vector<std::string>;

constexpr const char* kSectionNames[] = {"heartbeat", "visor", "memory", "hooks"};

std::vector<ExecutorConfig> read_executors(const MergedConfig& merged) {
  std::vector<ExecutorConfig> executors;
  for (const auto& [name, json] : merged.values["executors"].items()) {
    executors.push_back({.name = name,
                         .type = json["type"],
                         .json = json.dump(),
                         .origin = merged.origins.at("/executors/" + name)});
  }
  return executors;
}

MatchRule read_rule(const Json& json) {
  return {.kind = json.value("kind", ""),
          .task = json.value("task", ""),
          .label = json.value("label", ""),
          .agent = json.value("agent", ""),
          .executor = json["executor"]};
}

/// A rule that names nobody would be found out only when an effect comes that it fits.
void check_rule(const MatchRule& rule, const std::string& origin,
                const std::vector<ExecutorConfig>& executors) {
  std::vector<std::string_view> names;
  names.reserve(executors.size());
  for (const auto& executor : executors) names.emplace_back(executor.name);
  if (std::ranges::find(names, rule.executor) != names.end()) return;
  const auto meant = did_you_mean(rule.executor, names);
  refuse_config(origin,
                "a rule of match names the executor \"" + rule.executor +
                    "\", and there is none of that name",
                meant.empty() ? "name it under executors" : meant);
}

Policy policy_of(const Json& json) {
  Policy policy{.roots = json["roots"].get<Texts>(),
                .denied_programs = json["deniedPrograms"].get<Texts>(),
                .environment = json["environment"].get<Texts>(),
                .permission = json["permission"],
                .network = json["network"],
                .timeout_ms = {}};
  for (const auto& [kind, text] : json["timeouts"].items()) {
    policy.timeout_ms[kind] = parse_duration(text.get<std::string>()).value();
  }
  return policy;
}

/// What is other than the defaults: it is sent with each message, and mostly there is nothing.
Json without_defaults(const Json& values, const Json& defaults) {
  Json others = Json::object();
  for (const auto& [name, value] : values.items()) {
    const bool known = defaults.is_object() && defaults.contains(name);
    if (known && value == defaults[name]) continue;
    others[name] = value.is_object() && known ? without_defaults(value, defaults[name]) : value;
  }
  return others;
}

/// Variables that are called as if they said something.
std::vector<std::string> misspelt_variables(const std::vector<std::string>& names,
                                            const ConfigSchema& schema) {
  std::vector<std::string> known;
  std::set<std::string> families;
  for (const auto& key : schema.scalar_keys()) {
    known.push_back(variable_of(key));
    const auto dot = key.find('.');
    if (dot != std::string::npos) families.insert(variable_of(key.substr(0, dot + 1)));
  }
  const std::vector<std::string_view> words(known.begin(), known.end());
  std::vector<std::string> warnings;
  for (const auto& name : names) {
    const auto is_of = [&](const std::string& family) { return name.starts_with(family); };
    if (std::ranges::none_of(families, is_of) || std::ranges::count(known, name) > 0) continue;
    const auto meant = did_you_mean(name, words);
    warnings.push_back("$" + name + " says nothing; " +
                       (meant.empty() ? "docs/configuration.md has the variables" : meant));
  }
  return warnings;
}

/// Lines that are comments say nothing.
bool says(std::string_view text, std::initializer_list<std::string_view> words) {
  for (size_t at = 0; at < text.size();) {
    auto line = text.substr(at, text.find('\n', at) - at);
    at += line.size() + 1;
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    const auto holds = [&](std::string_view word) { return line.find(word) != line.npos; };
    if (!line.starts_with("//") && std::ranges::any_of(words, holds)) return true;
  }
  return false;
}

/// A key can be written with escapes.
bool a_file_says(const ConfigSources& sources, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(std::array{sources.user_file, sources.home_file}, [&](const auto& it) {
    const auto text = it.empty() ? std::nullopt : read_home_file(it);
    return text && (says(*text, words) || says(*text, {"\\u"}));
  });
}

bool a_flag_says(const ConfigSources& sources, std::string_view word) {
  const auto says_it = [&](const std::string& flag) { return flag.starts_with(word); };
  return std::ranges::any_of(sources.set, says_it);
}

/// What the schema says, without its price.
Config default_executors() {
  Config config;
  config.executors = {
      {.name = "shell", .type = "shell", .json = R"({"type":"shell"})", .origin = "default"}};
  for (const char* kind : {"shell", "node"}) {
    config.match.push_back(
        {.kind = kind, .task = {}, .label = {}, .agent = {}, .executor = "shell"});
  }
  return config;
}

}  // namespace

int64_t Policy::timeout_of(const std::string& kind) const {
  auto found = timeout_ms.find(kind);
  if (found == timeout_ms.end()) found = timeout_ms.find("*");
  return found == timeout_ms.end() ? 0 : found->second;
}

Config load_config(const ConfigSources& sources) {
  const ConfigSchema schema;
  const auto layers = read_layers(sources, schema);
  const auto merged = merge_layers(layers);
  const Json& values = merged.values;
  Config config;
  config.executors = read_executors(merged);
  for (size_t i = 0; i < values["match"].size(); ++i) {
    config.match.push_back(read_rule(values["match"][i]));
    check_rule(config.match.back(), merged.origins.at("/match/" + std::to_string(i)),
               config.executors);
  }
  config.policy = policy_of(values["policy"]);
  const Json& drive = values["drive"];
  config.jobs = drive["jobs"];
  const Json& free = drive["minFreeBytes"];
  config.min_free_bytes =
      free.is_string() ? parse_size(free.get<std::string>()).value() : free.get<uint64_t>();
  config.lease_ms = parse_duration(drive["lease"].get<std::string>()).value();
  config.channels =
      without_defaults(values["channels"], layers.front().values.at("channels")).dump();
  for (const char* name : kSectionNames) {
    if (values.contains(name)) config.sections[name] = values[name].dump();
  }
  config.settings = list_settings(merged);
  config.warnings = misspelt_variables(sources.variables, schema);
  return config;
}

std::string load_channels(const ConfigSources& sources) {
  const auto is_meant = [](const auto& name) { return name.starts_with("REPRISE_CHANNEL"); };
  const bool said = std::ranges::any_of(sources.variables, is_meant) ||
                    a_flag_says(sources, "channel") ||
                    a_file_says(sources, {"\"channels\"", "\"channelSessions\""});
  return said ? load_config(sources).channels : "{}";
}

Config load_executors(const ConfigSources& sources) {
  const bool said = names_executors(sources) || a_flag_says(sources, "match") ||
                    a_file_says(sources, {"\"match\""});
  return said ? load_config(sources) : default_executors();
}

bool names_executors(const ConfigSources& sources) {
  return a_flag_says(sources, "executors") || a_file_says(sources, {"\"executors\""});
}

}  // namespace reprise
