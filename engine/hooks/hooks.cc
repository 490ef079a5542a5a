#include "engine/hooks/hooks.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/home/config_text.h"
#include "engine/units.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

HookHeader read_header(const std::string& name, const Json& value) {
  if (value.is_string()) return {.name = name, .value = value};
  return {.name = name, .variable = value.at("env")};
}

/// "FILE:7".
std::string origin_of(const Config& config, const std::string& hook) {
  const auto setting = std::ranges::find(config.settings, "hooks." + hook, &Setting::key);
  return setting == config.settings.end() ? "config.json" : setting->origin;
}

Hook read_hook(const std::string& name, const Json& json, const std::string& origin) {
  Hook hook{.name = name, .types = json.at("types")};
  hook.command = json.value("command", std::vector<std::string>());
  hook.url = json.value("url", "");
  if (hook.command.empty() == hook.url.empty()) {
    refuse_config(origin + ": /hooks/" + name, "a hook has a command or a url, and not both",
                  "give it one of them, or take it out");
  }
  if (json.contains("headers")) {
    for (const auto& [header, value] : json["headers"].items()) {
      hook.headers.push_back(read_header(header, value));
    }
  }
  if (json.contains("timeout")) {
    hook.timeout_ms = parse_duration(json["timeout"].get<std::string>()).value();
    if (hook.timeout_ms == 0) {
      refuse_config(origin + ": /hooks/" + name + "/timeout",
                    "an attempt is given more than no time at all",
                    "as 10s, which it is without the key");
    }
  }
  hook.attempts = json.value("attempts", hook.attempts);
  return hook;
}

}  // namespace

SoundHooks sound_hooks(const Config& config) {
  SoundHooks sound;
  const auto section = config.sections.find("hooks");
  if (section == config.sections.end()) return sound;
  const auto configured = Json::parse(section->second);
  for (const auto& [name, json] : configured.items()) {
    try {
      sound.hooks.push_back(read_hook(name, json, origin_of(config, name)));
    } catch (const Error& error) {
      sound.faults.emplace(name, error);
    }
  }
  return sound;
}

std::vector<Hook> configured_hooks(const Config& config) {
  auto sound = sound_hooks(config);
  if (!sound.faults.empty()) throw Error(sound.faults.begin()->second);
  return std::move(sound.hooks);
}

}  // namespace reprise
