// The one table of all commands. The parser, the help, docs/cli.md and the schemas' names come from
// it. It is constant data: nothing registers itself, nothing is built at start-up.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/reply.h"

namespace reprise {

class Arguments;

struct Positional {
  std::string_view name;  ///< "RUN"
  std::string_view help;
  bool optional = false;
  bool repeats = false;  ///< the last one only
};

struct Flag {
  std::string_view name;  ///< "--input"
  std::string_view
      value;  ///< its value's name ("K=V"), choices ("ok|error"), or empty for a switch
  std::string_view help;
  bool required = false;
  bool repeats = false;
  std::string_view letter = {};  ///< "-f", another name that is accepted; or empty
};

struct Example {
  std::string_view words;  ///< what is typed
  std::string_view what;   ///< what it does
};

struct CommandSpec {
  std::string_view name;        ///< "run:create", "version"
  std::string_view alias = {};  ///< another name that is accepted
  std::string_view summary;
  std::string_view description = {};  ///< more than the summary says; may be empty
  std::span<const Positional> positionals = {};
  std::span<const Flag> flags = {};
  std::span<const Example> examples = {};
  std::span<const Exit> exits = {};  ///< those it has besides 0, 2, 8 and 70
  bool runs_program = false;         ///< the words behind "--" are one
  bool writes = false;               ///< takes the run's lock and may write to the run
  /// Writes to no run itself, but changes the home, the machine or what runs are there, or has work
  /// done.
  bool changes_else = false;
  /// The list in its document that --output jsonl prints line by line; or empty.
  std::string_view stream = {};

  Reply (*run)(const Arguments& arguments) = nullptr;
  /// The document for people. Ends with a newline unless empty.
  std::string (*text)(const Document& document, const Style& style) = nullptr;
};

/// The commands of one noun, in the order of the help.
struct Family {
  std::string_view title;
  std::span<const CommandSpec> commands;
};

std::span<const Family> command_families();
std::span<const Flag> global_flags();
/// nullptr when there is none of that name.
const CommandSpec* find_command(std::string_view name);

/// What an exit code means, for the help.
std::string_view describe_exit(Exit exit);

}  // namespace reprise
