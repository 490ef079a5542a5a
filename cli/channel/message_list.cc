// message:list and message:route.
#include <algorithm>
#include <charconv>

#include "cli/channel/commands.h"
#include "cli/channel/signal_request.h"
#include "cli/list_flags.h"
#include "cli/run_documents.h"
#include "cli/text.h"
#include "engine/inspect.h"

namespace reprise {
namespace {

constexpr uint64_t kMessageListLimit = 50;
constexpr size_t kListedContentWidth = 100;

uint64_t row_flag(const Arguments& arguments) {
  const auto text = arguments.value("--after");
  if (!text) return 0;
  uint64_t row = 0;
  const auto [stop, error] = std::from_chars(text->data(), text->data() + text->size(), row);
  if (error == std::errc() && stop == text->data() + text->size()) return row;
  throw Error(Exit::kUsage, "INVALID_ARGUMENT", "--after: \"" + *text + "\" is no row",
              "use the \"next\" or \"cursor\" of a list before");
}

/// The rows behind the cursor, as far as the limit goes: the newest without a cursor.
Document page_of_rows(const Document& rows, uint64_t after, uint64_t limit, bool& more) {
  Document behind = Document::array();
  for (const Document& row : rows) {
    if (row.value("row", uint64_t{0}) > after) behind.push_back(row);
  }
  more = after > 0 && behind.size() > limit;
  const size_t kept = std::min<size_t>(behind.size(), limit);
  const size_t first = after > 0 ? 0 : behind.size() - kept;
  Document list = Document::array();
  for (size_t i = first; i < first + kept; ++i) list.push_back(behind[i]);
  return list;
}

/// The state holds what a prompt may carry: that is enough for the newest rows of a conversation,
/// unless tools were used among them. Else the whole past is read. `limit` 0: all of it.
Document read_rows(const Session& session, const RunHandle& run, uint64_t after, uint64_t limit) {
  if (after > 0 || limit > 0) {
    const Document question = {{"ask", "messages"}, {"after", after}, {"newest", limit}};
    if (Document rows = ask_channel(session, run, question); rows.is_array()) return rows;
  }
  return ask_channel(session, run, {{"ask", "messages"}}, Past::kWhole);
}

/// What the agent has said so far of the reply that it works on: its executor reports it, and no
/// row holds it yet.
Document streaming(const RunHandle& run, const RunState& state) {
  JsonReader reader;
  for (const auto& [id, effect] : state.open) {
    if (!effect.key.starts_with("reply:") || !effect.progress) continue;
    return {{"runId", effect.key.substr(effect.key.find(':') + 1)},
            {"progress", raw_json(load_progress(*run.dir, effect, reader))}};
  }
  return nullptr;
}

Colour role_colour(const std::string& role) {
  return role == "assistant" ? Colour::kGreen : role == "system" ? Colour::kDim : Colour::kBold;
}

}  // namespace

Reply message_list(const Arguments& arguments) {
  const Session session(arguments);
  const RunHandle run = find_channel(session, arguments);
  const uint64_t after = row_flag(arguments);
  const bool all = arguments.has("--all");
  const uint64_t limit = all ? UINT64_MAX : limit_flag(arguments, kMessageListLimit);
  const Document answer = read_rows(session, run, after, all ? 0 : limit);
  const RunState state = read_state(*run.dir).state;

  Reply reply{.document = run_document(run, state)};
  bool more = false;
  Document list = page_of_rows(answer.is_array() ? answer : Document::array(), after, limit, more);
  const uint64_t last = list.empty() ? after : list.back().value("row", after);
  reply.document["messages"] = std::move(list);
  if (Document said = streaming(run, state); !said.is_null()) reply.document["streaming"] = said;
  reply.document["cursor"] = std::to_string(last);
  add_cursor(reply.document, more, std::to_string(last));
  return reply;
}

std::string message_list_text(const Document& document, const Style& style) {
  Table table;
  for (const Document& row : document["messages"]) {
    const std::string role = member_text(row, "role");
    const std::string kind = member_text(row, "kind");
    const std::string who = role == "user" ? member_text(row["author"], "name") : role;
    table.add({{member_number(row, "row"), Colour::kDim},
               {shown(who), role_colour(role)},
               {(kind == "message" ? "" : kind + ": ") +
                shown(member_text(row, "content"), kListedContentWidth)}});
  }
  std::string out = table.empty() ? "no messages\n" : table.print(style);
  if (document.contains("streaming")) {
    out += "  " + member_text(document["streaming"], "runId") +
           " so far: " + shown(json_of(document["streaming"]["progress"]), kListedContentWidth) +
           "\n";
  }
  return out + more_hint(document);
}

Reply message_route(const Arguments& arguments) {
  const Session session(arguments);
  const RunHandle run = find_channel(session, arguments);
  const std::string text = checked_text(*arguments.value("--explain"), "--explain");
  Reply reply{.document = run_document(run, read_state(*run.dir).state)};
  reply.document["text"] = text;
  reply.document["route"] = ask_channel(session, run, {{"ask", "route"}, {"text", text}});
  return reply;
}

std::string message_route_text(const Document& document, const Style& style) {
  const Document& route = document["route"];
  Table table;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) table.add({{name, Colour::kDim}, {shown(value, kListedContentWidth)}});
  };
  add("action", member_text(route, "action"));
  add("reason", member_text(route, "reason"));
  add("matched", member_text(route, "matched"));
  add("policy", member_text(route, "policy"));
  for (const char* name : {"confidence", "utilization", "tokenBudget"}) {
    if (route.is_object() && route.contains(name)) add(name, route[name].dump());
  }
  return table.print(style);
}

}  // namespace reprise
