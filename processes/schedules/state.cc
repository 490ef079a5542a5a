#include "processes/schedules/state.h"

namespace reprise::schedules {

namespace {

constexpr size_t kKeptEntries = 100;

void add(State& state, const Json& payload, int64_t at_ms) {
  const uint64_t id = payload.at("scheduleId");
  state.last_schedule = id;
  Json facts = payload;
  facts.update({{"fired", 0},
                {"missed", 0},
                {"skipped", 0},
                {"revision", 1},
                {"lastOccurrence", nullptr},
                {"thread", nullptr},
                {"threads", 0},
                {"createdAt", at_ms},
                {"updatedAt", at_ms}});
  state.schedules[id] = {std::move(facts)};
}

void edit(Schedule& schedule, const Json& payload, int64_t at_ms) {
  auto& facts = schedule.facts;
  if (payload.contains("name")) facts["name"] = payload["name"];
  if (payload.contains("target")) {
    // Another channel has other threads.
    if (text_of(facts["target"], "channel") != text_of(payload["target"], "channel")) {
      facts["thread"] = nullptr;
    }
    facts["target"] = payload["target"];
  }
  if (payload.contains("timing")) {
    facts["timing"] = payload["timing"];
    facts["revision"] = facts["revision"].get<uint64_t>() + 1;
  }
  if (payload.contains("next")) facts["next"] = payload["next"];
  facts["updatedAt"] = at_ms;
}

void set_enabled(Schedule& schedule, const Json& payload, bool enabled, int64_t at_ms) {
  schedule.facts["enabled"] = enabled;
  schedule.facts["next"] = enabled ? payload.at("next") : Json();
  schedule.facts["updatedAt"] = at_ms;
}

void count(Json& facts, const char* what, uint64_t more) {
  facts[what] = facts[what].get<uint64_t>() + more;
}

/// The occurrence is over with, however it went; one that has no next is spent.
void advance(Schedule& schedule, const Json& payload) {
  if (!payload.contains("next")) return;
  schedule.facts["next"] = payload["next"];
  schedule.facts["lastOccurrence"] = payload.at("occurrence");
  if (payload["next"].is_null()) schedule.facts["enabled"] = false;
  count(schedule.facts, "missed", static_cast<uint64_t>(number_of(payload, "missed")));
}

void take_fired(State& state, const Json& payload, int64_t at_ms) {
  state.last_firing = payload.at("firing");
  auto& entry = state.open[state.last_firing] = payload;
  entry["at"] = at_ms;
  entry["outcome"] = "running";
  const auto found = state.schedules.find(payload.at("scheduleId"));
  if (found == state.schedules.end()) return;
  auto& facts = found->second.facts;
  count(facts, "fired", 1);
  advance(found->second, payload);
  if (!payload.contains("thread") || facts["thread"] == payload["thread"]) return;
  facts["thread"] = payload["thread"];
  count(facts, "threads", 1);
}

void keep(State& state, Json entry) {
  state.log.push_back(std::move(entry));
  if (!state.keeps_all && state.log.size() > kKeptEntries) state.log.erase(state.log.begin());
}

void skip(State& state, const Json& payload, int64_t at_ms) {
  auto entry = payload;
  entry["at"] = at_ms;
  entry["outcome"] = "skipped";
  keep(state, std::move(entry));
  const auto found = state.schedules.find(payload.at("scheduleId"));
  if (found == state.schedules.end()) return;
  count(found->second.facts, "skipped", 1);
  advance(found->second, payload);
}

void finish(State& state, const Json& payload, int64_t at_ms) {
  const auto found = state.open.find(payload.at("firing"));
  if (found == state.open.end()) return;
  auto entry = std::move(found->second);
  state.open.erase(found);
  entry.update(payload);
  entry["endedAt"] = at_ms;
  keep(state, std::move(entry));
}

void mark(State& state, const Json& payload) {
  state.marked[payload.at("thread")] = payload;
  const auto found = state.schedules.find(payload.at("scheduleId"));
  if (found == state.schedules.end()) return;
  auto& thread = found->second.facts["thread"];
  if (thread == payload["thread"]) thread = nullptr;
}

}  // namespace

std::optional<int64_t> Schedule::next_ms() const {
  const auto& next = facts.at("next");
  return next.is_null() ? std::nullopt : std::optional(next.get<int64_t>());
}

const std::string& Schedule::target_kind() const {
  return facts.at("target").at("kind").get_ref<const std::string&>();
}

const Schedule* State::find(uint64_t id) const {
  const auto found = schedules.find(id);
  return found == schedules.end() ? nullptr : &found->second;
}

const Schedule* State::find(std::string_view name) const {
  for (const auto& [id, schedule] : schedules) {
    const auto own = schedule.facts.find("name");
    if (own != schedule.facts.end() && *own == name) return &schedule;
  }
  return nullptr;
}

const Json* State::running(uint64_t schedule) const {
  for (const auto& [firing, entry] : open) {
    if (entry.at("scheduleId") == schedule) return &entry;
  }
  return nullptr;
}

void State::evolve(std::string_view type, const Json& payload, int64_t at_ms) {
  if (type == "schedule.added") return add(*this, payload, at_ms);
  if (type == "schedule.fired") return take_fired(*this, payload, at_ms);
  if (type == "schedule.skipped") return skip(*this, payload, at_ms);
  if (type == "schedule.finished") return finish(*this, payload, at_ms);
  if (type == "schedule.thread.marked") return mark(*this, payload);
  if (type == "schedule.thread.deleted") {
    marked.erase(payload.at("thread").get<std::string>());
    return;
  }
  if (!payload.contains("scheduleId")) return;
  const auto found = schedules.find(payload["scheduleId"]);
  if (found == schedules.end()) return;
  if (type == "schedule.edited") edit(found->second, payload, at_ms);
  if (type == "schedule.enabled") set_enabled(found->second, payload, true, at_ms);
  if (type == "schedule.disabled") set_enabled(found->second, payload, false, at_ms);
  if (type == "schedule.removed") schedules.erase(found);
}

Json State::to_json() const {
  Json json = {{"lastSchedule", last_schedule}, {"lastFiring", last_firing}, {"log", log}};
  for (const char* list : {"schedules", "open", "marked", "effects"}) json[list] = Json::array();
  for (const auto& [id, schedule] : schedules) json["schedules"].push_back({id, schedule.facts});
  for (const auto& [firing, entry] : open) json["open"].push_back({firing, entry});
  for (const auto& [thread, entry] : marked) json["marked"].push_back({thread, entry});
  for (const auto& [effect, firing] : effects) json["effects"].push_back({effect, firing});
  return json;
}

void State::restore(const Json& json) {
  last_schedule = json.at("lastSchedule");
  last_firing = json.at("lastFiring");
  log = json.at("log").get<std::vector<Json>>();
  for (const auto& entry : json.at("schedules")) schedules[entry[0]] = {entry[1]};
  for (const auto& entry : json.at("open")) open[entry[0]] = entry[1];
  for (const auto& entry : json.at("marked")) marked[entry[0].get<std::string>()] = entry[1];
  for (const auto& entry : json.at("effects")) effects[entry[0]] = entry[1];
}

}  // namespace reprise::schedules
