// message:cancel, message:reorder, message:delay: messages that wait. The one that the agent works
// on is stopped by channel:stop.
#include "cli/channel/commands.h"
#include "cli/channel/message_value.h"
#include "cli/channel/signal_request.h"
#include "cli/text.h"

namespace reprise {
namespace {

constexpr size_t kContentWidth = 60;

Document message_ids(const Arguments& arguments) {
  Document ids = Document::array();
  for (const auto& id : arguments.positionals("MSGID")) ids.push_back(checked_text(id, "MSGID"));
  return ids;
}

Reply tell_queue(const Arguments& arguments, const Session& session, SignalRequest request) {
  const RunHandle run = find_channel(session, arguments);
  request.question = {{"ask", "queue"}};
  request.answer = "queue";
  return tell_channel(arguments, session, run, request);
}

std::string queue_text(const Document& document, const Style& style) {
  Table table;
  const Document& queue = document["queue"];
  const Document& rows = queue.is_object() ? queue["queue"] : queue;
  for (const Document& message : rows) {
    table.add({{shown(member_text(message, "msgId")), Colour::kBold},
               {member_number(message, "priority")},
               {shown(member_text(message["author"], "name"))},
               {shown(member_text(message, "content"), kContentWidth)}});
  }
  return table.empty() ? "  the queue is empty\n" : table.print(style, "  ");
}

}  // namespace

Reply message_cancel(const Arguments& arguments) {
  const Session session(arguments);
  SignalRequest request{.signal = "channel.cancel"};
  request.value = {{"msgIds", message_ids(arguments)}, {"by", by_flag(arguments, session)}};
  return tell_queue(arguments, session, std::move(request));
}

Reply message_reorder(const Arguments& arguments) {
  const Session session(arguments);
  SignalRequest request{.signal = "channel.reorder"};
  request.value = {{"msgIds", message_ids(arguments)}};
  return tell_queue(arguments, session, std::move(request));
}

Reply message_delay(const Arguments& arguments) {
  const Session session(arguments);
  const auto time = not_before_flag(arguments, session);
  if (!time) {
    throw Error(Exit::kUsage, "MISSING_ARGUMENT", "message:delay needs a time",
                "--delay 10m, or --not-before TIME");
  }
  SignalRequest request{.signal = "channel.delay"};
  request.value = {{"msgId", checked_text(arguments.positional("MSGID"), "MSGID")},
                   {"notBefore", *time}};
  return tell_queue(arguments, session, std::move(request));
}

std::string message_cancel_text(const Document& document, const Style& style) {
  return told_text(document, style, "rid of them") + queue_text(document, style);
}

std::string message_reorder_text(const Document& document, const Style& style) {
  return told_text(document, style, "reordered") + queue_text(document, style);
}

std::string message_delay_text(const Document& document, const Style& style) {
  return told_text(document, style, "told to wait") + queue_text(document, style);
}

}  // namespace reprise
