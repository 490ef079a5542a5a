// Asks a chat endpoint until it answers, or until asking again is useless.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/executors/answer_stream.h"
#include "engine/executors/chat_reply.h"
#include "engine/executors/chat_request.h"
#include "engine/executors/chat_trouble.h"

namespace reprise {

/// What the world is to this executor; tests put another in its place.
struct ChatOutside {
  std::function<HttpResponse(const HttpRequest&)> send;
  std::function<int64_t()> wall_ms;
  std::function<int64_t()> steady_ms;  ///< only goes forward
  std::function<void(int64_t ms)> pause;
};

struct ChatTerms {
  std::vector<std::string> headers;    ///< "Name: value", secrets among them
  std::optional<int64_t> deadline_ms;  ///< of all requests together, by steady_ms
  std::string seed;                    ///< of the pauses: something that is the work's own
};

class ChatAsker {
 public:
  /// What is given must outlive this.
  ChatAsker(const OpenaiConfig& config, const ChatTerms& terms, const ChatOutside& outside,
            const WorkEvents& events, AnswerStream& stream)
      : x_config(config), x_terms(terms), x_outside(outside), x_events(events), x_stream(stream) {}

  /// A whole answer, told while it came. An answer that breaks off is asked for again: nobody has
  /// acted upon it, and its text is taken back from the log. Throws WorkFailed.
  ChatReply ask(const ChatRequest& request);
  /// How many requests were sent.
  uint32_t requests() const { return x_requests; }

 private:
  std::optional<ChatTrouble> ask_once(const ChatRequest& request, ChatReply& reply);
  HttpRequest http_request(const ChatRequest& request) const;
  bool is_stopped() const { return x_events.stopped && x_events.stopped(); }
  /// Very many without a deadline.
  int64_t left_ms() const;
  void pause_after(const ChatTrouble& trouble, uint32_t done);

  const OpenaiConfig& x_config;
  const ChatTerms& x_terms;
  const ChatOutside& x_outside;
  const WorkEvents& x_events;
  AnswerStream& x_stream;
  uint32_t x_requests = 0;
};

}  // namespace reprise
