#include "engine/executors/turn_usage.h"

#include <array>
#include <utility>

namespace reprise {

namespace {

constexpr std::array kNames = {std::pair("promptTokens", "completionTokens"),
                               std::pair("prompt_tokens", "completion_tokens"),
                               std::pair("input_tokens", "output_tokens")};
/// They stand beside input_tokens where they are not counted in it.
constexpr std::array kBeside = {"cache_creation_input_tokens", "cache_read_input_tokens"};

OrderedJson counted(int64_t prompt, int64_t completion) {
  return {{"promptTokens", prompt}, {"completionTokens", completion}};
}

/// {"models":{NAME:{"tokens":{"prompt","candidates","thoughts"}}}}
std::optional<OrderedJson> by_model(const OrderedJson& models) {
  if (!models.is_object() || models.empty()) return std::nullopt;
  int64_t prompt = 0;
  int64_t completion = 0;
  for (const auto& model : models) {
    const auto& tokens = field(model, "tokens");
    prompt += number_field(tokens, "prompt");
    completion += number_field(tokens, "candidates") + number_field(tokens, "thoughts");
  }
  return counted(prompt, completion);
}

}  // namespace

std::optional<OrderedJson> turn_usage(const OrderedJson& said) {
  for (const auto& [prompt, completion] : kNames) {
    if (!field(said, prompt).is_number() || !field(said, completion).is_number()) continue;
    auto read = number_field(said, prompt);
    for (const char* name : kBeside) read += number_field(said, name);
    return counted(read, number_field(said, completion));
  }
  return by_model(field(said, "models"));
}

}  // namespace reprise
