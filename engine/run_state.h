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
#include <string_view>
#include <vector>

#include "engine/key_set.h"
#include "journal/journal.h"
#include "journal/json_reader.h"
#include "journal/record.h"

namespace reprise {

/// The kind of effect that is a child run.
constexpr std::string_view kRunKind = "run";
/// The kind of effect that is a time.
constexpr std::string_view kSleepKind = "sleep";
/// The kind of effect that the engine answers from the home's memories.
constexpr std::string_view kRecallKind = "recall";
/// The kind of effect that is a signal for another run of the same folder (engine/run_signal.h).
constexpr std::string_view kRunSignalKind = "run.signal";
/// The engine sees to effects of this kind itself: nobody performs or claims them.
constexpr bool is_engines_kind(std::string_view kind) {
  return kind == kRunKind || kind == kSleepKind || kind == kRecallKind || kind == kRunSignalKind;
}
/// The post of a child's own end has a key that begins so.
constexpr std::string_view kChildPostKey = "reprise.run:";

/// Who works on an effect, and until when.
struct Claim {
  std::string token;   ///< the fence: posts must show it while the lease lives
  std::string worker;  ///< as it calls itself
  int64_t claimed_at_ms = 0;
  int64_t lease_ms = 0;
  int64_t until_ms = 0;  ///< the lease lives before this time
  // A claimer on the same machine whose end can be seen; pid 0 when it did not say.
  std::string host;
  std::string boot;
  uint64_t pid = 0;
  uint64_t start_time = 0;  ///< of that process, in clock ticks after the boot (/proc/PID/stat)
};

/// How the last attempt of an effect that is open again ended; tells a repeated post from a new
/// one.
struct PastAttempt {
  uint32_t attempt = 0;
  std::string status;  ///< "error" (posted, or a passed deadline) or "lost"
  std::string digest;  ///< of the error; empty when nobody posted one
  std::string key;     ///< of the post
  std::string token;   ///< of the claim
};

/// An effect without a resolution in the journal.
struct OpenEffect {
  uint64_t id = 0;
  std::string task;
  std::string kind;
  std::string label;
  std::string key;  ///< empty when the author gave none
  uint64_t requested_seq = 0;
  int64_t requested_at_ms = 0;
  int64_t due_ms = 0;      ///< sleeps, and breakpoints that expire
  std::string options;     ///< as recorded, see engine/task_options.h; mostly empty
  int64_t timeout_ms = 0;  ///< of those options: of one attempt, 0 for none
  uint32_t attempt = 1;
  int64_t available_at_ms = 0;  ///< of attempt 2 and later: not before this time; else 0
  std::string held;             ///< a person must decide: "exhausted" or "lost"; else empty
  std::optional<Claim> claim;
  std::optional<PastAttempt> past;
  std::vector<Place> answers;     ///< of a breakpoint that wants several, in order
  std::optional<Place> progress;  ///< of its last EFFECT_PROGRESS
  Place place;                    ///< of its EFFECT_REQUESTED

  /// The present attempt can be worked on: no person must decide, and no pause goes on.
  bool is_available(int64_t now_ms) const;
  /// When the present attempt is over without a result: its timeout counts from the claim, or from
  /// when the attempt could be taken. nullopt without a timeout, and while a person must decide.
  std::optional<int64_t> deadline_ms() const;
};

/// An activation that waits in the journal.
struct ActivationPlace {
  uint64_t seq = 0;
  Place place;
  bool shell =
      false;  ///< the result of a shell effect: an error is delivered as {success: false, ...}
  uint32_t rules = 0;  ///< that the run had then
};

struct RunEnd {
  RecordType type{};  ///< kRunCompleted, kRunFailed or kRunHalted
  uint64_t seq = 0;
  int64_t at_ms = 0;
  Place place;
  bool cancelled = false;  ///< kRunHalted at the end of a run:cancel
};

enum class RunStatus {
  kCreated,
  kReady,
  kWaiting,
  kPaused,
  kCompleted,
  kFailed,
  kHalted,
  kCancelled
};
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
  std::string identity;  ///< see engine/identity.h; empty: it has none
  std::string process_id;
  bool has_process = false;
  bool simulated = false;
  uint32_t rules = 0;  ///< see engine/process/rules.h
  int64_t created_at_ms = 0;
  Place created_place;          ///< of RUN_CREATED
  Place process_place;          ///< of the record that holds the present `process`
  uint64_t applied = 0;         ///< the last activation that the process was given
  uint64_t highest_effect = 0;  ///< the highest number that was ever used
  Place last_place;
  RunCounts counts;
  std::deque<ActivationPlace> unapplied;  ///< recorded, not yet given to the process, in order
  KeySet signal_keys;                     ///< hashes of the names and keys of keyed signals
  std::map<uint64_t, OpenEffect> open;    ///< by number, so in the order of requests
  /// Those of `open` that something may become of without a result from outside: times, claims,
  /// what the engine sees to itself. So that each step of a run with many open effects need not
  /// look at all of them.
  std::set<uint64_t> watched;
  std::optional<RunEnd> end;
  bool paused = false;  ///< nothing new starts until run:resume
  /// Seq of a recorded run:cancel, 0 without one. What the process asks for until it is given that
  /// activation is cancelled by it, too; what it asks for afterwards is its clean-up.
  uint64_t cancel_seq = 0;
  std::string parent;           ///< run id of the run whose child this is; empty: none
  uint64_t parent_effect = 0;   ///< that waits for this run's end
  std::string parent_identity;  ///< empty: the parent has none
  /// The names of the signals that the process waits for, a JSON array; empty: not known, or none.
  std::string awaits;
  /// Child runs whose effect was cancelled or abandoned: they are to be cancelled, too.
  std::set<uint64_t> orphans;

  /// Created: never iterated. Ready: something new waits for an iterate.
  RunStatus status() const;
  /// The earliest time at which something happens by itself: a sleep is due, a deadline passes, a
  /// lease ends (an iterate records these), a pause between attempts that goes on at `now_ms` is
  /// over; nullopt when there is none.
  std::optional<int64_t> next_due_ms(int64_t now_ms = 0) const;
};

/// The names in RunState::awaits.
std::vector<std::string> awaited_signals(const RunState& state);

/// Is this something that the process decided?
bool is_command(RecordType type);

/// Folds one record; `data` are the members of its data. Returns the activation that the record
/// is, if it is one. Error RECORD_UNSUPPORTED, exit 5, for a type that this version does not know
/// how to fold.
std::optional<ActivationPlace> evolve(RunState& state, const RecordView& record,
                                      const Members& data);

/// The effect as an EFFECT_REQUESTED record asks for it.
OpenEffect requested_effect(const RecordView& record, const Members& data);

/// A child run whose EFFECT_REQUESTED is void, or that nobody waits for any longer, is to be
/// cancelled unless it is detached.
void orphan_child(RunState& state, const RecordView& request, const Members& data);

/// What RunState::signal_keys holds of a signal with a key.
uint64_t signal_key_hash(std::string_view name, std::string_view key);

/// Adds an effect to those that are open, or changes what is known of it.
void keep_open(RunState& state, OpenEffect effect);

/// The process was given everything up to this activation.
void advance_applied(RunState& state, uint64_t applied);

}  // namespace reprise
