#include "cli/event_document.h"

#include <cstdio>

#include "cli/text.h"
#include "journal/clock.h"

namespace reprise {
namespace {

constexpr size_t kGistWidth = 80;

// What the members alone do not tell: a change of course, and what looks like a new record and is
// none.
std::string news(const std::string& type, const Document& data) {
  const auto member = [&data](const char* name) { return get_pointer(data, name); };
  if (type == "RUN_REOPENED") {
    return member("/mode").value_or("") + " from #" + member("/activation").value_or("");
  }
  if (type == "PROCESS_ASSIGNED") return member("/plan") ? "other code" : "";
  if (member("/released")) return "given back";
  if (member("/adopts")) return "adopted";
  return member("/adopted") ? "delivered again" : "";
}

}  // namespace

Document event_document(const RecordView& record) {
  char name[32];
  std::snprintf(name, sizeof name, "journal/%08u.jsonl", record.place.segment);
  Document event = {{"seq", record.seq},
                    {"type", record_type_name(record.type)},
                    {"recordedAt", format_time(record.at_ms)}};
  if (record.cause != 0) event["cause"] = record.cause;
  if (record.applied != 0) event["applied"] = record.applied;
  event["path"] = name;
  event["data"] = raw_json(record.data);
  return event;
}

std::string gist_of(const Document& event) {
  const Document& data = event["data"];
  std::string out = news(event["type"].get<std::string>(), data);
  for (const char* name :
       {"/processId", "/effectId", "/status", "/kind", "/taskId", "/label", "/name", "/type",
        "/reason", "/value", "/payload", "/output", "/error/name", "/error/message"}) {
    const std::optional<std::string> text = get_pointer(data, name);
    if (text) out.append(out.empty() ? "" : "  ").append(*text);
  }
  return shown(out, kGistWidth);
}

}  // namespace reprise
