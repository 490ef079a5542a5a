// How full the context is: the tokens that the next prompt would take, of the window.
//
//   tokens       = max(1, floor(characters / 4))               seed 000's estimate, in code points
//   utilization  = min(1, tokens / window)
//
// The characters are those of the messages that a prompt carries, with the summary that stands for
// folded ones; with a session all that the session holds. Messages that wait are in no prompt.
//
// Once a reply told its real usage, that stands for what it covers, the messages of its prompt and
// what it wrote, and only the others are estimated:
//
//   tokens = floor(told * covered characters now / covered characters then) + floor(others / 4)
//
// (seed 000's later versions take real usage before rough counts, but forget it with each new
// message; here it is kept, and shrinks as messages leave prompts.) A compaction, and the end of a
// session, make it void. The window is the executor's when a result names it.
#pragma once

#include <cstdint>

#include "processes/channel/event.h"
#include "processes/channel/session.h"
#include "processes/channel/settings.h"
#include "processes/channel/transcript.h"

namespace reprise::channel {

struct Channel;

/// Code points, as a token is estimated.
constexpr uint64_t kCharactersOfToken = 4;

struct Context {
  int64_t window = 0;     ///< tokens, as the last result that named it did; 0: none did
  uint64_t outside = 0;   ///< characters of the transcript that the session does not hold
  int64_t told = 0;       ///< tokens of the last reply with its prompt; 0: not known, or void
  uint64_t covers = 0;    ///< these are of the messages that joined up to here,
  uint64_t replies = 0;   ///< and of what the agent wrote up to here
  uint64_t measured = 0;  ///< the characters of all of these, then

  /// `session` as it was before the event, `transcript` with it.
  void evolve(const Event& event, const Session& session, const Transcript& transcript,
              const Settings& settings);
  Json to_json() const;
  void restore(const Json& json);
};

int64_t context_window(const Channel& channel);
/// Never less than 1.
int64_t context_tokens(const Channel& channel);
/// From 0 to 1.
double utilization(const Channel& channel);
/// {utilization, tokens, window, source "estimate"|"usage", messages}
Json shown_context(const Channel& channel);

}  // namespace reprise::channel
