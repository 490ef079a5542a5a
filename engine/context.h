// What a command runs with: clock, ids, the machine, the processes that exist, who calls. Made once
// at the top of the program.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "engine/changes.h"
#include "engine/host.h"
#include "engine/memory_source.h"
#include "engine/process/process.h"
#include "engine/script_host.h"
#include "journal/clock.h"
#include "journal/ids.h"

namespace reprise {

/// Who wrote a record where a person or a tool did.
struct Author {
  std::string user;
  std::string host;
  std::string command;  ///< "task:post"
};

struct Context {
  Clock& clock;
  Random& random;
  ScriptHost& scripts;
  Host& host;
  std::span<const BuiltIn> built_ins;
  Author author;
  int64_t lock_timeout_ms = 30'000;
  bool force = false;  ///< write although the clock is behind the journal, or something else that a
                       ///< caution refuses: each command says what
  Changes* changes = nullptr;      ///< told before a run changes; may be null
  MemorySource* memory = nullptr;  ///< answers recalls; null: nothing is remembered
};

/// {"user":...,"host":...,"command":...}
std::string author_json(const Author& author);

}  // namespace reprise
