#include "processes/subconscious/log.h"

#include <algorithm>

#include "processes/subconscious/texts.h"

namespace reprise::subconscious {

using kit::number_of;
using kit::text_of;

Json Entry::to_json() const {
  Json json = {{"entryId", id},     {"tickId", tick_id},     {"taskId", task_id},
               {"title", title},    {"state", state},        {"text", text},
               {"began", began_ms}, {"changed", changed_ms}, {"revision", revision}};
  if (!decision.empty()) json["decision"] = decision;
  return json;
}

Entry Entry::from_json(const Json& json) {
  return {.id = text_of(json, "entryId"),
          .tick_id = text_of(json, "tickId"),
          .task_id = text_of(json, "taskId"),
          .title = text_of(json, "title"),
          .state = text_of(json, "state"),
          .decision = text_of(json, "decision"),
          .text = text_of(json, "text"),
          .began_ms = number_of(json, "began"),
          .changed_ms = number_of(json, "changed"),
          .revision = static_cast<uint64_t>(number_of(json, "revision"))};
}

void Log::begin(Entry entry) {
  entry.state = kInProgress;
  entry.text = "Evaluating…";
  entry.changed_ms = entry.began_ms;
  entry.revision = ++x_revision;
  x_entries.push_back(std::move(entry));
  while (!x_keeps_all && x_entries.size() > kKeptEntries) x_entries.pop_front();
}

void Log::change(std::string_view id, const std::string& state, const std::string& decision,
                 const std::string& text, int64_t at_ms) {
  const auto found = std::ranges::find(x_entries, id, &Entry::id);
  if (found == x_entries.end()) return;
  found->state = state;
  if (!decision.empty()) found->decision = decision;
  found->text = shortened(text, kKeptTextBytes);
  found->changed_ms = at_ms;
  found->revision = ++x_revision;
}

const Entry* Log::find(std::string_view id) const {
  const auto found = std::ranges::find(x_entries, id, &Entry::id);
  return found == x_entries.end() ? nullptr : &*found;
}

Json Log::to_json() const {
  auto list = Json::array();
  for (const auto& entry : x_entries) list.push_back(entry.to_json());
  return {{"revision", x_revision}, {"entries", std::move(list)}};
}

void Log::restore(const Json& json) {
  x_revision = json.at("revision");
  x_entries.clear();
  for (const auto& entry : json.at("entries")) x_entries.push_back(Entry::from_json(entry));
}

}  // namespace reprise::subconscious
