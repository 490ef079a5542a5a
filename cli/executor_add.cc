// executor:add: an executor, and the rules that name it, in the home's config.json.
#include <algorithm>
#include <filesystem>

#include "cli/commands.h"
#include "cli/configured.h"
#include "cli/rule_text.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/user_values.h"
#include "engine/executors/config_edit.h"
#include "engine/executors/openai_config.h"
#include "engine/executors/presets.h"
#include "engine/executors/work_failed.h"
#include "engine/home/config_schema.h"
#include "engine/home/config_text.h"
#include "engine/home/home_file.h"
#include "journal/real_files.h"

namespace reprise {
namespace {

// A program beside the caller is named so that it is found from everywhere.
std::vector<std::string> command_words(const Arguments& arguments, const Session& session) {
  std::vector<std::string> words = arguments.program();
  if (!words.empty() && words.front().find('/') != std::string::npos) {
    words.front() =
        (std::filesystem::path(session.working_dir()) / words.front()).lexically_normal().string();
  }
  return words;
}

Document added_executor(const Arguments& arguments, const Session& session) {
  const auto preset = arguments.value("--preset");
  const auto type = arguments.value("--type");
  if (!preset && !type && arguments.program().empty()) {
    throw Error(Exit::kUsage, "MISSING_ARGUMENT",
                "an executor needs --type, --preset, or a command behind --",
                "as in: reprise executor:add agent --preset claude-code --match kind=agent");
  }
  Document executor = {{"type", type.value_or("command")}};
  if (preset) executor["preset"] = *preset;
  const auto program = command_words(arguments, session);
  if (!program.empty()) executor["command"] = program;
  for (const auto& [name, text] : parse_pairs(arguments.values("--with"), "--with")) {
    executor[name] = Document::accept(text) ? Document::parse(text) : Document(text);
  }
  if (*executor["type"].get_ptr<std::string*>() == "command") with_preset(executor.dump());
  return executor;
}

// "kind=agent,label=docs*"
Document rule_of(const std::string& text, const std::string& executor) {
  std::vector<std::string> words;
  for (size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  Document rule = Document::object();
  for (const auto& [name, pattern] : parse_pairs(words, "--match")) {
    if (name != "kind" && name != "task" && name != "label" && name != "agent") {
      throw invalid_argument("--match knows no \"" + name + "\"",
                             "it knows kind, task, label and agent");
    }
    rule[name] = pattern;
  }
  rule["executor"] = executor;
  return rule;
}

// What its type asks for, which the schema cannot say.
void check_executor(const std::string& name, const Document& executor) {
  if (executor["type"] != "openai") return;
  try {
    parse_openai_config({name, "openai", executor.dump(), "--type openai"});
  } catch (const WorkFailed& failed) {
    throw Error(Exit::kUsage, "INVALID_EXECUTOR", failed.message(),
                "--with NAME=VALUE says it, as in --with url=http://127.0.0.1:8080/v1, or --preset "
                "openai, ollama or llama.cpp");
  }
}

bool is_named(const Document& config, const std::string& name) {
  const Document rules = config.value("match", Document::array());
  return std::ranges::any_of(rules, [&](const Document& rule) { return rule["executor"] == name; });
}

// What it would become is judged as a whole before it is written.
Document checked_config(const std::string& path, const std::string& text) {
  const ConfigSchema schema;
  const auto values = parse_config_text(path, text).values;
  const auto problem = schema.find_problem(values);
  if (!problem) return values;
  throw Error(Exit::kUsage, "CONFIG_INVALID", problem->pointer + ": " + problem->why,
              problem->hint.empty() ? "nothing was written" : problem->hint);
}

}  // namespace

Reply executor_add(const Arguments& arguments) {
  const Session session(arguments);
  const HomePlace home = session.workspace(true).home();
  const std::string name = arguments.positional("NAME");
  const std::string path = home.path + "/config.json";
  const Document executor = added_executor(arguments, session);
  Document rules = Document::array();
  for (const auto& text : arguments.values("--match")) rules.push_back(rule_of(text, name));

  std::unique_ptr<FileLock> lock;
  if (const auto dir = open_real_dir(home.path, false); dir && !arguments.has("--dry-run")) {
    lock = lock_home_file(*dir, "config.json");
  }
  const std::string before = read_home_file(path).value_or("");
  if (!before.empty()) {
    const auto layer = parse_config_text(path, before);
    if (layer.values.contains("executors") && layer.values["executors"].contains(name)) {
      throw Error(Exit::kConflict, "EXECUTOR_EXISTS",
                  "there is an executor " + name + " at " + layer.origin("/executors/" + name),
                  "change it there, or choose another name");
    }
  }
  std::string text = add_config_member(before, "executors", name, executor.dump());
  // The rules of one command keep their order, so the last is put in first.
  for (auto rule = rules.rbegin(); rule != rules.rend(); ++rule) {
    text = add_config_element(text, "match", rule->dump());
  }
  const Document config = checked_config(path, text);
  check_executor(name, executor);
  if (!arguments.has("--dry-run")) {
    TrustStore store(state_folder());
    write_config(home, text, store, session.context().clock);
  }
  Reply reply{.document = new_document()};
  reply.document["path"] = path;
  reply.document["name"] = name;
  reply.document["executor"] = executor;
  reply.document["match"] = rules;
  // The rules that hold without any file name executors, too: "shell" has some.
  reply.document["named"] = is_named(config, name) || is_named(ConfigSchema().defaults(), name);
  reply.document["written"] = !arguments.has("--dry-run");
  return reply;
}

std::string executor_add_text(const Document& document, const Style& style) {
  const std::string name = document["name"];
  const bool written = document["written"];
  std::string text = paint(style, Colour::kBold, shown(name)) +
                     (written ? "  is in " : "  would be in ") +
                     shown(document["path"].get<std::string>()) + "\n";
  if (!written) text += "  " + shown(print_json(document["executor"])) + "\n";
  for (const Document& rule : document["match"]) {
    text += (written ? "  performs " : "  would perform ") + shown(rule_text(rule)) + "\n";
  }
  if (!document["named"]) text += "  no rule names it yet: see --match\n";
  if (!written) return text;
  return text + "  try it: reprise executor:test " + shown(name) + " --prompt 'Say hello.'\n";
}

}  // namespace reprise
