#include "processes/channel/intake.h"

#include "processes/channel/branch.h"
#include "processes/channel/context.h"
#include "processes/channel/reply.h"
#include "processes/channel/router.h"
#include "processes/channel/worker.h"

namespace reprise::channel {

std::optional<Refusal> check_message(const Channel&, const Json& value, int64_t) {
  if (text_of(value, "msgId").empty()) {
    return Refusal{Refusal::Kind::kInvalid, "INVALID_MESSAGE", "a message needs a msgId", ""};
  }
  return std::nullopt;
}

void receive(Scribe& scribe, const Json& value, uint64_t signal) {
  const auto author = parse_author(member_of(value, "author"));
  const auto row = scribe.state().transcript.rows + 1;
  Json message = {{"row", row},
                  {"msgId", text_of(value, "msgId")},
                  {"role", "user"},
                  {"kind", "message"},
                  {"author", {{"id", author.id}, {"name", author.name}}},
                  {"content", text_of(value, "content")}};
  scribe.emit("message.created", std::move(message));
  scribe.emit("channel.message.received", {{"msgId", text_of(value, "msgId")},
                                           {"row", row},
                                           {"userId", author.id},
                                           {"triggered", true},
                                           {"allowed", true},
                                           {"role", "owner"},
                                           {"priority", number_of(value, "priority")},
                                           {"mode", text_of(value, "mode")},
                                           {"signal", signal}});
}

void go_on(Scribe& scribe) {
  while (true) {
    const auto& state = scribe.state();
    if (state.identity.held || state.identity.deleted || state.parking.is_parked()) return;
    if (state.reply.is_active()) return;
    const auto* head = state.queue.head(scribe.at_ms());
    if (head == nullptr) return;
    const auto queued = *head;
    const auto run_id = "r" + std::to_string(state.reply.runs + 1);
    const auto waiting = state.queue.waiting.size();
    scribe.set_trace(queued.trace);
    scribe.emit("message.claimed", {{"msgId", queued.message->msg_id},
                                    {"row", queued.message->row},
                                    {"runId", run_id},
                                    {"queue", waiting}});
    const auto used = utilization(scribe.state());
    const auto decision = route(scribe.state().settings, used, queued.message->content);
    auto decided = to_json(decision);
    decided.update({{"msgId", queued.message->msg_id}, {"runId", run_id}, {"utilization", used}});
    decided["policy"] = scribe.state().settings.routing_policy;
    scribe.emit("channel.route.decided", std::move(decided));
    begin_reply(scribe, queued, decision);
  }
}

void write_row(Scribe& scribe, const std::string& role, const std::string& content, Json extra) {
  const auto row = scribe.state().transcript.rows + 1;
  const auto author = role == "system" ? "system" : scribe.state().settings.agent_id;
  Json message = {{"row", row},         {"msgId", "row-" + std::to_string(row)},
                  {"role", role},       {"kind", "message"},
                  {"content", content}, {"author", {{"id", author}, {"name", author}}}};
  message.update(extra);
  scribe.emit("message.created", std::move(message));
}

}  // namespace reprise::channel
