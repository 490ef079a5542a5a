#include "cli/arguments.h"

#include <algorithm>
#include <charconv>

#include "cli/command_name.h"
#include "cli/flag_parser.h"
#include "engine/suggest.h"
#include "journal/error.h"
#include "journal/ids.h"

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

// Takes `flag` out of the words that may be flags; whether it was there.
bool take_switch(std::vector<std::string>& words, std::string_view flag) {
  const auto end = std::ranges::find(words, "--");
  const auto found = std::find(words.begin(), end, flag);
  if (found == end) return false;
  words.erase(found);
  return true;
}

// Takes what stands behind "--" out of the words, and the mark with it.
std::vector<std::string> take_program(std::vector<std::string>& words) {
  const auto mark = std::ranges::find(words, "--");
  if (mark == words.end()) return {};
  std::vector<std::string> program(mark + 1, words.end());
  words.erase(mark, words.end());
  return program;
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
  throw invalid_argument(std::string(flag) + " is a positive whole number, not \"" + *text + "\"",
                         {});
}

std::string Arguments::positional(std::string_view name) const {
  for (const auto& [given, value] : x_positionals) {
    if (given == name) return value;
  }
  return {};
}

std::vector<std::string> Arguments::positionals(std::string_view name) const {
  std::vector<std::string> all;
  for (const auto& [given, value] : x_positionals) {
    if (given == name) all.push_back(value);
  }
  return all;
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
  if (name.empty()) name = take_switch(rest, "--version") ? "version" : "inbox";
  const CommandSpec* command = find_command(name);
  if (command == nullptr) throw unknown_command(name);
  const auto program = command->runs_program ? take_program(rest) : std::vector<std::string>();
  auto arguments = parse_flags(*command, rest);
  arguments.set_program(program);
  return arguments;
}

EffectWords words_of_effect(const Arguments& arguments) {
  EffectWords words{arguments.positional("RUN"), arguments.positional("EFFECT")};
  if (words.effect.empty()) words.effect = arguments.value("--effect-id").value_or("");
  const CommandSpec& command = arguments.command();
  const bool has_effect_key = find_flag(command.flags, "--effect-key") != nullptr;
  const bool by_key = arguments.has(has_effect_key ? "--effect-key" : "--key");
  const bool takes_effect = std::ranges::find(command.positionals, "EFFECT", &Positional::name) !=
                            command.positionals.end();
  const size_t slash = words.run.rfind('/');
  if (!takes_effect || by_key || !words.effect.empty() || slash == std::string::npos) return words;
  if (!parse_effect_id(words.run.substr(slash + 1))) return words;
  words.effect = words.run.substr(slash + 1);
  words.run.resize(slash);
  return words;
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

Error usage_error(std::string code, std::string message, std::string hint) {
  return {Exit::kUsage, std::move(code), std::move(message), std::move(hint)};
}

Error invalid_argument(std::string message, std::string hint) {
  return usage_error("INVALID_ARGUMENT", std::move(message), std::move(hint));
}

std::string usage_line(const CommandSpec& command) {
  std::string line = "reprise " + std::string(command.name);
  for (const Positional& positional : command.positionals) {
    const std::string name = std::string(positional.name) + (positional.repeats ? "..." : "");
    line += positional.optional ? " [" + name + "]" : " " + name;
  }
  bool more = false;
  for (const Flag& flag : command.flags) {
    more = more || !flag.required;
    if (!flag.required) continue;
    line += " " + std::string(flag.name);
    if (!flag.value.empty()) line += " " + std::string(flag.value);
  }
  if (more) line += " [FLAGS]";
  return command.runs_program ? line + " -- COMMAND [ARGS]" : line;
}

}  // namespace reprise
