// A thread is told everything that it inherits when it is made: its parent may change, or be gone,
// and the thread stays what it is.
#include "cli/channel/making.h"

#include <filesystem>

#include "cli/channel/signal_request.h"
#include "cli/configured.h"
#include "cli/creation.h"
#include "cli/text.h"
#include "cli/user_files.h"
#include "cli/user_values.h"
#include "engine/thread.h"

namespace reprise {
namespace {

void inherit(Document& inputs, const Session& session, const std::string& parent_id,
             const std::string& id) {
  if (parent_id == id) {
    throw Error(Exit::kConflict, "INVALID_PARENT", "a channel cannot be its own thread: " + id,
                "--parent names the channel above it");
  }
  Workspace workspace = session.workspace();
  const RunHandle parent = find_live_channel(workspace, parent_id);
  const auto inherited = Document::parse(inherited_by_thread(workspace, session.context(), parent));
  for (const auto& [name, value] : inherited.items()) {
    if (!inputs.contains(name)) inputs[name] = value;
  }
}

Document role_list(const Arguments& arguments, const std::string& role) {
  Document list = {{"users", Document::array()}, {"roles", Document::array()}};
  for (const auto& user : arguments.values("--" + role)) list["users"].push_back(user);
  for (const auto& name : arguments.values("--" + role + "-role")) list["roles"].push_back(name);
  return list;
}

void add_permissions(Document& inputs, const Arguments& arguments) {
  Document owners = role_list(arguments, "owner");
  Document members = role_list(arguments, "member");
  const bool any = !owners["users"].empty() || !owners["roles"].empty() ||
                   !members["users"].empty() || !members["roles"].empty();
  if (any) inputs["permissions"] = {{"owners", owners}, {"members", members}};
}

/// "routing.policy=direct" in the object.
void set_member(Document& settings, const std::string& key, const std::string& text) {
  Document* place = &settings;
  size_t begin = 0;
  for (size_t dot = key.find('.'); dot != std::string::npos; dot = key.find('.', begin)) {
    place = &(*place)[key.substr(begin, dot - begin)];
    if (!place->is_object()) *place = Document::object();
    begin = dot + 1;
  }
  const std::string value = Document::accept(text) ? text : quote(text);
  (*place)[key.substr(begin)] = Document::parse(parse_value(value, "--setting " + key).text);
}

}  // namespace

Document read_settings(const Arguments& arguments, const Session& session) {
  Document settings = Document::object();
  if (const auto file = arguments.value("--settings")) {
    const auto text = read_user_file(*file, {session.working_dir()}, "--settings");
    settings = Document::parse(parse_value(text, "--settings " + *file).text);
    if (!settings.is_object()) {
      throw Error(Exit::kUsage, "INVALID_ARGUMENT", "--settings: the settings are an object", {});
    }
  }
  for (const auto& [key, value] : parse_pairs(arguments.values("--setting"), "--setting")) {
    set_member(settings, checked_text(key, "--setting"), value);
  }
  return settings;
}

Document home_settings(const Arguments& arguments, const HomePlace& home) {
  return Document::parse(load_channels(config_sources(arguments, home)));
}

std::string folder_flag(const std::string& dir, const Session& session) {
  const auto path = (std::filesystem::path(session.working_dir()) / checked_text(dir, "--dir"))
                        .lexically_normal();
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return path.string();
  throw Error(Exit::kNotFound, "NO_SUCH_FOLDER", "--dir: there is no folder " + path.string(),
              "make it first");
}

Document channel_inputs(const Arguments& arguments, const Session& session, const std::string& id) {
  Document inputs = {{"id", id}};
  for (const char* name : {"name", "platform", "guild"}) {
    const std::string flag = "--" + std::string(name);
    if (const auto value = arguments.value(flag)) inputs[name] = checked_text(*value, flag);
  }
  if (const auto dir = arguments.value("--dir")) inputs["dir"] = folder_flag(*dir, session);
  if (arguments.has("--worktree")) inputs["worktree"] = true;
  if (const auto parent = arguments.value("--parent")) inherit(inputs, session, *parent, id);
  add_permissions(inputs, arguments);
  if (const Document settings = read_settings(arguments, session); !settings.empty()) {
    inputs["settings"] = settings;
  }
  return inputs;
}

std::vector<std::string> ignored_making(const Arguments& arguments, const Session& session,
                                        const RunHandle& run) {
  std::vector<std::string> flags;
  for (const char* flag : {"--name", "--guild", "--dir", "--setting", "--simulated"}) {
    if (arguments.has(flag)) flags.emplace_back(flag);
  }
  if (flags.empty()) return {};
  const Document channel = ask_channel(session, run, {{"ask", "channel"}});
  const Document& identity = channel["identity"];
  const auto is_so = [&](const std::string& flag) {
    if (flag == "--simulated") return read_state(*run.dir).state.simulated;
    if (flag == "--setting") {
      Document changed = channel["settings"];
      changed.merge_patch(read_settings(arguments, session));
      return changed == channel["settings"];
    }
    const std::string value = *arguments.value(flag);
    return member_text(identity, flag.c_str() + 2) ==
           (flag == "--dir" ? folder_flag(value, session) : value);
  };
  std::vector<std::string> warnings;
  for (const auto& flag : flags) {
    if (is_so(flag)) continue;
    const bool fixed = flag == "--guild" || flag == "--simulated";
    std::string change = "; reprise channel:config " + run.name;
    for (const auto& value : arguments.values(flag)) change += " " + flag + " " + shell_word(value);
    warnings.push_back(flag + " changes nothing, " + run.name + " is there" +
                       (fixed ? "" : change));
  }
  return warnings;
}

CreateRequest channel_request(const Arguments& arguments, const std::string& id,
                              const Document& inputs) {
  ProcessChoice process;
  process.built_in = kChannelProcess;
  CreateRequest request =
      read_creation(arguments, process, parse_value(print_json(inputs), "the channel's inputs"));
  request.run_id = id;
  const std::string parent = member_text(inputs, "parent");
  if (!parent.empty()) request.labels.emplace(kParentLabel, parent);
  return request;
}

}  // namespace reprise
