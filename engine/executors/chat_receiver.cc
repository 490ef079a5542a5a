#include "engine/executors/chat_receiver.h"

namespace reprise {

namespace {

constexpr size_t kKeptBytes = size_t{64} << 10U;

bool is_success(int status) { return status >= 200 && status < 300; }

}  // namespace

ChatReceiver::ChatReceiver(ChatReply& reply, std::function<void(std::string_view)> told)
    : x_reply(reply),
      x_told(std::move(told)),
      x_events([this](const SseEvent& event) { take_event(event); }) {}

bool ChatReceiver::take(const HttpResponse& head, std::string_view bytes) {
  if (!is_success(head.status)) return keep_beginning(bytes);
  if (x_form == Form::kUnknown) {
    const auto type = head.header("content-type");
    x_form = type.starts_with("text/event-stream")  ? Form::kEvents
             : type.starts_with("application/json") ? Form::kDocument
                                                    : Form::kOther;
  }
  if (x_form == Form::kOther) return keep_beginning(bytes);
  if (x_form == Form::kDocument) {
    x_body += bytes;
    return true;
  }
  x_events.feed(bytes);
  return !x_done && x_reply.error().is_null();
}

bool ChatReceiver::keep_beginning(std::string_view bytes) {
  x_body += bytes.substr(0, kKeptBytes - x_body.size());
  return x_body.size() < kKeptBytes;
}

void ChatReceiver::take_event(const SseEvent& event) {
  if (x_done || !x_reply.error().is_null()) return;
  if (event.data == "[DONE]") {
    x_done = true;
  } else if (event.type == "error") {
    x_reply.take_error(event.data);
  } else {
    x_told(x_reply.take(event.data));
  }
}

void ChatReceiver::finish() {
  if (x_form == Form::kEvents) x_events.finish();
  if (x_form != Form::kDocument) return;
  x_told(x_reply.take(x_body));
  x_done = true;
}

}  // namespace reprise
