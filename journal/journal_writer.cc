// One commit is one write and one sync. The order is the promise: bytes, sync, witness, then the
// caller acknowledges.
#include <algorithm>
#include <utility>

#include "journal/damage.h"
#include "journal/hash.h"
#include "journal/journal.h"
#include "journal/scan.h"
#include "journal/segment.h"
#include "journal/settle.h"
#include "journal/survey.h"
#include "journal/value.h"
#include "journal/witness.h"

namespace reprise {

namespace {

struct Commit {
  std::string bytes;
  std::vector<Place> places;
  Head head;  ///< behind it
};

Commit encode_commit(std::span<const NewRecord> records, const Head& after, int64_t at_ms) {
  if (records.empty()) throw Error(Exit::kBug, "EMPTY_COMMIT", "a commit without records");
  Commit commit{{}, {}, after};
  commit.head.at_ms = at_ms;
  const auto count = static_cast<uint32_t>(records.size());
  for (const NewRecord& record : records) {
    if (record.data.find('\n') != std::string::npos) {
      throw Error(Exit::kBug, "DATA_NOT_MINIFIED", "a record's data holds a line break");
    }
    const bool more = commit.places.size() + 1 < records.size();
    const std::string line = encode_record(record, ++commit.head.seq, at_ms, more, count,
                                           commit.head.sum, &commit.head.sum);
    commit.places.push_back(
        {commit.head.segment, commit.head.offset, static_cast<uint32_t>(line.size())});
    commit.bytes += line;
    commit.bytes += '\n';
    commit.head.offset += line.size() + 1;
  }
  return commit;
}

/// A commit that begins a segment, with the segment's header before it.
Commit encode_segment(std::span<const NewRecord> records, const Head& after, int64_t at_ms,
                      std::string_view identity, uint64_t format) {
  Head begin = after;
  begin.segment++;
  std::string header =
      encode_header(format, begin.segment, identity, after.seq + 1, after.sum, &begin.sum);
  begin.offset = header.size();
  Commit commit = encode_commit(records, begin, at_ms);
  commit.bytes.insert(0, header);
  return commit;
}

}  // namespace

struct Journal::State {
  State(Dir& run_dir, uint64_t segment_size)
      : run(run_dir), witness(run_dir), segment_bytes(segment_size) {}

  void write(const Commit& commit);
  void write_segment(const Commit& commit);
  SegmentHeader present_header() const;

  Dir& run;
  WitnessFile witness;
  uint64_t segment_bytes;
  std::shared_ptr<File> file;  ///< of head.segment
  Head head;
  Tail tail;
  std::vector<std::unique_ptr<char[]>> buffers;
  bool failed = false;
};

/// Writes behind the head; what was written is cut off again when anything fails.
void Journal::State::write(const Commit& commit) {
  try {
    file->write_at(head.offset, commit.bytes);
    file->sync();
  } catch (const Error&) {
    try {
      file->truncate(head.offset);
    } catch (const Error&) {
      // The next writer finds the bytes behind the witness and settles them.
    }
    throw;
  }
}

void Journal::State::write_segment(const Commit& commit) {
  const std::string path = segment_path(commit.head.segment);
  std::shared_ptr<File> next = run.open(path, Access::kCreateNew);
  if (!next) {
    throw Error(Exit::kCorrupt, "JOURNAL_CORRUPT", path + " is in the way of a new segment",
                "reprise run:verify RUN shows what it holds");
  }
  try {
    next->write_at(0, commit.bytes);
    next->sync();
    run.sync_dir("journal");
  } catch (const Error&) {
    try {
      next->truncate(0);
      run.remove(path);
    } catch (const Error&) {
      // As above: it lies behind the witness.
    }
    throw;
  }
  file = std::move(next);
}

SegmentHeader Journal::State::present_header() const {
  auto header = read_header(run, head.segment);
  if (header) return std::move(*header);
  throw Error(Exit::kCorrupt, "JOURNAL_CORRUPT",
              segment_path(head.segment) + ", line 1: the header cannot be read",
              "reprise run:verify RUN shows the damage");
}

Journal::Journal(std::unique_ptr<State> state) : x_state(std::move(state)) {}
Journal::Journal(Journal&&) noexcept = default;
Journal& Journal::operator=(Journal&&) noexcept = default;
Journal::~Journal() = default;

const Head& Journal::head() const { return x_state->head; }
const Tail& Journal::tail() const { return x_state->tail; }
const std::vector<std::unique_ptr<char[]>>& Journal::buffers() const { return x_state->buffers; }

void Journal::drop_buffers() { x_state->buffers.clear(); }

// Who appends moves the witness. Who died before that left a longer segment, or (where one is full,
// or has an older format) a new one; who cut something off a shorter one.
bool Journal::is_untouched() const {
  const State& state = *x_state;
  if (state.failed || state.head.offset >= state.segment_bytes) return false;
  const std::optional<FileStat> there = state.run.stat(segment_path(state.head.segment));
  const FileStat ours = state.file->stat();
  return there && there->inode == ours.inode && there->device == ours.device &&
         ours.size == state.head.offset && !state.run.stat(segment_path(state.head.segment + 1)) &&
         state.witness.is_at(state.head);
}

std::optional<Journal> Journal::open(Dir& run, const Head* from, Keep keep,
                                     const RecordVisitor& visit, uint64_t segment_bytes) {
  auto state = std::make_unique<State>(run, segment_bytes);
  const std::optional<Witness> witness = state->witness.last();
  const Head* durable = witness ? &witness->head : nullptr;

  // What lies behind the witness will be written again, so it has to be read, even where the caller
  // knows it.
  ScanRequest request;
  const bool behind = from != nullptr && (durable == nullptr || durable->seq < from->seq);
  request.start = behind ? durable : from;
  request.from = from;
  request.witness = witness;
  request.access = Access::kWrite;
  request.keep_from = keep == Keep::kBuffers || durable == nullptr ? 0 : durable->segment;
  request.look_for_holes = from == nullptr;
  std::optional<ScanResult> scan = scan_journal(run, request, visit);
  if (!scan && request.start != from && request.start != nullptr) {
    request.start = nullptr;
    scan = scan_journal(run, request, visit);
  }
  if (!scan) return std::nullopt;

  const Findings findings = judge(run, *scan, witness);
  if (findings.damage) throw damage_error(*findings.damage);
  if (findings.torn) cut_tail(run, scan->head, "journal/torn");
  if (durable == nullptr || durable->seq < scan->head.seq) {
    rewrite(run, scan->chunks, durable, scan->head);
    state->witness.move_to(scan->head);
  }

  state->head = scan->head;
  state->tail = findings.tail;
  state->file = std::move(scan->file);
  if (keep == Keep::kBuffers) {
    for (Chunk& chunk : scan->chunks) state->buffers.push_back(std::move(chunk.bytes));
  }
  return Journal(std::move(state));
}

std::vector<Place> Journal::append(std::span<const NewRecord> records, int64_t at_ms,
                                   uint64_t format) {
  State& state = *x_state;
  if (state.failed) {
    throw Error(Exit::kBug, "JOURNAL_FAILED", "a journal is used after an append that failed");
  }
  if (at_ms < state.head.at_ms) {
    throw Error(Exit::kBug, "TIME_WENT_BACK", "a commit is older than the one before it");
  }
  state.failed = true;
  Commit commit;
  const bool full = state.head.offset >= state.segment_bytes;
  std::optional<SegmentHeader> present;
  if (full || format != 0) present = state.present_header();
  if (full || (present && present->version < format)) {
    commit = encode_segment(records, state.head, at_ms, present->identity,
                            std::max(present->version, format));
    state.write_segment(commit);
  } else {
    commit = encode_commit(records, state.head, at_ms);
    state.write(commit);
  }
  state.head = commit.head;
  try {
    state.witness.move_to(state.head);
  } catch (const Error&) {
    // The commit is durable and will be acknowledged. The witness lags, so the next writer writes
    // this commit again.
  }
  state.failed = false;
  return std::move(commit.places);
}

void start_journal(Dir& run, std::string_view identity, std::span<const NewRecord> records,
                   int64_t at_ms, uint64_t format) {
  if (quote(identity).size() != identity.size() + 2) {
    throw Error(Exit::kBug, "INVALID_IDENTITY", "a run's identity needs escapes in JSON");
  }
  Head nothing;
  nothing.sum = hash64(identity);
  const Commit commit = encode_segment(records, nothing, at_ms, identity, format);
  run.make_dir("journal");
  write_new_file(run, segment_path(1), commit.bytes, true);
  WitnessFile(run).move_to(commit.head);
}

}  // namespace reprise
