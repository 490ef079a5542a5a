#include "engine/heartbeat/visor_facts.h"

#include <algorithm>
#include <map>

#include "engine/ask.h"
#include "engine/executors/match.h"
#include "engine/heartbeat/board_chore.h"
#include "engine/home_run.h"
#include "engine/index/queries.h"
#include "engine/memory/recall.h"
#include "engine/memory/upkeep.h"
#include "journal/error.h"
#include "journal/ids.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

constexpr const char* kChannelScope = "channel";
constexpr size_t kMostWatchedChannels = 256;
constexpr int64_t kMostFailures = 10'000;
constexpr uint64_t kMostQuestions = 1000;
constexpr uint64_t kMostForgotten = 500;
/// Of a kind, the newest are looked at; the most important of them are named.
constexpr uint64_t kLookedAt = 40;
constexpr size_t kNamedOfKind = 5;
constexpr uint64_t kNamedRecent = 8;
constexpr size_t kMostCards = 20;

Json visor_settings(const BeatHome& home) {
  auto settings = Json::parse(home.config.sections.at("visor"));
  settings["bulletinExecutor"] = has_executor(home.config, "bulletin", "visor.bulletin");
  return settings;
}

/// What one look into the index tells.
struct Overview {
  int64_t channels = 0;
  int64_t open_workers = 0;
  int64_t all_workers = 0;
  int64_t questions = 0;
  std::vector<std::string> busy;  ///< channels that live and have workers that do
  std::map<std::string, std::vector<uint64_t>> failures;
  std::optional<int64_t> last_message_ms;
};

constexpr const char* kLives = "('created', 'ready', 'waiting', 'paused')";

void count_workers(Database& database, Overview& overview) {
  auto all = database.prepare("SELECT sum(spawned) FROM work");
  if (all.next()) overview.all_workers = all.number(0);
  auto busy = database.prepare(
      std::string("SELECT work.run, spawned - ended FROM work JOIN runs ON name = work.run "
                  "WHERE spawned > ended AND process = 'channel' AND status IN ") +
      kLives + " ORDER BY work.run");
  while (busy.next()) {
    overview.open_workers += busy.number(1);
    overview.busy.push_back(busy.text(0));
  }
}

Overview look(Database& database, int64_t now_ms, int64_t failure_window_ms) {
  Overview overview;
  auto channels = database.prepare(
      std::string("SELECT count(*) FROM runs WHERE process = 'channel' AND status IN ") + kLives);
  if (channels.next()) overview.channels = channels.number(0);
  count_workers(database, overview);
  EffectFilter asking;
  asking.standing = EffectFilter::Standing::kAsking;
  asking.limit = kMostQuestions;
  overview.questions = static_cast<int64_t>(list_effects(database, asking).rows.size());
  auto failed = database.prepare(
      "SELECT run, seq FROM events WHERE type = 'worker.failed' AND at_ms > ? ORDER BY at_ms DESC "
      "LIMIT ?");
  for (failed.bind(now_ms - failure_window_ms, kMostFailures); failed.next();) {
    overview.failures[failed.text(0)].push_back(failed.count(1));
  }
  auto message =
      database.prepare("SELECT max(at_ms) FROM events WHERE type = 'channel.message.received'");
  if (message.next()) overview.last_message_ms = message.number_if(0);
  return overview;
}

/// When a worker began to run or to wait; nullopt: nobody works on it yet.
std::optional<std::pair<const char*, int64_t>> standing_of(const Json& worker,
                                                           const RunState& state) {
  const std::string told = worker.at("state");
  if (told == "waiting_input") {
    return std::pair("waiting_input", worker.at("updatedAt").get<int64_t>());
  }
  const auto id = parse_effect_id(worker.value("effect", ""));
  const auto effect = id ? state.open.find(*id) : state.open.end();
  if (effect == state.open.end()) return std::nullopt;
  if (effect->second.kind == kRunKind) {
    return std::pair("running", effect->second.requested_at_ms);
  }
  if (!effect->second.claim) return std::nullopt;
  return std::pair("running", effect->second.claim->claimed_at_ms);
}

void add_work(const std::string& channel, const Machine& machine, const RunState& state,
              Json& facts) {
  for (const auto& worker : Json::parse(machine.answer(R"({"ask":"workers"})"))) {
    if (worker.contains("branchId")) continue;  // its branch is watched
    const auto standing = standing_of(worker, state);
    const std::string told = worker.at("state");
    if (!standing || told == "completed" || told == "failed") continue;
    facts["workers"].push_back({{"channelId", channel},
                                {"workerId", worker.at("workerId")},
                                {"status", standing->first},
                                {"since", standing->second}});
  }
  for (const auto& branch : Json::parse(machine.answer(R"({"ask":"branches"})"))) {
    const std::string told = branch.at("state");
    if (told != "recalling" && told != "thinking") continue;
    facts["branches"].push_back({{"channelId", channel},
                                 {"branchId", branch.at("branchId")},
                                 {"since", branch.at("spawnedAt")}});
  }
}

/// Asks the channels; where there are too many, others at each tick. One that cannot be read is
/// somebody else's trouble.
void ask_channels(BeatHome& home, const std::vector<std::string>& busy, int64_t window,
                  Json& facts) {
  const auto count = std::min(busy.size(), kMostWatchedChannels);
  bool complete = count == busy.size();
  for (size_t i = 0; i < count; ++i) {
    const auto turn = complete ? 0 : static_cast<size_t>(window) * kMostWatchedChannels;
    const auto& channel = busy[(turn + i) % busy.size()];
    try {
      const auto dir = home.workspace.runs().open_dir(channel);
      if (!dir) continue;
      with_asked(*dir, home.context, Past::kPresent,
                 [&](const Machine& machine, const RunState& state) {
                   add_work(channel, machine, state, facts);
                 });
    } catch (const Error&) {
      complete = false;
    }
  }
  facts["complete"] = complete;
}

/// The most important cards of the board that are not over, project by project; none without a
/// board, or with one that cannot be read.
Json open_cards(BeatHome& home) {
  std::vector<Json> cards;
  try {
    Json whole;
    const bool found = home.asked.ask(home, {.name = kBoardRun, .process = kBoardRun},
                                      [&](const Machine& machine, const RunState&) {
                                        whole = Json::parse(machine.answer(R"({"ask":"board"})"));
                                      });
    if (!found) return Json::array();
    std::map<std::string, std::string> names;
    for (const auto& project : whole.at("projects")) {
      names[project.at("projectId")] = project.at("name");
    }
    for (const auto& card : whole.at("cards")) {
      if (card.at("status") == "done" || card.at("status") == "cancelled") continue;
      if (cards.size() == kMostCards) break;
      cards.push_back({{"project", names[card.at("projectId")]},
                       {"cardId", card.at("cardId")},
                       {"title", card.at("title")},
                       {"status", card.at("status")}});
    }
  } catch (const Error&) {
    return Json::array();
  }
  std::ranges::stable_sort(cards, std::less<>(),
                           [](const Json& card) -> const Json& { return card.at("project"); });
  return cards;
}

std::vector<Memory> newest(Database& database, const MemoryFilter& filter, uint64_t limit) {
  return list_memories(database, filter, {}, limit)->rows;
}

void name_memories(const char* section, const std::vector<Memory>& memories, Json& named) {
  for (const auto& memory : memories) {
    named.push_back({{"section", section},
                     {"id", told_memory_id(memory.id)},
                     {"note", memory.summary.empty() ? memory.note : memory.summary}});
  }
}

}  // namespace

Json visor_facts(BeatHome& home) {
  auto settings = visor_settings(home);
  const auto window = home.now_ms / (settings.at("tickIntervalSeconds").get<int64_t>() * 1000);
  const auto failure_window_ms = settings.at("channelDegradedWindowSeconds").get<int64_t>() * 1000;
  const auto overview = home.index.ask(
      [&](Database& database) { return look(database, home.now_ms, failure_window_ms); });
  Json facts = {{"window", window},
                {"settings", std::move(settings)},
                {"counts",
                 {{"channels", overview.channels},
                  {"openWorkers", overview.open_workers},
                  {"allWorkers", overview.all_workers},
                  {"questions", overview.questions}}},
                {"workers", Json::array()},
                {"branches", Json::array()},
                {"failures", Json::array()}};
  if (overview.last_message_ms) facts["lastMessageAt"] = *overview.last_message_ms;
  for (const auto& [channel, seqs] : overview.failures) {
    facts["failures"].push_back({{"channelId", channel}, {"seqs", seqs}});
  }
  ask_channels(home, overview.busy, window, facts);
  facts["cards"] = open_cards(home);
  return facts;
}

Json visor_upkeep(BeatHome& home, int64_t examined_ms) {
  const auto settings = Json::parse(home.config.sections.at("visor"));
  const PruneRule prune{.below = settings.at("pruneImportanceThreshold"),
                        .min_age_ms = settings.at("pruneMinAgeDays").get<int64_t>() * kDayMs};
  const MergeRule merge{.likeness = settings.at("mergeSimilarityThreshold"),
                        .most = settings.at("mergeMaxPerRun"),
                        .after_ms = examined_ms};
  Json upkeep = {{"forget", Json::array()}, {"merges", Json::array()}};
  upkeep["examinedUntil"] = examined_ms;
  home.index.ask([&](Database& database) {
    upkeep["forget"] = Json::array();
    upkeep["merges"] = Json::array();
    for (const auto& id : list_faded(database, prune, home.now_ms, kMostForgotten)) {
      upkeep["forget"].push_back(told_memory_id(id));
    }
    if (!settings.at("mergeEnabled").get<bool>() || merge.most == 0) return;
    const auto search = find_merges(database, merge, home.now_ms);
    upkeep["examinedUntil"] = search.examined_ms;
    for (const auto& [one, other] : search.pairs) {
      upkeep["merges"].push_back(
          {{"memory", Json::parse(merged_memory(one, other))},
           {"replaces", {told_memory_id(one.id), told_memory_id(other.id)}}});
    }
  });
  const bool is_nothing = upkeep["forget"].empty() && upkeep["examinedUntil"] == examined_ms;
  return is_nothing ? Json() : upkeep;
}

Json visor_memories(BeatHome& home, int64_t channels) {
  Json named = Json::array();
  home.index.ask([&](Database& database) {
    named = Json::array();
    MemoryFilter filter{.scopes = {Scope()},
                        .kinds = {},
                        .classes = {"episodic", "semantic", "procedural"},
                        .now_ms = home.now_ms};
    if (channels == 1) {
      RunFilter only;
      only.process = kChannelScope;
      only.statuses = {"created", "ready", "waiting", "paused"};
      const auto page = list_runs(database, only);
      for (const auto& run : page->rows) filter.scopes.push_back({kChannelScope, run.name});
    }
    name_memories("Recent", newest(database, filter, kNamedRecent), named);
    for (const auto& [section, kind] : {std::pair("Decisions", "decision"),
                                        std::pair("Goals", "goal"), std::pair("Events", "event")}) {
      filter.kinds = {kind};
      auto found = newest(database, filter, kLookedAt);
      std::ranges::stable_sort(found, std::greater<>(), [&](const Memory& memory) {
        return importance_at(memory, home.now_ms);
      });
      found.resize(std::min(found.size(), kNamedOfKind));
      name_memories(section, found, named);
    }
  });
  return named;
}

}  // namespace reprise
