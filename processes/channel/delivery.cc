#include "processes/channel/delivery.h"

#include <algorithm>
#include <array>

#include "processes/channel/compactor.h"
#include "processes/channel/context.h"
#include "processes/channel/intake.h"
#include "processes/channel/parking.h"
#include "processes/channel/signals.h"
#include "processes/kit/finish.h"
#include "unicode/unicode.h"

namespace reprise::channel {

namespace {

constexpr std::array<std::string_view, 5> kKinds = {"message", "thinking", "tool_use",
                                                    "tool_result", "compacting"};

Json about_run(const Scribe& scribe) {
  const auto& reply = scribe.state().reply;
  return {{"runId", reply.run_id}, {"replyTo", reply.msg_id}};
}

void write_turn(Scribe& scribe, const std::string& kind, const std::string& text,
                const Json& turn) {
  auto extra = about_run(scribe);
  extra["kind"] = kind;
  for (const auto* name : {"tool", "input", "isError"}) {
    if (turn.contains(name)) extra[name] = turn.at(name);
  }
  if (turn.contains("id")) extra["toolUseId"] = turn.at("id");
  write_row(scribe, "assistant", text, extra);
  if (kind != "tool_use") return;
  scribe.emit("tool.use", {{"runId", scribe.state().reply.run_id},
                           {"row", scribe.state().transcript.rows},
                           {"tool", text_of(turn, "tool")}});
}

bool is_blank(const std::string& text) { return unicode::trimmed(text).empty(); }

void keep_session(Scribe& scribe, const Json& result) {
  const auto session = text_of(result, "sessionId");
  if (session.empty()) return;
  const auto& reply = scribe.state().reply;
  scribe.emit("session.updated", {{"sessionId", session},
                                  {"runId", reply.run_id},
                                  {"cause", "reply"},
                                  {"place", reply.message->place}});
}

/// The reply's row, unless it is what was streamed last; what of it goes into the status.
Json write_reply(Scribe& scribe, const Json& result) {
  const auto text = text_of(result, "text");
  const auto last = write_turns(scribe, member_of(result, "turns"));
  const auto cut = kit::cut_reason(result);
  const auto why = cut.empty() ? std::string() : ": " + cut;
  if (is_blank(text)) {
    const bool says_else = !last.empty() || result.contains("spawn") || result.contains("ask") ||
                           result.contains("plan");
    if (!says_else) {
      write_system_row(scribe, "The agent gave an empty reply" + why + ".");
    }
    return {{"delivered", !last.empty()}};
  }
  const bool is_told = text == last;
  if (!is_told) write_row(scribe, "assistant", text, about_run(scribe));
  if (!cut.empty()) write_system_row(scribe, "The reply was cut off" + why + ".");
  if (is_told) return {{"delivered", true}, {"duplicate", true}};
  return {{"delivered", true}};
}

void count(Scribe& scribe, const Json& result) {
  const auto& state = scribe.state();
  const auto covers = Json::array({state.reply.message->place, state.transcript.joined});
  count_usage(scribe, "model", {{"runId", state.reply.run_id}, {"covers", covers}}, result);
}

/// Refused work is told in the channel. Returns {"workerId"|"branchId"}, or an empty object.
Json spawn_wanted(Scribe& scribe, const Json& wanted) {
  struct SpawnKind {
    const char* name;
    const char* id;
    std::string_view signal;
    std::string (*spawn)(Scribe& scribe, const Json& spec);
  };
  static constexpr std::array kSpawns = {
      SpawnKind{"worker", "workerId", "worker.spawn", spawn_worker},
      SpawnKind{"branch", "branchId", "branch.spawn", spawn_branch}};
  auto spawned = Json::object();
  if (wanted.is_object() && scribe.state().parking.is_parked()) {
    write_system_row(
        scribe,
        "The work that the agent wanted to begin was not begun: what it asked is to be "
        "answered first.");
    return spawned;
  }
  for (const auto& kind : kSpawns) {
    const auto& spec = member_of(wanted, kind.name);
    if (!spec.is_object()) continue;
    const auto* signal = find_signal(kind.signal);
    const auto refusal =
        signal == nullptr ? std::nullopt : signal->check(scribe.state(), spec, scribe.at_ms());
    if (refusal) {
      write_system_row(
          scribe, std::string("The agent's ") + kind.name + " was not begun: " + refusal->message);
    } else {
      spawned[kind.id] = kind.spawn(scribe, spec);
    }
  }
  return spawned;
}

}  // namespace

void deliver(Scribe& scribe, const Json& result) {
  keep_session(scribe, result);
  auto status = write_reply(scribe, result);
  count(scribe, result);
  park(scribe, result);
  status.update(spawn_wanted(scribe, member_of(result, "spawn")));
  for (const auto* name : {"model", "contextWindow"}) {
    if (result.contains(name)) status[name] = result.at(name);
  }
  mark_processed(scribe, scribe.state().reply.msg_id, "delivered");
  tell_status(scribe, "completed", std::move(status));
  evaluate_compaction(scribe);
}

void end_in_error(Scribe& scribe, const Json& error) {
  const bool late = text_of(error, "name") == "TimeoutError";
  const auto message = text_of(error, "message", text_of(error, "name", "no reason was given"));
  write_system_row(scribe, "agent error: " + message);
  mark_processed(scribe, scribe.state().reply.msg_id, late ? "stale" : "error");
  tell_status(scribe, late ? "timeout" : "error",
              {{"error", {{"name", text_of(error, "name", "Error")}, {"message", message}}}});
  evaluate_compaction(scribe);
}

std::string write_turns(Scribe& scribe, const Json& turns) {
  std::string last;
  if (!turns.is_array()) return last;
  for (const auto& turn : turns) {
    const auto kind = text_of(turn, "kind");
    const auto text = text_of(turn, "text");
    if (std::ranges::find(kKinds, kind) == kKinds.end()) continue;
    if (is_blank(text) && !kind.starts_with("tool_")) continue;
    write_turn(scribe, kind, text, turn);
    if (kind == "message") last = text;
  }
  return last;
}

void write_system_row(Scribe& scribe, const std::string& text) {
  write_row(scribe, "system", text, about_run(scribe));
}

void tell_status(Scribe& scribe, const std::string& state, Json more, uint64_t withdrawn) {
  const auto& reply = scribe.state().reply;
  const auto trigger = unicode::first(reply.message->content, kTriggerCharacters);
  more.update({{"runId", reply.run_id},
               {"state", state},
               {"msgId", reply.msg_id},
               {"trigger", std::string(trigger)}});
  if (state != "running") {
    more["durationMs"] = scribe.at_ms() - reply.since_ms;
    more["utilization"] = utilization(scribe.state());
  }
  scribe.emit_withdrawing("agent.status", std::move(more), withdrawn);
}

}  // namespace reprise::channel
