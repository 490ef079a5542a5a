#include "engine/executors/chat_request.h"

#include "engine/executors/json_fields.h"
#include "engine/executors/prompt.h"
#include "engine/executors/work_failed.h"

namespace reprise {

namespace {

[[noreturn]] void refuse_work(const Work& work, const std::string& what) {
  throw WorkFailed("TaskInvalid", "the task " + work.task + " " + what);
}

OrderedJson chat_message(const char* role, std::string_view content) {
  return {{"role", role}, {"content", content}};
}

/// What the executor says to all of its models, then what the agent is told with all of its work.
std::string system_prompt(const Work& work, const OpenaiConfig& config) {
  const auto task = parse_object(work.definition);
  const auto instructions = text_field(field(task, "agent"), "instructions");
  const bool both = !config.system.empty() && !instructions.empty();
  return config.system + (both ? "\n\n" : "") + instructions;
}

/// Models that are held to a schema by the endpoint answer better when they know it, too: prompts
/// say it, and so must a conversation. Some templates refuse two messages of one role in a row.
void add_schema(OrderedJson& messages, const std::string& schema) {
  const auto text =
      "Answer with one JSON value that fits this JSON Schema, and with nothing else:\n\n" + schema;
  auto& last = messages.back();
  const bool takes = text_field(last, "role") == "user" && field(last, "content").is_string();
  if (takes) {
    last["content"] = last["content"].get<std::string>() + "\n\n" + text;
  } else {
    messages.push_back(chat_message("user", text));
  }
}

OrderedJson messages_of(const Work& work, const OrderedJson& chat, const OpenaiConfig& config,
                        const std::string& schema) {
  auto messages = OrderedJson::array();
  const auto system = system_prompt(work, config);
  if (!system.empty()) messages.push_back(chat_message("system", system));
  if (chat.contains("messages")) {
    const auto& given = chat["messages"];
    if (!given.is_array() || given.empty()) refuse_work(work, "has chat.messages that are no list");
    for (const auto& said : given) {
      // Some templates take one message of the system's.
      const bool joins = messages.size() == 1 && text_field(said, "role") == "system" &&
                         !system.empty() && field(said, "content").is_string();
      if (joins) {
        messages[0]["content"] = system + "\n\n" + text_field(said, "content");
      } else {
        messages.push_back(said);
      }
    }
    if (!schema.empty()) add_schema(messages, schema);
    return messages;
  }
  const auto prompt = prompt_text(work);
  if (prompt.find_first_not_of(" \t\r\n") == std::string::npos) {
    refuse_work(work, "says nothing to the model; give it an agent.prompt");
  }
  messages.push_back(chat_message("user", prompt));
  return messages;
}

OrderedJson response_format(StructuredOutput structured, const std::string& schema) {
  if (structured == StructuredOutput::kJsonObject) return {{"type", "json_object"}};
  return {{"type", "json_schema"},
          {"json_schema", {{"name", "result"}, {"schema", OrderedJson::parse(schema)}}}};
}

}  // namespace

ChatRequest::ChatRequest(const Work& work, const OpenaiConfig& config) {
  const auto task = parse_object(work.definition);
  const auto& chat = field(task, "chat");
  for (const char* ours : {"stream", "stream_options", "n"}) {
    if (chat.contains(ours)) refuse_work(work, std::string("cannot choose chat.") + ours);
  }
  x_body = OrderedJson::parse(config.body);
  x_body["model"] = text_field(field(task, "agent"), "model", config.model);
  if (chat.is_object()) x_body.update(chat);
  x_schema = output_schema(work.definition);
  x_body["messages"] = messages_of(work, chat, config, x_schema);
  if (text_field(x_body, "model").empty()) {
    throw WorkFailed("ConfigInvalid", "neither the executor " + config.executor +
                                          " nor the task says which model to ask");
  }
  x_model = x_body["model"];
  x_body["stream"] = config.stream;
  if (config.stream && config.stream_usage) x_body["stream_options"] = {{"include_usage", true}};

  const bool told = config.structured != StructuredOutput::kPrompt && !x_schema.empty();
  if (told && !chat.contains("response_format")) {
    x_body["response_format"] = response_format(config.structured, x_schema);
  }
}

std::string ChatRequest::json() const { return x_body.dump(); }

void ChatRequest::add_complaint(std::string_view answer, std::string_view complaint) {
  auto& messages = x_body["messages"];
  messages.push_back(chat_message("assistant", answer));
  messages.push_back(chat_message("user", "That answer cannot be used: " + std::string(complaint) +
                                              ".\nAnswer again, with the corrected JSON value and "
                                              "nothing else."));
}

}  // namespace reprise
