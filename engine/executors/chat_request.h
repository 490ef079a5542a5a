// What is sent to a chat endpoint: the conversation that a task asks for, and its repair.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "engine/executors/executor.h"
#include "engine/executors/openai_config.h"

namespace reprise {

class ChatRequest {
 public:
  /// From the task's definition: `chat` (members of the request as the protocol names them, also
  /// `messages`), `agent.model`, `outputSchema` or `agent.outputSchema`, else its prompt. Throws
  /// WorkFailed TaskInvalid when there is nothing to say.
  ChatRequest(const Work& work, const OpenaiConfig& config);

  /// The request's body.
  std::string json() const;
  const std::string& model() const { return x_model; }
  /// JSON; empty when the answer may be any text.
  const std::string& schema() const { return x_schema; }
  /// The model is shown its answer and what is wrong with it.
  void add_complaint(std::string_view answer, std::string_view complaint);

 private:
  nlohmann::ordered_json x_body;
  std::string x_model;
  std::string x_schema;
};

}  // namespace reprise
