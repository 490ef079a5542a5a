#include "processes/subconscious/answer.h"

#include <algorithm>
#include <array>
#include <limits>

#include "processes/subconscious/work_key.h"

namespace reprise::subconscious {

using kit::number_of;
using kit::text_of;

namespace {

/// The evaluation that is open; 0: none.
uint64_t evaluation_effect(const Loop& loop) {
  for (const auto& [effect, owner] : loop.effects.open()) {
    if (owner.noun == kEvaluate) return effect;
  }
  return 0;
}

Json answer_beat(const Loop& loop, const Json& question) {
  auto due = Json::array();
  for (const auto* task : loop.due(number_of(question, "at"))) {
    Json entry = {{"taskId", task->id}, {"title", task->title}};
    if (task->recurrence == "cron") {
      entry["cron"] = task->cron;
      entry["timeZone"] = task->zone;
    }
    due.push_back(std::move(entry));
  }
  return {{"due", std::move(due)},
          {"openTick", loop.ticks.current.id},
          {"evaluation", evaluation_effect(loop)},
          {"opened", loop.ticks.current.opened_ms},
          {"lastWindow", loop.ticks.last_window},
          {"lastSeen", loop.ticks.last_seen_ms},
          {"paused", loop.pause.is_on()},
          {"fileDigest", loop.tasks.file_digest}};
}

/// Why a task that is enabled is not due; empty: only its time, or nothing.
std::string keeps_back(const Loop& loop, const Task& task) {
  if (const auto* card = loop.cards.open_of(task.id)) {
    return card->status == "pending" ? "approval" : "approved work";
  }
  return loop.full_work_of(task).empty() ? "" : "unresolved work";
}

Json answer_tasks(const Loop& loop, const Json& question) {
  const auto due = loop.due(number_of(question, "at"));
  auto list = Json::array();
  for (const auto& [number, task] : loop.tasks.known) {
    auto entry = task.to_json();
    entry["due"] = std::ranges::find(due, &task) != due.end();
    if (const auto why = keeps_back(loop, task); !why.empty()) entry["waitsFor"] = why;
    list.push_back(std::move(entry));
  }
  return list;
}

Json answer_tick(const Loop& loop, const Json&) {
  const auto& ticks = loop.ticks;
  Json tick = {{"total", ticks.total}, {"evaluation", evaluation_effect(loop)}};
  if (ticks.total == 0) return tick;
  tick.update({{"tickId", ticks.last_id},
               {"state", ticks.last_state},
               {"opened", ticks.last_ms},
               {"open", ticks.current.open}});
  if (!ticks.last_text.empty()) tick["text"] = ticks.last_text;
  return tick;
}

Json answer_status(const Loop& loop, const Json& question) {
  uint64_t enabled = 0;
  auto unresolved = Json::array();
  for (const auto& [number, task] : loop.tasks.known) {
    if (task.enabled && !task.completed) ++enabled;
    if (const auto key = loop.full_work_of(task); !key.empty()) {
      const auto owner = kit::parse_owner(key);
      unresolved.push_back({{"taskId", task.id},
                            {"title", task.title},
                            {"effect", loop.effects.find(owner.noun, owner.id)}});
    }
  }
  auto failed_cards = Json::array();
  for (const auto& [number, card] : loop.cards.known) {
    if (card.status == "failed") failed_cards.push_back({card.effect, card.title, card.error});
  }
  Json status = {{"tasks", enabled},
                 {"allTasks", loop.tasks.known.size()},
                 {"due", loop.due(number_of(question, "at")).size()},
                 {"failures", loop.ticks.failures},
                 {"pendingApprovals", loop.cards.pending()},
                 {"failedCards", std::move(failed_cards)},
                 {"unresolved", std::move(unresolved)},
                 {"lastSeen", loop.ticks.last_seen_ms},
                 {"lastWindow", loop.ticks.last_window},
                 {"tick", answer_tick(loop, question)}};
  if (loop.pause.is_on()) {
    status["paused"] = {
        {"reason", loop.pause.reason}, {"by", loop.pause.by}, {"since", loop.pause.since_ms}};
  }
  return status;
}

Json answer_log(const Loop& loop, const Json& question) {
  const auto task = text_of(question, "taskId");
  const auto after = static_cast<uint64_t>(number_of(question, "after"));
  const auto limit =
      static_cast<size_t>(number_of(question, "limit", std::numeric_limits<int64_t>::max()));
  std::vector<const Entry*> found;
  for (const auto& entry : loop.log.entries()) {
    if (entry.revision > after && (task.empty() || entry.task_id == task)) {
      found.push_back(&entry);
    }
  }
  if (question.contains("after")) std::ranges::sort(found, {}, &Entry::revision);
  const bool more = found.size() > limit;
  if (more) found.erase(found.begin(), found.end() - static_cast<std::ptrdiff_t>(limit));
  auto list = Json::array();
  for (const auto* entry : found) list.push_back(entry->to_json());
  return {{"entries", std::move(list)}, {"more", more}, {"revision", loop.log.revision()}};
}

Json answer_card(const Loop& loop, const Json& question) {
  const auto* card = loop.cards.find_effect(static_cast<uint64_t>(number_of(question, "effect")));
  return card == nullptr ? Json() : card->to_json();
}

Json answer_last(const Loop& loop, const Json& question) {
  auto entries = Json::array();
  for (const auto& entry : loop.log.entries()) {
    if (entry.tick_id == loop.ticks.last_id) entries.push_back(entry.to_json());
  }
  return {{"tick", answer_tick(loop, question)}, {"entries", std::move(entries)}};
}

struct Question {
  std::string_view name;
  Json (*answer)(const Loop& loop, const Json& question);
};
constexpr std::array kQuestions = {
    Question{"beat", answer_beat},   Question{"status", answer_status},
    Question{"tasks", answer_tasks}, Question{"tick", answer_tick},
    Question{"log", answer_log},     Question{"card", answer_card},
    Question{"last", answer_last}};

}  // namespace

Json answer(const Loop& loop, const Json& question) {
  const auto asked = text_of(question, "ask");
  for (const auto& known : kQuestions) {
    if (known.name == asked) return known.answer(loop, question);
  }
  return nullptr;
}

}  // namespace reprise::subconscious
