// The output contract: standard output holds only the document, diagnostics go to standard error,
// and with JSON output an error is a document, too.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_table.h"
#include "cli/reply.h"
#include "journal/error.h"

namespace reprise {

enum class OutputMode { kText, kJson, kJsonLines, kNone };

struct OutputOptions {
  OutputMode mode = OutputMode::kText;
  std::optional<std::string> pointer;  ///< --get: prints one value instead of the document
  std::string place;  ///< "--home DIR" or "--runs-dir DIR": commands that a text names are about it
  std::string run;    ///< the word for the run that the command is about; empty: none
  bool quiet = false;  ///< no warnings on standard error
  Style style;         ///< of standard output
};

/// Asks for a global flag: its value, "" for a switch that is there, nullopt when it is absent.
using FlagLookup = std::function<std::optional<std::string>(std::string_view flag)>;

/// From --output, --json, --get, --home, --runs-dir, --quiet and --color. What is malformed is left
/// at its default here, and refused by parse_words. `terminal`: standard output is one, and the
/// environment does not forbid colour.
OutputOptions output_options(const FlagLookup& flag, bool terminal);

/// The command is about the run that `word` names, as it was typed: of one that is named by its
/// path, other commands are told the folder of runs that it is in.
void name_run(OutputOptions& options, const std::string& word);

/// Whether standard output is a terminal, and the environment does not forbid colour.
bool colour_terminal();

/// Whether standard output holds a document, also of an error.
bool prints_document(const OutputOptions& options);

/// What goes to the two streams, and the exit code.
struct Printed {
  std::string out;
  std::string err;
  Exit exit = Exit::kOk;
};

/// Takes the beginning of a long output while the rest is made; false when no more is wanted, since
/// it cannot be written.
using Sink = std::function<bool(std::string_view bytes)>;

/// A --get pointer that leads nowhere prints nothing; a reading command then exits 3. `sink` is
/// given a long list piece by piece, and what remains is in Printed; without one all of it is
/// there.
Printed print_reply(const CommandSpec& command, Reply reply, const OutputOptions& options,
                    const Sink& sink = {});
Printed print_error(const Error& error, const OutputOptions& options);

}  // namespace reprise
