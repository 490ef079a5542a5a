// A chat endpoint's answer, put together from one document or from the chunks of a stream.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace reprise {

/// What was used, as the endpoint counts it; 0 when it does not say.
struct ChatUsage {
  uint64_t prompt_tokens = 0;
  uint64_t completion_tokens = 0;
  uint64_t cached_tokens = 0;
  uint64_t reasoning_tokens = 0;

  bool known() const { return prompt_tokens + completion_tokens > 0; }
  void add(const ChatUsage& other);
  /// {"promptTokens","completionTokens","totalTokens","cachedTokens"?,"reasoningTokens"?}
  std::string json() const;
};

class ChatReply {
 public:
  /// Takes a chunk or a whole answer: JSON, in which bytes that are no UTF-8 become U+FFFD. Returns
  /// the text that it adds. Throws WorkFailed ReplyInvalid when it is neither.
  std::string take(std::string_view document);

  /// Takes an event of type "error".
  void take_error(std::string_view document);

  /// There was a choice, however empty.
  bool answered() const { return x_answered; }
  /// The model said that it is done.
  bool finished() const { return !x_finish_reason.empty(); }
  const std::string& text() const { return x_text; }
  const std::string& finish_reason() const { return x_finish_reason; }
  const std::string& id() const { return x_id; }
  /// That answered, which can be another one than was asked for; empty when nobody said.
  const std::string& model() const { return x_model; }
  const ChatUsage& usage() const { return x_usage; }
  /// The error that came instead of a chunk, or null.
  const nlohmann::ordered_json& error() const { return x_error; }

  /// {"text","model","finishReason","usage"?,"toolCalls"?,"reasoning"?,"refusal"?}; tool calls as
  /// the protocol writes them.
  std::string json(const std::string& asked_model, const ChatUsage& used) const;

 private:
  void take_usage(const nlohmann::ordered_json& usage);
  std::string take_message(const nlohmann::ordered_json& message);
  void take_tool_calls(const nlohmann::ordered_json& calls);

  bool x_answered = false;
  std::string x_text;
  std::string x_reasoning;
  std::string x_refusal;
  std::string x_finish_reason;
  std::string x_id;
  std::string x_model;
  ChatUsage x_usage;
  nlohmann::ordered_json x_tool_calls = nlohmann::ordered_json::array();
  nlohmann::ordered_json x_error;
};

}  // namespace reprise
