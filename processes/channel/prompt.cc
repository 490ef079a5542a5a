#include "processes/channel/prompt.h"

namespace reprise::channel {

namespace {

/// What came with the message, a line each: where it lies, or else what it is called.
std::string attached(const Message& message) {
  std::string text;
  if (message.rest.find("\"attachments\"") == std::string::npos) return text;
  const auto payload = message.payload();
  for (const auto& attachment : member_of(payload, "attachments")) {
    const auto name = text_of(attachment, "name", text_of(attachment, "url"));
    text += "\n[attached: " + text_of(attachment, "path", name) + "]";
  }
  return text;
}

/// A person's name stands before what he says; commands are passed on as they are.
std::string said(const Message& message) {
  auto content = message.content + attached(message);
  if (message.role != "user" || message.content.starts_with('/')) return content;
  const auto& name = message.author_name.empty() ? message.author_id : message.author_name;
  return name.empty() ? content : name + ": " + content;
}

void add(Prompt& prompt, const std::string& role, const std::string& said) {
  prompt.text += "[" + role + "]\n" + said + "\n\n";
}

void add(Prompt& prompt, const Message& message) {
  add(prompt, message.role, said(message));
  Json entry = {{"role", message.role}, {"content", message.content}};
  const auto& name = message.author_name.empty() ? message.author_id : message.author_name;
  if (!name.empty()) entry["author"] = name;
  prompt.messages.push_back(std::move(entry));
}

void add(Prompt& prompt, const Summary& summary) {
  const auto text = "Summary of what was said before: " + summary.text;
  add(prompt, "system", text);
  prompt.messages.push_back({{"role", "system"}, {"content", text}});
}

std::string memories_text(const Json& memories) {
  std::string text;
  if (!memories.is_array()) return text;
  for (const auto& memory : memories) {
    const auto note = text_of(memory, "note");
    if (!note.empty()) text += "- " + note + "\n";
  }
  return text.empty() ? text : "## Memories\n" + text + "\n";
}

std::string heading(const Channel& channel, const Json& context) {
  std::string text =
      "[channel_context_v1]\n"
      "Use the conversation context below to answer the latest user request.\n\n";
  const auto& identity = channel.identity;
  if (identity.worktree && !identity.dir.empty()) {
    text += "You work in " + identity.dir;
    if (!identity.parent_dir.empty()) text += ", a worktree of " + identity.parent_dir;
    text += ".\n\n";
  }
  if (const auto bulletin = text_of(context, "bulletin"); !bulletin.empty()) {
    text += "## Memory Context\n" + bulletin + "\n\n";
  }
  return text + memories_text(member_of(context, "memories"));
}

/// What the prompt of the active run carries, the trigger at its end.
std::vector<MessagePtr> messages_for_run(const Channel& channel) {
  const auto& trigger = channel.reply.message;
  const bool has_session = !used_session(channel).empty();
  std::vector<MessagePtr> messages;
  for (const auto& message : channel.transcript.carried(channel.settings.history_messages)) {
    if (message->place >= trigger->place) continue;
    const bool is_held = message->place <= channel.session.place || message->role == "assistant";
    if (!has_session || !is_held) messages.push_back(message);
  }
  messages.push_back(trigger);
  return messages;
}

}  // namespace

std::string used_session(const Channel& channel) {
  return channel.session.id.empty() ? channel.session.fork_from : channel.session.id;
}

Prompt make_prompt(const Channel& channel, const Json& context) {
  const auto summary =
      used_session(channel).empty() ? channel.transcript.summary : std::optional<Summary>();
  auto prompt = make_conversation(messages_for_run(channel), summary);
  prompt.text = heading(channel, context) + prompt.text;
  return prompt;
}

Prompt make_lone_prompt(const Channel& channel) {
  auto prompt = make_conversation({channel.reply.message}, std::nullopt);
  prompt.text = said(*channel.reply.message);
  return prompt;
}

Prompt make_conversation(const std::vector<MessagePtr>& messages,
                         const std::optional<Summary>& summary) {
  Prompt prompt{.text = {}, .messages = Json::array()};
  bool summarised = !summary;
  for (const auto& message : messages) {
    if (!summarised && message->place > summary->to) {
      add(prompt, *summary);
      summarised = true;
    }
    add(prompt, *message);
  }
  if (!summarised) add(prompt, *summary);
  return prompt;
}

}  // namespace reprise::channel
