// Questions about one run, answered from its journal. Reading only: no lock, nothing changed.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/effect_selector.h"
#include "engine/run.h"
#include "engine/run_state.h"

namespace reprise {

/// One attempt at an effect, as far as somebody claimed it or it ended; or a late result of one.
struct Attempt {
  uint32_t number = 1;
  std::string status = "open";  ///< or "ok", "error", "lost"
  bool approved = false;        ///< it was held, and a person let it go on
  std::string worker;           ///< of its last claim
  std::vector<std::string> tokens;
  std::string digest;  ///< of what was posted
  std::string key;     ///< of the post
  int64_t at_ms = 0;   ///< of the record that ended it
  Place place;         ///< of that record
};

/// An effect, open or not.
struct EffectInfo {
  OpenEffect request;  ///< as it stands now, or as it was requested with the last attempt's number
  std::vector<Attempt> attempts;     ///< in order; without those of which the journal says nothing
  std::vector<Attempt> late;         ///< results that came when it had been withdrawn, in order
  std::string status = "requested";  ///< or "resolved_ok", "resolved_error", "cancelled" (also
                                     ///< withdrawn, or abandoned at an end), "voided" by a rewind
  bool denied = false;               ///< it ended while it was held, waiting for a person
  bool withdrawn = false;            ///< cancelled because the process waits for it no longer
  std::optional<uint64_t> settled_seq;
  int64_t settled_at_ms = 0;
  Place settled_place;  ///< of the record that settled it
  std::string stdout_ref;
  std::string stderr_ref;
};

/// All effects of the run in the order of their requests; with a selector those that it names.
std::vector<EffectInfo> list_effects(Dir& run, const EffectSelector* only = nullptr);
/// nullopt when there is none. Error EFFECT_AMBIGUOUS, exit 2, when a key names several.
std::optional<EffectInfo> look_up_effect(Dir& run, const EffectSelector& selector);
/// Error EFFECT_NOT_FOUND, exit 3; EFFECT_AMBIGUOUS, exit 2, when a key names several.
EffectInfo find_effect(Dir& run, const EffectSelector& selector);

/// What an effect was resolved with. JSON texts, and the logs' names; empty when there is none.
struct EffectResult {
  std::string value;
  std::string value_file;    ///< below the run, instead of a value that is longer than asked for
  uint64_t value_bytes = 0;  ///< of that file
  std::string error;
  std::string metadata;
  std::string started_at;
  std::string finished_at;
  std::string by;
  std::string stdout_ref;
  std::string stderr_ref;
};
EffectResult load_result(Dir& run, const EffectInfo& effect, JsonReader& reader,
                         uint64_t most_bytes = UINT64_MAX);
/// The same of a late result.
EffectResult load_late(Dir& run, const Attempt& late, JsonReader& reader,
                       uint64_t most_bytes = UINT64_MAX);
/// The error of an attempt that ended with one or was lost; JSON, or empty.
std::string load_error(Dir& run, const Attempt& attempt, JsonReader& reader);
/// What its worker last reported; JSON, or empty.
std::string load_progress(Dir& run, const OpenEffect& effect, JsonReader& reader);

/// How the run ended. JSON texts, empty when there is none.
struct EndDetails {
  std::string output;                  ///< completed
  std::string error;                   ///< failed
  std::string reason;                  ///< halted: plain text
  std::string payload;                 ///< halted
  std::vector<std::string> abandoned;  ///< effects that were open: "t3"
};
/// nullopt while the run has not ended.
std::optional<EndDetails> load_end(Dir& run, const RunState& state, JsonReader& reader);

/// Who and what, as recorded at the creation: JSON texts.
struct RunOrigin {
  std::string labels;   ///< an object, or empty
  std::string request;  ///< plain text
  std::string run_dir;  ///< as recorded
  std::string entry;    ///< "main.js#process", the built-in's name, or empty for a bare run
};
RunOrigin load_origin(Dir& run, const RunState& state, JsonReader& reader);

/// Every record from the first, all sums checked.
void for_each_event(Dir& run, const RecordVisitor& visit);

}  // namespace reprise
