#include "cli/event_document.h"

#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

#include "cli/text.h"
#include "journal/clock.h"
#include "journal/json_reader.h"
#include "json/scan.h"

namespace reprise {
namespace {

constexpr size_t kEventGistWidth = 80;

// The members of a record's data, found in one walk.
class Data {
 public:
  explicit Data(std::string_view json) {
    json::members(json, [this](std::string_view name, std::string_view raw) {
      x_members.emplace_back(name, raw);
    });
  }

  std::string_view raw(std::string_view name) const {
    const auto found = std::ranges::find(x_members, name, &Member::first);
    return found == x_members.end() ? std::string_view() : found->second;
  }
  bool has(std::string_view name) const { return !raw(name).empty(); }
  /// A string without quotes and escapes, anything else as JSON; empty when it is not there.
  std::string text(std::string_view name) const {
    const auto json = raw(name);
    return json.starts_with('"') ? unquote(json) : std::string(json);
  }

 private:
  using Member = std::pair<std::string_view, std::string_view>;
  std::vector<Member> x_members;
};

// What the members alone do not tell: a change of course, and what looks like a new record and is
// none.
std::string news(const std::string& type, const Data& data) {
  if (type == "RUN_REOPENED") return data.text("mode") + " from #" + data.text("activation");
  if (type == "PROCESS_ASSIGNED" && !data.has("process")) return "rules " + data.text("rules");
  if (type == "PROCESS_ASSIGNED") return data.has("plan") ? "other code" : "";
  if (data.has("released")) return "given back";
  if (data.has("adopts")) return "adopted";
  return data.has("adopted") ? "delivered again" : "";
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
  const std::string json = json_of(event["data"]);
  const Data data(json);
  std::string out = news(event["type"].get<std::string>(), data);
  const auto add = [&out](const Data& from, std::string_view name) {
    if (from.has(name)) out.append(out.empty() ? "" : "  ").append(from.text(name));
  };
  for (const char* name : {"processId", "effectId", "status", "kind", "taskId", "label", "name",
                           "type", "reason", "value", "payload", "output"}) {
    add(data, name);
  }
  const Data error(data.raw("error"));
  for (const char* name : {"name", "message"}) add(error, name);
  return shown(out, kEventGistWidth);
}

}  // namespace reprise
