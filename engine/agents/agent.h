// Agents: named workers of a home, each a folder agents/<id>/ that people write (docs/agents.md).
//
//   config.json    runtime, executor, model, heartbeat, ...: schemas/agent.schema.json
//   AGENTS.md, SOUL.md, IDENTITY.md, USER.md    instructions: told with all of its work
//   HEARTBEAT.md   what it is asked at each of its heartbeats
//
// Their content is data: nothing in such a folder is run. What an agent is run by, an executor, is
// named in the home's own configuration, which the user trusts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

/// No file of an agent may be longer.
constexpr size_t kLargestAgentFile = size_t{64} << 10U;

struct AgentConfig {
  std::string runtime;   ///< "native", "command" or "acp"
  std::string executor;  ///< empty: the first one of the runtime's type
  std::string model;     ///< empty: the executor's
  std::string channel;   ///< where it speaks up
  std::string permission;
  bool heartbeat = false;
  int64_t interval_ms = 0;
  int64_t timeout_ms = 0;
  std::string json;  ///< all of it, with the defaults
};

/// Letters, digits, _ and -, at most 64, the first a letter or digit.
bool valid_agent_id(std::string_view id);

/// The folder of an agent, which need not exist.
std::string agent_folder(const std::string& home, const std::string& id);
/// The agents of a home, by name: folders that hold a config.json.
std::vector<std::string> list_agents(const std::string& home);

/// nullopt when there is none of that name. Errors: CONFIG_INVALID (exit 2) with file, line and
/// key; system errors.
std::optional<AgentConfig> load_agent(const std::string& home, const std::string& id);
/// As load_agent; error AGENT_NOT_FOUND (exit 3) when there is none, with the name that was
/// probably meant.
AgentConfig find_agent(const std::string& home, const std::string& id);

/// Loads them, one after the other, and knows them: a config.json that says what it said is not
/// judged again.
class KnownAgents {
 public:
  std::optional<AgentConfig> load(const std::string& home, const std::string& id);

 private:
  struct Known {
    std::string text;
    AgentConfig config;
  };
  std::map<std::string, Known> x_known;  ///< by path
};

/// What the text of a config.json says; `path` is for errors.
AgentConfig parse_agent(const std::string& id, const std::string& path, std::string_view text);

/// The files of instructions, in their order.
const std::vector<std::string>& instruction_files();
/// What they say, one after the other. Errors: CONFIG_INVALID (exit 2) for one that is too large or
/// no UTF-8, system errors.
std::string agent_instructions(const std::string& home, const std::string& id);

/// HEARTBEAT.md; empty when it says nothing: it is missing, or holds headings, comments
/// (<!-- -->) and white space alone. Errors as agent_instructions.
std::string heartbeat_prompt(const std::string& home, const std::string& id);
bool is_blank(std::string_view markdown);

/// Makes the folder, with its config.json and further files, as a whole or not at all; false when
/// it is there. Durable when it returns. The files' names are plain ones.
struct AgentFile {
  std::string name;
  std::string text;
};
bool create_agent(const std::string& home, const std::string& id,
                  const std::vector<AgentFile>& files);
/// Replaces its config.json. Durable when it returns.
void write_agent_config(const std::string& home, const std::string& id, std::string_view text);

}  // namespace reprise
