#include "cli/arguments.h"

#include <algorithm>
#include <charconv>

#include "cli/command_name.h"
#include "cli/suggest.h"
#include "journal/error.h"

namespace reprise {
namespace {

const Flag* find_flag(std::span<const Flag> flags, std::string_view name) {
  const auto found = std::ranges::find(flags, name, &Flag::name);
  return found == flags.end() ? nullptr : &*found;
}

// "--flag=value" in its two parts.
struct FlagWord {
  std::string_view name;
  std::optional<std::string_view> value;
};

FlagWord split_flag(std::string_view word) {
  const size_t equals = word.find('=');
  if (equals == std::string_view::npos) return {word, std::nullopt};
  return {word.substr(0, equals), word.substr(equals + 1)};
}

Error usage_error(std::string code, std::string message, std::string hint) {
  return {Exit::kUsage, std::move(code), std::move(message), std::move(hint)};
}

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
  const std::string message =
      std::string(flag.name) + " is " + std::string(flag.value) + ", not \"" + value + "\"";
  throw usage_error("INVALID_ARGUMENT", message, did_you_mean(value, choices));
}

Error unknown_flag(const CommandSpec& command, std::string_view name) {
  std::vector<std::string_view> known = {"--help"};
  for (const Flag& flag : command.flags) known.push_back(flag.name);
  for (const Flag& flag : global_flags()) known.push_back(flag.name);
  const std::string meant = did_you_mean(name, known);
  const std::string help = "see: reprise " + std::string(command.name) + " --help";
  return usage_error("UNKNOWN_FLAG",
                     std::string(command.name) + " has no flag " + std::string(name),
                     meant.empty() ? help : meant);
}

// Reads the words behind the command, each once.
class Reader {
 public:
  Reader(const CommandSpec& command, const std::vector<std::string>& words)
      : x_command(command), x_words(words), x_arguments(command) {}

  Arguments read() {
    for (x_at = 0; x_at < x_words.size(); ++x_at) {
      const std::string& word = x_words[x_at];
      if (!x_flags_ended && word == "--") {
        x_flags_ended = true;
      } else if (!x_flags_ended && is_flag(word)) {
        take_flag(split_flag(word));
      } else {
        take_positional(word);
      }
    }
    check_complete();
    return std::move(x_arguments);
  }

 private:
  void take_flag(const FlagWord& word) {
    const Flag* flag = find_flag(x_command.flags, word.name);
    if (flag == nullptr) flag = find_flag(global_flags(), word.name);
    if (flag == nullptr) throw unknown_flag(x_command, word.name);
    const std::string name(flag->name);
    if (flag->value.empty()) {
      if (word.value) throw usage_error("INVALID_ARGUMENT", name + " takes no value", {});
      x_arguments.add_flag(*flag, {});
      return;
    }
    if (!flag->repeats && x_arguments.has(flag->name)) {
      throw usage_error("INVALID_ARGUMENT", name + " is given twice", "give it once");
    }
    const std::string value = word.value ? std::string(*word.value) : next_word(*flag);
    check_choice(*flag, value);
    x_arguments.add_flag(*flag, value);
  }

  std::string next_word(const Flag& flag) {
    const bool there = x_at + 1 < x_words.size();
    if (there && !x_words[x_at + 1].starts_with("--")) return x_words[++x_at];
    throw usage_error("MISSING_ARGUMENT", std::string(flag.name) + " needs a value",
                      std::string(flag.name) + "=" + std::string(flag.value));
  }

  void take_positional(const std::string& word) {
    if (x_taken == x_command.positionals.size()) {
      throw usage_error("INVALID_ARGUMENT",
                        "\"" + word + "\" is one word too many for " + std::string(x_command.name),
                        "usage: " + usage_line(x_command));
    }
    x_arguments.add_positional(x_command.positionals[x_taken++], word);
  }

  void check_complete() const {
    std::string_view missing;
    for (const Flag& flag : x_command.flags) {
      if (flag.required && !x_arguments.has(flag.name)) missing = flag.name;
    }
    const bool more = x_taken < x_command.positionals.size();
    if (more && !x_command.positionals[x_taken].optional) {
      missing = x_command.positionals[x_taken].name;
    }
    if (missing.empty()) return;
    throw usage_error("MISSING_ARGUMENT",
                      std::string(x_command.name) + " needs " + std::string(missing),
                      "usage: " + usage_line(x_command));
  }

  const CommandSpec& x_command;
  const std::vector<std::string>& x_words;
  Arguments x_arguments;
  size_t x_at = 0;
  size_t x_taken = 0;
  bool x_flags_ended = false;
};

// Takes `flag` out of the words that may be flags; whether it was there.
bool take_switch(std::vector<std::string>& words, std::string_view flag) {
  const auto end = std::ranges::find(words, "--");
  const auto found = std::find(words.begin(), end, flag);
  if (found == end) return false;
  words.erase(found);
  return true;
}

}  // namespace

bool Arguments::has(std::string_view flag) const { return value(flag).has_value(); }

std::optional<std::string> Arguments::value(std::string_view flag) const {
  for (const auto& [name, value] : x_flags) {
    if (name == flag) return value;
  }
  return std::nullopt;
}

std::vector<std::string> Arguments::values(std::string_view flag) const {
  std::vector<std::string> all;
  for (const auto& [name, value] : x_flags) {
    if (name == flag) all.push_back(value);
  }
  return all;
}

std::optional<uint64_t> Arguments::count(std::string_view flag) const {
  const std::optional<std::string> text = value(flag);
  if (!text) return std::nullopt;
  uint64_t number = 0;
  const char* end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, number);
  if (error == std::errc() && stop == end && number > 0) return number;
  throw usage_error("INVALID_ARGUMENT",
                    std::string(flag) + " is a positive whole number, not \"" + *text + "\"", {});
}

std::string Arguments::positional(std::string_view name) const {
  for (const auto& [given, value] : x_positionals) {
    if (given == name) return value;
  }
  return {};
}

void Arguments::add_flag(const Flag& flag, std::string value) {
  x_flags.emplace_back(flag.name, std::move(value));
}

void Arguments::add_positional(const Positional& positional, std::string value) {
  x_positionals.emplace_back(positional.name, std::move(value));
}

Arguments parse_words(const std::vector<std::string>& words) {
  std::vector<std::string> rest = words;
  const bool short_help = take_switch(rest, "-h");
  const bool help = take_switch(rest, "--help") || short_help;
  std::string name = take_command_name(rest);
  if (help) {
    rest.assign(name.empty() ? 0 : 1, name);
    name = "help";
  }
  if (name.empty()) name = take_switch(rest, "--version") ? "version" : "help";
  const CommandSpec* command = find_command(name);
  if (command == nullptr) throw unknown_command(name);
  return Reader(*command, rest).read();
}

std::optional<std::string> peek_flag(const std::vector<std::string>& words, std::string_view name) {
  const Flag* flag = find_flag(global_flags(), name);
  const bool takes_value = flag != nullptr && !flag->value.empty();
  std::optional<std::string> found;
  for (size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    const FlagWord word = split_flag(words[i]);
    if (word.name != name) continue;
    if (word.value) {
      found = *word.value;
    } else if (!takes_value) {
      found = "";
    } else if (i + 1 < words.size()) {
      found = words[++i];
    }
  }
  return found;
}

std::string usage_line(const CommandSpec& command) {
  std::string line = "reprise " + std::string(command.name);
  for (const Positional& positional : command.positionals) {
    const std::string name(positional.name);
    line += positional.optional ? " [" + name + "]" : " " + name;
  }
  bool more = false;
  for (const Flag& flag : command.flags) {
    more = more || !flag.required;
    if (!flag.required) continue;
    line += " " + std::string(flag.name);
    if (!flag.value.empty()) line += " " + std::string(flag.value);
  }
  return more ? line + " [FLAGS]" : line;
}

}  // namespace reprise
