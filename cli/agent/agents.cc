// agent:create, list, show, config.
#include <nlohmann/json.hpp>

#include "cli/agent/agent_home.h"
#include "cli/agent/commands.h"
#include "cli/channel/channels.h"
#include "cli/channel/signal_request.h"
#include "cli/text.h"
#include "cli/user_files.h"
#include "engine/home/config_schema.h"
#include "engine/home/config_text.h"
#include "engine/home/home_file.h"
#include "journal/error.h"
#include "journal/real_files.h"

namespace reprise {
namespace {

using Json = nlohmann::json;

/// KEY=VALUE as a merge patch; "null" takes the key away.
Json patch_of(const std::string& word) {
  const ConfigSchema schema("agent");
  const auto equals = word.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw Error(Exit::kUsage, "INVALID_ARGUMENT", "\"" + shown(word, 80) + "\" is not KEY=VALUE",
                "as heartbeat.enabled=true");
  }
  const auto key = checked_text(word.substr(0, equals), "KEY=VALUE");
  const auto text = checked_text(word.substr(equals + 1), "KEY=VALUE");
  auto document = schema.document_of(key, text);
  if (!document) {
    throw Error(Exit::kUsage, "INVALID_ARGUMENT",
                "there is no key " + shown(key, 80) + " in the configuration of an agent",
                schema.near_key(key));
  }
  if (text != "null") return *document;
  std::string pointer = "/" + key;
  for (auto& c : pointer) c = c == '.' ? '/' : c;
  (*document)[Json::json_pointer(pointer)] = nullptr;
  return *document;
}

Json given_config(const Arguments& arguments) {
  Json config = {{"runtime", arguments.value("--runtime").value_or("native")},
                 {"heartbeat", {{"enabled", false}, {"intervalMinutes", 5}}}};
  for (const auto& [flag, name] :
       {std::pair("--executor", "executor"), std::pair("--model", "selectedModel"),
        std::pair("--channel", "channel")}) {
    if (const auto value = arguments.value(flag)) config[name] = checked_text(*value, flag);
  }
  for (const auto& word : arguments.values("--setting")) config.merge_patch(patch_of(word));
  return config;
}

std::string text_of_flag(const Arguments& arguments, const Session& session, const char* flag,
                         const std::string& otherwise) {
  const auto file = arguments.value(flag);
  if (!file) return otherwise;
  auto text = checked_text(read_user_file(*file, {session.working_dir()}, flag), flag);
  if (text.size() <= kLargestAgentFile) return text;
  throw Error(Exit::kUsage, "INVALID_ARGUMENT", std::string(flag) + ": it is larger than 64 KiB",
              "an agent is told all of it, each time");
}

std::string printed(const Json& config) { return config.dump(2) + "\n"; }

Document files_of(const std::string& folder) {
  Document files = Document::array();
  auto names = instruction_files();
  names.emplace_back("HEARTBEAT.md");
  for (const auto& name : names) {
    const auto text = read_home_file(folder + "/" + name);
    if (!text) continue;
    files.push_back({{"name", name}, {"bytes", text->size()}, {"blank", is_blank(*text)}});
  }
  return files;
}

}  // namespace

Reply agent_create(const Arguments& arguments) {
  const Session session(arguments);
  const auto id = arguments.positional("AGENT");
  if (!valid_agent_id(id)) {
    throw Error(Exit::kUsage, "INVALID_ARGUMENT",
                "\"" + shown(id, 80) + "\" cannot be the name of an agent",
                "letters, digits, _ and -, at most 64, the first a letter or digit");
  }
  const auto config = printed(given_config(arguments));
  const AgentConfig agent = parse_agent(id, "agent:create", config);
  const std::string heartbeat =
      "# What " + id + " is asked at each of its heartbeats\n\n" +
      "<!-- As long as only headings and comments are here, there are none. -->\n";
  const std::vector<AgentFile> files = {
      {"config.json", config},
      {"AGENTS.md", text_of_flag(arguments, session, "--instructions", "# " + id + "\n")},
      {"HEARTBEAT.md", text_of_flag(arguments, session, "--heartbeat", heartbeat)}};
  const Workspace workspace = session.workspace(true);
  const bool created = create_agent(workspace.home_path(), id, files);
  if (!created && !arguments.has("--if-absent")) {
    throw Error(Exit::kConflict, "AGENT_EXISTS", "there is an agent " + id + " already",
                "reprise agent:show " + id + " shows it; agent:config changes it");
  }
  const AgentConfig now = created ? agent : find_agent(arguments, workspace).config;
  Reply reply{.document = new_document()};
  reply.document["created"] = created;
  reply.document["agent"] = agent_document(arguments, workspace.home(), id, now);
  reply.warnings = executor_warnings(arguments, workspace.home(), id, now);
  return reply;
}

std::string agent_create_text(const Document& document, const Style& style) {
  const Document& agent = document["agent"];
  const bool created = document["created"];
  std::string text = paint(style, Colour::kBold, shown(member_text(agent, "agentId"))) + "  " +
                     (created ? "created in " : "is there, in ") +
                     shown(member_text(agent, "dir")) + "\n";
  if (agent["executor"].is_null()) {
    text += "  nobody does its work yet: reprise executor:add\n";
  }
  return text;
}

Reply agent_list(const Arguments& arguments) {
  const Session session(arguments);
  Workspace workspace = session.workspace_to_read();
  Reply reply{.document = new_document()};
  Document& agents = reply.document["agents"] = Document::array();
  for (const auto& id : list_agents(workspace.home_path())) {
    Document& row = agents.emplace_back();
    try {
      const auto agent = load_agent(workspace.home_path(), id);
      if (!agent) throw Error(Exit::kNotFound, "AGENT_NOT_FOUND", "it is gone");
      row = agent_document(arguments, workspace.home(), id, *agent);
      row["status"] = beat_status(session, workspace, id);
    } catch (const Error& error) {
      row = {{"agentId", id},
             {"dir", agent_folder(workspace.home_path(), id)},
             {"error", {{"code", error.code()}, {"message", error.message()}}}};
    }
  }
  return reply;
}

std::string agent_list_text(const Document& document, const Style& style) {
  Table table;
  for (const Document& agent : document["agents"]) {
    const auto id = shown(member_text(agent, "agentId"));
    if (agent.contains("error")) {
      table.add({{id, Colour::kBold},
                 {"broken", Colour::kRed},
                 {shown(member_text(agent["error"], "message"))}});
      continue;
    }
    const auto executor = member_text(agent, "executor");
    table.add({{id, Colour::kBold},
               {executor.empty() ? "nobody" : shown(executor)},
               {"heartbeat " + beat_text(agent["heartbeat"], agent["status"], agent["blank"])}});
  }
  return table.empty() ? "no agents\n  next  reprise agent:create AGENT\n" : table.print(style);
}

Reply agent_show(const Arguments& arguments) {
  const Session session(arguments);
  Workspace workspace = session.workspace_to_read();
  const auto [id, config] = find_agent(arguments, workspace);
  Reply reply{.document = new_document()};
  reply.document["agent"] = agent_document(arguments, workspace.home(), id, config);
  reply.document["config"] = Document::parse(config.json);
  reply.document["files"] = files_of(agent_folder(workspace.home_path(), id));
  reply.document["status"] = beat_status(session, workspace, id);
  return reply;
}

std::string agent_show_text(const Document& document, const Style& style) {
  const Document& agent = document["agent"];
  const Document& config = document["config"];
  Table table;
  const auto add = [&](const char* name, const std::string& text) {
    if (!text.empty()) table.add({{name, Colour::kDim}, {shown(text)}});
  };
  add("folder", member_text(agent, "dir"));
  add("runtime", member_text(agent, "runtime"));
  const auto executor = member_text(agent, "executor");
  add("executor", executor.empty() ? "nobody: reprise executor:add" : executor);
  add("model", member_text(config, "selectedModel"));
  add("channel", member_text(agent, "channel"));
  add("permission", member_text(config["tools"], "permission"));
  for (const Document& file : document["files"]) {
    const bool blank = file["blank"];
    add("file", member_text(file, "name") + (blank ? "  blank" : ""));
  }
  add("heartbeat", beat_text(agent["heartbeat"], document["status"], agent["blank"]));
  add("reason", member_text(document["status"], "reason"));
  return paint(style, Colour::kBold, shown(member_text(agent, "agentId"))) + "\n" +
         table.print(style, "  ");
}

Reply agent_config(const Arguments& arguments) {
  const Session session(arguments);
  const Workspace workspace = session.workspace_to_read();
  auto [id, config] = find_agent(arguments, workspace);
  const auto folder = agent_folder(workspace.home_path(), id);
  const auto path = folder + "/config.json";
  const auto& patches = arguments.positionals("KEY=VALUE");
  std::unique_ptr<FileLock> lock;
  if (const auto dir = open_real_dir(folder, false); dir && !patches.empty()) {
    lock = lock_home_file(*dir, "config.json");
  }
  const auto text = read_home_file(path).value_or("{}");
  const Json before = parse_config_text(path, text).values;
  Json after = before;
  for (const auto& word : patches) after.merge_patch(patch_of(word));
  const bool changed = after != before;
  if (changed) {
    config = parse_agent(id, path, printed(after));
    write_agent_config(workspace.home_path(), id, printed(after));
  }
  Reply reply{.document = new_document()};
  reply.document["changed"] = changed;
  reply.document["agentId"] = id;
  reply.document["path"] = path;
  reply.document["config"] = Document::parse(config.json);
  reply.warnings = executor_warnings(arguments, workspace.home(), id, config);
  return reply;
}

std::string agent_config_text(const Document& document, const Style&) {
  return shown_lines(document["config"].dump(2)) + "\n";
}

}  // namespace reprise
