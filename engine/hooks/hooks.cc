#include "engine/hooks/hooks.h"

#include <nlohmann/json.hpp>

#include "engine/units.h"
#include "journal/error.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

HookHeader read_header(const std::string& name, const Json& value) {
  if (value.is_string()) return {.name = name, .value = value};
  return {.name = name, .variable = value.at("env")};
}

Hook read_hook(const std::string& name, const Json& json) {
  Hook hook{.name = name, .types = json.at("types")};
  hook.command = json.value("command", std::vector<std::string>());
  hook.url = json.value("url", "");
  if (hook.command.empty() == hook.url.empty()) {
    throw Error(Exit::kUsage, "CONFIG_INVALID",
                "hooks." + name + ": a hook has a command or a url, and not both",
                "reprise config:show says where it stands");
  }
  if (json.contains("headers")) {
    for (const auto& [header, value] : json["headers"].items()) {
      hook.headers.push_back(read_header(header, value));
    }
  }
  if (json.contains("timeout")) {
    hook.timeout_ms = parse_duration(json["timeout"].get<std::string>()).value();
  }
  hook.attempts = json.value("attempts", hook.attempts);
  return hook;
}

}  // namespace

std::vector<Hook> configured_hooks(const Config& config) {
  std::vector<Hook> hooks;
  const auto section = config.sections.find("hooks");
  if (section == config.sections.end()) return hooks;
  const auto configured = Json::parse(section->second);
  for (const auto& [name, json] : configured.items()) {
    hooks.push_back(read_hook(name, json));
  }
  return hooks;
}

}  // namespace reprise
