#include "processes/schedules/answer.h"

#include <algorithm>
#include <tuple>

namespace reprise::schedules {

namespace {

/// The facts, and what runs or ran last.
Json shown(const State& state, const Schedule& schedule) {
  Json json = schedule.facts;
  const auto& id = json.at("scheduleId");
  if (const auto* running = state.running(id)) json["running"] = *running;
  for (auto entry = state.log.rbegin(); entry != state.log.rend(); ++entry) {
    if (entry->at("scheduleId") != id) continue;
    json["last"] = *entry;
    break;
  }
  return json;
}

Json all(const State& state) {
  Json list = Json::array();
  for (const auto& [id, schedule] : state.schedules) list.push_back(shown(state, schedule));
  return list;
}

Json one(const State& state, const Json& question) {
  const auto id = question.value("scheduleId", uint64_t{0});
  const auto* found = id != 0 ? state.find(id) : state.find(question.value("name", ""));
  return found == nullptr ? Json() : shown(state, *found);
}

/// When it fired; of one moment what was skipped stands behind the firing that still ran.
auto place_of(const Json& entry) {
  return std::tuple(entry.at("at").get<int64_t>(), entry.at("firing").get<uint64_t>(),
                    entry.at("outcome") == "skipped");
}

/// In the order in which they fired, the newest last. The state keeps them in another one: as they
/// ended.
Json entries(const State& state, const Json& question) {
  const auto wanted = question.value("scheduleId", uint64_t{0});
  std::vector<Json> list;
  const auto add = [&](const Json& entry) {
    if (wanted == 0 || entry.at("scheduleId") == wanted) list.push_back(entry);
  };
  for (const auto& entry : state.log) add(entry);
  for (const auto& [firing, entry] : state.open) add(entry);
  std::ranges::stable_sort(list, {}, place_of);
  return list;
}

Json work(const State& state, const Json& question) {
  const auto now_ms = question.value("now", int64_t{0});
  Json due = Json::array();
  for (const auto& [id, schedule] : state.schedules) {
    const auto next_ms = schedule.next_ms();
    if (schedule.is_enabled() && next_ms && *next_ms <= now_ms) due.push_back(schedule.facts);
  }
  Json waiting = Json::array();
  for (const auto& [firing, entry] : state.open) {
    if (entry.contains("msgId")) waiting.push_back(entry);
  }
  Json threads = Json::array();
  for (const auto& [thread, entry] : state.marked) {
    if (entry.at("deleteAt").get<int64_t>() <= now_ms) threads.push_back(entry);
  }
  return {{"due", due}, {"waiting", waiting}, {"threads", threads}};
}

}  // namespace

Json answer(const State& state, const Json& question) {
  const auto asked = question.value("ask", "");
  if (asked == "schedules") return all(state);
  if (asked == "schedule") return one(state, question);
  if (asked == "log") return entries(state, question);
  if (asked == "removed") {
    const auto id = question.value("scheduleId", uint64_t{0});
    return id != 0 && id <= state.last_schedule && state.find(id) == nullptr;
  }
  if (asked == "work") return work(state, question);
  return nullptr;
}

}  // namespace reprise::schedules
