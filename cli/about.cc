// The commands about reprise itself: help, version, schema.
#include "cli/command_name.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/man_page.h"
#include "engine/suggest.h"
#include "schemas/schemas.h"

namespace reprise {
namespace {

Document describe_command(const CommandSpec& command) {
  Document flags = Document::array();
  for (const Flag& flag : command.flags) {
    flags.push_back({{"name", flag.name},
                     {"value", flag.value},
                     {"help", flag.help},
                     {"required", flag.required},
                     {"repeats", flag.repeats}});
  }
  Document positionals = Document::array();
  for (const Positional& positional : command.positionals) {
    positionals.push_back(
        {{"name", positional.name}, {"help", positional.help}, {"optional", positional.optional}});
  }
  return {{"name", command.name},
          {"summary", command.summary},
          {"usage", usage_line(command)},
          {"positionals", positionals},
          {"flags", flags},
          {"writes", command.writes}};
}

// The commands that a topic names: a command, a noun, or everything.
std::vector<const CommandSpec*> commands_of(const std::string& topic) {
  std::vector<const CommandSpec*> found;
  for (const Family& family : command_families()) {
    for (const CommandSpec& command : family.commands) {
      const bool of_noun = command.name.starts_with(topic + ":");
      if (topic.empty() || command.name == topic || of_noun) found.push_back(&command);
    }
  }
  return found;
}

std::vector<std::string_view> schema_names() {
  std::vector<std::string_view> names;
  for (const Schema& schema : all_schemas()) names.push_back(schema.name);
  return names;
}

}  // namespace

Reply show_help(const Arguments& arguments) {
  std::string topic = arguments.positional("COMMAND");
  const std::string verb = arguments.positional("VERB");
  if (!verb.empty()) topic += ":" + verb;
  const std::vector<const CommandSpec*> commands = commands_of(topic);
  if (commands.empty()) throw unknown_command(topic);

  Reply reply{.document = new_document()};
  reply.document["topic"] = topic;
  if (arguments.has("--markdown")) reply.document["markdown"] = help_markdown();
  if (arguments.has("--man")) reply.document["man"] = man_page();
  reply.document["commands"] = Document::array();
  for (const CommandSpec* command : commands) {
    reply.document["commands"].push_back(describe_command(*command));
  }
  return reply;
}

std::string help_text(const Document& document, const Style& style) {
  for (const char* whole : {"markdown", "man"}) {
    if (document.contains(whole)) return document[whole];
  }
  const std::string topic = document["topic"];
  if (topic.empty()) return help_overview(style);
  const CommandSpec* command = find_command(topic);
  return command == nullptr ? help_noun(topic, style) : help_command(*command, style);
}

Reply show_version(const Arguments&) {
  Reply reply{.document = new_document()};
  reply.document["name"] = "reprise";
  reply.document["version"] = REPRISE_VERSION;
  return reply;
}

std::string version_text(const Document& document, const Style&) {
  return "reprise " + document["version"].get<std::string>() + "\n";
}

Reply show_schema(const Arguments& arguments) {
  const std::string name = arguments.positional("NAME");
  if (name.empty()) {
    Reply reply{.document = new_document()};
    reply.document["schemas"] = schema_names();
    return reply;
  }
  const std::string_view schema = find_schema(name);
  if (!schema.empty()) return {.document = raw_json(schema)};
  const std::string meant = did_you_mean(name, schema_names());
  throw Error(Exit::kNotFound, "SCHEMA_NOT_FOUND", "there is no schema \"" + name + "\"",
              meant.empty() ? "reprise schema lists them" : meant);
}

std::string schema_text(const Document& document, const Style&) {
  if (is_raw(document)) return json_of(document);
  std::string out;
  for (const Document& name : document["schemas"]) out += name.get<std::string>() + "\n";
  return out;
}

}  // namespace reprise
