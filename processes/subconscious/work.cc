#include "processes/subconscious/work.h"

#include "processes/subconscious/approval.h"
#include "processes/subconscious/course.h"
#include "processes/subconscious/prompts.h"
#include "processes/subconscious/recommendation.h"
#include "processes/subconscious/texts.h"
#include "processes/subconscious/trouble.h"
#include "processes/subconscious/work_key.h"

namespace reprise::subconscious {

namespace {

constexpr size_t kLateTextBytes = 2000;

/// The analysis of a task: without a recommendation it is the result.
void take_analysis(Pen& pen, const Task& task, const std::string& analysis) {
  const auto [action, findings] = recommendation_in(analysis);
  if (action.empty()) return write_entry(pen, task, {kActed, analysis, true});
  raise_card(pen, task,
             {.action = action,
              .description = task.title + (findings.empty() ? "" : ": " + findings),
              .priority = "important",
              .kind = "agent"});
}

/// Its tick is over: the task may be due again, and nothing else changes.
void take_late(Pen& pen, const Task& task, const kit::Result& result) {
  Json payload = {
      {"taskId", task.id},
      {"tickId", parse_work_key(result.owner.id).subject},
      {"key", task.outstanding},
      {"ok", result.ok},
      {"text", shortened(result.ok ? words_of(result.value) : error_text(result), kLateTextBytes)}};
  if (result.ok) {
    // It was done, if late: it is not to be done again.
    payload["advance"] = true;
    if (task.outstanding_next_ms) payload["next"] = *task.outstanding_next_ms;
    if (task.recurrence == "once") payload["completes"] = true;
  }
  pen.emit("heartbeat.effect.late", payload);
}

}  // namespace

void carry_out(Pen& pen, const Decision& decision) {
  const auto& loop = pen.state();
  const auto task = *loop.tasks.find(decision.task_id);
  const auto step = step_of(decision.verdict, task.writes, loop.ticks.current.approves_writes);
  if (step.work == nullptr) return write_entry(pen, task, {kSkipped, "Nothing new", true});
  if (!step.asks) return request_work(pen, *step.work, task, 1);
  raise_card(pen, task,
             {.action = task.title,
              .description = decision.reason.empty() ? "It is due." : decision.reason,
              .priority = "normal",
              .kind = std::string(step.work->kind)});
}

void request_work(Pen& pen, const Work& work, const Task& task, int attempt) {
  const auto& tick = pen.state().ticks.current;
  Json inputs = {
      {"tickId", tick.id}, {"taskId", task.id}, {"title", task.title}, {"intent", task.intent()}};
  if (const auto decided = tick.decided.find(task.id); decided != tick.decided.end()) {
    inputs["decision"] = decided->second.decision;
    inputs["reason"] = decided->second.reason;
  }
  pen.request({.noun = std::string(work.noun),
               .id = tick.id + "/" + task.id + "/" + std::to_string(attempt),
               .kind = std::string(work.kind),
               .task = std::string(work.task),
               .label = task.title,
               .inputs = std::move(inputs),
               .definition = {{"title", task.title},
                              {"permission", work.full ? "full" : "read"},
                              {"prompt", work_prompt(work, task, tick)}}});
}

void resolve_work(Pen& pen, const kit::Result& result) {
  const auto& loop = pen.state();
  const auto key = parse_work_key(result.owner.id);
  const auto* known = loop.tasks.find(key.task_id);
  if (known == nullptr) return;
  const auto task = *known;  // what is written moves the state
  if (task.outstanding == result.owner.noun + ":" + result.owner.id) {
    return take_late(pen, task, result);
  }
  const auto& tick = loop.ticks.current;
  if (key.subject != tick.id || !tick.open.contains(task.id)) return;
  const auto without_attempt = key.subject + "/" + key.task_id;
  if (!result.ok) {
    if (try_again(pen, result, result.owner.noun, without_attempt, key.attempt)) return;
    write_entry(pen, task, {kFailed, error_text(result)});
    pause_if_permanent(pen, result, task.title + " failed: " + error_text(result));
  } else if (result.owner.noun == kAnalyse.noun) {
    take_analysis(pen, task, words_of(result.value));
  } else {
    write_entry(pen, task, {kActed, words_of(result.value), true});
  }
  settle(pen);
}

void resolve_pause(Pen& pen, const kit::Result& result) {
  const auto wanted = kit::parse_owner(result.owner.id);
  const auto key = parse_work_key(wanted.id);
  const auto& loop = pen.state();
  if (wanted.noun == kApproved) return go_on_with_card(pen, key);
  const auto& tick = loop.ticks.current;
  if (key.subject != tick.id) return;
  if (wanted.noun == kEvaluate) return request_evaluation(pen, key.attempt);
  const auto* work = find_work(wanted.noun);
  const auto* task = loop.tasks.find(key.task_id);
  if (work == nullptr || task == nullptr || !tick.open.contains(key.task_id)) return;
  request_work(pen, *work, Task(*task), key.attempt);
}

}  // namespace reprise::subconscious
