#include "processes/subconscious/task.h"

#include "processes/kit/json.h"
#include "processes/subconscious/ids.h"

namespace reprise::subconscious {

using kit::flag_of;
using kit::member_of;
using kit::number_of;
using kit::text_of;

namespace {

constexpr std::string_view kTaskPrefix = "task-";

std::optional<int64_t> time_of(const Json& object, const char* name) {
  const auto& member = member_of(object, name);
  return member.is_number_integer() ? std::optional(member.get<int64_t>()) : std::nullopt;
}

/// Those of the members that are there.
void patch(Task& task, const Json& given) {
  task.title = text_of(given, "title", task.title);
  if (given.contains("intent")) {
    task.writes = text_of(given, "intent") == "write";
    task.intent_basis = text_of(given, "intentBasis", "explicit");
  }
  if (given.contains("recurrence")) {
    task.recurrence = text_of(given, "recurrence");
    task.cron = text_of(given, "cron");
    task.zone = text_of(given, "timeZone");
    task.next_ms = time_of(given, "next");
    task.completed = false;
  }
}

/// What an entry's event says of its task's schedule.
void advance(Task& task, const Json& payload, int64_t at_ms) {
  if (!flag_of(payload, "advance")) return;
  task.last_run_ms = at_ms;
  if (const auto next = time_of(payload, "next")) task.next_ms = next;
  if (flag_of(payload, "completes")) task.completed = true;
}

}  // namespace

Json Task::to_json() const {
  Json json = {{"taskId", id},
               {"title", title},
               {"source", source},
               {"origin", origin},
               {"recurrence", recurrence},
               {"intent", intent()},
               {"intentBasis", intent_basis},
               {"enabled", enabled},
               {"completed", completed},
               {"created", created_ms}};
  if (!cron.empty()) json["cron"] = cron;
  if (!zone.empty()) json["timeZone"] = zone;
  if (!disabled_by.empty()) json["disabledBy"] = disabled_by;
  if (next_ms) json["next"] = *next_ms;
  if (last_run_ms != 0) json["lastRun"] = last_run_ms;
  if (!outstanding.empty()) json["outstanding"] = outstanding;
  if (outstanding_next_ms) json["outstandingNext"] = *outstanding_next_ms;
  return json;
}

Task Task::from_json(const Json& json) {
  Task task;
  task.id = text_of(json, "taskId");
  task.source = text_of(json, "source");
  task.origin = text_of(json, "origin");
  patch(task, json);
  task.enabled = flag_of(json, "enabled", true);
  task.completed = flag_of(json, "completed");
  task.disabled_by = text_of(json, "disabledBy");
  task.created_ms = number_of(json, "created");
  task.last_run_ms = number_of(json, "lastRun");
  task.outstanding = text_of(json, "outstanding");
  task.outstanding_next_ms = time_of(json, "outstandingNext");
  return task;
}

const Task* Tasks::find(std::string_view id) const {
  const auto found = known.find(number_of_id(kTaskPrefix, id));
  return found == known.end() || found->second.id != id ? nullptr : &found->second;
}

Task* Tasks::find_to_change(std::string_view id) {
  const auto found = known.find(number_of_id(kTaskPrefix, id));
  return found == known.end() || found->second.id != id ? nullptr : &found->second;
}

const Task* Tasks::find_title(std::string_view title) const {
  for (const auto& [number, task] : known) {
    if (task.title == title) return &task;
  }
  return nullptr;
}

void Tasks::add(const Event& event) {
  auto task = Task::from_json(event.payload);
  task.created_ms = event.at_ms;
  known[++added] = std::move(task);
}

void Tasks::evolve(const Event& event) {
  const auto& [type, payload, at_ms] = event;
  if (type == "heartbeat.task.added") return add(event);
  if (type == "heartbeat.tasks.imported") file_digest = text_of(payload, "digest");
  if (type == "heartbeat.tick.superseded") {
    for (const auto& [id, key] : member_of(payload, "outstanding").items()) {
      auto* task = find_to_change(id);
      if (task == nullptr) continue;
      task->outstanding = text_of(key, "key");
      task->outstanding_next_ms = time_of(key, "next");
    }
  }
  auto* task = find_to_change(text_of(payload, "taskId"));
  if (task == nullptr) return;
  if (type == "heartbeat.task.edited") {
    patch(*task, payload);
  } else if (type == "heartbeat.task.disabled") {
    task->enabled = false;
    task->disabled_by = text_of(payload, "by") == "HEARTBEAT.md" ? "HEARTBEAT.md" : "";
  } else if (type == "heartbeat.task.enabled") {
    task->enabled = true;
    task->disabled_by.clear();
    if (const auto next = time_of(payload, "next")) task->next_ms = next;
  } else if (type == "heartbeat.task.removed") {
    known.erase(number_of_id(kTaskPrefix, task->id));
  } else if (type == "heartbeat.effect.late" || type == "heartbeat.task.abandoned") {
    task->outstanding.clear();
    task->outstanding_next_ms.reset();
    advance(*task, payload, at_ms);
  } else if (type == "heartbeat.entry" || type == "heartbeat.card.executed" ||
             type == "heartbeat.card.resolved") {
    advance(*task, payload, at_ms);
  }
}

Json Tasks::to_json() const {
  auto list = Json::array();
  for (const auto& [number, task] : known) list.push_back(task.to_json());
  return {{"added", added}, {"known", std::move(list)}, {"fileDigest", file_digest}};
}

void Tasks::restore(const Json& json) {
  *this = Tasks();
  added = json.at("added");
  file_digest = json.at("fileDigest");
  for (const auto& entry : json.at("known")) {
    auto task = Task::from_json(entry);
    const auto number = number_of_id(kTaskPrefix, task.id);
    known[number] = std::move(task);
  }
}

}  // namespace reprise::subconscious
