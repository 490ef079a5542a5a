// What a worker or a branch is told before it begins: memories of the channel, and the home's
// bulletin. The engine answers in the same iteration (kind "recall"), and the answer is recorded.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "processes/channel/effects.h"

namespace reprise::channel {

class Scribe;
struct Channel;

/// Code points of the text that memories are looked for with: more of it does not make what is
/// found more fitting.
constexpr size_t kQueryCharacters = 1000;

struct Briefing {
  Json memories = Json::array();  ///< [{id, note, summary?, kind, score}]
  std::string bulletin;           ///< may be empty

  std::vector<std::string> refs() const;
  /// The section of a prompt, or empty.
  std::string text() const;
};

/// {"type","id"}: the scope of what this channel remembers.
Json memory_scope(const Channel& channel);
/// Asks for it under the key "<noun>:<id>".
void request_briefing(Scribe& scribe, const std::string& noun, const std::string& id,
                      const std::string& query);
/// An error, or what has not the shape of an answer, is no briefing. No memory comes twice.
Briefing parse_briefing(const Result& result, size_t limit);

}  // namespace reprise::channel
