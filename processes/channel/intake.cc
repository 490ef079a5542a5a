// A message is judged once, when it comes, and what was decided is recorded with it. From there on
// the queue is a view of the events, and a claim its head.
#include "processes/channel/intake.h"

#include <algorithm>
#include <array>

#include "processes/channel/branch.h"
#include "processes/channel/check_message.h"
#include "processes/channel/compactor.h"
#include "processes/channel/context.h"
#include "processes/channel/control.h"
#include "processes/channel/reply.h"
#include "processes/channel/router.h"
#include "processes/channel/slash.h"
#include "processes/channel/worker.h"
#include "unicode/unicode.h"

namespace reprise::channel {

namespace {

/// What was decided of a message when it came.
struct Arrival {
  Author author;
  std::string platform;
  Json flags;
  bool triggered = false;
  Role role = Role::kNone;

  bool is_for_agent() const { return triggered && role != Role::kNone; }
};

/// "!loop what is new", and not "!loops".
bool begins_with_prefix(const std::string& prefix, const std::string& content) {
  if (prefix.empty() || !content.starts_with(prefix)) return false;
  const auto rest = std::string_view(content).substr(prefix.size());
  return rest.empty() || unicode::trimmed(rest).data() != rest.data();
}

Arrival judge(const Channel& channel, const Json& value) {
  Arrival arrival;
  arrival.author = parse_author(member_of(value, "author"));
  arrival.platform = text_of(value, "platform", channel.identity.platform);
  const auto& told = member_of(value, "flags");
  for (const auto* name : {"mention", "reply", "prefix", "dm"}) {
    const bool is_set = flag_of(told, name) ||
                        (name == std::string_view("prefix") &&
                         begins_with_prefix(channel.settings.prefix, text_of(value, "content")));
    arrival.flags[name] = is_set;
    arrival.triggered = arrival.triggered || is_set;
  }
  arrival.role =
      role_of_speaker(channel.permissions, channel.settings, arrival.author, arrival.platform);
  return arrival;
}

/// Higher than all that is not processed, the running message included.
int64_t interrupting_priority(const Channel& channel) {
  int64_t highest =
      channel.reply.is_active() ? std::max<int64_t>(0, channel.queue.claimed_priority) : 0;
  for (const auto& queued : channel.queue.waiting) highest = std::max(highest, queued.priority);
  return highest + 1;
}

bool is_known(const Channel& channel, const std::string& msg_id) {
  return channel.queue.fate(msg_id) != nullptr || channel.queue.find(msg_id) != nullptr ||
         channel.reply.msg_id == msg_id;
}

void take_home_settings(Scribe& scribe, const Json& value) {
  const auto& configured = member_of(value, "configured");
  if (configured.is_null() || configured == scribe.state().settings.home) return;
  scribe.emit("channel.configured", {{"configured", configured}});
}

void write_message(Scribe& scribe, const Json& value, const Arrival& arrival) {
  Json message = {{"row", scribe.state().transcript.rows + 1},
                  {"msgId", text_of(value, "msgId")},
                  {"role", "user"},
                  {"kind", "message"},
                  {"author", {{"id", arrival.author.id}, {"name", arrival.author.name}}},
                  {"content", text_of(value, "content")}};
  for (const auto* name : {"attachments", "replyTo"}) {
    if (!member_of(value, name).is_null()) message[name] = value.at(name);
  }
  scribe.emit("message.created", message);
}

Json receipt(const Channel& channel, const Json& value, const Arrival& arrival) {
  Json received = {{"msgId", text_of(value, "msgId")},
                   {"row", channel.transcript.rows},
                   {"userId", arrival.author.id},
                   {"triggered", arrival.triggered},
                   {"allowed", arrival.role != Role::kNone},
                   {"priority", number_of(value, "priority")},
                   {"mode", text_of(value, "mode")},
                   {"flags", arrival.flags},
                   {"platform", arrival.platform}};
  if (!arrival.author.roles.empty()) received["roles"] = arrival.author.roles;
  if (arrival.role != Role::kNone) received["role"] = name_of(arrival.role);
  if (!arrival.triggered) {
    received["reason"] = "untriggered";
  } else if (arrival.role == Role::kNone) {
    received["reason"] = "not_permitted";
  }
  return received;
}

void receive(Scribe& scribe, const Json& value, uint64_t signal) {
  const auto msg_id = text_of(value, "msgId");
  if (is_known(scribe.state(), msg_id)) return;
  take_home_settings(scribe, value);
  const auto arrival = judge(scribe.state(), value);
  write_message(scribe, value, arrival);
  auto received = receipt(scribe.state(), value, arrival);
  received["signal"] = signal;

  const auto command = arrival.triggered
                           ? parse_slash(scribe.state().settings, text_of(value, "content"))
                           : std::nullopt;
  if (command) {
    received["command"] = command->name;
    scribe.emit("channel.message.received", received);
    perform_slash(scribe, *command, {arrival.author, arrival.role, msg_id, signal});
    mark_processed(scribe, msg_id, "command");
    return;
  }

  const auto not_before = number_of(value, "notBefore");
  const bool waits = not_before > scribe.at_ms();
  const bool interrupts = flag_of(value, "interrupt") && !waits && arrival.is_for_agent();
  if (waits) received["notBefore"] = not_before;
  if (interrupts) received["priority"] = interrupting_priority(scribe.state());
  const auto row = scribe.state().transcript.rows;
  scribe.emit("channel.message.received", received);
  if (waits && arrival.is_for_agent()) request_delay(scribe, row, msg_id, not_before);
  if (interrupts) end_run(scribe, "stopped", "interrupted by " + msg_id);
}

/// A worker or a branch takes the message over, and the agent is free again.
void delegate(Scribe& scribe, const Queued& queued, const Route& route) {
  const auto& content = queued.message->content;
  const auto run_id = scribe.state().reply.run_id;
  Json status = {{"runId", run_id},
                 {"state", "spawned"},
                 {"msgId", queued.message->msg_id},
                 {"trigger", unicode::first(content, kTriggerCharacters)}};
  std::string text;
  if (route.action == "spawn_worker") {
    const auto id = spawn_worker(scribe, {{"title", "Channel worker"},
                                          {"objective", content},
                                          {"tools", {"shell", "file", "exec", "browser"}},
                                          {"mode", "interactive"},
                                          {"tokenBudget", route.token_budget}});
    status["workerId"] = id;
    text = "Worker " + id + " works on this.";
  } else {
    const auto id =
        spawn_branch(scribe, {{"prompt", content}, {"tokenBudget", route.token_budget}});
    status["branchId"] = id;
    text = "Branch " + id + " thinks about this.";
  }
  write_row(scribe, "system", text, {{"replyTo", queued.message->msg_id}, {"runId", run_id}});
  mark_processed(scribe, queued.message->msg_id, "spawned");
  scribe.emit("agent.status", status);
  evaluate_compaction(scribe);
}

/// The claim, and what is decided of it.
Route claim(Scribe& scribe, const Queued& queued) {
  const auto& state = scribe.state();
  const auto run_id = "r" + std::to_string(state.reply.runs + 1);
  const auto& message = *queued.message;
  const auto sleep = state.effects.find("delay", std::to_string(message.row));
  scribe.emit_withdrawing("message.claimed",
                          {{"msgId", message.msg_id},
                           {"row", message.row},
                           {"runId", run_id},
                           {"priority", queued.priority},
                           {"queue", state.queue.waiting.size()}},
                          sleep);
  const auto& settings = scribe.state().settings;
  const auto used = utilization(scribe.state());
  auto decision = route(settings, used, message.content, queued.mode);
  auto decided = to_json(decision);
  decided.update({{"msgId", message.msg_id},
                  {"runId", run_id},
                  {"utilization", used},
                  {"policy", settings.routing_policy}});
  scribe.emit("channel.route.decided", decided);
  return decision;
}

}  // namespace

std::span<const SignalSpec> intake_signals() {
  static constexpr std::array kSignals = {SignalSpec{"channel.message", check_message, receive}};
  return kSignals;
}

void request_delay(Scribe& scribe, uint64_t row, const std::string& msg_id, int64_t not_before_ms) {
  scribe.request({.noun = "delay",
                  .id = std::to_string(row),
                  .kind = "sleep",
                  .task = "channel.delay",
                  .label = msg_id,
                  .inputs = {{"msgId", msg_id}, {"notBefore", not_before_ms}},
                  .due_ms = not_before_ms});
}

void go_on(Scribe& scribe) {
  while (true) {
    const auto& state = scribe.state();
    if (state.identity.held || state.identity.deleted || state.parking.is_parked()) return;
    if (state.reply.is_active()) return;
    const auto* head = state.queue.head(scribe.at_ms());
    if (head == nullptr) return;
    const auto queued = *head;
    scribe.set_trace(queued.trace);
    const auto decision = claim(scribe, queued);
    if (decision.action == "respond") {
      begin_reply(scribe, queued, decision);
    } else {
      delegate(scribe, queued, decision);
    }
  }
}

void write_row(Scribe& scribe, const std::string& role, const std::string& content,
               const Json& extra) {
  const auto row = scribe.state().transcript.rows + 1;
  const auto author = role == "system" ? "system" : scribe.state().settings.agent_id;
  Json message = {{"row", row},         {"msgId", std::string(kOwnRow) + std::to_string(row)},
                  {"role", role},       {"kind", "message"},
                  {"content", content}, {"author", {{"id", author}, {"name", author}}}};
  message.update(extra);
  scribe.emit("message.created", message);
}

}  // namespace reprise::channel
