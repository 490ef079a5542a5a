#include "tests/processes/subconscious/oracle.h"

namespace reprise::subconscious {

using kit::flag_of;
using kit::number_of;
using kit::text_of;

namespace {

/// Which states an entry may come to from one.
bool may_become(const std::string& from, const std::string& to) {
  static const std::map<std::string, std::set<std::string>> kSteps = {
      {"in_progress",
       {"acted", "skipped", "awaiting_approval", "failed", "cancelled", "dismissed"}},
      {"awaiting_approval", {"in_progress", "dismissed"}},
      {"failed", {"in_progress"}}};
  const auto steps = kSteps.find(from);
  return steps != kSteps.end() && steps->second.contains(to);
}

std::string noun_of(const std::string& key) { return key.substr(0, key.find(':')); }

}  // namespace

void Oracle::look() {
  for (; x_seen < x_loop.events().size(); ++x_seen) see(x_loop.events()[x_seen]);
  for (const auto& [effect, asked] : x_loop.open()) {
    if (x_requests.insert(effect).second) see_request(asked);
  }
  for (const auto& [id, card] : x_cards) {
    INFO(id << " " << card.status);
    if (card.status != "pending" && card.status != "dismissed") {
      CHECK(card.runs == card.runs_allowed);  // what was approved has begun, in the same commit
    }
  }
  const auto status = x_loop.status();
  CHECK(status.at("lastSeen") == x_last_seen);
  CHECK(status.at("failures") == x_failures);
}

void Oracle::see(const kit::ToldEvent& event) {
  const auto& [type, payload, seq, cause, trace] = event;
  INFO(type << " " << payload.dump());
  if (type.starts_with("heartbeat.task.")) {
    see_task(type, payload);
  } else if (type == "heartbeat.tick.opened") {
    see_opened(event);
  } else if (type == "heartbeat.report.recorded") {
    const auto bytes = payload.at("text").get<std::string>().size();
    CHECK(bytes <= payload.at("budgetBytes").get<size_t>() + 100);
  } else if (type == "heartbeat.tick.evaluated") {
    CHECK(payload.at("tickId") == x_open);
    for (const auto& it : payload.at("decisions")) {
      CHECK(x_decisions.emplace(it.at("taskId"), it.at("decision")).second);
    }
  } else if (type == "heartbeat.entry") {
    CHECK(payload.at("tickId") == x_open);
    see_entry(payload.at("entryId"), payload.at("state"));
    x_full.erase(text_of(payload, "taskId"));
    advance(payload);
  } else if (type.starts_with("heartbeat.tick.") && type != "heartbeat.tick.skipped") {
    see_end(type, payload);
  } else if (type.starts_with("heartbeat.card.")) {
    see_card(type, payload);
  } else if (type == "heartbeat.effect.late") {
    CHECK(x_full.erase(text_of(payload, "taskId")) == 1);
    CHECK(x_over.contains(text_of(payload, "tickId")));
    advance(payload);
  }
}

void Oracle::advance(const Json& payload) {
  auto& task = x_tasks[text_of(payload, "taskId")];
  task.next_ms = number_of(payload, "next", task.next_ms);
  if (flag_of(payload, "completes")) {
    CHECK(task.once);
    task.completed = true;
  }
}

void Oracle::see_task(const std::string& type, const Json& payload) {
  const std::string id = payload.at("taskId");
  auto& task = x_tasks[id];
  if (type == "heartbeat.task.added" || type == "heartbeat.task.edited") {
    if (payload.contains("intent")) task.writes = payload.at("intent") == "write";
    task.title = text_of(payload, "title").empty() ? task.title : text_of(payload, "title");
    if (payload.contains("source")) {
      task.system = payload.at("source") == "system";
      if (payload.at("source") != "user") see_seeded(id, task);
    }
    if (payload.contains("recurrence")) {
      task.once = payload.at("recurrence") == "once";
      task.next_ms = number_of(payload, "next");
      task.completed = false;
    }
  } else if (type == "heartbeat.task.enabled") {
    task.enabled = true;
    task.next_ms = number_of(payload, "next", task.next_ms);
  } else if (type == "heartbeat.task.disabled") {
    task.enabled = false;
  } else if (type == "heartbeat.task.abandoned") {
    CHECK(x_full.erase(id) == 1);
  } else if (type == "heartbeat.task.removed") {
    CHECK_FALSE(task.system);
    CHECK_FALSE(has_full_work(id));
    x_tasks.erase(id);
  }
}

/// What the program or the file tells is told again and again, and there once.
void Oracle::see_seeded(const std::string& id, const Task& task) const {
  INFO(id << " " << task.title);
  for (const auto& [other_id, other] : x_tasks) {
    CHECK((other_id == id || other.title != task.title));
  }
}

bool Oracle::has_open_card(const std::string& task) const {
  for (const auto& [id, card] : x_cards) {
    if (card.task == task && (card.status == "pending" || card.status == "approved")) return true;
  }
  return false;
}

// What failed and pauses before another attempt is resolved: its key is open no more.
bool Oracle::has_full_work(const std::string& task) const {
  const auto found = x_full.find(task);
  return found != x_full.end() && x_loop.has(found->second);
}

void Oracle::see_opened(const kit::ToldEvent& event) {
  const auto& payload = event.payload;
  CHECK(x_open.empty());
  x_open = payload.at("tickId");
  x_approves_writes = payload.at("approvesWrites");
  const auto generation = std::stoull(x_open.substr(1));
  CHECK(generation > x_generation);
  x_generation = generation;
  if (payload.contains("window")) CHECK(x_windows.insert(number_of(payload, "window")).second);
  CHECK(payload.at("since") == x_last_seen);
  x_opened_ms = x_loop.now_ms;
  x_decisions.clear();
  CHECK_FALSE(payload.at("due").empty());
  for (const std::string id : payload.at("due")) {
    const auto& task = x_tasks.at(id);
    CHECK(task.enabled);
    CHECK_FALSE(task.completed);
    CHECK(task.next_ms <= x_loop.now_ms);
    CHECK_FALSE(has_open_card(id));
    CHECK_FALSE(has_full_work(id));
    CHECK(x_entries.emplace(x_open + "/" + id, "in_progress").second);
  }
}

void Oracle::see_entry(const std::string& id, const std::string& state) {
  auto& entry = x_entries.at(id);
  INFO(entry << " -> " << state);
  CHECK(may_become(entry, state));
  entry = state;
}

void Oracle::see_end(const std::string& type, const Json& payload) {
  CHECK(payload.at("tickId") == x_open);
  CHECK(x_over.insert(x_open).second);
  if (type == "heartbeat.tick.completed") {
    CHECK(x_opened_ms >= x_last_seen);
    x_last_seen = x_opened_ms;
    x_failures = 0;
  }
  if (type == "heartbeat.tick.failed") ++x_failures;
  const auto* list = type == "heartbeat.tick.failed" ? "failed" : "cancelled";
  for (const std::string task : kit::member_of(payload, list)) {
    see_entry(x_open + "/" + task, type == "heartbeat.tick.failed" ? "failed" : "cancelled");
  }
  // None of its entries is in progress any more, but for those that a card set going again.
  for (const auto& [id, state] : x_entries) {
    if (!id.starts_with(x_open + "/") || state != "in_progress") continue;
    CHECK(has_open_card(id.substr(id.find('/') + 1)));
  }
  x_open.clear();
}

void Oracle::see_card(const std::string& type, const Json& payload) {
  const std::string id = payload.at("cardId");
  if (type == "heartbeat.card.raised") {
    CHECK_FALSE(has_open_card(payload.at("taskId")));
    CHECK(x_cards.emplace(id, Card{payload.at("taskId"), payload.at("action")}).second);
    return;
  }
  auto& card = x_cards.at(id);
  if (type == "heartbeat.card.resolved") {
    CHECK(card.status == "pending");
    card.status = payload.at("verdict");
    if (card.status == "approved") ++card.runs_allowed;
    see_entry(payload.at("entryId"), card.status == "approved" ? "in_progress" : "dismissed");
  } else if (type == "heartbeat.card.retried") {
    CHECK(card.status == "failed");
    card.status = "approved";
    ++card.runs_allowed;
    see_entry(payload.at("entryId"), "in_progress");
  } else {
    CHECK(card.status == "approved");
    card.status = payload.at("ok") ? "executed" : "failed";
    see_entry(payload.at("entryId"), payload.at("ok") ? "acted" : "failed");
    x_full.erase(card.task);
  }
  advance(payload);
}

void Oracle::see_request(const kit::Asked& asked) {
  INFO(asked.key);
  if (asked.kind == "breakpoint") {
    CHECK(x_cards.at(text_of(asked.inputs, "cardId")).action == asked.inputs.at("action"));
    return;
  }
  if (asked.kind == "sleep") return;
  if (asked.definition.at("permission") == "full") return see_full(asked);
  CHECK(asked.definition.at("permission") == "read");
}

void Oracle::see_full(const kit::Asked& asked) {
  const std::string task = asked.inputs.at("taskId");
  if (noun_of(asked.key) != "approved") {
    // The task asks for an action, and the evaluation of the open tick decided for it.
    CHECK(x_tasks.at(task).writes);
    CHECK_FALSE(x_approves_writes);
    CHECK(asked.inputs.at("tickId") == x_open);
    CHECK(x_decisions.at(task) != "noop");
  } else {
    auto& card = x_cards.at(text_of(asked.inputs, "cardId"));
    CHECK(card.status == "approved");
    CHECK(asked.inputs.at("action") == card.action);
    if (asked.key.ends_with("/1")) ++card.runs;  // not another attempt of the same run
    CHECK(card.runs <= card.runs_allowed);
  }
  x_full[task] = asked.key;
}

}  // namespace reprise::subconscious
