#include "processes/subconscious/tick.h"

#include "processes/kit/json.h"

namespace reprise::subconscious {

using kit::flag_of;
using kit::member_of;
using kit::number_of;
using kit::text_of;

namespace {

std::vector<std::string> texts_of(const Json& list) {
  std::vector<std::string> texts;
  for (const auto& entry : list) texts.push_back(entry.get<std::string>());
  return texts;
}

}  // namespace

Json Tick::to_json() const {
  if (!is_open()) return nullptr;
  auto decisions = Json::array();
  for (const auto& [task, it] : decided) decisions.push_back({task, it.decision, it.reason});
  return {{"tickId", id},
          {"trigger", trigger},
          {"opened", opened_ms},
          {"since", since_ms},
          {"due", due},
          {"next", next},
          {"approvesWrites", approves_writes},
          {"executors", executors},
          {"report", report},
          {"evaluated", evaluated},
          {"decided", std::move(decisions)},
          {"open", open}};
}

Tick Tick::from_json(const Json& json) {
  Tick tick;
  if (json.is_null()) return tick;
  tick.id = text_of(json, "tickId");
  tick.trigger = text_of(json, "trigger");
  tick.opened_ms = number_of(json, "opened");
  tick.since_ms = number_of(json, "since");
  tick.due = texts_of(member_of(json, "due"));
  for (const auto& [task, time] : member_of(json, "next").items()) tick.next[task] = time;
  tick.approves_writes = flag_of(json, "approvesWrites");
  tick.executors = texts_of(member_of(json, "executors"));
  tick.report = text_of(json, "report");
  tick.evaluated = flag_of(json, "evaluated");
  for (const auto& it : member_of(json, "decided")) tick.decided[it.at(0)] = {it.at(1), it.at(2)};
  for (const auto& task : member_of(json, "open")) tick.open.insert(task.get<std::string>());
  return tick;
}

void Ticks::open(const Event& event) {
  current = Tick::from_json(event.payload);
  current.opened_ms = event.at_ms;
  current.open.insert(current.due.begin(), current.due.end());
  last_window = number_of(event.payload, "window", last_window);
  ++total;
  last_id = current.id;
  last_state = "open";
  last_text.clear();
  last_ms = event.at_ms;
}

void Ticks::end(const char* state, const std::string& text) {
  last_state = state;
  last_text = text;
  current = Tick();
}

void Ticks::evolve(const Event& event) {
  const auto& [type, payload, at_ms] = event;
  if (type == "heartbeat.tick.opened") return open(event);
  if (type == "heartbeat.tick.skipped") {
    last_window = number_of(payload, "window", last_window);
  } else if (type == "heartbeat.report.recorded") {
    current.report = text_of(payload, "text");
  } else if (type == "heartbeat.tick.evaluated") {
    current.evaluated = true;
    for (const auto& it : member_of(payload, "decisions")) {
      current.decided[text_of(it, "taskId")] = {text_of(it, "decision"), text_of(it, "reason")};
    }
  } else if (type == "heartbeat.entry") {
    if (text_of(payload, "tickId") == current.id) current.open.erase(text_of(payload, "taskId"));
  } else if (type == "heartbeat.tick.completed") {
    failures = 0;
    last_seen_ms = current.opened_ms;
    end("completed", {});
  } else if (type == "heartbeat.tick.failed") {
    ++failures;
    end("failed", text_of(payload, "text"));
  } else if (type == "heartbeat.tick.superseded") {
    end("superseded", {});
  }
}

Json Ticks::to_json() const {
  return {{"current", current.to_json()}, {"total", total},           {"failures", failures},
          {"lastWindow", last_window},    {"lastSeen", last_seen_ms}, {"lastId", last_id},
          {"lastState", last_state},      {"lastText", last_text},    {"lastAt", last_ms}};
}

void Ticks::restore(const Json& json) {
  current = Tick::from_json(json.at("current"));
  total = json.at("total");
  failures = json.at("failures");
  last_window = json.at("lastWindow");
  last_seen_ms = json.at("lastSeen");
  last_id = json.at("lastId");
  last_state = json.at("lastState");
  last_text = json.at("lastText");
  last_ms = json.at("lastAt");
}

}  // namespace reprise::subconscious
