#include "cli/channel/message_value.h"

#include <charconv>
#include <filesystem>

#include "cli/channel/signal_request.h"
#include "cli/user_files.h"
#include "cli/user_values.h"
#include "journal/ids.h"

namespace reprise {
namespace {

std::string read_content(const Arguments& arguments, const Session& session) {
  const std::string text = arguments.positional("TEXT");
  auto file = arguments.value("--file");
  if (file && !text.empty()) {
    throw invalid_argument("TEXT and --file are two messages", "give one of them");
  }
  if (text == "-") file = "-";
  std::string content = file ? read_user_file(*file, {session.working_dir()}, "--file") : text;
  if (content.size() > kLargestMessageBytes) {
    throw Error(Exit::kUsage, "MESSAGE_TOO_LARGE",
                "the message has " + std::to_string(content.size()) + " bytes; " +
                    std::to_string(kLargestMessageBytes) + " are the most",
                "say what it is about, and attach the rest: --attach FILE");
  }
  checked_text(content, "the message");
  const bool blank = content.find_first_not_of(" \t\r\n") == std::string::npos;
  if (blank && !arguments.has("--attach")) {
    throw Error(Exit::kUsage, "EMPTY_MESSAGE", "the message is empty",
                "give it a text, or attach something: --attach FILE");
  }
  return content;
}

Document read_author(const Arguments& arguments, const Session& session) {
  const std::string id =
      checked_text(arguments.value("--author").value_or(session.context().author.user), "--author");
  Document author = {{"id", id}};
  author["name"] = checked_text(arguments.value("--author-name").value_or(id), "--author-name");
  if (const auto roles = arguments.values("--role"); !roles.empty()) {
    author["roles"] = Document::array();
    for (const auto& role : roles) author["roles"].push_back(checked_text(role, "--role"));
  }
  return author;
}

/// What is typed at a command line is meant for the agent, as a direct message is; a bridge says
/// what its platform says.
Document read_flags(const Arguments& arguments) {
  Document flags = Document::object();
  for (const char* name : {"mention", "reply", "prefix"}) {
    flags[name] = arguments.has("--" + std::string(name));
  }
  const bool told = flags["mention"] || flags["reply"] || flags["prefix"];
  if (told && arguments.has("--context")) {
    throw invalid_argument("--context is for messages that the agent does not answer",
                           "leave it out, or --mention, --reply and --prefix");
  }
  flags["dm"] = !told && !arguments.has("--context");
  return flags;
}

int64_t read_priority(const std::string& text) {
  int64_t priority = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, priority);
  if (error == std::errc() && stop == end) return priority;
  throw invalid_argument("--priority is a whole number, not \"" + text + "\"", "as 10, or -1");
}

Document read_attachments(const Arguments& arguments, const Session& session) {
  Document attachments = Document::array();
  for (const auto& name : arguments.values("--attach")) {
    const auto path =
        (std::filesystem::path(session.working_dir()) / checked_text(name, "--attach"))
            .lexically_normal();
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    if (error) {
      throw Error(Exit::kNotFound, "FILE_NOT_FOUND", "--attach: there is no file " + path.string(),
                  "a file that can be read");
    }
    attachments.push_back(
        {{"name", path.filename().string()}, {"path", path.string()}, {"size", size}});
  }
  return attachments;
}

}  // namespace

std::optional<int64_t> not_before_flag(const Arguments& arguments, const Session& session) {
  const auto delay = arguments.value("--delay");
  const auto time = arguments.value("--not-before");
  if (delay && time)
    throw invalid_argument("--delay and --not-before are two times", "give one of them");
  if (time) return parse_time_flag(*time, "--not-before");
  if (delay) return session.context().clock.now_ms() + parse_duration_ms(*delay, "--delay");
  return std::nullopt;
}

MessageValue read_message(const Arguments& arguments, const Session& session, bool interrupt) {
  MessageValue message;
  message.id = checked_text(arguments.value("--id").value_or(""), "--id");
  if (arguments.has("--id") && message.id.empty()) {
    throw invalid_argument("--id: an id is not empty", "leave it out for a new one");
  }
  if (message.id.empty()) {
    message.id = make_ulid(session.context().clock.now_ms(), session.context().random);
  }
  Document& value = message.value;
  value = {{"msgId", message.id}, {"author", read_author(arguments, session)}};
  value["content"] = read_content(arguments, session);
  value["platform"] = checked_text(arguments.value("--platform").value_or("local"), "--platform");
  value["mode"] = arguments.value("--mode").value_or("");
  value["flags"] = read_flags(arguments);
  if (const auto priority = arguments.value("--priority")) {
    value["priority"] = read_priority(*priority);
  }
  if (const auto time = not_before_flag(arguments, session)) value["notBefore"] = *time;
  if (interrupt) value["interrupt"] = true;
  if (Document files = read_attachments(arguments, session); !files.empty()) {
    value["attachments"] = std::move(files);
  }
  return message;
}

bool is_triggered(const MessageValue& message, const std::string& prefix) {
  for (const auto& flag : message.value["flags"]) {
    if (flag.get<bool>()) return true;
  }
  return !prefix.empty() && message.value["content"].get<std::string>().starts_with(prefix);
}

}  // namespace reprise
