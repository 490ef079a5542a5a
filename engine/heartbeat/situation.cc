#include "engine/heartbeat/situation.h"

#include <algorithm>
#include <functional>
#include <set>

#include "engine/hooks/delivery_log.h"
#include "engine/hooks/hooks.h"
#include "engine/index/envelope.h"
#include "engine/index/queries.h"
#include "engine/memory/recall.h"
#include "journal/clock.h"
#include "journal/error.h"
#include "journal/ids.h"

namespace reprise {

namespace {

constexpr uint64_t kMostRows = 20;
constexpr uint64_t kMostMemories = 200;  ///< that are looked at
constexpr size_t kNoteBytes = 500;

/// Where the file system or the index fails, the others are told all the same.
std::string told(const std::function<std::string()>& section) {
  try {
    return section();
  } catch (const Error& error) {
    return "This cannot be told: " + error.message() + "\n";
  }
}

std::string cut(std::string_view text) {
  size_t bytes = std::min(text.size(), kNoteBytes);
  while (bytes < text.size() && bytes > 0 &&
         (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U) {
    --bytes;
  }
  return std::string(text.substr(0, bytes)) + (bytes < text.size() ? "..." : "");
}

/// Those that did not get everything, each with what went wrong for one of the events.
std::string hooks(BeatHome& home) {
  std::string text;
  for (const auto& hook : sound_hooks(home.config).hooks) {
    DeliveryLog log(home.workspace.home_path(), hook.name);
    if (!log.read() || log.undelivered().empty()) continue;
    const auto parked = std::ranges::count_if(
        log.undelivered(), [](const auto& entry) { return entry.second.parked; });
    text += "Hook " + hook.name + ": " + std::to_string(log.undelivered().size()) +
            " events are not delivered, " + std::to_string(parked) +
            " of them given up: " + cut(log.undelivered().rbegin()->second.error) + "\n";
  }
  return text;
}

std::string environment(BeatHome& home, const std::vector<std::string>& notices) {
  std::string text = "Now: " + format_time(home.now_ms) + "\nRuns:";
  const auto counts = home.index.ask([](Database& database) { return count_runs(database); });
  if (counts.empty()) text += " none";
  for (const auto& [status, count] : counts) text += " " + std::to_string(count) + " " + status;
  text += "\nExecutors:";
  for (const auto& executor : home.config.executors) {
    text += " " + executor.name + " (" + executor.type + ")";
  }
  text += "\n" + hooks(home);
  for (const auto& notice : notices) text += "Notice: " + notice + "\n";
  return text;
}

std::string memory(BeatHome& home, int64_t since_ms) {
  const auto page = home.index.ask([&](Database& database) {
    MemoryFilter filter;
    filter.now_ms = home.now_ms;
    return list_memories(database, filter, {}, kMostMemories);
  });
  std::string text;
  uint64_t left = kMostRows;
  for (const auto& memory : page ? page->rows : std::vector<Memory>()) {
    if (memory.updated_ms <= since_ms || left == 0) continue;
    text += "- [" + memory.kind + "] " + cut(memory.note) + "\n";
    --left;
  }
  return text;
}

void add_runs(std::string& text, BeatHome& home, const std::string& status, int64_t since_ms) {
  const auto page = home.index.ask([&](Database& database) {
    RunFilter filter;
    filter.statuses = {status};
    filter.since_ms = since_ms;
    filter.limit = kMostRows;
    return list_runs(database, filter);
  });
  if (!page) return;
  for (const auto& run : page->rows) {
    text += "- run " + run.name + " (" + run.process + ") is " + status +
            (run.message.empty() ? "" : ": " + cut(run.message)) + "\n";
  }
  if (page->more) text += "- and more that are " + status + "\n";
}

std::string runs(BeatHome& home, int64_t since_ms) {
  std::string text;
  for (const char* status : {"failed", "damaged", "paused"}) {
    add_runs(text, home, status, since_ms);
  }
  EffectFilter held{.standing = EffectFilter::Standing::kHeld};
  held.limit = kMostRows;
  const auto effects = home.index.ask([&](Database& it) { return list_effects(it, held); });
  for (const auto& row : effects.rows) {
    text +=
        "- run " + row.run + " holds " + format_effect_id(row.effect.id) + " (" + row.effect.label +
        "): " + (row.effect.held == "lost" ? "its claim was lost" : "its attempts are used up") +
        "\n";
  }
  EventFilter degraded{.types = {"visor.signal.channel_degraded"}, .run = {}};
  if (since_ms > 0) degraded.since_ms = since_ms;
  degraded.limit = kMostRows;
  const auto events = home.index.ask([&](Database& it) { return list_events(it, degraded); });
  const nlohmann::json::json_pointer channel_of("/payload/channelId");
  std::set<std::string> channels;
  for (const auto& event : events.rows) {
    const auto told = nlohmann::json::parse(envelope(home.workspace.runs(), event));
    const auto channel = told.value(channel_of, nlohmann::json());
    channels.insert(channel.is_string() ? channel.get<std::string>() : "a channel");
  }
  for (const auto& channel : channels) text += "- " + channel + " is degraded: workers failed\n";
  return text;
}

std::string approvals(BeatHome& home) {
  EffectFilter asking{.standing = EffectFilter::Standing::kAsking};
  asking.limit = kMostRows;
  const auto page = home.index.ask([&](Database& it) { return list_effects(it, asking); });
  std::string text;
  for (const auto& row : page.rows) {
    text += "- " + row.run + " " + format_effect_id(row.effect.id) + ": " + cut(row.effect.label) +
            "\n";
  }
  if (page.more) text += "- and more\n";
  return text;
}

}  // namespace

nlohmann::json situation(BeatHome& home, int64_t since_ms,
                         const std::vector<std::string>& notices) {
  return {{"environment", told([&] { return environment(home, notices); })},
          {"memory", told([&] { return memory(home, since_ms); })},
          {"runs", told([&] { return runs(home, since_ms); })},
          {"approvals", told([&] { return approvals(home); })}};
}

}  // namespace reprise
