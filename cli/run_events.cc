// run:events: the journal as a list.
#include <deque>

#include "cli/commands.h"
#include "cli/event_document.h"
#include "cli/long_list.h"
#include "cli/run_documents.h"
#include "cli/session.h"
#include "cli/text.h"
#include "engine/inspect.h"
#include "engine/suggest.h"
#include "journal/clock.h"

namespace reprise {
namespace {

constexpr uint64_t kRunEventsLimit = 100;
/// A list that may be longer is read twice instead: to see that it can be read, and to be printed.
constexpr uint64_t kMostHeld = 10'000;

struct Wanted {
  std::vector<RecordType> types;  ///< empty: all
  uint64_t after = 0;             ///< 0: from the end that the list begins with
  uint64_t limit = 0;
  bool reverse = false;
};

std::vector<std::string_view> type_names() {
  std::vector<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(RecordType::kIterated); ++i) {
    names.push_back(record_type_name(static_cast<RecordType>(i)));
  }
  return names;
}

RecordType parse_type(const std::string& name) {
  if (const auto type = parse_record_type(name)) return *type;
  throw Error(Exit::kUsage, "INVALID_ARGUMENT", "there is no record type \"" + name + "\"",
              did_you_mean(name, type_names()));
}

Wanted read_wanted(const Arguments& arguments) {
  Wanted wanted;
  for (const std::string& name : arguments.values("--filter-type")) {
    wanted.types.push_back(parse_type(name));
  }
  wanted.after = arguments.count("--after").value_or(0);
  wanted.limit = arguments.count("--limit").value_or(kRunEventsLimit);
  if (arguments.has("--all")) wanted.limit = UINT64_MAX;
  wanted.reverse = arguments.has("--reverse");
  return wanted;
}

bool is_record_wanted(const Wanted& wanted, const RecordView& record) {
  const bool right_side =
      wanted.after == 0 || (wanted.reverse ? record.seq < wanted.after : record.seq > wanted.after);
  const bool right_type =
      wanted.types.empty() || std::ranges::find(wanted.types, record.type) != wanted.types.end();
  return right_side && right_type;
}

Row event_row(const Document& event) {
  return {{"#" + std::to_string(event["seq"].get<uint64_t>()), Colour::kDim},
          {event["recordedAt"]},
          {event["type"], Colour::kBold},
          {gist_of(event)}};
}

// The events of a long journal, read anew whenever they are printed.
class EventList : public LongList {
 public:
  EventList(RunHandle run, Wanted wanted) : x_run(std::move(run)), x_wanted(std::move(wanted)) {
    uint64_t count = 0;
    for_each_event(*x_run.dir, [&](const RecordView& record) {
      if (!is_record_wanted(x_wanted, record)) return;
      x_more = count == x_wanted.limit;
      if (x_more) return;
      ++count;
      x_last = record.seq;
    });
  }

  void each(const std::function<void(const Document& element)>& visit) const override {
    for_each_event(*x_run.dir, [&](const RecordView& record) {
      if (record.seq <= x_last && is_record_wanted(x_wanted, record)) visit(event_document(record));
    });
  }

  Row row(const Document& event) const override { return event_row(event); }

  void add_cursor_to(Document& document) const {
    add_cursor(document, x_more, std::to_string(x_last));
  }

 private:
  RunHandle x_run;
  Wanted x_wanted;
  uint64_t x_last = 0;
  bool x_more = false;
};

Reply new_reply(const RunHandle& run) {
  Reply reply{.document = new_document()};
  reply.document["runId"] = run.name;
  reply.document["runDir"] = run.path;
  reply.document["events"] = Document::array();
  return reply;
}

}  // namespace

Reply run_events(const Arguments& arguments) {
  const Wanted wanted = read_wanted(arguments);
  const Session session(arguments);
  RunHandle run = session.find_run();
  Reply reply = new_reply(run);
  if (wanted.limit > kMostHeld && !wanted.reverse) {
    const auto list = std::make_shared<EventList>(std::move(run), wanted);
    list->add_cursor_to(reply.document);
    reply.list = list;
    return reply;
  }
  std::deque<Document> events;
  bool more = false;
  for_each_event(*run.dir, [&](const RecordView& record) {
    if (!is_record_wanted(wanted, record)) return;
    const bool full = events.size() == wanted.limit;
    more = more || full;
    if (full && !wanted.reverse) return;
    if (full) events.pop_front();
    events.push_back(event_document(record));
  });
  if (wanted.reverse) std::ranges::reverse(events);
  for (Document& event : events) reply.document["events"].push_back(std::move(event));
  if (!events.empty()) {
    const Document& last = reply.document["events"].back();
    add_cursor(reply.document, more, std::to_string(last["seq"].get<uint64_t>()));
  }
  return reply;
}

std::string run_events_text(const Document& document, const Style& style) {
  Table table;
  for (const Document& event : document["events"]) table.add(event_row(event));
  std::string out = table.print(style);
  if (document.contains("next")) {
    out += "more: --after " + document["next"].get<std::string>() + " or --all\n";
  }
  return out;
}

}  // namespace reprise
