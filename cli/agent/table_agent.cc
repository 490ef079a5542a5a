#include "cli/agent/agent_home.h"
#include "cli/agent/commands.h"
#include "cli/channel/signal_request.h"
#include "cli/tables.h"

namespace reprise {
namespace {

constexpr Exit kAgentCreateExits[] = {Exit::kConflict};
constexpr Exit kAgentConfigExits[] = {Exit::kNotFound};

constexpr Positional kAgent[] = {kAgentPositional};
constexpr Positional kConfig[] = {
    kAgentPositional,
    {"KEY=VALUE", "what is to change, as heartbeat.enabled=true; null takes the key away", true,
     true}};

constexpr Flag kAgentCreateFlags[] = {
    {"--runtime", "native|command", "a model behind an endpoint, or a coding agent's program"},
    {"--executor", "NAME", "who does its work; default the first one of its runtime's type"},
    {"--model", "MODEL", "of tasks that name none; default the executor's"},
    {"--channel", "CHANNEL", "where it speaks up by itself; default agent-AGENT"},
    {"--setting", "KEY=VALUE", "any other key of its config.json, as tools.permission=read", false,
     true},
    {"--instructions", "FILE|-", "its AGENTS.md: told with all of its work"},
    {"--heartbeat", "FILE|-", "its HEARTBEAT.md: what it is asked at each heartbeat"},
    {"--if-absent", "", "success when it is there already; nothing changes"},
};
constexpr Flag kAgentHeartbeatFlags[] = {
    {"--run-now", "", "ask for one now, whatever the time; whoever drives the run agents does it"},
    kKeyFlag,
};

constexpr Example kAgentCreateExamples[] = {
    {"reprise agent:create scout --model llama3.2", "an agent that a model answers for"},
    {"reprise agent:create coder --runtime command --instructions rules.md",
     "one that a coding agent's program is"}};
constexpr Example kAgentListExamples[] = {{"reprise agent:list", "who there is"}};
constexpr Example kAgentShowExamples[] = {{"reprise agent:show scout", "all about one"}};
constexpr Example kAgentConfigExamples[] = {
    {"reprise agent:config scout heartbeat.enabled=true heartbeat.intervalMinutes=30",
     "let it look around every half hour"}};
constexpr Example kAgentHeartbeatExamples[] = {
    {"reprise agent:heartbeat scout", "when was the last one, and how did it go?"}};

constexpr CommandSpec kAgentTable[] = {
    {.name = "agent:create",
     .summary = "Make an agent",
     .description = "A folder agents/AGENT in the home, with config.json, AGENTS.md and "
                    "HEARTBEAT.md, for you to write on.",
     .positionals = kAgent,
     .flags = kAgentCreateFlags,
     .examples = kAgentCreateExamples,
     .exits = kAgentCreateExits,
     .changes_else = true,
     .run = agent_create,
     .text = agent_create_text},
    {.name = "agent:list",
     .summary = "List the agents of the home",
     .examples = kAgentListExamples,
     .exits = kReadExits,
     .stream = "agents",
     .run = agent_list,
     .text = agent_list_text},
    {.name = "agent:show",
     .summary = "Show one agent",
     .positionals = kAgent,
     .examples = kAgentShowExamples,
     .exits = kReadExits,
     .run = agent_show,
     .text = agent_show_text},
    {.name = "agent:config",
     .summary = "Show or change the configuration of an agent",
     .description = "What changes is written anew, without the comments of the file.",
     .positionals = kConfig,
     .examples = kAgentConfigExamples,
     .exits = kAgentConfigExits,
     .changes_else = true,
     .run = agent_config,
     .text = agent_config_text},
    {.name = "agent:heartbeat",
     .summary = "Show how an agent's heartbeats went, or ask for one",
     .positionals = kAgent,
     .flags = kAgentHeartbeatFlags,
     .examples = kAgentHeartbeatExamples,
     .exits = kWriteExits,
     .writes = true,
     .run = agent_heartbeat,
     .text = agent_heartbeat_text},
};

}  // namespace

std::span<const CommandSpec> agent_table() { return kAgentTable; }

}  // namespace reprise
