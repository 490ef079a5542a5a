// heartbeat:tasks: what the loop looks after.
#include <functional>
#include <map>

#include "cli/heartbeat/loop.h"
#include "cli/heartbeat/loop_home.h"
#include "cli/text.h"
#include "engine/cron/timing.h"
#include "journal/clock.h"

namespace reprise {
namespace {

constexpr size_t kTaskTitleWidth = 60;

void add_task_text(Document& value, const char* name, const std::optional<std::string>& text) {
  if (!text) return;
  parse_value(quote(*text), name);
  value[name] = *text;
}

/// "tick", "once", or a cron expression, which is checked, and with which goes when it fits first.
void add_recurrence(Document& value, const Arguments& arguments, int64_t now_ms) {
  const auto given = arguments.value("--recurrence");
  const auto zone = arguments.value("--tz");
  const bool is_cron = given && *given != "tick" && *given != "once";
  if (zone && !is_cron) {
    throw Error(Exit::kUsage, "INVALID_ARGUMENT", "--tz is for a cron expression",
                "give the expression, too: --recurrence '0 9 * * *'");
  }
  if (!given) return;
  value["recurrence"] = is_cron ? "cron" : *given;
  if (!is_cron) return;
  const auto next = Timing::by_cron(*given, zone.value_or("UTC")).next_after(now_ms);
  if (!next) throw Error(Exit::kUsage, "INVALID_CRON", "\"" + shown(*given, 80) + "\" never fits");
  value["cron"] = *given;
  if (zone) value["timeZone"] = *zone;
  value["next"] = *next;
}

/// The word that every verb but list needs.
std::string task_word(const Arguments& arguments, const char* what) {
  const auto words = arguments.positionals("TASK");
  if (words.size() == 1 && !words.front().empty()) return words.front();
  throw Error(Exit::kUsage, "MISSING_ARGUMENT",
              words.empty() ? std::string(what) + " is missing" : "there is one word too many",
              "reprise help heartbeat:tasks; a title of several words needs quotes");
}

Document find_task(const Document& tasks, const std::string& id) {
  for (const Document& task : tasks) {
    if (task["taskId"] == id) return task;
  }
  return nullptr;
}

/// A cron task that is enabled again is due at its next time, not at those that it missed.
void add_next(Document& value, LoopHome& home, const std::string& id) {
  const Document tasks = home.ask({{"ask", "tasks"}});
  const Document task = tasks.is_null() ? Document() : find_task(tasks, id);
  if (!task.is_object() || task["recurrence"] != "cron") return;
  const auto zone = task.value("timeZone", std::string("UTC"));
  const auto next = Timing::by_cron(task["cron"], zone).next_after(home.now_ms());
  if (next) value["next"] = *next;
}

struct Verb {
  const char* signal;
  std::string (*task)(const Arguments& arguments, Document& value, LoopHome& home);
};

std::string add(const Arguments& arguments, Document& value, LoopHome& home) {
  add_task_text(value, "title", task_word(arguments, "TITLE"));
  add_recurrence(value, arguments, home.now_ms());
  return {};
}

std::string name_task(const Arguments& arguments, Document& value, LoopHome&) {
  auto id = task_word(arguments, "TASK");
  add_task_text(value, "taskId", id);
  return id;
}

std::string edit(const Arguments& arguments, Document& value, LoopHome& home) {
  add_task_text(value, "title", arguments.value("--title"));
  add_recurrence(value, arguments, home.now_ms());
  return name_task(arguments, value, home);
}

std::string enable(const Arguments& arguments, Document& value, LoopHome& home) {
  auto id = name_task(arguments, value, home);
  add_next(value, home, id);
  return id;
}

const std::map<std::string, Verb>& verbs() {
  static const std::map<std::string, Verb> kVerbs = {{"add", {"task.add", add}},
                                                     {"edit", {"task.edit", edit}},
                                                     {"enable", {"task.enable", enable}},
                                                     {"disable", {"task.disable", name_task}},
                                                     {"remove", {"task.remove", name_task}}};
  return kVerbs;
}

Reply change(const Arguments& arguments, const Session& session, const std::string& word) {
  const auto verb = verbs().find(word);
  if (verb == verbs().end()) {
    throw Error(Exit::kUsage, "INVALID_ARGUMENT", "there is no verb \"" + shown(word, 40) + "\"",
                "list, add, edit, enable, disable or remove");
  }
  LoopHome home(arguments, session, word == "add");
  Document value = {{"by", person_of(arguments, session)}};
  add_task_text(value, "intent", arguments.value("--intent"));
  const auto id = verb->second.task(arguments, value, home);
  if (word != "add" && !home.find()) {
    throw Error(Exit::kNotFound, "TASK_NOT_FOUND", "there is no task \"" + shown(id, 80) + "\"",
                "the home has no loop yet: heartbeat:tasks add TITLE makes one");
  }
  Document told = home.tell(verb->second.signal, value, {{"ask", "tasks"}, {"at", home.now_ms()}});
  Reply reply{.document = new_document()};
  reply.document["runId"] = told["runId"];
  reply.document["recorded"] = told["recorded"];
  Document& tasks = told["answer"];
  // What was added last has the highest number.
  const Document task = word == "add" ? tasks.back() : find_task(tasks, id);
  if (task.is_object()) reply.document["task"] = task;
  reply.document["tasks"] = std::move(tasks);
  return reply;
}

std::string recurrence_text(const Document& task) {
  const std::string recurrence = task["recurrence"];
  if (recurrence == "tick") return "every tick";
  if (recurrence == "once") return "once";
  const auto zone = task.value("timeZone", std::string());
  return shown(task["cron"].get<std::string>()) + (zone.empty() ? "" : " " + shown(zone));
}

std::string task_standing(const Document& task) {
  if (task["completed"]) return "done";
  if (!task["enabled"]) {
    return task.contains("disabledBy") ? "disabled: its line is gone from HEARTBEAT.md"
                                       : "disabled";
  }
  if (task.contains("waitsFor")) return "waits for " + task["waitsFor"].get<std::string>();
  if (task["due"]) return "due";
  return task.contains("nextAt") ? "next " + task["nextAt"].get<std::string>() : "";
}

}  // namespace

Reply heartbeat_tasks(const Arguments& arguments) {
  const Session session(arguments);
  const auto verb = arguments.positional("VERB");
  if (!verb.empty() && verb != "list") return change(arguments, session, verb);
  LoopHome home(arguments, session, false);
  const Document tasks = home.ask({{"ask", "tasks"}});
  Reply reply{.document = new_document()};
  reply.document["runId"] = home.run_name();
  reply.document["tasks"] = tasks.is_null() ? Document::array() : tasks;
  return reply;
}

std::string heartbeat_tasks_text(const Document& document, const Style& style) {
  if (document.contains("recorded") && document.contains("task")) {
    const Document& task = document["task"];
    return paint(style, Colour::kBold, task["taskId"].get<std::string>()) + "  " +
           task["intent"].get<std::string>() + ", " + recurrence_text(task) + ", " +
           (task["enabled"].get<bool>() ? "enabled" : "disabled") + "  " +
           shown(task["title"].get<std::string>(), kTaskTitleWidth) + "\n";
  }
  if (document.contains("recorded")) return "removed\n";
  Table table;
  for (const Document& task : document["tasks"]) {
    const bool writes = task["intent"] == "write";
    table.add({{task["taskId"], Colour::kBold},
               {task["source"], Colour::kDim},
               {task["intent"], writes ? Colour::kYellow : Colour::kPlain},
               {recurrence_text(task)},
               {task_standing(task), Colour::kDim},
               {shown(task["title"].get<std::string>(), kTaskTitleWidth)}});
  }
  if (!table.empty()) return table.print(style);
  return "no tasks\n  next  reprise heartbeat:tasks add 'Check the build'\n";
}

}  // namespace reprise
