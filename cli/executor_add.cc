// executor:add: an executor, and the rules that name it, in the home's config.json.
#include "cli/commands.h"
#include "cli/configured.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/user_values.h"
#include "engine/executors/config_edit.h"
#include "engine/executors/presets.h"
#include "engine/home/config_schema.h"
#include "engine/home/config_text.h"
#include "engine/home/home_file.h"

namespace reprise {
namespace {

Error invalid(const std::string& message, const std::string& hint) {
  return {Exit::kUsage, "INVALID_ARGUMENT", message, hint};
}

Document executor_of(const Arguments& arguments) {
  const auto preset = arguments.value("--preset");
  const auto type = arguments.value("--type");
  if (!preset && !type && arguments.program().empty()) {
    throw Error(Exit::kUsage, "MISSING_ARGUMENT",
                "an executor needs --type, --preset, or a command behind --",
                "as in: reprise executor:add agent --preset claude-code --match kind=agent");
  }
  Document executor = {{"type", type.value_or("command")}};
  if (preset) executor["preset"] = *preset;
  if (!arguments.program().empty()) executor["command"] = arguments.program();
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
      throw invalid("--match knows no \"" + name + "\"", "it knows kind, task, label and agent");
    }
    rule[name] = pattern;
  }
  rule["executor"] = executor;
  return rule;
}

// What it would become is judged as a whole before it is written.
void check_text(const std::string& path, const std::string& text) {
  const auto problem = ConfigSchema().find_problem(parse_config_text(path, text).values);
  if (!problem) return;
  throw Error(Exit::kUsage, "CONFIG_INVALID", problem->pointer + ": " + problem->why,
              problem->hint.empty() ? "nothing was written" : problem->hint);
}

}  // namespace

Reply executor_add(const Arguments& arguments) {
  const Session session(arguments);
  const HomePlace home = session.workspace(true).home();
  const std::string name = arguments.positional("NAME");
  const std::string path = home.path + "/config.json";
  const Document executor = executor_of(arguments);
  Document rules = Document::array();
  for (const auto& text : arguments.values("--match")) rules.push_back(rule_of(text, name));

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
  check_text(path, text);
  if (!arguments.has("--dry-run")) {
    TrustStore store(state_folder());
    write_config(home, text, store, session.context().clock);
  }
  Reply reply{.document = new_document()};
  reply.document["path"] = path;
  reply.document["name"] = name;
  reply.document["executor"] = executor;
  reply.document["match"] = rules;
  reply.document["written"] = !arguments.has("--dry-run");
  return reply;
}

std::string executor_add_text(const Document& document, const Style& style) {
  const std::string name = document["name"];
  std::string text = paint(style, Colour::kBold, shown(name)) +
                     (document["written"] ? "  is in " : "  would be in ") +
                     shown(document["path"].get<std::string>()) + "\n";
  if (document["match"].empty()) text += "  no rule names it yet: see --match\n";
  return text + "  try it: reprise executor:test " + shown(name) + " --prompt 'Say hello.'\n";
}

}  // namespace reprise
