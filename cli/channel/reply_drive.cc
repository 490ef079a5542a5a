#include "cli/channel/reply_drive.h"

#include <unistd.h>

#include "cli/configured.h"
#include "cli/drive_document.h"
#include "cli/drive_lines.h"
#include "cli/iteration.h"
#include "engine/drive/drive.h"
#include "engine/drive/real_performers.h"
#include "engine/end_signals.h"

namespace reprise {
namespace {

/// The nouns of effects that a reply may need: docs/channel-protocol.md.
bool serves_reply(const OpenEffect& effect) {
  for (const std::string_view noun : {"reply:", "context:", "compaction:"}) {
    if (effect.key.starts_with(noun)) return true;
  }
  return false;
}

Document ask_message(const Session& session, const RunHandle& run, const std::string& msg_id) {
  return ask_channel(session, run, {{"ask", "message"}, {"msgId", msg_id}});
}

/// Of everything: a message that was processed long ago may be forgotten, which is an answer, too.
bool is_message_settled(const Document& message) {
  const std::string state = member_text(message, "state");
  return state != "queued" && state != "running";
}

/// What the agent said in answer to the message, paragraph by paragraph.
std::string reply_of(const Session& session, const RunHandle& run, const std::string& msg_id) {
  const Document answer = ask_channel(session, run, {{"ask", "messages"}});
  std::string reply;
  for (const Document& row : answer.is_object() ? answer["messages"] : answer) {
    if (member_text(row, "replyTo") != msg_id || member_text(row, "kind") != "message") continue;
    reply += (reply.empty() ? "" : "\n\n") + member_text(row, "content");
  }
  return reply;
}

DriveEnd perform_reply(const Arguments& arguments, const Session& session, const RunHandle& run,
                       const std::string& msg_id) {
  const HomePlace home = session.workspace().home_of(run);
  const Config config = configuration(arguments, home);
  require_trust(home);
  RealPerformers performers(config);
  DriveRequest request;
  request.home = home.path;
  request.run = run.name;
  request.pid = static_cast<uint64_t>(::getpid());
  const auto& author = session.context().author;
  request.worker = "message:post " + author.user + "@" + author.host;
  if (config.lease_ms > 0) request.lease_ms = config.lease_ms;
  request.min_free_bytes = config.min_free_bytes;
  request.wanted = serves_reply;
  uint64_t seen = 0;
  bool settled = false;
  request.enough = [&](const RunState& state) {
    if (state.head.seq == seen) return settled;
    seen = state.head.seq;
    settled = is_message_settled(ask_message(session, run, msg_id));
    return settled;
  };
  SilentDrive listener;
  const Neighbours neighbours(run);
  return drive(neighbours.folder(), session.context(), performers, listener, request);
}

/// What was begun is pending again, and nothing was said.
void warn_of_signal(Reply& reply, const RunHandle& run, const DriveEnd& end) {
  if (end.signal == 0) return;
  const std::string signal = end_signal_name(end.signal);
  reply.document["stoppedBy"] = signal;
  reply.warnings.push_back(signal + " ended the work; the message is kept, and reprise run:drive " +
                           run.name + " goes on with the reply");
}

}  // namespace

void drive_reply(Reply& reply, const Arguments& arguments, const Session& session,
                 const RunHandle& run, const std::string& msg_id) {
  if (!is_message_settled(reply.document["message"])) {
    const DriveEnd end = perform_reply(arguments, session, run, msg_id);
    if (end.failure) throw Error(*end.failure);
    const RunState& state = end.state;
    reply.document["message"] = ask_message(session, run, msg_id);
    reply.document["runStatus"] = status_name(state.status());
    reply.document["pending"] = pending_effects(state, end.at_ms);
    if (!is_message_settled(reply.document["message"])) {
      reply.exit = drive_exit(end);
      warn_of_signal(reply, run, end);
    }
  }
  // The message is there, but what was waited for is not.
  const std::string cause = member_text(reply.document["message"], "cause");
  if (cause == "error" || cause == "stopped" || cause == "stale") reply.exit = Exit::kNo;
  const std::string text = reply_of(session, run, msg_id);
  if (!text.empty()) reply.document["reply"] = text;
}

}  // namespace reprise
