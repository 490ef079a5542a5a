#include "cli/command_name.h"

#include <algorithm>

#include "cli/command_table.h"
#include "engine/suggest.h"

namespace reprise {
namespace {

std::vector<std::string_view> command_names() {
  std::vector<std::string_view> names;
  for (const Family& family : command_families()) {
    for (const CommandSpec& command : family.commands) names.push_back(command.name);
  }
  return names;
}

// "create, iterate, ...": empty when no command has that noun.
std::string verbs_of(std::string_view noun) {
  std::string verbs;
  const std::string prefix = std::string(noun) + ":";
  for (const std::string_view name : command_names()) {
    if (!name.starts_with(prefix)) continue;
    if (!verbs.empty()) verbs += ", ";
    verbs += name.substr(prefix.size());
  }
  return verbs;
}

// "post" without its noun: the commands that it may be, as "task:post or message:post"; or empty.
std::string commands_with_verb(std::string_view verb) {
  std::string commands;
  const std::string suffix = ":" + std::string(verb);
  for (const std::string_view name : command_names()) {
    if (name.ends_with(suffix)) commands.append(commands.empty() ? "" : " or ").append(name);
  }
  return commands;
}

// The first word from `from` on that is neither a flag nor a global flag's value.
size_t next_bare_word(const std::vector<std::string>& words, size_t from) {
  for (size_t i = from; i < words.size(); ++i) {
    if (!is_flag(words[i])) return i;
    const auto flag = std::ranges::find(global_flags(), words[i], &Flag::name);
    if (flag != global_flags().end() && !flag->value.empty()) ++i;
  }
  return words.size();
}

}  // namespace

bool is_flag(std::string_view word) { return word.size() > 1 && word[0] == '-'; }

std::string take_command_name(std::vector<std::string>& words) {
  const auto take = [&words](size_t at) {
    std::string word = std::move(words[at]);
    words.erase(words.begin() + static_cast<ptrdiff_t>(at));
    return word;
  };
  const size_t at = next_bare_word(words, 0);
  if (at == words.size()) return {};
  std::string name = take(at);
  if (verbs_of(name).empty()) return name;
  const size_t verb = next_bare_word(words, at);
  if (verb == words.size()) return name;
  // A noun that is a command, too, has flags of its own, whose values are no verbs.
  const bool is_verb = find_command(name + ":" + words[verb]) != nullptr;
  return is_verb || find_command(name) == nullptr ? name + ":" + take(verb) : name;
}

Error unknown_command(std::string_view name) {
  const std::string quoted = "\"" + std::string(name) + "\"";
  if (const std::string verbs = verbs_of(name); !verbs.empty()) {
    return {Exit::kUsage, "UNKNOWN_COMMAND", quoted + " needs a verb: " + verbs,
            "see: reprise help"};
  }
  std::string meant = did_you_mean(name, command_names());
  if (const auto commands = commands_with_verb(name); meant.empty() && !commands.empty()) {
    meant = "did you mean " + commands + "?";
  }
  return {Exit::kUsage, "UNKNOWN_COMMAND", "there is no command " + quoted,
          meant.empty() ? "see: reprise help" : meant};
}

}  // namespace reprise
