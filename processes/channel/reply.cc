// The state, and asking; delivery.cc has what follows a result.
#include "processes/channel/reply.h"

#include "processes/channel/briefing.h"
#include "processes/channel/compactor.h"
#include "processes/channel/control.h"
#include "processes/channel/delivery.h"
#include "processes/channel/prompt.h"
#include "processes/channel/scribe.h"
#include "unicode/unicode.h"

namespace reprise::channel {

namespace {

std::string effect_id(const Reply& reply) {
  return reply.attempt == 1 ? reply.run_id : reply.run_id + ":" + std::to_string(reply.attempt);
}

void set_text(Json& json, const char* name, const std::string& text) {
  if (!text.empty()) json[name] = text;
}

void recall(Scribe& scribe) {
  const auto& state = scribe.state();
  const auto query = unicode::first(state.reply.message->content, kQueryCharacters);
  Json scope = {{"type", "channel"}, {"id", state.identity.id}};
  scribe.request({.noun = "context",
                  .id = effect_id(state.reply),
                  .kind = "recall",
                  .task = "channel.context",
                  .label = state.reply.run_id,
                  .inputs = {{"query", std::string(query)},
                             {"limit", state.settings.recall_limit},
                             {"scopes", Json::array({std::move(scope)})},
                             {"bulletin", true}}});
}

Json trigger_of(const Message& message) {
  const auto payload = message.payload();
  Json trigger = {
      {"msgId", message.msg_id}, {"author", payload.at("author")}, {"content", message.content}};
  if (payload.contains("attachments")) trigger["attachments"] = payload.at("attachments");
  return trigger;
}

Json model_inputs(const Channel& state, const Prompt& prompt, const Json& context) {
  const auto& reply = state.reply;
  Json inputs = {{"channelId", state.identity.id},
                 {"runId", reply.run_id},
                 {"msgId", reply.msg_id},
                 {"trigger", trigger_of(*reply.message)},
                 {"prompt", prompt.text},
                 {"messages", prompt.messages},
                 {"streaming", state.settings.streaming}};
  if (const auto budget = number_of(reply.decision, "tokenBudget"); budget > 0) {
    inputs["tokenBudget"] = budget;
  }
  set_text(inputs, "sessionId", used_session(state));
  if (state.session.id.empty() && !state.session.fork_from.empty()) inputs["fork"] = true;
  if (reply.mode == "plan") inputs["planMode"] = true;
  set_text(inputs, "cwd", state.identity.dir);
  if (state.identity.worktree) set_text(inputs, "parentDir", state.identity.parent_dir);
  set_text(inputs, "bulletin", text_of(context, "bulletin"));
  if (const auto& memories = member_of(context, "memories"); !memories.empty()) {
    inputs["memories"] = memories;
  }
  return inputs;
}

void ask_model(Scribe& scribe, const Json& context) {
  const auto& state = scribe.state();
  const auto prompt = state.reply.alone ? make_lone_prompt(state) : make_prompt(state, context);
  Json definition = {{"title", "reply to " + state.reply.msg_id},
                     {"outputSchema", "reprise:model-result"}};
  if (!state.settings.agent_id.empty()) {
    definition["agent"] = {{"name", state.settings.agent_id}};
  }
  scribe.request({.noun = "reply",
                  .id = effect_id(state.reply),
                  .kind = "model",
                  .task = "channel.reply",
                  .label = state.reply.msg_id,
                  .inputs = model_inputs(state, prompt, context),
                  .definition = std::move(definition),
                  .options = work_options(state.settings.run_timeout_ms)});
}

/// The next thing that the run needs.
void go_ahead(Scribe& scribe) {
  const auto& state = scribe.state();
  if (state.compactor.holds_session()) return;  // resume_reply
  if (state.settings.recall && !state.reply.alone) return recall(scribe);
  ask_model(scribe, Json());
}

void retry(Scribe& scribe, const Json& error, bool alone) {
  const auto& reply = scribe.state().reply;
  scribe.emit("agent.activity", {{"runId", reply.run_id},
                                 {"activity", "retry"},
                                 {"attempt", reply.attempt + 1},
                                 {"alone", alone},
                                 {"error", error}});
  go_ahead(scribe);
}

void fail(Scribe& scribe, const Json& error) {
  const auto name = text_of(error, "name");
  const auto& turns = member_of(member_of(error, "data"), "turns");
  const bool streamed =
      flag_of(member_of(error, "data"), "streamed") || (turns.is_array() && !turns.empty());
  count_usage(scribe, "model", {{"runId", scribe.state().reply.run_id}}, member_of(error, "data"));
  write_turns(scribe, turns);
  const auto& state = scribe.state();
  if (name == "too_long" && !state.reply.compacted &&
      begin_compaction(scribe, kTooLong, state.reply.run_id)) {
    return;
  }
  const bool again =
      state.reply.attempt - (state.reply.compacted ? 1 : 0) <= state.settings.retries_on_error;
  if (name != "too_long" && name != "TimeoutError" && !streamed && again &&
      !used_session(state).empty()) {
    return retry(scribe, error, true);
  }
  const bool tells_first = name != "TimeoutError" && state.reply.first_error.is_object();
  end_in_error(scribe, tells_first ? Json(state.reply.first_error) : error);
}

}  // namespace

void Reply::evolve(const Event& event, const Queue& queue, const Transcript& transcript) {
  if (event.type == "message.claimed") {
    begin(event, queue, transcript);
  } else if (event.type == "channel.route.decided") {
    decision = event.payload;
  } else if (event.type == "agent.activity" && text_of(event.payload, "activity") == "retry") {
    attempt = number_of(event.payload, "attempt", attempt);
    alone = flag_of(event.payload, "alone");
    if (first_error.is_null() && alone) first_error = member_of(event.payload, "error");
  } else if (event.type == "compactor.threshold.hit") {
    compacted = compacted || (is_active() && text_of(event.payload, "runId") == run_id);
  } else if (event.type == "agent.status" && text_of(event.payload, "state") != "running") {
    *this = Reply{.runs = runs, .decision = std::move(decision)};
  }
}

void Reply::begin(const Event& claimed, const Queue& queue, const Transcript& transcript) {
  run_id = text_of(claimed.payload, "runId");
  msg_id = text_of(claimed.payload, "msgId");
  message = transcript.find(msg_id);
  since_ms = claimed.at_ms;
  ++runs;
  if (const auto* queued = queue.find(msg_id)) {
    mode = queued->mode;
    priority = queued->priority;
    trace = queued->trace;
  }
}

Json Reply::to_json(RowsWriter& rows) const {
  Json json = {{"runs", runs}, {"decision", decision}};
  if (!is_active()) return json;
  json.update({{"runId", run_id},
               {"msgId", msg_id},
               {"message", rows.keep(message)},
               {"mode", mode},
               {"priority", priority},
               {"since", since_ms},
               {"trace", trace},
               {"attempt", attempt},
               {"alone", alone},
               {"compacted", compacted},
               {"firstError", first_error}});
  return json;
}

void Reply::restore(const Json& json, const RowsReader& rows) {
  *this = Reply{.runs = json.at("runs"), .decision = member_of(json, "decision")};
  if (!json.contains("runId")) return;
  run_id = json.at("runId");
  msg_id = json.at("msgId");
  message = rows.at(json.at("message"));
  mode = json.at("mode");
  priority = json.at("priority");
  since_ms = json.at("since");
  trace = json.at("trace");
  attempt = json.at("attempt");
  alone = json.at("alone");
  compacted = json.at("compacted");
  first_error = json.at("firstError");
}

Json Reply::shown() const {
  if (!is_active()) return {};
  return {{"runId", run_id},      {"msgId", msg_id},   {"mode", mode},
          {"priority", priority}, {"since", since_ms}, {"attempt", attempt}};
}

void begin_reply(Scribe& scribe, const Queued&, const Route&) {
  tell_status(scribe, "running", Json::object());
  go_ahead(scribe);
}

void resolve_reply(Scribe& scribe, const Result& result) {
  const auto& reply = scribe.state().reply;
  if (!reply.is_active() || result.owner.id != effect_id(reply)) return;
  if (result.owner.noun == "context") {
    ask_model(scribe, result.ok && result.value.is_object() ? result.value : Json());
  } else if (result.cancelled) {
    write_system_row(scribe, "Run stopped.");
    end_run(scribe, "stopped", text_of(result.value, "reason", "cancelled"));
  } else if (!result.ok) {
    fail(scribe, result.value);
  } else if (!result.value.is_object()) {
    fail(scribe, {{"name", "InvalidResult"}, {"message", "the result is no object"}});
  } else {
    deliver(scribe, result.value);
  }
}

void resume_reply(Scribe& scribe, const Json& failure) {
  const auto& reply = scribe.state().reply;
  if (!reply.is_active()) return;
  scribe.set_trace(reply.trace);
  if (failure.is_object()) return end_in_error(scribe, failure);
  if (!reply.compacted) return go_ahead(scribe);
  retry(scribe, {{"name", "too_long"}}, false);
}

void stop_reply(Scribe& scribe, const std::string& state, const std::string& reason) {
  withdraw_card(scribe);
  if (!scribe.state().reply.is_active()) return;
  withdraw_compaction_of_run(scribe);
  const auto id = effect_id(scribe.state().reply);
  auto effect = scribe.state().effects.find("reply", id);
  if (effect == 0) effect = scribe.state().effects.find("context", id);
  tell_status(scribe, state, {{"reason", reason}}, effect);
}

}  // namespace reprise::channel
