#include "processes/subconscious/course.h"

#include <array>

#include "processes/subconscious/evaluation.h"
#include "processes/subconscious/prompts.h"
#include "processes/subconscious/report.h"
#include "processes/subconscious/texts.h"
#include "processes/subconscious/trouble.h"
#include "processes/subconscious/work.h"
#include "processes/subconscious/work_key.h"

namespace reprise::subconscious {

using kit::member_of;
using kit::number_of;
using kit::text_of;

namespace {

constexpr size_t kEntryTextBytes = 2000;
constexpr size_t kActivityEntries = 20;
constexpr size_t kActivityBytes = 200;
constexpr int64_t kDefaultBudgetBytes = 160'000;

/// Due tasks, without those of cron whose next time the signal does not tell: they stay due.
std::vector<std::string> due_ids(const Loop& loop, const Json& next, int64_t now_ms) {
  std::vector<std::string> ids;
  for (const auto* task : loop.due(now_ms)) {
    const bool known = task->recurrence != "cron" || member_of(next, task->id.c_str()).is_number();
    if (known) ids.push_back(task->id);
  }
  return ids;
}

/// The open tick ends here. What only looks is given up; what may change something cannot be
/// unsent: it keeps its task from being due until it resolves.
void take_over(Pen& pen, const std::string& by) {
  const auto& loop = pen.state();
  const auto tick = loop.ticks.current;
  if (!tick.is_open()) return;
  auto withdrawn = Json::array();
  auto outstanding = Json::object();
  for (const auto& [effect, owner] : loop.effects.open()) {
    const auto inner = owner.noun == kAgain ? kit::parse_owner(owner.id) : owner;
    const auto key = parse_work_key(inner.id);
    if (key.subject != tick.id) continue;
    if (!is_full(owner.noun)) {
      withdrawn.push_back(effect);
      continue;
    }
    auto& kept = outstanding[key.task_id] = {{"key", owner.noun + ":" + owner.id}};
    const auto next = tick.next.find(key.task_id);
    if (next != tick.next.end()) kept["next"] = next->second;
  }
  pen.emit("heartbeat.tick.superseded", {{"tickId", tick.id},
                                         {"by", by},
                                         {"cancelled", tick.open},
                                         {"withdrawn", withdrawn},
                                         {"outstanding", std::move(outstanding)}});
  for (const auto& effect : withdrawn) pen.withdraw(effect);
}

std::string tasks_text(const Loop& loop) {
  const auto& tick = loop.ticks.current;
  std::string text;
  for (const auto& [number, task] : loop.tasks.known) {
    if (!task.enabled || task.completed) continue;
    const bool is_due = tick.open.contains(task.id);
    const auto* card = loop.cards.open_of(task.id);
    text += "- " + task.title + (is_due ? " (due)" : "") +
            (card == nullptr ? "" : " (waits for approval)") + "\n";
  }
  return text;
}

std::string activity_text(const Loop& loop) {
  std::string text;
  const auto& entries = loop.log.entries();
  size_t left = kActivityEntries;
  for (auto it = entries.rbegin(); it != entries.rend() && left > 0; ++it) {
    if (it->tick_id == loop.ticks.current.id) continue;
    text += "- " + it->title + ": " + it->state + ": " + shortened(it->text, kActivityBytes) + "\n";
    --left;
  }
  return text;
}

/// The sections in their fixed order; what the loop knows itself it tells itself.
std::vector<Section> sections_of(const Loop& loop, const Json& signal) {
  constexpr std::array<std::array<const char*, 2>, 6> kOrder = {
      {{"environment", "Environment"},
       {"tasks", "Tasks"},
       {"memory", "Memory that changed since the last look"},
       {"runs", "Runs and channels that need attention"},
       {"approvals", "Approvals that are pending"},
       {"activity", "What was done lately"}}};
  std::vector<Section> sections;
  for (const auto& [name, title] : kOrder) {
    auto text = text_of(member_of(signal, "sections"), name);
    if (std::string_view(name) == "tasks") text = tasks_text(loop);
    if (std::string_view(name) == "activity") text = activity_text(loop);
    sections.push_back({name, title, std::move(text)});
  }
  return sections;
}

void record_report(Pen& pen, const Json& signal) {
  const auto budget = std::max<int64_t>(number_of(signal, "budgetBytes", kDefaultBudgetBytes), 0);
  const auto report = compose_report(sections_of(pen.state(), signal), static_cast<size_t>(budget));
  pen.emit("heartbeat.report.recorded", {{"tickId", pen.state().ticks.current.id},
                                         {"text", report.text},
                                         {"bytes", report.text.size()},
                                         {"budgetBytes", budget},
                                         {"truncated", report.truncated},
                                         {"sections", report.sections}});
}

void fail_tick(Pen& pen, const std::string& why) {
  const auto& tick = pen.state().ticks.current;
  pen.emit("heartbeat.tick.failed",
           {{"tickId", tick.id}, {"text", shortened(why, kEntryTextBytes)}, {"failed", tick.open}});
}

void tell_evaluation(Pen& pen, const Evaluation& evaluation) {
  auto decisions = Json::array();
  for (const auto& it : evaluation.decisions) {
    decisions.push_back(
        {{"taskId", it.task_id}, {"decision", verdict_name(it.verdict)}, {"reason", it.reason}});
  }
  auto rejected = Json::array();
  for (const auto& it : evaluation.rejected) {
    rejected.push_back({{"taskId", it.task_id}, {"why", it.why}});
  }
  pen.emit("heartbeat.tick.evaluated", {{"tickId", pen.state().ticks.current.id},
                                        {"decisions", std::move(decisions)},
                                        {"missing", evaluation.missing},
                                        {"rejected", std::move(rejected)}});
}

void take_evaluation(Pen& pen, const Json& answer) {
  const auto tick = pen.state().ticks.current;
  std::vector<std::string> still_due;  // a task may have been removed meanwhile
  for (const auto& id : tick.due) {
    if (tick.open.contains(id)) still_due.push_back(id);
  }
  const auto evaluation = read_evaluation(answer, still_due);
  if (!evaluation) {
    return fail_tick(pen, "the evaluation cannot be read: " + shortened(words_of(answer), 200));
  }
  tell_evaluation(pen, *evaluation);
  for (const auto& id : evaluation->missing) {
    const auto task = *pen.state().tasks.find(id);
    write_entry(pen, task, {kSkipped, "Nothing new: the answer does not name this task"});
  }
  for (const auto& decision : evaluation->decisions) carry_out(pen, decision);
  settle(pen);
}

}  // namespace

void open_tick(Pen& pen, const Json& signal, uint64_t seq) {
  const auto due = due_ids(pen.state(), member_of(signal, "next"), pen.at_ms());
  Json about = {{"trigger", text_of(signal, "trigger", "manual")}};
  if (signal.contains("window")) about["window"] = signal["window"];
  if (due.empty()) {
    about["reason"] = "nothing is due";
    return pen.emit("heartbeat.tick.skipped", about);
  }
  about["tickId"] = "k" + std::to_string(seq);
  about["since"] = pen.state().ticks.last_seen_ms;
  about["due"] = due;
  about["next"] = Json::object();
  for (const auto& id : due) {
    const auto& next = member_of(member_of(signal, "next"), id.c_str());
    if (next.is_number_integer()) about["next"][id] = next;
  }
  about["approvesWrites"] = text_of(signal, "writeTasks") == "approve";
  about["executors"] = signal.value("executors", Json::array());
  take_over(pen, about["tickId"]);
  pen.emit("heartbeat.tick.opened", about);
  record_report(pen, signal);
  request_evaluation(pen, 1);
}

void request_evaluation(Pen& pen, int attempt) {
  const auto& loop = pen.state();
  const auto& tick = loop.ticks.current;
  auto tasks = Json::array();
  for (const auto& id : tick.due) {
    const auto* task = loop.tasks.find(id);
    if (task == nullptr) continue;
    tasks.push_back({{"taskId", id}, {"title", task->title}, {"intent", task->intent()}});
  }
  const auto count = tasks.size();
  const auto label = "evaluate " + std::to_string(count) + (count == 1 ? " task" : " tasks");
  pen.request({.noun = std::string(kEvaluate),
               .id = tick.id + "/" + std::to_string(attempt),
               .kind = "evaluate",
               .task = "heartbeat.evaluate",
               .label = label,
               .inputs = {{"tickId", tick.id},
                          {"now", tick.opened_ms},
                          {"since", tick.since_ms},
                          {"tasks", std::move(tasks)}},
               .definition = {{"title", label},
                              {"permission", "read"},
                              {"prompt", evaluation_prompt(loop)},
                              {"outputSchema", evaluation_schema()}}});
}

void resolve_evaluation(Pen& pen, const kit::Result& result) {
  const auto key = parse_work_key(result.owner.id);
  const auto& tick = pen.state().ticks.current;
  if (key.subject != tick.id || tick.evaluated) return;
  if (result.ok) return take_evaluation(pen, result.value);
  if (try_again(pen, result, kEvaluate, key.subject, key.attempt)) return;
  const auto why = "Evaluation failed: " + error_text(result);
  fail_tick(pen, why);
  pause_if_permanent(pen, result, why);
}

void pause_if_permanent(Pen& pen, const kit::Result& result, const std::string& reason) {
  if (result.cancelled || trouble_of(result.value) != Trouble::kPermanent) return;
  if (!pen.state().pause.is_on()) pen.emit("heartbeat.paused", {{"reason", reason}});
}

bool try_again(Pen& pen, const kit::Result& result, std::string_view noun,
               const std::string& id_without_attempt, int attempt) {
  const bool limited = !result.cancelled && trouble_of(result.value) == Trouble::kRateLimited;
  if (!limited || attempt >= kMostAttempts) return false;
  const auto id = id_without_attempt + "/" + std::to_string(attempt + 1);
  pen.request({.noun = std::string(kAgain),
               .id = std::string(noun) + ":" + id,
               .kind = "sleep",
               .task = "heartbeat.again",
               .label = "before attempt " + std::to_string(attempt + 1),
               .inputs = {{"request", std::string(noun) + ":" + id}},
               .due_ms = pen.at_ms() + kFirstPauseMs * (int64_t{1} << (attempt - 1))});
  return true;
}

void write_entry(Pen& pen, const Task& task, const Outcome& outcome, uint64_t withdrawn) {
  const auto& tick = pen.state().ticks.current;
  Json payload = {{"entryId", tick.id + "/" + task.id},
                  {"tickId", tick.id},
                  {"taskId", task.id},
                  {"state", outcome.state},
                  {"text", shortened(outcome.text, kEntryTextBytes)}};
  const auto decided = tick.decided.find(task.id);
  if (decided != tick.decided.end()) payload["decision"] = decided->second.decision;
  if (outcome.advances) {
    payload["advance"] = true;
    const auto next = tick.next.find(task.id);
    if (next != tick.next.end()) payload["next"] = next->second;
    const bool acted = std::string_view(outcome.state) == kActed;
    if (acted && task.recurrence == "once") payload["completes"] = true;
  }
  pen.emit_withdrawing("heartbeat.entry", std::move(payload), withdrawn);
}

void settle(Pen& pen) {
  const auto& tick = pen.state().ticks.current;
  if (!tick.is_open() || !tick.open.empty()) return;
  if (!tick.evaluated) {
    // All of its tasks were removed before it was evaluated: it has seen nothing.
    return take_over(pen, "");
  }
  pen.emit("heartbeat.tick.completed", {{"tickId", tick.id}, {"lastSeen", tick.opened_ms}});
}

}  // namespace reprise::subconscious
