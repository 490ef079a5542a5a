// The decider: a signal becomes an event, and an occurrence whose time has come a request for work.
#include "processes/schedules/schedules.h"

#include <utility>

#include "processes/schedules/answer.h"
#include "processes/schedules/check.h"
#include "processes/schedules/state.h"

namespace reprise {

namespace schedules {
namespace {

constexpr int kVersion = 1;

/// The commands that an activation causes.
class Scribe {
 public:
  void emit(const char* type, const Json& payload) {
    Command command;
    command.kind = Command::Kind::kEmit;
    command.name = type;
    command.json = payload.dump();
    x_commands.push_back(std::move(command));
  }

  void request(const char* kind, const char* task, const std::string& label, const std::string& key,
               const Json& args, Json definition = Json::object()) {
    Command command;
    command.kind = Command::Kind::kRequest;
    command.effect_kind = kind;
    command.task = task;
    command.label = label;
    command.key = key;
    command.args = args.dump();
    definition["kind"] = kind;
    definition["title"] = label;
    command.definition = definition.dump();
    x_commands.push_back(std::move(command));
  }

  void halt(const Json& why) {
    Command command;
    command.kind = Command::Kind::kHalt;
    command.cancelled = true;
    command.name = text_of(why, "reason");
    x_commands.push_back(std::move(command));
  }

  std::vector<Command> take() { return std::move(x_commands); }

 private:
  std::vector<Command> x_commands;
};

std::string key_of(uint64_t firing) { return "fire:" + std::to_string(firing); }

/// "nightly", or "schedule 3".
std::string title_of(const Schedule& schedule) {
  return text_of(schedule.facts, "name", "schedule " + schedule.facts.at("scheduleId").dump());
}

Json message_of(const Json& target, const std::string& msg_id) {
  std::string prompt = target.at("prompt");
  if (number_of(target, "autoDeleteMs") > 0) {
    prompt += "\n\nBegin your answer with [EPHEMERAL] when there is nothing to report.";
  }
  return {{"msgId", msg_id},
          {"author", {{"id", target.at("author")}}},
          {"content", prompt},
          {"flags", {{"mention", true}}}};
}

void request_work(Scribe& scribe, const Schedule& schedule, const Json& fired) {
  const auto& target = schedule.facts.at("target");
  const auto& kind = schedule.target_kind();
  const auto key = key_of(fired.at("firing"));
  const auto title = title_of(schedule);
  if (kind == "message") {
    const Json args = {{"run", fired.at("thread")},
                       {"name", "channel.message"},
                       {"value", message_of(target, fired.at("msgId"))}};
    return scribe.request("run.signal", "schedule.message", title, key, args);
  }
  if (kind == "run") {
    const Json labels = {{"schedule", schedule.facts.at("scheduleId").dump()}};
    const Json args = {{"entry", target.at("entry")},
                       {"inputs", target.value("inputs", Json::object())}};
    return scribe.request("run", "schedule.run", title, key, args, {{"run", {{"labels", labels}}}});
  }
  Json shell = {{"command", target.at("command")}};
  if (target.contains("cwd")) shell["cwd"] = target["cwd"];
  scribe.request("shell", "schedule.command", title, key,
                 {{"command", target.at("command")}, {"firing", fired.at("firing")}},
                 {{"shell", shell}});
}

void fire(Scribe& scribe, const State& state, const Schedule& schedule, Json fired,
          const Json& signal) {
  const uint64_t firing = state.last_firing + 1;
  fired["firing"] = firing;
  fired["scheduleId"] = schedule.facts.at("scheduleId");
  fired["kind"] = schedule.target_kind();
  const bool reached = !signal.contains("problem") || signal["problem"].is_null();
  if (reached && schedule.target_kind() == "message") {
    const auto& target = schedule.facts.at("target");
    fired["thread"] = signal.at("thread");
    fired["msgId"] =
        "schedule-" + schedule.facts.at("scheduleId").dump() + "-" + std::to_string(firing);
    fired["autoDeleteMs"] = number_of(target, "autoDeleteMs");
  }
  scribe.emit("schedule.fired", fired);
  if (reached) return request_work(scribe, schedule, fired);
  scribe.emit("schedule.finished", {{"firing", firing},
                                    {"scheduleId", fired["scheduleId"]},
                                    {"outcome", "failed"},
                                    {"error", signal["problem"].at("message")}});
}

void take_due(Scribe& scribe, const State& state, const Schedule& schedule, const Json& signal) {
  Json passed = {{"trigger", "due"},
                 {"occurrence", signal.at("occurrence")},
                 {"next", signal.at("next")},
                 {"missed", number_of(signal, "missed")}};
  if (flag_of(signal, "missedMore")) passed["missedMore"] = true;
  const auto id = schedule.facts.at("scheduleId");
  const auto* running = state.running(id);
  if (running == nullptr) return fire(scribe, state, schedule, std::move(passed), signal);
  passed["scheduleId"] = id;
  passed["reason"] = "overlap";
  passed["firing"] = running->at("firing");
  scribe.emit("schedule.skipped", passed);
}

void take_answered(Scribe& scribe, const State& state, const Json& signal, int64_t now_ms) {
  const auto& entry = state.open.at(signal.at("firing"));
  Json finished = {{"firing", signal.at("firing")},
                   {"scheduleId", entry.at("scheduleId")},
                   {"outcome", signal.at("outcome")}};
  for (const char* name : {"text", "error", "ephemeral"}) {
    if (signal.contains(name) && !signal[name].is_null()) finished[name] = signal[name];
  }
  scribe.emit("schedule.finished", finished);
  const auto pause_ms = number_of(entry, "autoDeleteMs");
  if (!flag_of(signal, "ephemeral") || pause_ms == 0) return;
  const auto& thread = entry.at("thread");
  scribe.emit("schedule.thread.marked", {{"thread", thread},
                                         {"scheduleId", entry.at("scheduleId")},
                                         {"deleteAt", now_ms + pause_ms}});
  const auto title = text_of(signal, "title");
  if (title.empty()) return;
  const Json args = {{"run", thread},
                     {"name", "channel.configure"},
                     {"value", {{"name", "[ephemeral] " + title}}}};
  scribe.request("run.signal", "schedule.rename", "rename " + thread.get<std::string>(),
                 "rename:" + signal.at("firing").dump(), args);
}

/// What the members of a schedule become.
void take_edit(Scribe& scribe, const Schedule& schedule, Json signal) {
  if (signal.contains("target")) {
    Json target = schedule.facts.at("target");
    target.merge_patch(signal["target"]);
    signal["target"] = std::move(target);
  }
  // What is off has no next time: it is worked out when it is enabled.
  if (!signal.contains("timing") || !schedule.is_enabled()) signal.erase("next");
  scribe.emit("schedule.edited", signal);
}

void take_signal(Scribe& scribe, const State& state, const Activation& activation) {
  const auto value = Json::parse(activation.value);
  const auto name = activation.name;
  if (const auto refusal = check_signal(state, name, value)) {
    return scribe.emit(
        "schedule.signal.refused",
        {{"name", std::string(name)}, {"code", refusal->code}, {"message", refusal->message}});
  }
  if (name == "schedule.add") {
    Json added = value;
    added["scheduleId"] = state.last_schedule + 1;
    added["enabled"] = flag_of(value, "enabled", true);
    if (!added["enabled"].get<bool>()) added["next"] = nullptr;
    return scribe.emit("schedule.added", added);
  }
  if (name == "schedule.answered") return take_answered(scribe, state, value, activation.at_ms);
  if (name == "schedule.thread.deleted") {
    return scribe.emit("schedule.thread.deleted", {{"thread", value.at("thread")}});
  }
  const auto& schedule = *state.find(value.at("scheduleId").get<uint64_t>());
  if (name == "schedule.due") return take_due(scribe, state, schedule, value);
  if (name == "schedule.fire") {
    const Json now = {{"trigger", "run-now"}, {"occurrence", activation.at_ms}, {"missed", 0}};
    return fire(scribe, state, schedule, now, value);
  }
  if (name == "schedule.edit") return take_edit(scribe, schedule, value);
  if (name == "schedule.enable") scribe.emit("schedule.enabled", value);
  if (name == "schedule.disable") scribe.emit("schedule.disabled", value);
  if (name == "schedule.remove") scribe.emit("schedule.removed", value);
}

/// What a result says of the work: "done", "failed", "cancelled", with the error.
Json end_of(const Activation& activation) {
  if (activation.kind == Activation::Kind::kCancelled) return {{"outcome", "cancelled"}};
  if (!activation.ok) {
    const auto error = Json::parse(activation.error);
    return {{"outcome", "failed"},
            {"error", text_of(error, "message", text_of(error, "name", "failed"))}};
  }
  const auto value = Json::parse(activation.value);
  const bool failed = value.is_object() && value.contains("success") && value["success"] == false;
  if (!failed) return {{"outcome", "done"}};
  const auto code = value.contains("exitCode") ? value["exitCode"].dump() : "none";
  return {{"outcome", "failed"}, {"error", "exit code " + code}};
}

void take_result(Scribe& scribe, const State& state, uint64_t firing,
                 const Activation& activation) {
  const auto found = state.open.find(firing);
  if (found == state.open.end()) return;
  auto end = end_of(activation);
  // The message has arrived: its answer is still to come.
  if (found->second.contains("msgId") && end["outcome"] == "done") return;
  end["firing"] = firing;
  end["scheduleId"] = found->second.at("scheduleId");
  scribe.emit("schedule.finished", end);
}

}  // namespace
}  // namespace schedules

namespace {

using schedules::Json;
using schedules::text_of;

class Scheduling final : public Decider {
 public:
  void evolve(const Activation& activation) override {
    x_now_ms = activation.at_ms;
    x_firing = 0;
    const bool ended = activation.kind == Activation::Kind::kResolved ||
                       activation.kind == Activation::Kind::kCancelled;
    const auto found = x_state.effects.find(activation.effect);
    if (!ended || found == x_state.effects.end()) return;
    x_firing = found->second;
    x_state.effects.erase(found);
  }

  void evolve(const CommandRecord& command) override {
    const auto data = Json::parse(command.data);
    if (command.kind == CommandRecord::Kind::kEmitted) {
      x_state.evolve(text_of(data, "type"), Json::parse(command.payload), x_now_ms);
    } else if (command.kind == CommandRecord::Kind::kRequested) {
      if (text_of(data, "key") == schedules::key_of(x_state.last_firing)) {
        x_state.effects[command.effect] = x_state.last_firing;
      }
    }
  }

  std::vector<Command> decide(const Activation& activation) const override {
    schedules::Scribe scribe;
    switch (activation.kind) {
      case Activation::Kind::kStart:
        break;
      case Activation::Kind::kSignal:
        take_signal(scribe, x_state, activation);
        break;
      case Activation::Kind::kResolved:
      case Activation::Kind::kCancelled:
        take_result(scribe, x_state, x_firing, activation);
        break;
      case Activation::Kind::kCancelRun:
        scribe.halt(Json::parse(activation.value));
        break;
    }
    return scribe.take();
  }

  std::optional<Refusal> check(const Activation& signal) const override {
    return check_signal(x_state, signal.name, Json::parse(signal.value));
  }

  std::string answer(std::string_view question) const override {
    return schedules::answer(x_state, Json::parse(question)).dump();
  }
  void keep_all() override { x_state.keeps_all = true; }

  std::string snapshot() const override {
    return Json{{"version", schedules::kVersion}, {"now", x_now_ms}, {"state", x_state.to_json()}}
        .dump();
  }

  bool restore(std::string_view snapshot) override {
    const auto json = Json::parse(snapshot);
    if (json.value("version", 0) != schedules::kVersion) return false;
    x_now_ms = json.at("now");
    x_state.restore(json.at("state"));
    return true;
  }

 private:
  schedules::State x_state;
  int64_t x_now_ms = 0;   ///< of the last activation
  uint64_t x_firing = 0;  ///< whose request the activation at hand ends; 0: none
};

std::string check_inputs(std::string_view text) {
  return Json::parse(text).is_object() ? "" : "must be an object";
}

std::unique_ptr<Decider> make(const Inputs&) { return std::make_unique<Scheduling>(); }

}  // namespace

BuiltIn schedules_process() {
  return {"schedules", "The schedules of a home: what fires when, and what came of it",
          check_inputs, make};
}

}  // namespace reprise
