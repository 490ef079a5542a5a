// CLI11 splits the words into flags, values and positionals; what is refused is said in our own
// words. An app is built for the one command that was called, so what the others would cost is not
// paid.
#include "cli/flag_parser.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <span>

#include "engine/suggest.h"
#include "journal/error.h"

namespace reprise {
namespace {

std::vector<std::string_view> split_choices(std::string_view value) {
  std::vector<std::string_view> choices;
  for (size_t bar = value.find('|'); bar != std::string_view::npos; bar = value.find('|')) {
    choices.push_back(value.substr(0, bar));
    value.remove_prefix(bar + 1);
  }
  choices.push_back(value);
  return choices;
}

// A value's name in lower case ("ok|error") lists what is allowed; one in upper case ("FILE|-")
// only describes.
void check_choice(const Flag& flag, const std::string& value) {
  const bool describes =
      std::ranges::any_of(flag.value, [](char c) { return c >= 'A' && c <= 'Z'; });
  if (describes) return;
  const std::vector<std::string_view> choices = split_choices(flag.value);
  if (std::ranges::find(choices, value) != choices.end()) return;
  throw invalid_argument(
      std::string(flag.name) + " is " + std::string(flag.value) + ", not \"" + value + "\"",
      did_you_mean(value, choices));
}

Error needs_value(const Flag& flag) {
  const std::string name(flag.name);
  return usage_error("MISSING_ARGUMENT", name + " needs a value",
                     name + "=" + std::string(flag.value));
}

// An unset variable of a script is no folder: what was meant must not become the default home.
void check_folder_name(const Flag& flag, const std::string& value) {
  if (!value.empty() || (flag.name != "--home" && flag.name != "--runs-dir")) return;
  throw invalid_argument(std::string(flag.name) + " is empty",
                         "name a folder, or leave " + std::string(flag.name) + " out");
}

Error takes_no_value(const std::string& flag) {
  return invalid_argument(flag + " takes no value", {});
}

Error unknown_flag(const CommandSpec& command, std::string_view word) {
  const std::string_view name = word.substr(0, word.find('='));
  if (name == "--help") return takes_no_value("--help");
  std::vector<std::string_view> known = {"--help"};
  for (const Flag& flag : command.flags) known.push_back(flag.name);
  for (const Flag& flag : global_flags()) known.push_back(flag.name);
  std::string hint = did_you_mean(name, known);
  if (hint.empty()) hint = "see: reprise " + std::string(command.name) + " --help";
  // Inputs may be meant, which are no flags everywhere.
  if (!command.positionals.empty()) {
    hint += (hint.ends_with('?') ? " usage: " : "; usage: ") + usage_line(command);
  }
  return usage_error("UNKNOWN_FLAG",
                     std::string(command.name) + " has no flag " + std::string(name), hint);
}

// CLI11 reads the word behind "--flag=" as its value.
std::vector<std::string> split_empty_values(const std::vector<std::string>& words) {
  std::vector<std::string> split;
  for (const auto& word : words) {
    const bool empty_value =
        word.size() > 3 && word.starts_with("--") && word.find('=') == word.size() - 1;
    split.push_back(empty_value ? word.substr(0, word.size() - 1) : word);
    if (empty_value) split.emplace_back();
  }
  return split;
}

class FlagParser {
 public:
  FlagParser(const CommandSpec& command, const std::vector<std::string>& words)
      : x_command(command), x_words(words) {
    x_app.set_help_flag();
    x_app.allow_extras();
    for (const Flag& flag : command.flags) add(flag);
    for (const Flag& flag : global_flags()) add(flag);
    for (const Positional& positional : command.positionals) {
      auto* option = add_option(std::string(positional.name));
      if (positional.repeats) option->expected(-1);
      x_positionals.emplace_back(&positional, option);
    }
  }

  Arguments parse() {
    auto words = split_empty_values(x_words);
    std::ranges::reverse(words);  // CLI11 takes them from the back
    try {
      x_app.parse(words);
    } catch (const CLI::ArgumentMismatch& error) {
      refuse_mismatch(error.what());
    }
    refuse_extras();
    Arguments arguments(x_command);
    for (const auto& [flag, option] : x_flags) take(*flag, *option, arguments);
    for (const auto& [positional, option] : x_positionals) {
      for (const auto& word : option->results()) arguments.add_positional(*positional, word);
    }
    refuse_missing(arguments);
    return arguments;
  }

 private:
  CLI::Option* add_option(const std::string& name) {
    // Values stay as they are given: no conversion, no lists in brackets.
    return x_app.add_option(name, CLI::callback_t([](const CLI::results_t&) { return true; }))
        ->expected(1)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }

  void add(const Flag& flag) {
    auto name = std::string(flag.name);
    if (!flag.letter.empty()) name.append(",").append(flag.letter);
    x_flags.emplace_back(&flag, flag.value.empty() ? x_app.add_flag(name)->disable_flag_override()
                                                   : add_option(name));
  }

  void take(const Flag& flag, const CLI::Option& option, Arguments& arguments) const {
    if (option.empty()) return;
    if (flag.value.empty()) return arguments.add_flag(flag, {});
    const std::string name(flag.name);
    if (!flag.repeats && option.count() > 1) {
      throw invalid_argument(name + " is given twice", "give it once");
    }
    for (const std::string& value : option.results()) {
      const bool joined = std::ranges::find(x_words, name + "=" + value) != x_words.end();
      if (value.starts_with("--") && !joined) throw needs_value(flag);
      check_choice(flag, value);
      check_folder_name(flag, value);
      arguments.add_flag(flag, value);
    }
  }

  // "--limit: 1 required missing", or "all was given a disallowed flag override".
  [[noreturn]] void refuse_mismatch(const std::string& message) const {
    std::string name = message.substr(0, message.find_first_of(": "));
    if (!name.starts_with("--")) name.insert(0, "--");
    for (const auto& [flag, option] : x_flags) {
      if (flag->name == name && !flag->value.empty()) throw needs_value(*flag);
    }
    throw takes_no_value(name);
  }

  // Behind the mark "--", which is among the remaining words, nothing is a flag.
  void refuse_extras() const {
    auto extras = x_app.remaining();
    const auto mark = std::ranges::find(extras, "--");
    const auto flag = std::find_if(extras.begin(), mark, [](const std::string& word) {
      return word.size() > 1 && word[0] == '-';
    });
    if (flag != mark) throw unknown_flag(x_command, *flag);
    if (mark != extras.end()) extras.erase(mark);
    if (extras.empty()) return;
    throw invalid_argument(
        "\"" + extras.front() + "\" is one word too many for " + std::string(x_command.name),
        "usage: " + usage_line(x_command));
  }

  void refuse_missing(const Arguments& arguments) const {
    std::string_view missing;
    for (const Flag& flag : x_command.flags) {
      if (flag.required && !arguments.has(flag.name)) missing = flag.name;
    }
    for (const auto& [positional, option] : x_positionals) {
      if (!positional->optional && option->empty()) {
        missing = positional->name;
        break;
      }
    }
    if (missing.empty()) return;
    throw usage_error("MISSING_ARGUMENT",
                      std::string(x_command.name) + " needs " + std::string(missing),
                      "usage: " + usage_line(x_command));
  }

  const CommandSpec& x_command;
  const std::vector<std::string>& x_words;
  CLI::App x_app;
  std::vector<std::pair<const Flag*, CLI::Option*>> x_flags;
  std::vector<std::pair<const Positional*, CLI::Option*>> x_positionals;
};

}  // namespace

Arguments parse_flags(const CommandSpec& command, const std::vector<std::string>& words) {
  return FlagParser(command, words).parse();
}

}  // namespace reprise
