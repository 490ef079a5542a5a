#include "processes/channel/session.h"

namespace reprise::channel {

void Session::evolve(const Event& event) {
  if (event.type == "channel.created") {
    fork_from = text_of(event.payload, "forkFrom");
  } else if (event.type == "session.updated") {
    id = text_of(event.payload, "sessionId");
    row = static_cast<uint64_t>(number_of(event.payload, "row"));
    fork_from.clear();
    active_at_ms = event.at_ms;
  } else if (event.type == "session.closed") {
    id.clear();
    row = 0;
  }
}

Json Session::to_json() const {
  return {{"id", id}, {"forkFrom", fork_from}, {"row", row}, {"activeAt", active_at_ms}};
}

void Session::restore(const Json& json) {
  id = text_of(json, "id");
  fork_from = text_of(json, "forkFrom");
  row = static_cast<uint64_t>(number_of(json, "row"));
  active_at_ms = number_of(json, "activeAt");
}

std::span<const SignalSpec> session_signals() { return {}; }

}  // namespace reprise::channel
