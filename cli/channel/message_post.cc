// message:post and message:interrupt: a message for a channel, which comes into being with its
// first one.
#include <algorithm>
#include <iterator>

#include "cli/channel/commands.h"
#include "cli/channel/making.h"
#include "cli/channel/message_value.h"
#include "cli/channel/reply_drive.h"
#include "cli/channel/signal_request.h"
#include "cli/creation.h"
#include "cli/go_on.h"
#include "cli/text.h"
#include "engine/run.h"
#include "engine/thread.h"
#include "journal/clock.h"

namespace reprise {
namespace {

constexpr const char* kDefaultPrefix = "!loop";
constexpr size_t kMatchedWidth = 72;

Error unknown_channel(const std::string& id) {
  return {Exit::kNotFound, "CHANNEL_NOT_FOUND",
          "there is no channel \"" + id + "\", and a message that is only context makes none",
          "reprise channel:create " + id + " makes it; a message for the agent does, too"};
}

/// True when it came into being now. Somebody else may make it at the same moment, with other
/// inputs: then it is there, too.
bool make_channel(const Arguments& arguments, const Session& session, const std::string& id) {
  CreateRequest request = channel_request(arguments, id, channel_inputs(arguments, session, id));
  request.if_absent = true;
  try {
    Workspace workspace = session.workspace(!request.dry_run);
    return create_in(workspace, session, request).created;
  } catch (const Error& error) {
    if (error.code() != "RUN_EXISTS") throw;
    return false;
  }
}

Reply plan_first_message(const std::string& id, const MessageValue& message,
                         const Session& session) {
  Reply reply{.document = new_document()};
  reply.document["runId"] = id;
  reply.document["created"] = false;
  reply.document["recorded"] = false;
  reply.document["dryRun"] = true;
  reply.document["at"] = format_time(session.context().clock.now_ms());
  reply.document["msgId"] = message.id;
  return reply;
}

void check_flags(const Arguments& arguments) {
  if (!arguments.has("--drive")) return;
  for (const char* other : {"--no-iterate", "--dry-run"}) {
    if (!arguments.has(other)) continue;
    throw Error(Exit::kUsage, "INVALID_ARGUMENT",
                "--drive waits for the reply, " + std::string(other) + " does not go on",
                "give one of them");
  }
}

/// A channel that exists has the parent that it was made with.
void check_parent(const Arguments& arguments, const Session& session, const RunHandle& run) {
  const auto wanted = arguments.value("--parent");
  if (!wanted) return;
  const auto parent = member_text(ask_channel(session, run, {{"ask", "identity"}}), "parent");
  if (parent == *wanted) return;
  throw Error(Exit::kConflict, "OTHER_PARENT",
              run.name + (parent.empty() ? " is no thread" : " is a thread of " + parent) +
                  ", and cannot become one of " + *wanted,
              "post without --parent, or to a channel that does not exist yet");
}

/// The reply may say that somebody works on it.
void warn_of_unperformed(Reply& reply, const Session& session, const RunHandle& run) {
  try {
    const RunState state = read_state(*run.dir).state;
    for (const auto& kind : GoOn(session).unperformed(reply.document["pending"], run, &state)) {
      reply.warnings.push_back("nobody performs the " + kind + " work of " + run.name +
                               ": no executor of this home is for it; " + executor_command(kind) +
                               " makes one");
    }
  } catch (const Error&) {
    // What cannot be read is said by the commands that need it.
  }
}

Reply post(const Arguments& arguments, bool interrupt, bool begins) {
  check_flags(arguments);
  const Session session(arguments);
  const std::string id = arguments.positional("CHANNEL");
  MessageValue message = read_message(arguments, session, interrupt);
  auto run = look_up_channel(session, id);
  Workspace workspace = session.workspace();
  const Document home = home_settings(arguments, run ? workspace.home_of(*run) : workspace.home());
  if (!home.empty()) message.value["configured"] = home;
  bool created = false;
  std::vector<std::string> warnings;
  if (run) {
    check_parent(arguments, session, *run);
    warnings = ignored_making(arguments, session, *run);
  }
  if (!run) {
    const bool triggered = is_triggered(message, home.value("prefix", kDefaultPrefix));
    if (!begins || !triggered) throw unknown_channel(id);
    created = make_channel(arguments, session, id);
    if (arguments.has("--dry-run")) return plan_first_message(id, message, session);
    run = session.find_run(id);
  }
  SignalRequest request{.signal = "channel.message", .value = message.value, .key = message.id};
  request.question = {{"ask", "message"}, {"msgId", message.id}};
  request.answer = "message";
  Reply reply = tell_channel(arguments, session, *run, request);
  reply.document["msgId"] = message.id;
  reply.document["created"] = created;
  std::ranges::move(warnings, std::back_inserter(reply.warnings));
  // A command is answered at once.
  const bool answered = member_text(reply.document["message"], "cause") == "command";
  if (arguments.has("--drive") || answered) {
    drive_reply(reply, arguments, session, *run, message.id);
  }
  if (arguments.has("--drive")) warn_of_unperformed(reply, session, *run);
  GoOn(session).add_unperformed(reply.document, *run, nullptr);
  return reply;
}

/// It waits until somebody lets the channel go on.
bool is_held(const Document& message) {
  return message.is_object() && message.value("held", false);
}

/// "queued, the next", "the agent is asked (r2)", ...
std::string message_standing(const Document& message) {
  std::string state = member_text(message, "state");
  if (state == "queued") {
    const std::string held = is_held(message) ? "; the channel is held" : "";
    const std::string until = member_text(message, "notBefore");
    if (!until.empty()) return "queued, not before " + until + held;
    const std::string place = member_number(message, "place");
    return (place == "1" ? "queued, the next" : "queued, number " + place) + held;
  }
  if (state == "running") return "the agent is asked (" + member_text(message, "runId") + ")";
  if (state == "context") return "kept as context";
  if (state == "processed") {
    const std::string cause = member_text(message, "cause");
    return cause.empty() || is_answered(cause) ? state : "not answered: " + cause;
  }
  if (state == "denied") return "kept, not answered: " + member_text(message, "reason");
  return state;
}

std::string decision_text(const Document& message) {
  if (!message.contains("decision") || !message["decision"].is_object()) return {};
  const Document& decision = message["decision"];
  std::string out =
      "  route  " + member_text(decision, "action") + ", " + member_text(decision, "reason");
  const std::string matched = member_text(decision, "matched");
  if (!matched.empty()) out += " (\"" + shown(matched, kMatchedWidth) + "\")";
  return out + "\n";
}

}  // namespace

Reply message_post(const Arguments& arguments) {
  return post(arguments, arguments.has("--interrupt"), true);
}

Reply message_interrupt(const Arguments& arguments) { return post(arguments, true, false); }

std::string message_post_text(const Document& document, const Style& style) {
  if (document.contains("reply")) {
    return shown_lines(document["reply"].get<std::string>()) + "\n";
  }
  const std::string run = shown(document["runId"].get<std::string>());
  std::string out = paint(style, Colour::kBold, run + "  " + shown(member_text(document, "msgId")));
  const Document message = document.value("message", Document());
  if (document["dryRun"]) return out + "  would be posted\n";
  if (document["created"]) out += "  the channel is new";
  if (!document["recorded"]) out += "  posted before, nothing changed";
  if (message.is_object())
    out += "  " + shown(message_standing(message)) + "\n" + decision_text(message);
  if (!message.is_object()) out += "\n";
  out += pending_text(document, style);
  if (is_held(message)) return out + "  next  reprise channel:release " + run + "\n";
  if (document["runStatus"] == "ready") return out + "  next  reprise run:iterate " + run + "\n";
  if (document["pending"].empty()) return out;
  if (document.contains("unperformed")) return out + unperformed_text(document);
  return out + "  next  reprise run:drive " + run + "\n";
}

}  // namespace reprise
