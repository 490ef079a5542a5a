// What may be wrong with a message, before it is one.
#include "processes/channel/check_message.h"

#include <algorithm>
#include <array>

#include "processes/channel/fields.h"
#include "processes/channel/intake.h"
#include "processes/channel/settings.h"
#include "unicode/unicode.h"

namespace reprise::channel {

namespace {

constexpr const char* kInvalidMessage = "INVALID_MESSAGE";
constexpr size_t kMostAttachments = 64;
/// Interrupts and reorders go beyond it, and never near what a number can hold.
constexpr int64_t kHighestPriority = 1'000'000'000;
constexpr std::array kFlags = {"mention", "reply", "prefix", "dm"};

std::optional<Refusal> check_content(const Json& value) {
  const auto& content = member_of(value, "content");
  if (!content.is_null() && !content.is_string()) {
    return Refusal{Refusal::Kind::kInvalid, kInvalidMessage, "content must be a text", ""};
  }
  const auto& attachments = member_of(value, "attachments");
  const auto text = text_of(value, "content");
  if (text.size() > kLargestMessageBytes || attachments.dump().size() > kLargestMessageBytes) {
    return Refusal{Refusal::Kind::kInvalid, "MESSAGE_TOO_LARGE",
                   "a message has at most " + std::to_string(kLargestMessageBytes) + " bytes",
                   "put it into a file, and attach that"};
  }
  if (unicode::trimmed(text).empty() && attachments.empty()) {
    return Refusal{Refusal::Kind::kInvalid, "EMPTY_MESSAGE", "the message is empty",
                   "give it a text, or attach something"};
  }
  return std::nullopt;
}

bool are_attachments(const Json& list) {
  const auto is_object = [](const Json& it) { return it.is_object(); };
  return list.is_null() || (list.is_array() && list.size() <= kMostAttachments &&
                            std::ranges::all_of(list, is_object));
}

std::optional<Refusal> check_flags(const Json& flags) {
  Fields fields(flags, kInvalidMessage);
  for (const auto* name : kFlags) fields.flag(name);
  return fields.refusal();
}

std::optional<Refusal> check_members(const Json& value) {
  const auto id = text_of(value, "msgId");
  const auto mode = text_of(value, "mode");
  return Fields(value, kInvalidMessage)
      .needs_text("msgId")
      .refuse_if(id.starts_with(kOwnRow), "a msgId that begins with \"row-\" is the channel's own")
      .object("author")
      .object("flags")
      .text("platform")
      .text("replyTo")
      .text("mode")
      .refuse_if(!mode.empty() && mode != "plan", "mode must be \"\" or plan")
      .whole("priority", -kHighestPriority, kHighestPriority)
      .whole("notBefore", 0, kLatestMs)
      .flag("interrupt")
      .refuse_if(!are_attachments(member_of(value, "attachments")),
                 "attachments must be a list of at most 64 objects")
      .refusal();
}

}  // namespace

std::optional<Refusal> check_message(const Channel&, const Json& value, int64_t) {
  if (auto refusal = check_members(value)) return refusal;
  if (auto refusal = Fields(member_of(value, "author"), "INVALID_AUTHOR")
                         .needs_text("id")
                         .text("name")
                         .texts("roles")
                         .refusal()) {
    return refusal;
  }
  if (value.contains("flags")) {
    if (auto refusal = check_flags(value.at("flags"))) return refusal;
  }
  if (value.contains("configured")) {
    if (auto wrong = Settings::check(value.at("configured")); !wrong.empty()) {
      return Refusal{Refusal::Kind::kInvalid, "INVALID_SETTINGS", "configured: " + wrong, ""};
    }
  }
  return check_content(value);
}

}  // namespace reprise::channel
