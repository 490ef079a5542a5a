// What people and the visor may do with branches.
#include <array>

#include "processes/channel/branch.h"
#include "processes/channel/fields.h"
#include "processes/channel/scribe.h"
#include "unicode/unicode.h"

namespace reprise::channel {

namespace {

constexpr size_t kMostPromptBytes = size_t{1024} * 1024;

std::optional<Refusal> check_branch_spawn(const Channel&, const Json& value, int64_t) {
  return check_branch_spec(value);
}

void take_branch_spawn(Scribe& scribe, const Json& value, uint64_t) { spawn_branch(scribe, value); }

std::optional<Refusal> check_timeout(const Channel& channel, const Json& value, int64_t) {
  const auto id = text_of(value, "branchId");
  const auto* branch = channel.branches.find(id);
  if (branch == nullptr && !channel.branches.ever_had(id)) {
    return Refusal{Refusal::Kind::kNotFound, "BRANCH_UNKNOWN",
                   "there is no branch \"" + id + "\" in this channel",
                   "reprise branch:list " + channel.identity.id + " --all shows all of them"};
  }
  if (branch == nullptr || branch->has_ended()) {
    return Refusal{Refusal::Kind::kConflict, "BRANCH_FINISHED",
                   "branch " + id + " has ended; nothing changes that",
                   "reprise branch:show " + channel.identity.id + " " + id + " shows how"};
  }
  return std::nullopt;
}

void time_out(Scribe& scribe, const Json& value, uint64_t) {
  time_out_branch(scribe, text_of(value, "branchId"));
}

}  // namespace

std::optional<Refusal> check_branch_spec(const Json& spec) {
  const auto directory = text_of(spec, "workingDirectory");
  return Fields(spec, "INVALID_BRANCH")
      .needs_text("prompt", kMostPromptBytes)
      .text("workingDirectory", kMostPathBytes)
      .texts("tools", kMostTools)
      .whole("tokenBudget", 1)
      .refuse_if(unicode::trimmed(text_of(spec, "prompt")).empty(), "a branch needs a prompt")
      .refuse_if(!directory.empty() && !directory.starts_with('/'),
                 "workingDirectory must be an absolute path")
      .refusal();
}

std::span<const SignalSpec> branch_signals() {
  static constexpr std::array kSignals = {
      SignalSpec{"branch.spawn", check_branch_spawn, take_branch_spawn},
      SignalSpec{"branch.timeout", check_timeout, time_out},
  };
  return kSignals;
}

}  // namespace reprise::channel
