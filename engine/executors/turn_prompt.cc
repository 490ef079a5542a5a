#include "engine/executors/turn_prompt.h"

#include <set>

namespace reprise {

namespace {

constexpr std::string_view kInstruction =
    "You are an agent in a channel. Use the conversation as context to answer its latest message.";
constexpr std::string_view kPlanOnly = "Answer with a plan. Do nothing of it yet.";
constexpr std::string_view kConclude =
    "Think this through on your own, and answer with your conclusion in a few sentences.";
constexpr std::string_view kMayFail =
    "When it is done, answer with a summary. If it cannot be done, answer with nothing but "
    R"({"status":"failed","error":"why"}.)";
constexpr std::string_view kMayWait =
    "If you cannot go on without an answer, answer with nothing but "
    R"({"status":"waiting","report":"what you need to know"}.)";

void add(std::string& text, std::string_view paragraph) {
  if (paragraph.empty()) return;
  text.append(text.empty() ? "" : "\n\n").append(paragraph);
}

void add_memories(std::string& text, const OrderedJson& memories) {
  if (!memories.is_array() || memories.empty()) return;
  add(text, "## Memories\n");
  for (const auto& memory : memories) {
    text += "\n- [" + text_field(memory, "id") + "] " + text_field(memory, "note");
  }
}

/// A question that its asker did not put into words for an agent.
std::string branch_text(const OrderedJson& inputs) {
  auto text = text_field(inputs, "prompt");
  add_memories(text, field(inputs, "memories"));
  add(text, kConclude);
  return text;
}

std::string system_of_turn(const OrderedJson& inputs) {
  std::string text(kInstruction);
  if (flag_field(inputs, "planMode")) add(text, kPlanOnly);
  if (const auto bulletin = text_field(inputs, "bulletin"); !bulletin.empty()) {
    add(text, "## Memory Context\n\n" + bulletin);
  }
  add_memories(text, field(inputs, "memories"));
  return text;
}

/// A name, or {"id","name"?}.
std::string author_of(const OrderedJson& message) {
  const auto& author = field(message, "author");
  if (author.is_string()) return author.get<std::string>();
  return text_field(author, "name", text_field(author, "id"));
}

bool has_several_authors(const OrderedJson& messages) {
  std::set<std::string> authors;
  for (const auto& message : messages) {
    if (text_field(message, "role") == "user") authors.insert(author_of(message));
  }
  return authors.size() > 1;
}

/// Behind what the same role said last.
void say(OrderedJson& messages, const char* role, const std::string& content) {
  if (!messages.empty() && messages.back()["role"] == role) {
    messages.back()["content"] = messages.back()["content"].get<std::string>() + "\n\n" + content;
  } else {
    messages.push_back({{"role", role}, {"content", content}});
  }
}

std::string with_attachments(const OrderedJson& trigger) {
  auto content = text_field(trigger, "content");
  for (const auto& attachment : field(trigger, "attachments")) {
    content += "\n[attachment] " +
               (attachment.is_string() ? attachment.get<std::string>() : json_text(attachment));
  }
  return content;
}

void add_conversation(OrderedJson& messages, const OrderedJson& inputs) {
  const auto& given = field(inputs, "messages");
  const auto& trigger = field(inputs, "trigger");
  const auto asked = text_field(trigger, "content");
  const bool named = has_several_authors(given);
  bool answers = false;  // the last message is what is to be answered
  for (const auto& message : given) {
    const auto role = text_field(message, "role");
    const auto content = text_field(message, "content");
    const auto author = author_of(message);
    answers = role == "user" && content == asked;
    if (role == "assistant") {
      if (messages.size() == 1) say(messages, "user", "(What was said before is left out.)");
      say(messages, "assistant", content);
    } else if (role == "system") {
      say(messages, "user", "[system] " + content);
    } else {
      const bool last = answers && &message == &given.back();
      const auto text = last ? with_attachments(trigger) : content;
      say(messages, "user", named && !author.empty() ? author + ": " + text : text);
    }
  }
  if (!answers) say(messages, "user", with_attachments(trigger));
}

}  // namespace

std::string turn_text(std::string_view kind, const std::string& prompt, const OrderedJson& inputs) {
  auto text = !prompt.empty()    ? prompt
              : kind == "branch" ? branch_text(inputs)
                                 : text_field(inputs, "prompt");
  if (flag_field(inputs, "planMode")) add(text, kPlanOnly);
  if (kind == "worker") {
    add(text, kMayFail);
    if (text_field(inputs, "mode") == "interactive") add(text, kMayWait);
  }
  return text;
}

OrderedJson turn_messages(std::string_view kind, const std::string& prompt,
                          const OrderedJson& inputs) {
  auto messages = OrderedJson::array();
  if (kind == "model") {
    messages.push_back({{"role", "system"}, {"content", system_of_turn(inputs)}});
    add_conversation(messages, inputs);
  } else {
    messages.push_back({{"role", "user"}, {"content", turn_text(kind, prompt, inputs)}});
  }
  return messages;
}

std::string turn_trigger(std::string_view kind, const OrderedJson& inputs) {
  if (kind == "model") return text_field(field(inputs, "trigger"), "content");
  if (kind != "worker") return text_field(inputs, "prompt");
  const auto inbox = texts_field(inputs, "inbox");
  return inbox.empty() ? text_field(inputs, "objective") : inbox.back();
}

}  // namespace reprise
