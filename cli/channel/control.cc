// channel:stop, hold, release, recover, close: what an operator does with the conversation.
#include "cli/channel/commands.h"
#include "cli/channel/signal_request.h"

namespace reprise {
namespace {

/// "by" goes along with every one of them, and what flags the command has.
Reply control(const Arguments& arguments, std::string signal) {
  const Session session(arguments);
  const RunHandle run = find_channel(session, arguments);
  SignalRequest request{.signal = std::move(signal)};
  request.value["by"] = by_flag(arguments, session);
  if (const auto reason = arguments.value("--reason")) {
    request.value["reason"] = checked_text(*reason, "--reason");
  }
  if (arguments.has("--hold")) request.value["hold"] = true;
  request.question = {{"ask", "channel"}};
  request.answer = "channel";
  return tell_channel(arguments, session, run, request);
}

}  // namespace

Reply channel_stop(const Arguments& arguments) { return control(arguments, "channel.stop"); }
Reply channel_hold(const Arguments& arguments) { return control(arguments, "channel.hold"); }
Reply channel_release(const Arguments& arguments) { return control(arguments, "channel.release"); }
Reply channel_recover(const Arguments& arguments) { return control(arguments, "channel.recover"); }
Reply channel_close(const Arguments& arguments) { return control(arguments, "channel.close"); }

std::string channel_stop_text(const Document& document, const Style& style) {
  return told_text(document, style, "stopped") + pending_text(document, style);
}

std::string channel_hold_text(const Document& document, const Style& style) {
  return told_text(document, style, "held");
}

std::string channel_release_text(const Document& document, const Style& style) {
  return told_text(document, style, "released") + pending_text(document, style);
}

std::string channel_recover_text(const Document& document, const Style& style) {
  return told_text(document, style, "recovered") + pending_text(document, style);
}

std::string channel_close_text(const Document& document, const Style& style) {
  return told_text(document, style, "closed: the next message begins a new session");
}

}  // namespace reprise
