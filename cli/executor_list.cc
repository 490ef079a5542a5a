// executor:list: who performs what in this home.
#include "cli/commands.h"
#include "cli/configured.h"
#include "cli/rule_text.h"
#include "cli/session.h"
#include "cli/text.h"
#include "engine/executors/presets.h"

namespace reprise {
namespace {

Document rule_document(const MatchRule& rule) {
  Document document = Document::object();
  for (const auto& [name, text] :
       {std::pair("kind", &rule.kind), std::pair("task", &rule.task),
        std::pair("label", &rule.label), std::pair("agent", &rule.agent)}) {
    if (!text->empty()) document[name] = *text;
  }
  return document;
}

}  // namespace

Reply executor_list(const Arguments& arguments) {
  const Session session(arguments);
  const HomePlace home = session.workspace_to_read().home();
  const Config config = configuration(arguments, home);
  Reply reply{.document = new_document()};
  Document& document = reply.document;
  document["home"] = home.path;
  document["executors"] = Document::array();
  for (const ExecutorConfig& executor : config.executors) {
    Document row = {{"name", executor.name}, {"type", executor.type}, {"origin", executor.origin}};
    const Document settings = Document::parse(executor.json);
    if (settings.contains("preset")) row["preset"] = settings["preset"];
    row["match"] = Document::array();
    for (const MatchRule& rule : config.match) {
      if (rule.executor == executor.name) row["match"].push_back(rule_document(rule));
    }
    document["executors"].push_back(std::move(row));
  }
  document["rules"] = Document::array();
  for (const MatchRule& rule : config.match) {
    Document row = rule_document(rule);
    row["executor"] = rule.executor;
    document["rules"].push_back(std::move(row));
  }
  document["presets"] = Document::array();
  for (const Preset& preset : command_presets()) {
    document["presets"].push_back({{"name", preset.name}, {"about", preset.about}});
  }
  return reply;
}

std::string executor_list_text(const Document& document, const Style& style) {
  Table table;
  for (const Document& executor : document["executors"]) {
    const std::string type = executor["type"];
    table.add(
        {{shown(executor["name"].get<std::string>()), Colour::kBold},
         {executor.contains("preset") ? shown(type + " " + executor["preset"].get<std::string>())
                                      : type},
         {executor["match"].empty() ? "no rule names it" : ""},
         {shown(executor["origin"].get<std::string>()), Colour::kDim}});
  }
  Table rules;
  for (const Document& rule : document["rules"]) {
    rules.add(
        {{shown(rule_text(rule))}, {shown(rule["executor"].get<std::string>()), Colour::kBold}});
  }
  if (rules.empty()) return table.print(style);
  return table.print(style) + "\nthe first rule that fits decides\n" + rules.print(style, "  ");
}

}  // namespace reprise
