// Endpoints agree on the form and differ in what they leave out, set to null or add: what is not of
// the expected type counts as absent.
#include "engine/executors/chat_reply.h"

#include <algorithm>

#include "engine/executors/json_fields.h"
#include "engine/executors/outcome.h"
#include "engine/executors/work_failed.h"
#include "engine/json_writer.h"

namespace reprise {

namespace {

/// More is no count of tokens; sums of counts stay exact as JSON.
constexpr int64_t kMostTokens = 1'000'000'000'000;

/// A stream that names places far apart must not make us fill the gap.
constexpr size_t kMostToolCalls = 1000;

OrderedJson parse(std::string_view document) {
  auto json = parse_json(document);
  if (json.is_discarded()) json = parse_json(valid_text(document));
  if (json.is_object()) return json;
  throw WorkFailed(
      "ReplyInvalid",
      "the endpoint sent what is no JSON object: " + valid_text(document.substr(0, 200)),
      WorkFailed::Again::kMayHelp);
}

uint64_t count_at(const OrderedJson& usage, const char* name) {
  const auto count = number_field(usage, name);
  return count < 0 || count > kMostTokens ? 0 : static_cast<uint64_t>(count);
}

/// A text, or a list of parts of which some are text.
std::string content_text(const OrderedJson& message) {
  const auto& content = field(message, "content");
  if (!content.is_array()) return text_field(message, "content");
  std::string text;
  for (const auto& part : content) text += text_field(part, "text");
  return text;
}

/// What says nothing does not take back what was said.
void keep(std::string& to, const OrderedJson& from, const char* name) {
  if (auto text = text_field(from, name); !text.empty()) to = std::move(text);
}

/// Some repeat it in every chunk.
void set_member(OrderedJson& to, const OrderedJson& from, const char* name) {
  if (auto text = text_field(from, name); !text.empty()) to[name] = std::move(text);
}

void append_member(OrderedJson& to, const OrderedJson& from, const char* name) {
  const auto piece = text_field(from, name);
  if (!piece.empty()) to[name] = text_field(to, name) + piece;
}

}  // namespace

void ChatUsage::add(const ChatUsage& other) {
  prompt_tokens += other.prompt_tokens;
  completion_tokens += other.completion_tokens;
  cached_tokens += other.cached_tokens;
  reasoning_tokens += other.reasoning_tokens;
}

std::string ChatUsage::json() const {
  JsonWriter json;
  json.number("promptTokens", prompt_tokens)
      .number("completionTokens", completion_tokens)
      .number("totalTokens", prompt_tokens + completion_tokens);
  if (cached_tokens > 0) json.number("cachedTokens", cached_tokens);
  if (reasoning_tokens > 0) json.number("reasoningTokens", reasoning_tokens);
  return json.done();
}

std::string ChatReply::take(std::string_view document) {
  const auto json = parse(document);
  if (const auto& error = field(json, "error"); !error.is_null()) {
    x_error = error;
    return {};
  }
  keep(x_id, json, "id");
  keep(x_model, json, "model");
  if (const auto& usage = field(json, "usage"); usage.is_object()) take_usage(usage);
  const auto& choices = field(json, "choices");
  if (!choices.is_array() || choices.empty()) return {};
  x_answered = true;
  const auto& choice = choices.front();
  const auto& delta = field(choice, "delta");
  auto added = take_message(delta.is_object() ? delta : field(choice, "message"));
  keep(x_finish_reason, choice, "finish_reason");
  return added;
}

void ChatReply::take_usage(const OrderedJson& usage) {
  x_usage = {
      .prompt_tokens = count_at(usage, "prompt_tokens"),
      .completion_tokens = count_at(usage, "completion_tokens"),
      .cached_tokens = count_at(field(usage, "prompt_tokens_details"), "cached_tokens"),
      .reasoning_tokens = count_at(field(usage, "completion_tokens_details"), "reasoning_tokens")};
}

void ChatReply::take_error(std::string_view document) {
  const auto json = parse(document);
  const auto& error = field(json, "error");
  x_error = error.is_null() ? json : error;
}

std::string ChatReply::take_message(const OrderedJson& message) {
  auto added = content_text(message);
  x_text += added;
  x_refusal += text_field(message, "refusal");
  const auto reasoning = text_field(message, "reasoning_content");
  x_reasoning += reasoning.empty() ? text_field(message, "reasoning") : reasoning;
  take_tool_calls(field(message, "tool_calls"));
  return added;
}

void ChatReply::take_tool_calls(const OrderedJson& calls) {
  if (!calls.is_array()) return;
  for (const auto& call : calls) {
    // Whole answers have none: each call is one more.
    const auto index = static_cast<uint64_t>(std::max<int64_t>(
        number_field(call, "index", static_cast<int64_t>(x_tool_calls.size())), 0));
    if (index >= kMostToolCalls) {
      throw WorkFailed("ReplyInvalid", "the endpoint sent more than 1000 tool calls");
    }
    while (x_tool_calls.size() <= index) {
      x_tool_calls.push_back(
          {{"id", ""}, {"type", "function"}, {"function", OrderedJson::object()}});
    }
    auto& known = x_tool_calls[index];
    set_member(known, call, "id");
    append_member(known["function"], field(call, "function"), "name");
    append_member(known["function"], field(call, "function"), "arguments");
  }
}

std::string ChatReply::json(const std::string& asked_model, const ChatUsage& used) const {
  JsonWriter json;
  json.text("text", x_text)
      .text("model", x_model.empty() ? asked_model : x_model)
      .text("finishReason", x_finish_reason);
  if (used.known()) json.raw("usage", used.json());
  if (!x_tool_calls.empty()) json.raw("toolCalls", x_tool_calls.dump());
  return json.text_if("reasoning", x_reasoning).text_if("refusal", x_refusal).done();
}

}  // namespace reprise
