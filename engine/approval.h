// What people are asked: breakpoints, and effects that are held because a person must let them go
// on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/inspect.h"
#include "engine/run_state.h"
#include "engine/task_files.h"
#include "journal/files.h"

namespace reprise {

/// The kind of an effect that is a question to people.
constexpr std::string_view kBreakpoint = "breakpoint";

/// Who may answer a breakpoint, and how many must approve: `approvers` and `quorum` of the options
/// that it was asked with, else of its payload: who writes them there means them, too.
struct ApprovalRule {
  std::vector<std::string> approvers;  ///< empty: everybody
  uint64_t quorum = 1;
};
ApprovalRule approval_rule(const EffectRequest& request);

/// One person's answer to a breakpoint.
struct PersonAnswer {
  std::string by;
  bool approved = false;
  std::string json;  ///< {"approved","option"?,"response"?,"feedback"?,"respondedBy"}
};

/// A question, as it stands.
struct Approval {
  EffectInfo effect;
  std::string question;    ///< a breakpoint's; empty when it has none
  std::string definition;  ///< JSON: as the author built it
  std::string payload;     ///< JSON: a breakpoint's payload, a held effect's inputs
  std::string options;     ///< a breakpoint's, a JSON array; or empty
  std::string error;       ///< what a held effect failed with, JSON; or empty
  ApprovalRule rule;
  std::vector<PersonAnswer> answers;  ///< so far: the last of each person
  std::string digest;  ///< of what is asked: arguments, definition and attempt, 32 hex digits
};

/// Is somebody asked? Breakpoints, and effects that are held.
bool asks_people(const OpenEffect& effect);

/// A question whose time is over takes no answer any more; the next iterate tells the run.
bool question_expired(const OpenEffect& effect, int64_t now_ms);
/// Error EFFECT_CONFLICT, exit 4, for one that has.
void check_not_expired(const RunState& state, const OpenEffect& effect, int64_t now_ms);

/// What the run asks, in the order of the requests.
std::vector<Approval> list_approvals(Dir& run, const RunState& state, JsonReader& reader);
/// One of them, also when it is answered. Errors: those of find_effect, NO_APPROVAL (exit 4) for an
/// effect that asks nobody.
Approval find_approval(Dir& run, const EffectSelector& effect, JsonReader& reader);

/// An open effect with its attempts, as load_approval needs it: breakpoints have none.
EffectInfo effect_info(Dir& run, const OpenEffect& effect);
/// The same, of an effect in hand.
Approval load_approval(Dir& run, EffectInfo effect, JsonReader& reader);

/// What an effect is called before people: a breakpoint's question, else the label.
std::string title_of(Dir& run, const OpenEffect& effect, JsonReader& reader);

/// Members of an object in a JSON text; empty when it is no object, or has none of that name (and
/// type).
std::string text_member(std::string_view object, std::string_view name);
std::string raw_member(std::string_view object, std::string_view name);

}  // namespace reprise
