// One sleep at a time: when it ends too early, because the session was used meanwhile, the next one
// is asked for.
#include "processes/channel/session.h"

#include <algorithm>
#include <array>

#include "processes/channel/scribe.h"

namespace reprise::channel {

void Session::evolve(const Event& event) {
  if (event.type == "channel.created") {
    fork_from = text_of(event.payload, "forkFrom");
  } else if (event.type == "session.updated") {
    id = text_of(event.payload, "sessionId");
    place = static_cast<uint64_t>(number_of(event.payload, "place"));
    fork_from.clear();
    active_at_ms = event.at_ms;
  } else if (event.type == "session.closed") {
    id.clear();
    fork_from.clear();
    place = 0;
  } else if (event.type == "message.claimed" || event.type == "agent.status") {
    active_at_ms = event.at_ms;
  }
}

Json Session::to_json() const {
  return {{"id", id}, {"forkFrom", fork_from}, {"place", place}, {"activeAt", active_at_ms}};
}

void Session::restore(const Json& json) {
  id = text_of(json, "id");
  fork_from = text_of(json, "forkFrom");
  place = static_cast<uint64_t>(number_of(json, "place"));
  active_at_ms = number_of(json, "activeAt");
}

Json Session::shown() const {
  if (id.empty() && fork_from.empty()) return {};
  Json json = {{"id", id}, {"activeAt", active_at_ms}};
  if (!fork_from.empty()) json["forkFrom"] = fork_from;
  return json;
}

namespace {

std::optional<Refusal> check_close(const Channel& channel, const Json&, int64_t) {
  if (!channel.reply.is_active()) return std::nullopt;
  return Refusal{Refusal::Kind::kConflict, "SESSION_BUSY",
                 "run " + channel.reply.run_id + " uses the session",
                 "wait for its end, or stop it: reprise channel:stop " + channel.identity.id};
}

void close(Scribe& scribe, const std::string& reason) {
  const auto& session = scribe.state().session;
  const auto id = session.id.empty() ? session.fork_from : session.id;
  if (!id.empty()) scribe.emit("session.closed", {{"sessionId", id}, {"reason", reason}});
}

void apply_close(Scribe& scribe, const Json& value, uint64_t) {
  close(scribe, text_of(value, "reason", "closed"));
}

/// Is there a session that may be closed, as soon as it was idle for long enough?
bool is_idle(const Channel& channel) {
  return channel.settings.auto_close && !channel.session.id.empty() && !channel.identity.deleted &&
         !channel.reply.is_active() && !channel.parking.is_parked() &&
         !channel.compactor.holds_session();
}

int64_t closing_time(const Channel& channel) {
  return channel.session.active_at_ms + channel.settings.auto_close_after_ms;
}

}  // namespace

std::span<const SignalSpec> session_signals() {
  static constexpr std::array kSignals = {SignalSpec{"channel.close", check_close, apply_close}};
  return kSignals;
}

void close_idle_session(Scribe& scribe) {
  if (!is_idle(scribe.state()) || scribe.at_ms() < closing_time(scribe.state())) return;
  close(scribe, "inactive_timeout");
}

void watch_session(Scribe& scribe) {
  const auto& state = scribe.state();
  const auto waits = [](const auto& entry) { return entry.second.noun == "close"; };
  if (!is_idle(state) || std::ranges::any_of(state.effects.open(), waits)) return;
  const auto due_ms = closing_time(state);
  scribe.request({.noun = "close",
                  .id = std::to_string(due_ms),
                  .kind = "sleep",
                  .task = "channel.close",
                  .label = "an idle session is closed",
                  .inputs = {{"sessionId", state.session.id}},
                  .due_ms = due_ms});
}

}  // namespace reprise::channel
