#include "cli/program.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "cli/arguments.h"
#include "cli/document.h"
#include "cli/out_of_memory.h"
#include "cli/output.h"
#include "cli/streams.h"

namespace reprise {
namespace {

void check_pointer(const OutputOptions& options) {
  if (!options.pointer || valid_pointer(*options.pointer)) return;
  throw Error(Exit::kUsage, "INVALID_ARGUMENT",
              "--get takes a JSON pointer, not \"" + *options.pointer + "\"",
              "a pointer begins with a slash: --get /runId");
}

// The one run that the command is about, as it was typed; empty when there is none, or several.
std::string run_word(const Arguments& arguments) {
  const auto runs = arguments.positionals("RUN");
  return runs.size() == 1 ? words_of_effect(arguments).run : std::string();
}

// The beginning of a long answer, on its way while the rest is made.
struct Written {
  bool begun = false;
  bool failed = false;  ///< not because its reader went away
};

Printed run_command(const std::vector<std::string>& words, OutputOptions options,
                    Written& written) {
  const Sink sink = [&written](std::string_view bytes) {
    written.begun = true;
    const bool delivered = deliver_out(bytes);
    written.failed = !delivered && errno != EPIPE;
    return delivered;
  };
  try {
    const Arguments arguments = parse_words(words);
    name_run(options, run_word(arguments));
    check_pointer(options);
    Reply reply = arguments.command().run(arguments);
    return print_reply(arguments.command(), std::move(reply), options, sink);
  } catch (const Error& error) {
    if (written.begun) options.mode = OutputMode::kText;  // standard output holds half a document
    return print_error(error, options);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return print_error({Exit::kBug, "BUG", std::string("a bug in reprise: ") + error.what(),
                        "please report it, with the command that you ran"},
                       options);
  }
}

}  // namespace

Exit run_program(const std::vector<std::string>& words) noexcept {
  Printed printed;
  bool as_document = false;
  Written written;
  try {
    const auto flag = [&words](std::string_view name) { return peek_flag(words, name); };
    const OutputOptions options = output_options(flag, colour_terminal());
    as_document = prints_document(options);
    printed = run_command(words, options, written);
  } catch (const std::bad_alloc&) {
    return say_out_of_memory(as_document && !written.begun);
  }
  write_err(printed.err);
  if (!written.failed && write_out(printed.out)) return printed.exit;
  write_err(
      "reprise: the answer could not be written to standard output\n"
      "  what the command recorded stays recorded: see reprise run:status\n");
  return Exit::kSystem;
}

}  // namespace reprise
