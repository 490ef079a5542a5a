// Each signal has its rule. The first thing that is wrong is the refusal.
#include "processes/schedules/check.h"

#include <array>

namespace reprise::schedules {

namespace {

using Wrong = std::optional<Refusal>;

constexpr size_t kLongestName = 100;
constexpr size_t kLongestText = size_t{64} * 1024;
constexpr size_t kMostSchedules = 10'000;

Refusal invalid(const std::string& message) {
  return {Refusal::Kind::kInvalid, "INVALID_SCHEDULE", message, {}};
}

const Json& member(const Json& value, const char* name) {
  static const Json kNull;
  const auto found = value.find(name);
  return found == value.end() ? kNull : *found;
}

/// Of ids, counts and times: what a double holds exactly.
constexpr int64_t kHighestNumber = int64_t{1} << 53U;

bool is_id(const Json& value) {
  return value.is_number_integer() && value >= 0 && value <= kHighestNumber;
}

bool is_text(const Json& value, size_t most) {
  return value.is_string() && !value.get_ref<const std::string&>().empty() &&
         value.get_ref<const std::string&>().size() <= most;
}

Wrong check_name(const State& state, const Json& value) {
  if (!value.contains("name")) return std::nullopt;
  const auto& name = value["name"];
  if (!is_text(name, kLongestName)) return invalid("a name has from 1 to 100 bytes");
  const std::string text = name;
  if (text.find_first_not_of("0123456789") == std::string::npos) {
    return invalid("a name is not only digits: those are the numbers of schedules");
  }
  const auto* other = state.find(text);
  if (other == nullptr || other->facts.at("scheduleId") == member(value, "scheduleId")) return {};
  return Refusal{
      Refusal::Kind::kConflict, "NAME_TAKEN",
      "there is a schedule of that name already: number " + other->facts.at("scheduleId").dump(),
      "choose another one, or edit that"};
}

Wrong check_timing(const Json& value) {
  const auto& timing = member(value, "timing");
  const bool whole = timing.is_object() && member(timing, "kind").is_string() &&
                     is_text(member(timing, "text"), kLongestText);
  if (!whole) return invalid("the timing is missing, or none");
  return std::nullopt;
}

/// `schedule` is null for a new one.
Wrong check_next(const Schedule* schedule, const Json& value) {
  const auto& next = member(value, "next");
  if (!is_id(next)) return invalid("next is missing: the time of the next occurrence");
  const auto last = schedule == nullptr ? Json() : schedule->facts.at("lastOccurrence");
  if (last.is_null() || next > last) return std::nullopt;
  return invalid("that occurrence was due before");
}

Wrong check_target(const Json& target) {
  if (!target.is_object()) return invalid("the target is missing");
  const auto& kind = member(target, "kind");
  const auto needs = [&](const char* name) { return is_text(member(target, name), kLongestText); };
  if (kind == "message") {
    for (const char* name : {"channel", "prompt", "author"}) {
      if (!needs(name)) return invalid(std::string("a message needs the text \"") + name + "\"");
    }
    const auto& pause = member(target, "autoDeleteMs");
    if (pause.is_null() || is_id(pause)) return std::nullopt;
    return invalid("autoDeleteMs must be a whole number");
  }
  if (kind == "run") {
    if (!needs("entry")) return invalid("a run needs the text \"entry\"");
    return std::nullopt;
  }
  if (kind != "command") return invalid("what fires is a message, a run or a command");
  if (!needs("command")) return invalid("a command needs the text \"command\"");
  const auto& cwd = member(target, "cwd");
  if (cwd.is_null() || is_text(cwd, kLongestText)) return std::nullopt;
  return invalid("cwd must be a text");
}

const Schedule* schedule_of(const State& state, const Json& value) {
  const auto& id = member(value, "scheduleId");
  return is_id(id) ? state.find(id.get<uint64_t>()) : nullptr;
}

Wrong check_known(const State& state, const Json& value) {
  if (schedule_of(state, value) != nullptr) return std::nullopt;
  return Refusal{Refusal::Kind::kNotFound, "SCHEDULE_NOT_FOUND",
                 "there is no schedule " + member(value, "scheduleId").dump(),
                 "reprise schedule:list shows them"};
}

Wrong check_add(const State& state, const Json& value) {
  if (state.schedules.size() >= kMostSchedules) {
    return Refusal{Refusal::Kind::kConflict, "TOO_MANY_SCHEDULES",
                   "there are 10000 schedules already", "remove some"};
  }
  if (auto wrong = check_name(state, value)) return wrong;
  if (auto wrong = check_timing(value)) return wrong;
  if (auto wrong = check_next(nullptr, value)) return wrong;
  return check_target(member(value, "target"));
}

Wrong check_edit(const State& state, const Json& value) {
  if (auto wrong = check_known(state, value)) return wrong;
  if (auto wrong = check_name(state, value)) return wrong;
  if (value.contains("timing")) {
    if (auto wrong = check_timing(value)) return wrong;
    if (auto wrong = check_next(schedule_of(state, value), value)) return wrong;
  }
  if (!value.contains("target")) return std::nullopt;
  Json target = schedule_of(state, value)->facts.at("target");
  const auto kind = target.at("kind");
  if (!value["target"].is_object()) return invalid("the target is a merge patch");
  target.merge_patch(value["target"]);
  if (member(target, "kind") == kind) return check_target(target);
  return invalid("what fires stays a " + kind.get<std::string>() + ": add another schedule");
}

Wrong check_enable(const State& state, const Json& value) {
  if (auto wrong = check_known(state, value)) return wrong;
  return check_next(schedule_of(state, value), value);
}

/// Why nobody can be told: {"code","message"}, or nothing. Else a message has its thread.
Wrong check_way(const Schedule& schedule, const Json& value) {
  const auto& problem = member(value, "problem");
  if (!problem.is_null()) {
    const bool whole = problem.is_object() && is_text(member(problem, "code"), kLongestText) &&
                       is_text(member(problem, "message"), kLongestText);
    if (whole) return std::nullopt;
    return invalid("a problem has a code and a message");
  }
  const bool reached =
      schedule.target_kind() != "message" || is_text(member(value, "thread"), kLongestText);
  if (reached) return std::nullopt;
  return Refusal{Refusal::Kind::kConflict, "NO_THREAD", "a message needs a thread to go to",
                 "schedule:run-now and heartbeat make one"};
}

Wrong check_due(const State& state, const Json& value) {
  if (auto wrong = check_known(state, value)) return wrong;
  const auto& schedule = *schedule_of(state, value);
  const auto& occurrence = member(value, "occurrence");
  const auto& next = member(value, "next");
  if (!is_id(occurrence) || !(next.is_null() || is_id(next))) {
    return invalid("occurrence and next are times");
  }
  if (!next.is_null() && next.get<int64_t>() <= occurrence.get<int64_t>()) {
    return invalid("the next occurrence is after this one");
  }
  const bool current = schedule.is_enabled() && schedule.facts.at("next") == occurrence &&
                       schedule.facts.at("revision") == member(value, "revision");
  if (!current) {
    return Refusal{Refusal::Kind::kConflict,
                   "STALE_OCCURRENCE",
                   "the schedule was changed, or this occurrence has fired",
                   {}};
  }
  const auto& missed = member(value, "missed");
  if (!missed.is_null() && !is_id(missed)) return invalid("missed is a number");
  // Nothing fires while it still runs.
  if (state.running(schedule.facts.at("scheduleId")) != nullptr) return std::nullopt;
  return check_way(schedule, value);
}

Wrong check_fire(const State& state, const Json& value) {
  if (auto wrong = check_known(state, value)) return wrong;
  const auto& schedule = *schedule_of(state, value);
  const auto* running = state.running(schedule.facts.at("scheduleId"));
  if (running == nullptr) return check_way(schedule, value);
  return Refusal{Refusal::Kind::kConflict, "SCHEDULE_RUNNING",
                 "it fired before and goes on: firing " + running->at("firing").dump(),
                 "reprise schedule:log shows it"};
}

Wrong check_answered(const State& state, const Json& value) {
  const auto& firing = member(value, "firing");
  const auto found = is_id(firing) ? state.open.find(firing.get<uint64_t>()) : state.open.end();
  if (found == state.open.end() || !found->second.contains("msgId")) {
    return Refusal{Refusal::Kind::kConflict,
                   "FIRING_FINISHED",
                   "no firing of that number waits for an answer",
                   {}};
  }
  const auto& outcome = member(value, "outcome");
  if (outcome != "done" && outcome != "failed") return invalid("outcome is done or failed");
  for (const char* name : {"text", "title", "error"}) {
    const auto& text = member(value, name);
    if (!text.is_null() && !text.is_string()) return invalid(std::string(name) + " is a text");
  }
  const auto& ephemeral = member(value, "ephemeral");
  if (ephemeral.is_null() || ephemeral.is_boolean()) return std::nullopt;
  return invalid("ephemeral is true or false");
}

Wrong check_deleted(const State& state, const Json& value) {
  const auto& thread = member(value, "thread");
  if (thread.is_string() && state.marked.contains(thread.get<std::string>())) return std::nullopt;
  return Refusal{Refusal::Kind::kConflict, "THREAD_UNKNOWN", "no such thread is to be deleted", {}};
}

struct Rule {
  std::string_view signal;
  Wrong (*check)(const State& state, const Json& value);
};
constexpr std::array kRules = {Rule{"schedule.add", check_add},
                               Rule{"schedule.edit", check_edit},
                               Rule{"schedule.enable", check_enable},
                               Rule{"schedule.disable", check_known},
                               Rule{"schedule.remove", check_known},
                               Rule{"schedule.due", check_due},
                               Rule{"schedule.fire", check_fire},
                               Rule{"schedule.answered", check_answered},
                               Rule{"schedule.thread.deleted", check_deleted}};

}  // namespace

std::optional<Refusal> check_signal(const State& state, std::string_view name, const Json& value) {
  for (const auto& rule : kRules) {
    if (rule.signal != name) continue;
    if (!value.is_object()) return invalid("the value must be an object");
    return rule.check(state, value);
  }
  return Refusal{Refusal::Kind::kInvalid, "UNKNOWN_SIGNAL",
                 "schedules know no signal \"" + std::string(name) + "\"",
                 "schedule:add and its like send the right ones"};
}

}  // namespace reprise::schedules
