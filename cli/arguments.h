// The words of one invocation, understood with the command table: which command, its positionals,
// its flags.
//
// `--flag value` and `--flag=value` are the same, flags and positionals come in any order, `--`
// ends the flags, and global flags may stand before the command. A value that itself begins with
// "--" needs the `=` form.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command_table.h"
#include "journal/error.h"

namespace reprise {

/// What was given. Flags and positionals are asked for by the names that the table gives them.
class Arguments {
 public:
  explicit Arguments(const CommandSpec& command) : x_command(&command) {}

  const CommandSpec& command() const { return *x_command; }
  bool has(std::string_view flag) const;
  /// nullopt when the flag was not given.
  std::optional<std::string> value(std::string_view flag) const;
  /// All values of a flag that repeats, in order.
  std::vector<std::string> values(std::string_view flag) const;
  /// A flag's value as a positive whole number; Error INVALID_ARGUMENT otherwise.
  std::optional<uint64_t> count(std::string_view flag) const;

  /// The words behind "--" of a command that runs a program.
  const std::vector<std::string>& program() const { return x_program; }
  /// Empty when an optional one was not given.
  std::string positional(std::string_view name) const;
  /// All values of a positional that repeats, in order.
  std::vector<std::string> positionals(std::string_view name) const;

  void add_flag(const Flag& flag, std::string value);
  void add_positional(const Positional& positional, std::string value);
  void set_program(std::vector<std::string> words) { x_program = std::move(words); }

 private:
  const CommandSpec* x_command;
  std::vector<std::pair<std::string_view, std::string>> x_flags;
  std::vector<std::pair<std::string_view, std::string>> x_positionals;
  std::vector<std::string> x_program;
};

/// `words` without the program's name. Throws Error (UNKNOWN_COMMAND, UNKNOWN_FLAG,
/// MISSING_ARGUMENT, INVALID_ARGUMENT; exit 2) with a hint that names what was probably meant. No
/// words at all are `inbox`; `COMMAND --help` is `help COMMAND`.
Arguments parse_words(const std::vector<std::string>& words);

/// What a command was given as RUN and EFFECT: two words, or RUN/EFFECT in one unless the effect is
/// named by a key; each is empty when it was not given.
struct EffectWords {
  std::string run;
  std::string effect;
};
EffectWords words_of_effect(const Arguments& arguments);

/// The last value of a global flag, found without understanding the other words: how an error is to
/// be printed must be known even when the words make no sense. A switch that is there has the value
/// "".
std::optional<std::string> peek_flag(const std::vector<std::string>& words, std::string_view flag);

/// An error in the words of a command: exit 2.
Error usage_error(std::string code, std::string message, std::string hint);
/// The same of code INVALID_ARGUMENT.
Error invalid_argument(std::string message, std::string hint = {});

/// "reprise task:post RUN EFFECT --status ok|error [FLAGS]"
std::string usage_line(const CommandSpec& command);

}  // namespace reprise
