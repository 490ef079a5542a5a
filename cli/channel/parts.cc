#include "cli/channel/parts.h"

#include <algorithm>
#include <cctype>

#include "cli/channel/signal_request.h"
#include "cli/run_documents.h"
#include "cli/text.h"

namespace reprise {
namespace {

constexpr size_t kPartWidth = 200;

std::string upper(std::string word) {
  std::ranges::transform(word, word.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return word;
}

}  // namespace

Reply list_parts(const Arguments& arguments, const std::string& noun) {
  const Session session(arguments);
  const RunHandle run = find_channel(session, arguments);
  const auto past = arguments.has("--all") ? Past::kWhole : Past::kPresent;
  Document answer = ask_channel(session, run, {{"ask", noun}}, past);
  const RunState state = read_state(*run.dir).state;
  mark_running(answer, state);
  Reply reply{.document = run_document(run, state)};
  reply.document[noun] = answer.is_array() ? std::move(answer) : Document::array();
  return reply;
}

Reply show_part(const Arguments& arguments, const PartName& name, Past past) {
  const Session session(arguments);
  const RunHandle run = find_channel(session, arguments);
  const std::string id = checked_text(arguments.positional(name.positional), name.positional);
  const Document question = {{"ask", name.noun}, {"id", id}};
  Document part = ask_channel(session, run, question, past);
  // One that ended long ago is in the journal only.
  if (part.is_null() && past == Past::kPresent) {
    part = ask_channel(session, run, question, Past::kWhole);
  }
  if (part.is_null()) {
    throw Error(Exit::kNotFound, upper(name.noun) + "_NOT_FOUND",
                "channel " + run.name + " has no " + name.noun + " \"" + id + "\"",
                "reprise " + name.noun + ":list " + run.name + " shows them");
  }
  const RunState state = read_state(*run.dir).state;
  mark_running(part, state);
  Reply reply{.document = run_document(run, state)};
  reply.document[name.noun] = std::move(part);
  return reply;
}

std::string part_text(const Document& part, const Style& style, const char* id) {
  std::string out = paint(style, Colour::kBold, shown(member_text(part, id))) + "  " +
                    shown(member_text(part, "state")) + "\n";
  Table table;
  for (const auto& [name, value] : part.items()) {
    if (name == id || name == "state" || name == "content") continue;
    const bool empty = (value.is_string() || value.is_array()) && value.empty();
    const bool blank = value.is_string() && value.get<std::string>().empty();
    if (empty || blank || value.is_null()) continue;
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    table.add({{shown(name), Colour::kDim}, {shown(text, kPartWidth)}});
  }
  return out + table.print(style, "  ");
}

}  // namespace reprise
