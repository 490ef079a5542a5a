#include "cli/output.h"

#include <cstdlib>
#include <filesystem>

#include "cli/hints.h"
#include "cli/streams.h"
#include "cli/text.h"

namespace reprise {
namespace {

OutputMode mode_of(const FlagLookup& flag) {
  const std::string name = flag("--output").value_or("");
  if (name == "text") return OutputMode::kText;
  if (name == "json") return OutputMode::kJson;
  if (name == "jsonl") return OutputMode::kJsonLines;
  if (name == "none") return OutputMode::kNone;
  return flag("--json") ? OutputMode::kJson : OutputMode::kText;
}

// As the command looked for its home: --runs-dir is stronger than --home.
std::string place_of(const FlagLookup& flag) {
  for (const std::string name : {"--runs-dir", "--home"}) {
    if (const auto folder = flag(name).value_or(""); !folder.empty()) {
      return name + " " + shell_word(folder);
    }
  }
  return {};
}

// A hint, with what the command was told in place of words that stand for it.
std::string told(const std::string& hint, const OutputOptions& options) {
  return with_place(options.run.empty() ? hint : with_run(hint, options.run), options.place);
}

// A message of ours may have several lines; what stands in them may be anybody's data.
std::string message_lines(std::string_view text, std::string_view first_indent) {
  std::string out;
  std::string_view indent = first_indent;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    out.append(indent).append(shown(text.substr(0, end))).append(1, '\n');
    text.remove_prefix(std::min(end + 1, text.size()));
    indent = "  ";
  }
  return out;
}

std::string json_lines(const Document& document, std::string_view stream) {
  if (stream.empty()) return print_json(document) + "\n";
  std::string out;
  for (const Document& element : document.at(std::string(stream))) {
    out += print_json(element) + "\n";
  }
  return out;
}

std::string print_document(const CommandSpec& command, const Document& document,
                           const OutputOptions& options) {
  switch (options.mode) {
    case OutputMode::kText:
      return next_with_place(command.text(document, options.style), options.place);
    case OutputMode::kJson:
      return print_json(document) + "\n";
    case OutputMode::kJsonLines:
      return json_lines(document, command.stream);
    case OutputMode::kNone:
      break;
  }
  return {};
}

}  // namespace

bool colour_terminal() {
  const char* no_colour = std::getenv("NO_COLOR");
  return (no_colour == nullptr || *no_colour == '\0') && draws_on_terminal();
}

OutputOptions output_options(const FlagLookup& flag, bool terminal) {
  OutputOptions options;
  options.mode = mode_of(flag);
  options.pointer = flag("--get");
  options.place = place_of(flag);
  options.quiet = flag("--quiet").has_value();
  const std::string colour = flag("--color").value_or("auto");
  options.style.colour = colour == "always" || (colour != "never" && terminal);
  return options;
}

void name_run(OutputOptions& options, const std::string& word) {
  options.run = word;
  if (word.find('/') == std::string::npos) return;
  std::error_code ignored;  // where nothing is, the command says so
  const auto path = std::filesystem::weakly_canonical(word, ignored);
  if (path.has_parent_path()) {
    options.place = "--runs-dir " + shell_word(path.parent_path().string());
  }
}

Printed print_reply(const CommandSpec& command, Reply reply, const OutputOptions& options) {
  Printed printed;
  printed.exit = reply.exit;
  const bool in_document = prints_document(options);
  if (in_document && !reply.warnings.empty()) reply.document["warnings"] = reply.warnings;
  if (!in_document && !options.quiet) {
    for (const std::string& warning : reply.warnings) {
      printed.err += message_lines("warning: " + warning, "reprise: ");
    }
  }
  if (!options.pointer) {
    printed.out = print_document(command, reply.document, options);
    return printed;
  }
  const std::optional<std::string> value = get_pointer(reply.document, *options.pointer);
  if (value) {
    printed.out = *value + "\n";
  } else {
    printed.err += message_lines("the document holds nothing at " + *options.pointer, "reprise: ");
    std::string members;
    for (const auto& member : reply.document.items()) members += " /" + member.key();
    printed.err += message_lines("it holds" + members, "  ");
    if (!command.writes && reply.exit == Exit::kOk) printed.exit = Exit::kNotFound;
  }
  return printed;
}

bool prints_document(const OutputOptions& options) {
  const bool json = options.mode == OutputMode::kJson || options.mode == OutputMode::kJsonLines;
  return json && !options.pointer;
}

Printed print_error(const Error& error, const OutputOptions& options) {
  Printed printed;
  printed.exit = error.exit();
  const std::string hint = told(error.hint(), options);
  if (prints_document(options)) {
    Document document = new_document();
    Document& body = document["error"];
    body = {{"code", error.code()}, {"message", error.message()}};
    if (!hint.empty()) body["hint"] = hint;
    if (!error.details().empty()) body["details"] = raw_json(error.details());
    printed.out = print_json(document) + "\n";
    return printed;
  }
  printed.err = message_lines(error.message(), "reprise: ");
  printed.err += message_lines(hint, "  ");
  return printed;
}

}  // namespace reprise
