#include "cli/output.h"

#include <cstdlib>
#include <filesystem>

#include "cli/hints.h"
#include "cli/long_list.h"
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

// Where an answer is written to: what grows too long goes on to the sink.
class Paper {
 public:
  struct Torn {};  ///< thrown when no more is wanted

  Paper(std::string& out, const Sink& sink) : x_out(out), x_sink(sink) {}

  void put(std::string_view text) {
    x_out += text;
    if (!x_sink || x_out.size() < kPieceBytes) return;
    const bool goes_on = x_sink(x_out);
    x_out.clear();
    if (!goes_on) throw Torn();
  }

 private:
  static constexpr size_t kPieceBytes = size_t{64} << 10;
  std::string& x_out;
  const Sink& x_sink;
};

void put_lines(const Document& document, std::string_view stream, const LongList* list,
               Paper& paper) {
  const auto put = [&paper](const Document& element) { paper.put(print_json(element) + "\n"); };
  if (list != nullptr) return list->each(put);
  if (stream.empty()) return put(document);
  for (const Document& element : document.at(std::string(stream))) put(element);
}

// The document, with a long list in the place of its empty one.
void put_json(const Document& document, std::string_view stream, const LongList& list,
              Paper& paper) {
  std::string_view separator = "{";
  for (const auto& [name, member] : document.items()) {
    paper.put(separator);
    paper.put(print_json(name) + ":");
    separator = ",";
    if (name != stream) {
      paper.put(print_json(member));
      continue;
    }
    std::string_view before = "[";
    list.each([&](const Document& element) {
      paper.put(before);
      paper.put(print_json(element));
      before = ",";
    });
    paper.put(before == "[" ? "[]" : "]");
  }
  paper.put("}\n");
}

void put_rows(const LongList& list, const Style& style, Paper& paper) {
  Columns columns;
  list.each([&](const Document& element) { columns.fit(list.row(element)); });
  list.each([&](const Document& element) { paper.put(columns.line(list.row(element), style)); });
}

void put_document(const CommandSpec& command, const Reply& reply, const OutputOptions& options,
                  Paper& paper) {
  const LongList* list = reply.list.get();
  switch (options.mode) {
    case OutputMode::kText:
      if (list != nullptr) put_rows(*list, options.style, paper);
      return paper.put(next_with_place(command.text(reply.document, options.style), options.place));
    case OutputMode::kJson:
      if (list != nullptr) return put_json(reply.document, command.stream, *list, paper);
      return paper.put(print_json(reply.document) + "\n");
    case OutputMode::kJsonLines:
      return put_lines(reply.document, command.stream, list, paper);
    case OutputMode::kNone:
      break;
  }
}

// A pointer may lead to any element.
void fill_in(Reply& reply, std::string_view stream, std::string_view pointer) {
  const std::string place = "/" + std::string(stream);
  if (!reply.list || !(pointer.empty() || pointer.starts_with(place))) return;
  Document& elements = reply.document[std::string(stream)];
  reply.list->each([&](const Document& element) { elements.push_back(element); });
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

Printed print_reply(const CommandSpec& command, Reply reply, const OutputOptions& options,
                    const Sink& sink) {
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
    Paper paper(printed.out, sink);
    try {
      put_document(command, reply, options, paper);
    } catch (const Paper::Torn&) {
      // The sink knows why.
    }
    return printed;
  }
  fill_in(reply, command.stream, *options.pointer);
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
