#include "engine/agents/agent.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/home/config_schema.h"
#include "engine/home/config_text.h"
#include "engine/home/home_file.h"
#include "engine/suggest.h"
#include "journal/error.h"
#include "journal/real_files.h"
#include "journal/value.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

constexpr const char* kAgentsFolder = "agents";
constexpr const char* kAgentConfig = "config.json";
constexpr size_t kMostIdBytes = 64;
constexpr int64_t kMinuteMs = 60'000;

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// Empty when it is missing.
std::string read_text(const std::string& path) {
  const auto text = read_home_file(path);
  if (!text) return {};
  if (text->size() > kLargestAgentFile) {
    refuse_config(path, "it is larger than 64 KiB", "an agent is told all of it, each time");
  }
  try {
    parse_value(quote(*text), path);
  } catch (const Error&) {
    refuse_config(path, "it is no UTF-8", "save it as UTF-8 text");
  }
  return *text;
}

/// Without <!-- comments -->; one that does not end takes the rest.
std::string without_comments(std::string_view text) {
  std::string rest;
  while (true) {
    const auto begin = text.find("<!--");
    rest += text.substr(0, begin);
    if (begin == std::string_view::npos) return rest;
    const auto end = text.find("-->", begin);
    if (end == std::string_view::npos) return rest;
    text.remove_prefix(end + 3);
  }
}

}  // namespace

bool valid_agent_id(std::string_view id) {
  return !id.empty() && id.size() <= kMostIdBytes && is_letter_or_digit(id.front()) &&
         std::ranges::all_of(id,
                             [](char c) { return is_letter_or_digit(c) || c == '_' || c == '-'; });
}

std::string agent_folder(const std::string& home, const std::string& id) {
  return home + "/" + kAgentsFolder + "/" + id;
}

std::vector<std::string> list_agents(const std::string& home) {
  const auto dir = open_real_dir(home, false);
  if (!dir) return {};
  auto names = dir->list(kAgentsFolder);
  std::erase_if(names, [&](const std::string& name) {
    return !valid_agent_id(name) ||
           !dir->stat(std::string(kAgentsFolder) + "/" + name + "/" + kAgentConfig).has_value();
  });
  return names;
}

AgentConfig parse_agent(const std::string& id, const std::string& path, std::string_view text) {
  const ConfigSchema schema("agent");
  const auto layer = parse_config_text(path, text);
  check_layer(schema, layer);
  Json values = schema.defaults();
  values.merge_patch(layer.values);
  if (values["runtime"] == "acp") {
    refuse_config(layer.origin("/runtime") + ": /runtime",
                  "this version cannot run agents that speak the Agent Client Protocol",
                  "\"native\" asks a model, \"command\" runs a coding agent's program");
  }
  const Json& heartbeat = values["heartbeat"];
  return {.runtime = values["runtime"],
          .executor = values.value("executor", ""),
          .model = values.value("selectedModel", ""),
          .channel = values.value("channel", "agent-" + id),
          .permission = values["tools"]["permission"],
          .heartbeat = heartbeat["enabled"],
          .interval_ms = heartbeat["intervalMinutes"].get<int64_t>() * kMinuteMs,
          .timeout_ms = heartbeat["timeoutMinutes"].get<int64_t>() * kMinuteMs,
          .json = values.dump()};
}

std::optional<AgentConfig> load_agent(const std::string& home, const std::string& id) {
  return KnownAgents().load(home, id);
}

AgentConfig find_agent(const std::string& home, const std::string& id) {
  if (auto agent = load_agent(home, id)) return std::move(*agent);
  const auto agents = list_agents(home);
  const auto meant = did_you_mean(id, std::vector<std::string_view>(agents.begin(), agents.end()));
  throw Error(Exit::kNotFound, "AGENT_NOT_FOUND",
              "there is no agent \"" + id + "\" in " + home + "/" + kAgentsFolder,
              meant.empty() ? "reprise agent:list shows them; agent:create makes one" : meant);
}

std::optional<AgentConfig> KnownAgents::load(const std::string& home, const std::string& id) {
  if (!valid_agent_id(id)) return std::nullopt;
  const auto path = agent_folder(home, id) + "/" + kAgentConfig;
  auto text = read_home_file(path);
  if (!text) return std::nullopt;
  const auto known = x_known.find(path);
  if (known != x_known.end() && known->second.text == *text) return known->second.config;
  auto config = parse_agent(id, path, *text);
  x_known.insert_or_assign(path, Known{std::move(*text), config});
  return config;
}

const std::vector<std::string>& instruction_files() {
  static const std::vector<std::string> kFiles = {"AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md"};
  return kFiles;
}

std::string agent_instructions(const std::string& home, const std::string& id) {
  std::string instructions;
  for (const auto& name : instruction_files()) {
    const auto text = read_text(agent_folder(home, id) + "/" + name);
    if (is_blank(text)) continue;
    if (!instructions.empty()) instructions += "\n\n";
    instructions += text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  }
  return instructions;
}

std::string heartbeat_prompt(const std::string& home, const std::string& id) {
  auto text = read_text(agent_folder(home, id) + "/HEARTBEAT.md");
  return is_blank(text) ? std::string() : text;
}

bool is_blank(std::string_view markdown) {
  const auto text = without_comments(markdown);
  for (size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    const auto first = text.find_first_not_of(" \t\r", begin);
    if (first < end && text[first] != '#') return false;
    begin = end + 1;
  }
  return true;
}

bool create_agent(const std::string& home, const std::string& id,
                  const std::vector<AgentFile>& files) {
  const auto dir = open_real_dir(home, false);
  if (!dir) throw Error(Exit::kNotFound, "HOME_NOT_FOUND", "there is no home at " + home);
  const auto place = std::string(kAgentsFolder) + "/" + id;
  if (dir->stat(place)) return false;
  const auto aside = std::string(kAgentsFolder) + "/.new-" + id;
  dir->make_dir(kAgentsFolder);
  dir->remove_tree(aside);
  dir->make_dir(aside);
  for (const auto& file : files) {
    write_new_file(*dir, aside + "/" + file.name, file.text, true);
  }
  dir->sync_dir(aside);
  const bool made = dir->rename(aside, place, false);
  if (!made) dir->remove_tree(aside);
  dir->sync_dir(kAgentsFolder);
  dir->sync_dir("");
  return made;
}

void write_agent_config(const std::string& home, const std::string& id, std::string_view text) {
  const auto dir = open_real_dir(agent_folder(home, id), false);
  if (!dir) throw Error(Exit::kNotFound, "AGENT_NOT_FOUND", "there is no agent " + id);
  replace_file(*dir, kAgentConfig, text, true);
}

}  // namespace reprise
