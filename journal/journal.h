// The journal of one run: reading with every sum checked, appending one commit at a time.
//
// Torn, corrupt and missing are three words (docs/journal-format.md): a torn tail was never
// acknowledged, is ignored by readers and cut off by the next writer; corruption and missing
// records are Errors (JOURNAL_CORRUPT, JOURNAL_RECORDS_MISSING, exit 5) that name segment, line,
// offset and reason, and the way out.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "journal/files.h"
#include "journal/record.h"
#include "journal/segment.h"

namespace reprise {

/// A position in a journal: behind the last record of a whole commit.
struct Head {
  uint64_t seq = 0;
  uint32_t segment = 0;
  uint64_t offset = 0;  ///< where the next line of this segment begins
  uint64_t sum = 0;
  int64_t at_ms = 0;  ///< of the last record
  bool operator==(const Head&) const = default;
};

constexpr uint64_t kSegmentBytes = uint64_t{8} << 20;

/// What a scan met behind the last whole commit.
struct Tail {
  uint64_t torn_bytes = 0;  ///< bytes of an incomplete commit, ignored
  bool beyond_witness =
      false;  ///< whole commits lie behind the witness: written, perhaps never acknowledged
  bool has_witness = false;
  /// The witness is of this boot, so what lies behind it was certainly never acknowledged;
  /// otherwise it was only possibly never acknowledged. Asked only when something lies there.
  bool certain = false;
};

/// Called once for every record, in order, commit by commit: no record of an incomplete commit is
/// ever seen.
using RecordVisitor = std::function<void(const RecordView&)>;

/// What was read. With Keep::kBuffers it owns the bytes that the visited RecordViews point to;
/// otherwise those views are valid only during the visit.
enum class Keep { kNothing, kBuffers };
struct Scan {
  Head head;
  Tail tail;
  std::vector<std::unique_ptr<char[]>> buffers;
};

/// Reads from `from` (nullptr: from the first record) to the end. Takes no lock and changes
/// nothing; what looks damaged is read again, the last time under a shared lock, before it is
/// reported. nullopt, and nothing visited, when `from` is no head of this journal (a stale cache):
/// read from the start then.
std::optional<Scan> read_journal(Dir& run, const Head* from, Keep keep, const RecordVisitor& visit);

/// One record's line, read again and checked: its sum, which is chained to the one that stands
/// before it. `buffer` owns the bytes of the view.
RecordView read_record(Dir& run, const Place& place, std::string& buffer);

/// The writer. It is used under the run's exclusive lock only. Who gives the lock back and takes it
/// again asks is_untouched first.
class Journal {
 public:
  /// Reads like read_journal, then settles what a dead writer left: cuts a torn tail (kept in
  /// journal/torn/) and rewrites and syncs whole commits behind the witness. After open, everything
  /// visited is durable. nullopt, nothing visited and nothing changed, when `from` is no head of
  /// this journal.
  static std::optional<Journal> open(Dir& run, const Head* from, Keep keep,
                                     const RecordVisitor& visit,
                                     uint64_t segment_bytes = kSegmentBytes);

  Journal(Journal&&) noexcept;
  Journal& operator=(Journal&&) noexcept;
  ~Journal();

  const Head& head() const;
  /// What open met behind the last whole commit, and settled.
  const Tail& tail() const;
  /// Buffers of the records visited by open, when it was asked to keep them.
  const std::vector<std::unique_ptr<char[]>>& buffers() const;
  /// The views of the records visited by open are not needed any more.
  void drop_buffers();

  /// Nobody else wrote since: the witness and the segment are as this Journal left them. False also
  /// when it cannot tell; then open another one from head().
  bool is_untouched() const;

  /// Appends the records as one commit with time `at_ms` (not before head().at_ms), and returns
  /// when it is durable. One write and one fdatasync; two more syncs when a new segment begins.
  /// When anything fails, the commit is cut off again and Error(kSystem) says that the outcome is
  /// unknown and the command safe to repeat; the Journal refuses to be used after that. A new
  /// segment also begins where the present one has an older format than `format`. Returns the
  /// places of the records, in order.
  std::vector<Place> append(std::span<const NewRecord> records, int64_t at_ms, uint64_t format = 0);

 private:
  struct State;
  explicit Journal(std::unique_ptr<State> state);
  std::unique_ptr<State> x_state;
};

/// Writes the first segment of a new run, with its first commit, synced, and the first witness.
/// `run` is still being built aside: no lock is needed. `identity` (run id and seed) is where the
/// chain of sums begins.
void start_journal(Dir& run, std::string_view identity, std::span<const NewRecord> records,
                   int64_t at_ms, uint64_t format = kNewestFormat);

/// A full check for people: every sum, every segment header, every blob that the journal's caller
/// asks about is not its job.
struct Damage {
  uint32_t segment = 0;
  uint64_t line = 0;  ///< 1-based; the segment's header is line 1
  uint64_t offset = 0;
  std::string kind;  ///< "torn", "corrupt" or "missing"
  std::string reason;
  uint64_t last_good_seq = 0;
  uint64_t records_after = 0;  ///< whole lines found behind the damage
  uint64_t missing = 0;        ///< records that the witness knows and the journal does not hold
};
struct Verdict {
  Head head;  ///< the last whole commit before any damage
  uint64_t records = 0;
  Tail tail;
  std::optional<Damage> damage;  ///< corrupt or missing; a torn tail is in `tail`
};
/// Never throws for damage.
Verdict verify_journal(Dir& run);

/// What repair did, or would do.
struct Repair {
  Verdict before;
  bool needed = false;
  uint64_t dropped_bytes = 0;
  uint64_t dropped_records = 0;  ///< whole records behind the damage that cannot be kept
  std::string kept_in;  ///< where the original bytes are: journal/torn/... or journal/damaged/...
};
/// Makes the journal readable again: sets everything behind the last whole commit aside and moves
/// the witness. The caller holds the exclusive lock. Corruption and missing records need
/// `accept_loss` (else Error LOSS_NOT_ACCEPTED, exit 2, nothing done). Repeating it changes
/// nothing. With `dry_run` it only says.
Repair repair_journal(Dir& run, bool accept_loss, bool dry_run);

}  // namespace reprise
