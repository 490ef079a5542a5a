// What every command wants to know of a run, folded from its journal record by record: status, open
// effects, the end. It holds no values and no definitions; those are read from the journal at the
// place that is kept here.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "journal/journal.h"
#include "journal/json_reader.h"
#include "journal/record.h"

namespace reprise {

/// An effect without a resolution in the journal.
struct OpenEffect {
  uint64_t id = 0;
  std::string task;
  std::string kind;
  std::string label;
  std::string key;  ///< empty when the author gave none
  uint64_t requested_seq = 0;
  int64_t requested_at_ms = 0;
  int64_t due_ms = 0;  ///< sleeps only
  uint32_t attempt = 1;
  Place place;  ///< of its EFFECT_REQUESTED
};

/// An activation that waits in the journal.
struct ActivationPlace {
  uint64_t seq = 0;
  Place place;
  bool shell =
      false;  ///< the result of a shell effect: an error is delivered as {success: false, ...}
};

struct RunEnd {
  RecordType type{};  ///< kRunCompleted, kRunFailed or kRunHalted
  uint64_t seq = 0;
  int64_t at_ms = 0;
  Place place;
};

enum class RunStatus { kCreated, kReady, kWaiting, kCompleted, kFailed, kHalted };
std::string_view status_name(RunStatus status);

struct RunCounts {
  uint64_t requested = 0;
  uint64_t resolved_ok = 0;
  uint64_t resolved_error = 0;
  uint64_t cancelled = 0;
};

struct RunState {
  Head head;
  std::string run_id;
  std::string process_id;
  bool has_process = false;
  bool simulated = false;
  int64_t created_at_ms = 0;
  Place created_place;          ///< of RUN_CREATED
  Place process_place;          ///< of the record that holds the present `process`
  uint64_t applied = 0;         ///< the last activation that the process was given
  uint64_t highest_effect = 0;  ///< the highest number that was ever used
  Place last_place;
  RunCounts counts;
  std::deque<ActivationPlace> unapplied;  ///< recorded, not yet given to the process, in order
  std::set<uint64_t> signal_keys;         ///< hashes of the names and keys of keyed signals
  std::map<uint64_t, OpenEffect> open;    ///< by number, so in the order of requests
  std::optional<RunEnd> end;

  /// Created: never iterated. Ready: something new waits for an iterate.
  RunStatus status() const;
  /// The earliest time at which an open sleep is due; nullopt when there is none.
  std::optional<int64_t> next_due_ms() const;
};

/// Is this something that the process decided?
bool is_command(RecordType type);

/// Folds one record; `data` are the members of its data. Returns the activation that the record
/// is, if it is one. Error RECORD_UNSUPPORTED, exit 5, for a type that this version does not know
/// how to fold.
std::optional<ActivationPlace> evolve(RunState& state, const RecordView& record,
                                      const Members& data);

/// What RunState::signal_keys holds of a signal with a key.
uint64_t signal_key_hash(std::string_view name, std::string_view key);

/// The process was given everything up to this activation.
void advance_applied(RunState& state, uint64_t applied);

}  // namespace reprise
