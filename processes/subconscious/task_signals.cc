// How tasks come into being and change. Those of the system can be disabled, and their intent can
// be set; nothing else of them changes.
#include <algorithm>
#include <array>
#include <set>

#include "processes/kit/fields.h"
#include "processes/subconscious/approval.h"
#include "processes/subconscious/course.h"
#include "processes/subconscious/intent.h"
#include "processes/subconscious/signals.h"
#include "unicode/unicode.h"

namespace reprise::subconscious {

using kit::Fields;
using kit::member_of;
using kit::text_of;

namespace {

constexpr const char* kFile = "HEARTBEAT.md";
constexpr size_t kMostImported = 200;
constexpr std::array<const char*, 3> kDefaults = {
    "Check connected executors and hooks for errors or disconnections",
    "Review new memory for actionable items",
    "Monitor the health of models, memory and connections"};

bool is_one_of(const Json& value, const char* name, std::initializer_list<const char*> words) {
  const auto& member = member_of(value, name);
  return member.is_null() ||
         std::ranges::any_of(words, [&](const char* word) { return member == word; });
}

/// What a task may be given: title, intent, recurrence.
Fields task_fields(const Json& value) {
  Fields fields(value, "INVALID_TASK");
  fields.text("title", kMostTitleBytes).text("cron", 200).text("timeZone");
  const auto title = text_of(value, "title", "x");
  const bool plain = std::ranges::none_of(title, [](char c) { return c >= 0 && c < ' '; });
  fields.refuse_if(unicode::trimmed(title).empty() || !plain, "title must be one line of text");
  fields.refuse_if(!is_one_of(value, "intent", {"read", "write"}), "intent must be read or write");
  fields.refuse_if(!is_one_of(value, "recurrence", {"tick", "once", "cron"}),
                   "recurrence must be tick, once or cron");
  const bool cron = text_of(value, "recurrence") == "cron";
  fields.refuse_if(
      cron && (text_of(value, "cron").empty() || !member_of(value, "next").is_number_integer()),
      "a cron task needs its expression and when it is due first");
  fields.whole("next", 0);
  return fields;
}

std::optional<Refusal> no_such_task(const Loop& loop, const Json& value) {
  const auto id = text_of(value, "taskId");
  if (loop.tasks.find(id) != nullptr) return std::nullopt;
  return Refusal{Refusal::Kind::kNotFound, "TASK_NOT_FOUND", "there is no task \"" + id + "\"",
                 "reprise heartbeat:tasks lists them"};
}

std::string title_in(const Json& value) {
  return std::string(unicode::trimmed(text_of(value, "title")));
}

std::optional<Refusal> title_taken(const Loop& loop, const Json& value) {
  const auto* task = loop.tasks.find_title(title_in(value));
  if (task == nullptr || task->id == text_of(value, "taskId")) return std::nullopt;
  return Refusal{Refusal::Kind::kConflict, "TASK_EXISTS", task->id + " has this title",
                 "edit or enable it instead"};
}

Refusal system_task(const std::string& what) {
  return {Refusal::Kind::kConflict, "SYSTEM_TASK", "a system task cannot be " + what,
          "disable it: reprise heartbeat:tasks disable TASK"};
}

/// The members of a task that is added; `given` has what its author said.
Json new_task(const Loop& loop, const std::string& title, const char* source, const char* origin,
              const Json& given) {
  Json task = {{"taskId", "task-" + std::to_string(loop.tasks.added + 1)},
               {"title", title},
               {"source", source},
               {"origin", origin},
               {"recurrence", text_of(given, "recurrence", "tick")}};
  const auto intent = text_of(given, "intent");
  task["intentBasis"] = intent.empty() ? "words" : "explicit";
  task["intent"] = !intent.empty() ? intent : asks_for_action(title) ? "write" : "read";
  for (const char* name : {"cron", "timeZone", "next", "by"}) {
    if (given.contains(name)) task[name] = given[name];
  }
  return task;
}

std::optional<Refusal> check_add(const Loop& loop, const Json& value) {
  if (auto refusal = task_fields(value).needs_text("title", kMostTitleBytes).refusal()) {
    return refusal;
  }
  if (loop.tasks.known.size() >= kMostTasks) {
    return Refusal{Refusal::Kind::kConflict, "TOO_MANY_TASKS",
                   "there are " + std::to_string(kMostTasks) + " tasks already", "remove some"};
  }
  return title_taken(loop, value);
}

void apply_add(Pen& pen, const Json& value, uint64_t) {
  pen.emit("heartbeat.task.added", new_task(pen.state(), title_in(value), "user", "user", value));
}

std::optional<Refusal> check_edit(const Loop& loop, const Json& value) {
  if (auto refusal = task_fields(value).needs_text("taskId").refusal()) return refusal;
  if (auto refusal = no_such_task(loop, value)) return refusal;
  const bool only_intent = !value.contains("title") && !value.contains("recurrence");
  if (loop.tasks.find(text_of(value, "taskId"))->is_system() && !only_intent) {
    return system_task("edited, but for its intent");
  }
  return value.contains("title") ? title_taken(loop, value) : std::nullopt;
}

void apply_edit(Pen& pen, const Json& value, uint64_t) {
  Json edited = {{"taskId", text_of(value, "taskId")}};
  for (const char* name : {"title", "intent", "recurrence", "cron", "timeZone", "next", "by"}) {
    if (value.contains(name)) edited[name] = value[name];
  }
  if (value.contains("title")) edited["title"] = title_in(value);
  if (value.contains("intent")) edited["intentBasis"] = "explicit";
  pen.emit("heartbeat.task.edited", edited);
}

std::optional<Refusal> check_named(const Loop& loop, const Json& value) {
  auto refusal = Fields(value, "INVALID_TASK").needs_text("taskId").whole("next", 0).refusal();
  return refusal ? refusal : no_such_task(loop, value);
}

void set_enabled(Pen& pen, const Json& value, bool enabled) {
  if (pen.state().tasks.find(text_of(value, "taskId"))->enabled == enabled) return;
  Json changed = {{"taskId", text_of(value, "taskId")}};
  for (const char* name : {"by", "next"}) {
    if (value.contains(name)) changed[name] = value[name];
  }
  pen.emit(enabled ? "heartbeat.task.enabled" : "heartbeat.task.disabled", changed);
}

void apply_enable(Pen& pen, const Json& value, uint64_t) { set_enabled(pen, value, true); }
void apply_disable(Pen& pen, const Json& value, uint64_t) { set_enabled(pen, value, false); }

std::optional<Refusal> check_remove(const Loop& loop, const Json& value) {
  if (auto refusal = check_named(loop, value)) return refusal;
  const auto& task = *loop.tasks.find(text_of(value, "taskId"));
  if (task.is_system()) return system_task("removed");
  const auto* card = loop.cards.open_of(task.id);
  const bool runs_card = card != nullptr && card->status != "pending";  // or pauses in between
  if (!runs_card && loop.full_work_of(task).empty()) return std::nullopt;
  return Refusal{Refusal::Kind::kConflict, "TASK_BUSY",
                 "something with full permission is unresolved for " + task.id,
                 "wait for its result, or reprise heartbeat:abandon " + task.id};
}

void apply_remove(Pen& pen, const Json& value, uint64_t) {
  const auto task = *pen.state().tasks.find(text_of(value, "taskId"));
  if (const auto* card = pen.state().cards.open_of(task.id)) {
    withdraw_card(pen, Card(*card), text_of(value, "by"));
  }
  if (pen.state().ticks.current.open.contains(task.id)) {
    const auto effect = pen.state().light_work_of(task.id);
    write_entry(pen, task, {kCancelled, "Cancelled: the task was removed"}, effect);
  }
  Json removed = {{"taskId", task.id}};
  if (value.contains("by")) removed["by"] = value["by"];
  pen.emit("heartbeat.task.removed", removed);
  settle(pen);
}

std::optional<Refusal> check_import(const Loop&, const Json& value) {
  Fields fields(value, "INVALID_IMPORT");
  fields.needs_text("digest");
  const auto& titles = member_of(value, "titles");
  const auto is_title = [](const Json& it) {
    return it.is_string() && it != "" && it.get_ref<const std::string&>().size() <= kMostTitleBytes;
  };
  fields.refuse_if(
      !titles.is_array() || titles.size() > kMostImported || !std::ranges::all_of(titles, is_title),
      "titles must be a list of at most " + std::to_string(kMostImported) + " texts of at most " +
          std::to_string(kMostTitleBytes) + " bytes");
  return fields.refusal();
}

/// What the file says is there; what it says no more is disabled, and comes back with its line.
void apply_import(Pen& pen, const Json& value, uint64_t) {
  const auto digest = text_of(value, "digest");
  if (digest == pen.state().tasks.file_digest) return;
  std::set<std::string> titles;
  for (const auto& title : value["titles"]) titles.insert(title.get<std::string>());
  const auto known = pen.state().tasks.known;
  for (const auto& [number, task] : known) {
    if (task.origin != "heartbeat") continue;
    const bool there = titles.contains(task.title);
    if (!there && task.enabled) set_enabled(pen, {{"taskId", task.id}, {"by", kFile}}, false);
    if (there && task.disabled_by == kFile) {
      set_enabled(pen, {{"taskId", task.id}, {"by", kFile}}, true);
    }
  }
  uint64_t added = 0;
  for (const auto& title : value["titles"]) {
    const auto& tasks = pen.state().tasks;
    const auto text = title.get<std::string>();
    if (tasks.find_title(text) != nullptr || tasks.known.size() >= kMostTasks) continue;
    pen.emit("heartbeat.task.added",
             new_task(pen.state(), text, "system", "heartbeat", Json::object()));
    ++added;
  }
  pen.emit("heartbeat.tasks.imported",
           {{"digest", digest}, {"titles", titles.size()}, {"added", added}});
}

}  // namespace

const SignalSpec kTaskAdd = {"task.add", check_add, apply_add};
const SignalSpec kTaskEdit = {"task.edit", check_edit, apply_edit};
const SignalSpec kTaskEnable = {"task.enable", check_named, apply_enable};
const SignalSpec kTaskDisable = {"task.disable", check_named, apply_disable};
const SignalSpec kTaskRemove = {"task.remove", check_remove, apply_remove};
const SignalSpec kTasksImport = {"tasks.import", check_import, apply_import};

void seed_tasks(Pen& pen) {
  for (const auto* title : kDefaults) {
    pen.emit("heartbeat.task.added",
             new_task(pen.state(), title, "system", "default", {{"intent", "read"}}));
  }
}

}  // namespace reprise::subconscious
