// A signal that a command sends to a channel, and what the command answers: what the writing
// commands of channels, messages, workers and branches have in common.
#pragma once

#include <string>
#include <string_view>

#include "cli/channel/channels.h"
#include "engine/signal.h"

namespace reprise {

/// For the tables.
inline constexpr Flag kKeyFlag = {"--key", "KEY",
                                  "any repeat of this command, told by the key, changes nothing"};
inline constexpr Flag kNoIterateFlag = {
    "--no-iterate", "", "record it only; the channel goes on with the next command"};
/// How they fail.
inline constexpr Exit kTellExits[] = {Exit::kNotFound, Exit::kConflict, Exit::kCorrupt,
                                      Exit::kLocked, Exit::kForbidden};

/// --by, or the user. Error INVALID_JSON for what is no UTF-8.
std::string by_flag(const Arguments& arguments, const Session& session);
/// A word of the command line that goes into a signal; `what` names it in Error INVALID_JSON.
std::string checked_text(std::string text, std::string_view what);

struct SignalRequest {
  std::string signal;  ///< "channel.stop"
  Document value = Document::object();
  std::string key;              ///< of the signal; empty: --key
  Document question = nullptr;  ///< what the channel is asked afterwards; null: nothing
  std::string answer;           ///< the member of the document that its answer becomes
};

/// {the run, "recorded", "dryRun", "seq"?, "at", "runStatus", "pending", the answer}. With
/// --dry-run nothing is recorded, with --no-iterate the channel does not go on. Errors: those of
/// tell.
Reply tell_channel(const Arguments& arguments, const Session& session, const RunHandle& run,
                   const SignalRequest& request);

/// "general  WHAT", with "would be", or that it was so before. `what` is a past participle.
std::string told_text(const Document& document, const Style& style, const std::string& what);
/// The open effects of the document, one a line, with what to type for one that asks people.
std::string pending_text(const Document& document, const Style& style);

}  // namespace reprise
