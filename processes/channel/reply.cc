#include "processes/channel/reply.h"

#include "processes/channel/intake.h"
#include "processes/channel/prompt.h"
#include "processes/channel/scribe.h"

namespace reprise::channel {

void Reply::evolve(const Event& event) {
  if (event.type == "message.claimed") {
    run_id = text_of(event.payload, "runId");
    msg_id = text_of(event.payload, "msgId");
    since_ms = event.at_ms;
    ++runs;
  } else if (event.type == "channel.route.decided") {
    decision = event.payload;
  } else if (event.type == "agent.status" && text_of(event.payload, "state") != "running") {
    run_id.clear();
    msg_id.clear();
  }
}

Json Reply::to_json() const {
  return {{"runs", runs},         {"runId", run_id},   {"msgId", msg_id},     {"trigger", trigger},
          {"priority", priority}, {"since", since_ms}, {"decision", decision}};
}

void Reply::restore(const Json& json) {
  runs = json.at("runs");
  run_id = text_of(json, "runId");
  msg_id = text_of(json, "msgId");
  trigger = text_of(json, "trigger");
  priority = number_of(json, "priority");
  since_ms = number_of(json, "since");
  decision = member_of(json, "decision");
}

void begin_reply(Scribe& scribe, const Queued& queued, const Route& route) {
  const auto run_id = scribe.state().reply.run_id;
  const auto prompt = make_prompt(scribe.state(), queued, Json());
  scribe.emit("agent.status",
              {{"runId", run_id}, {"state", "running"}, {"msgId", queued.message->msg_id}});
  scribe.request({.noun = "reply",
                  .id = run_id,
                  .kind = "model",
                  .task = "channel.reply",
                  .label = queued.message->msg_id,
                  .inputs = {{"runId", run_id},
                             {"msgId", queued.message->msg_id},
                             {"prompt", prompt.text},
                             {"messages", prompt.messages},
                             {"tokenBudget", route.token_budget}},
                  .definition = {{"title", "reply"}, {"prompt", prompt.text}}});
}

void resolve_reply(Scribe& scribe, const Result& result) {
  const auto run_id = scribe.state().reply.run_id;
  const auto msg_id = scribe.state().reply.msg_id;
  if (result.ok)
    write_row(scribe, "assistant", text_of(result.value, "text"), {{"replyTo", msg_id}});
  scribe.emit("messages.processed", {{"msgIds", {msg_id}}, {"cause", "delivered"}});
  scribe.emit("agent.status",
              {{"runId", run_id}, {"state", result.ok ? "completed" : "error"}, {"msgId", msg_id}});
}

void stop_reply(Scribe& scribe, const std::string& state, const std::string& reason) {
  const auto& reply = scribe.state().reply;
  if (!reply.is_active()) return;
  const auto effect = scribe.state().effects.find("reply", reply.run_id);
  scribe.emit_withdrawing(
      "agent.status",
      {{"runId", reply.run_id}, {"state", state}, {"msgId", reply.msg_id}, {"reason", reason}},
      effect);
}

}  // namespace reprise::channel
