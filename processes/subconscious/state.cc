#include "processes/subconscious/state.h"

#include <algorithm>
#include <limits>

#include "processes/subconscious/work_key.h"

namespace reprise::subconscious {

using kit::flag_of;
using kit::member_of;
using kit::number_of;
using kit::text_of;

namespace {

constexpr int64_t kVersion = 1;

std::string entry_id(const std::string& tick_id, const std::string& task_id) {
  return tick_id + "/" + task_id;
}

/// What the activity log makes of an event.
void fold_log(Loop& loop, const Event& event) {
  const auto& type = event.type;
  const auto& payload = event.payload;
  const auto at_ms = event.at_ms;
  const auto& tick = loop.ticks.current;
  const auto change_all = [&](const Json& tasks, const char* state, const std::string& text) {
    for (const auto& task : tasks) {
      loop.log.change(entry_id(text_of(payload, "tickId"), task.get<std::string>()), state, {},
                      text, at_ms);
    }
  };
  if (type == "heartbeat.tick.opened") {
    for (const auto& id : tick.due) {
      const auto* task = loop.tasks.find(id);
      loop.log.begin({.id = entry_id(tick.id, id),
                      .tick_id = tick.id,
                      .task_id = id,
                      .title = task == nullptr ? "" : task->title,
                      .state = {},
                      .decision = {},
                      .text = {},
                      .began_ms = at_ms});
    }
  } else if (type == "heartbeat.entry") {
    loop.log.change(text_of(payload, "entryId"), text_of(payload, "state"),
                    text_of(payload, "decision"), text_of(payload, "text"), at_ms);
  } else if (type == "heartbeat.tick.superseded") {
    change_all(member_of(payload, "cancelled"), kCancelled, "Cancelled");
  } else if (type == "heartbeat.tick.failed") {
    change_all(member_of(payload, "failed"), kFailed, text_of(payload, "text"));
  } else if (type == "heartbeat.card.resolved") {
    const bool approved = text_of(payload, "verdict") == "approved";
    loop.log.change(text_of(payload, "entryId"), approved ? kInProgress : kDismissed, {},
                    approved ? "Approved by " + text_of(payload, "by") : "Skipped", at_ms);
  } else if (type == "heartbeat.card.retried") {
    loop.log.change(text_of(payload, "entryId"), kInProgress, {},
                    "Tried again by " + text_of(payload, "by"), at_ms);
  } else if (type == "heartbeat.card.executed") {
    loop.log.change(text_of(payload, "entryId"), flag_of(payload, "ok") ? kActed : kFailed, {},
                    text_of(payload, "text"), at_ms);
  }
}

}  // namespace

void Loop::evolve(const Event& event) {
  for (const auto& effect : member_of(event.payload, "withdrawn")) effects.take(effect);
  tasks.evolve(event);
  ticks.evolve(event);
  cards.evolve(event);
  fold_log(*this, event);
  if (event.type == "heartbeat.paused") {
    pause = {text_of(event.payload, "reason"), text_of(event.payload, "by"), event.at_ms};
  } else if (event.type == "heartbeat.resumed") {
    pause = Pause();
  }
}

void Loop::requested(uint64_t effect, kit::Owner owner) {
  if (owner.noun == "card") cards.asked(owner.id, effect);
  effects.add(effect, std::move(owner));
}

void Loop::keep_all() {
  log.keep_all();
  cards.keeps_all = true;
}

std::string Loop::full_work_of(const Task& task) const {
  if (!task.outstanding.empty()) return task.outstanding;
  for (const auto& [effect, owner] : effects.open()) {
    if (!is_full(owner.noun)) continue;
    const auto key = parse_work_key(owner.id);
    const auto* card = owner.noun == kApproved ? cards.find(key.subject) : nullptr;
    if (card != nullptr ? card->task_id == task.id : key.task_id == task.id) {
      return owner.noun + ":" + owner.id;
    }
  }
  return {};
}

uint64_t Loop::light_work_of(const std::string& task_id) const {
  for (const auto& [effect, owner] : effects.open()) {
    const auto inner = owner.noun == kAgain ? kit::parse_owner(owner.id) : owner;
    const auto key = parse_work_key(inner.id);
    const bool is_it = key.subject == ticks.current.id && key.task_id == task_id;
    if (is_it && !is_full(owner.noun)) return effect;
  }
  return 0;
}

std::vector<const Task*> Loop::due(int64_t now_ms) const {
  std::vector<const Task*> list;
  for (const auto& [number, task] : tasks.known) {
    if (task.is_time(now_ms) && cards.open_of(task.id) == nullptr && full_work_of(task).empty()) {
      list.push_back(&task);
    }
  }
  // Those without a time come at every tick; equal ones in the order in which they were added.
  std::ranges::stable_sort(list, {}, [](const Task* task) {
    return task->next_ms.value_or(std::numeric_limits<int64_t>::min());
  });
  return list;
}

Json Loop::to_json() const {
  return {{"version", kVersion},
          {"tasks", tasks.to_json()},
          {"ticks", ticks.to_json()},
          {"cards", cards.to_json()},
          {"log", log.to_json()},
          {"pause", {{"reason", pause.reason}, {"by", pause.by}, {"since", pause.since_ms}}},
          {"effects", effects.to_json()}};
}

bool Loop::restore(const Json& json) {
  if (number_of(json, "version") != kVersion) return false;
  tasks.restore(json.at("tasks"));
  ticks.restore(json.at("ticks"));
  cards.restore(json.at("cards"));
  log.restore(json.at("log"));
  const auto& paused = json.at("pause");
  pause = {paused.at("reason"), paused.at("by"), paused.at("since")};
  effects.restore(json.at("effects"));
  return true;
}

}  // namespace reprise::subconscious
