// The body of a chat endpoint's answer as it comes: a stream of events, one document, or what says
// why there is neither.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "engine/executors/chat_reply.h"
#include "engine/executors/sse.h"
#include "engine/http/http_client.h"

namespace reprise {

class ChatReceiver {
 public:
  /// `told` gets each piece of the answer's text. Both must outlive this.
  ChatReceiver(ChatReply& reply, std::function<void(std::string_view)> told);

  /// False when all that matters has come. Throws what ChatReply::take throws.
  bool take(const HttpResponse& head, std::string_view bytes);
  /// The connection ended as it should.
  void finish();

  /// The answer says of itself that it is whole.
  bool done() const { return x_done; }
  /// It did not come as something that cannot be an answer.
  bool readable() const { return x_form != Form::kOther; }
  /// What came with another status or as another type: its beginning.
  const std::string& body() const { return x_body; }

 private:
  enum class Form { kUnknown, kEvents, kDocument, kOther };
  void take_event(const SseEvent& event);
  bool keep_beginning(std::string_view bytes);

  ChatReply& x_reply;
  std::function<void(std::string_view)> x_told;
  SseParser x_events;
  Form x_form = Form::kUnknown;
  std::string x_body;
  bool x_done = false;
};

}  // namespace reprise
