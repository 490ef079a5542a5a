#include "processes/channel/briefing.h"

#include <algorithm>

#include "processes/channel/scribe.h"
#include "unicode/unicode.h"

namespace reprise::channel {

std::vector<std::string> Briefing::refs() const {
  std::vector<std::string> ids;
  for (const auto& memory : memories) ids.push_back(text_of(memory, "id"));
  return ids;
}

std::string Briefing::text() const {
  if (bulletin.empty() && memories.empty()) return {};
  std::string text = "## Memory Context\n";
  if (!bulletin.empty()) text += bulletin + "\n";
  for (const auto& memory : memories) text += "- " + text_of(memory, "note") + "\n";
  return text + "\n";
}

Json memory_scope(const Channel& channel) {
  return {{"type", "channel"}, {"id", channel.identity.id}};
}

void request_briefing(Scribe& scribe, const std::string& noun, const std::string& id,
                      const std::string& query) {
  scribe.request({.noun = noun,
                  .id = id,
                  .kind = "recall",
                  .task = "channel.context",
                  .label = id,
                  .inputs = {{"query", unicode::first(query, kQueryCharacters)},
                             {"limit", scribe.state().settings.recall_limit},
                             {"scopes", Json::array({memory_scope(scribe.state())})},
                             {"bulletin", true}},
                  .definition = {{"title", "recall"}}});
}

Briefing parse_briefing(const Result& result, size_t limit) {
  Briefing briefing;
  if (!result.ok) return briefing;
  briefing.bulletin = text_of(result.value, "bulletin");
  const auto& memories = member_of(result.value, "memories");
  if (!memories.is_array()) return briefing;
  std::vector<std::string> seen;
  for (const auto& memory : memories) {
    const auto id = text_of(memory, "id");
    if (id.empty() || seen.size() >= limit || std::ranges::count(seen, id) > 0) continue;
    seen.push_back(id);
    briefing.memories.push_back(memory);
  }
  return briefing;
}

}  // namespace reprise::channel
