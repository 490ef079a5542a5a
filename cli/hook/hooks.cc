// hook:list and hook:retry: what hooks are there, and what did not reach them.
#include <algorithm>
#include <charconv>

#include "cli/configured.h"
#include "cli/hook/commands.h"
#include "cli/session.h"
#include "cli/text.h"
#include "engine/hooks/deliver.h"
#include "journal/clock.h"

namespace reprise {
namespace {

constexpr uint64_t kMostAtOnce = 1000;
constexpr size_t kHookTextWidth = 60;
constexpr size_t kErrorWidth = 200;

std::vector<Hook> chosen_hooks(const Arguments& arguments, Workspace& workspace) {
  auto hooks = configured_hooks(configuration(arguments, workspace.home()));
  const auto wanted = arguments.positional("HOOK");
  if (wanted.empty()) return hooks;
  std::erase_if(hooks, [&](const Hook& hook) { return hook.name != wanted; });
  if (!hooks.empty()) return hooks;
  throw Error(Exit::kNotFound, "HOOK_NOT_FOUND",
              "config.json has no hook \"" + shown(wanted, kHookTextWidth) + "\"",
              "reprise hook:list shows those that it has");
}

Document undelivered_document(const EventId& id, const Undelivered& outcome) {
  Document document = {{"eventId", id.text()},
                       {"attempts", outcome.attempts},
                       {"parked", outcome.parked},
                       {"error", outcome.error}};
  if (!outcome.parked) document["nextAt"] = format_time(outcome.next_ms);
  return document;
}

Document hook_document(const Hook& hook, DeliveryLog& log) {
  Document document = {{"name", hook.name},
                       {"types", hook.types},
                       {"kind", hook.url.empty() ? "command" : "url"},
                       {"timeoutMs", hook.timeout_ms},
                       {"attempts", hook.attempts}};
  auto& list = document["undelivered"] = Document::array();
  if (!log.read()) return document;
  document["since"] = format_time(log.since_ms());
  for (const auto& [id, outcome] : log.undelivered()) {
    list.push_back(undelivered_document(id, outcome));
  }
  return document;
}

/// The one that is asked for, if one is.
std::optional<EventId> wanted_event(const Arguments& arguments) {
  const auto word = arguments.positional("EVENT");
  if (word.empty()) return std::nullopt;
  EventId id{.run = word.substr(0, word.find('/'))};
  const auto* number = word.data() + std::min(id.run.size() + 1, word.size());
  const auto* end = std::from_chars(number, word.data() + word.size(), id.seq).ptr;
  if (*end == '/') id.identity = end + 1;
  if (id.seq > 0 && id.text() == word) return id;
  throw Error(Exit::kUsage, "INVALID_ARGUMENT",
              "EVENT: \"" + shown(word, kHookTextWidth) +
                  "\" is no event: it is RUN/SEQ or RUN/SEQ/IDENTITY",
              "reprise hook:list shows those that did not arrive");
}

/// Of the run that has this id now; empty when nothing is known of it.
std::string present_identity(RunIndex& index, const std::string& run) {
  return index.ask([&](Database& database) {
    const auto page = list_events(database, {.run = run, .limit = 1});
    return page.rows.empty() ? std::string() : page.rows.front().identity;
  });
}

Error event_not_found(const EventId& id) {
  return {Exit::kNotFound, "EVENT_NOT_FOUND",
          "there is no event " + shown(id.text(), kHookTextWidth),
          "reprise hook:list shows those that did not arrive, run:events RUN all of a run"};
}

/// What did not reach the hook, whenever it would be tried again.
std::vector<EventRow> outstanding(const std::optional<EventId>& wanted, RunIndex& index,
                                  const Hook& hook, const DeliveryLog& log, int64_t now_ms) {
  std::vector<EventRow> events;
  for (const auto& [id, outcome] : log.undelivered()) {
    if (wanted && id != *wanted) continue;
    if (auto event = find_event(index, id)) events.push_back(std::move(*event));
  }
  for (auto& event : find_undelivered(index, hook, log, now_ms, kMostAtOnce).events) {
    if (wanted && id_of_event(event) != *wanted) continue;
    events.push_back(std::move(event));
  }
  return events;
}

}  // namespace

Reply hook_list(const Arguments& arguments) {
  const Session session(arguments);
  auto workspace = session.workspace_to_read();
  Reply reply{.document = new_document()};
  auto& hooks = reply.document["hooks"] = Document::array();
  for (const auto& hook : chosen_hooks(arguments, workspace)) {
    DeliveryLog log(workspace.home_path(), hook.name);
    hooks.push_back(hook_document(hook, log));
  }
  return reply;
}

std::string hook_list_text(const Document& document, const Style& style) {
  std::string out;
  for (const auto& hook : document["hooks"]) {
    const std::string name = hook["name"];
    std::string types;
    for (const auto& type : hook["types"])
      types += " " + shown(type.get<std::string>(), kHookTextWidth);
    out += paint(style, Colour::kBold, shown(name)) + "  " + hook["kind"].get<std::string>() +
           "  for" + types + "\n";
    Table table;
    for (const auto& event : hook["undelivered"]) {
      const bool parked = event["parked"];
      table.add({{shown(event["eventId"].get<std::string>())},
                 {parked ? "parked" : "failed", parked ? Colour::kRed : Colour::kYellow},
                 {counted(event["attempts"], "attempt", "attempts")},
                 {shown(event["error"].get<std::string>(), kErrorWidth)}});
    }
    out += table.print(style, "  ");
    if (!table.empty()) out += "  next  reprise hook:retry " + shown(name) + "\n";
  }
  return out.empty() ? "no hooks: config.json has none\n" : out;
}

Reply hook_retry(const Arguments& arguments) {
  const Session session(arguments);
  auto workspace = session.workspace_to_read();
  const auto hooks = chosen_hooks(arguments, workspace);
  Reply reply{.document = new_document()};
  auto& events = reply.document["events"] = Document::array();
  auto wanted = wanted_event(arguments);
  if (!workspace.exists()) {
    if (wanted) throw event_not_found(*wanted);
    return reply;
  }
  if (!hooks.empty()) require_trust(workspace.home());
  auto index = session.index(workspace);
  if (wanted && wanted->identity.empty()) wanted->identity = present_identity(index, wanted->run);
  if (wanted && !find_event(index, *wanted)) throw event_not_found(*wanted);
  for (const auto& hook : hooks) {
    DeliveryLog log(workspace.home_path(), hook.name);
    const auto now_ms = session.context().clock.now_ms();
    if (!log.read()) continue;
    for (const auto& event : outstanding(wanted, index, hook, log, now_ms)) {
      const auto id = id_of_event(event);
      // What was parked begins anew.
      deliver(hook, log, workspace.runs(), event, {}, hook.timeout_ms, now_ms);
      const auto failed = log.undelivered().find(id);
      Document row = {{"hook", hook.name}, {"eventId", id.text()}};
      row["delivered"] = failed == log.undelivered().end();
      if (!row["delivered"]) row["error"] = failed->second.error;
      if (!row["delivered"]) reply.exit = Exit::kNo;
      events.push_back(row);
    }
  }
  return reply;
}

std::string hook_retry_text(const Document& document, const Style& style) {
  Table table;
  for (const auto& event : document["events"]) {
    const bool delivered = event["delivered"];
    table.add({{shown(event["hook"].get<std::string>()), Colour::kBold},
               {shown(event["eventId"].get<std::string>())},
               {delivered ? "delivered" : "failed", delivered ? Colour::kGreen : Colour::kRed},
               {delivered ? "" : shown(event["error"].get<std::string>(), kHookTextWidth)}});
  }
  return table.empty() ? "nothing is left to be delivered\n" : table.print(style);
}

}  // namespace reprise
