#include "engine/run.h"

#include <algorithm>

#include "engine/json_writer.h"
#include "journal/error.h"
#include "journal/run_dir.h"

namespace reprise {

namespace {

constexpr int64_t kClockToleranceMs = 5LL * 60 * 1000;

void refuse_wrong_clock(const RunState& state, const Context& context) {
  const auto lag = clock_lag_ms(state, context.clock);
  if (lag == 0 || context.force || state.simulated) return;
  throw Error(Exit::kSystem, "CLOCK_BEHIND",
              "the last record is of " + format_time(state.head.at_ms) + ", " +
                  std::to_string(lag / 1000) + " seconds ahead of this machine's clock (" +
                  format_time(context.clock.now_ms()) + ")",
              "set the clock right, or repeat with --force to go on at the journal's time");
}

/// Reads what follows the cache. False when there is no usable one.
bool resume_from_cache(Dir& run, Read read, OpenRun& open) {
  auto cached = load_state(run, read == Read::kSnapshot ? CachePart::kSnapshot : CachePart::kState);
  if (!cached) return false;
  const auto head = cached->state.head;
  open.cached = head;
  open.cached_bytes = cached->bytes;
  open.has_snapshot = cached->has_snapshot;
  if (read == Read::kSnapshot && !cached->has_snapshot) return false;
  open.snapshot = std::move(cached->snapshot);
  open.snapshot_applied = cached->state.applied;
  if (read == Read::kTail) {
    open.history.state = std::move(cached->state);
  } else {
    open.history.resume(std::move(cached->state), run, open.reader);
  }
  const auto visit = [&](const RecordView& record) { open.history.read(record, open.reader); };
  open.journal = Journal::open(run, &head, Keep::kBuffers, visit);
  if (!open.journal) open.cached.reset();
  return open.journal.has_value() && !open.history.rewritten;
}

}  // namespace

OpenRun open_run(Dir& run, const Context& context, Read read) {
  OpenRun open;
  open.path = run.path();
  open.changes = context.changes;
  open.lock = lock_run(run, context.lock_timeout_ms, context.author.command);
  if (read == Read::kAll || !resume_from_cache(run, read, open)) read_everything(run, open);
  open.history.state.head = open.journal->head();
  refuse_wrong_clock(open.history.state, context);
  return open;
}

EffectiveRead read_effective(Dir& run) {
  EffectiveRead read;
  read.scan = *read_journal(run, nullptr, Keep::kBuffers,
                            [&](const RecordView& record) { read.fold.add(record); });
  return read;
}

void read_everything(Dir& run, OpenRun& open) {
  open.history = History();
  open.snapshot.clear();
  open.has_snapshot = false;
  const auto visit = [&](const RecordView& record) { open.history.read(record, open.reader); };
  open.journal = Journal::open(run, nullptr, Keep::kBuffers, visit);
  if (open.history.rewritten) {
    auto read = read_effective(run);
    open.history.fold(read.fold.so_far(), open.reader);
    open.effective = std::move(read.scan);
  }
  open.history.state.head = open.journal->head();
}

ReadState read_state(Dir& run, bool full) {
  ReadState result;
  JsonReader reader;
  auto cached = full ? std::nullopt : load_state(run, CachePart::kState);
  bool rewritten = false;
  const auto visit = [&](const RecordView& record) {
    const auto& data = reader.members(record.data);
    rewritten = rewritten || rewrites(record, data);
    if (!rewritten) evolve(result.state, record, data);
  };
  if (cached) {
    const auto head = cached->state.head;
    result.state = std::move(cached->state);
    const auto scan = read_journal(run, &head, Keep::kNothing, visit);
    if (scan && !rewritten) {
      result.state.head = scan->head;
      result.tail = scan->tail;
      return result;
    }
    result.state = RunState();
  }
  if (!rewritten) {
    const auto scan = read_journal(run, nullptr, Keep::kNothing, visit);
    result.state.head = scan->head;
    result.tail = scan->tail;
  }
  if (rewritten) {
    const auto read = read_effective(run);
    History history;
    history.fold(read.fold.so_far(), reader);
    result = {std::move(history.state), read.scan.tail};
    result.state.head = read.scan.head;
  }
  return result;
}

int64_t commit_time(const OpenRun& open, Clock& clock) {
  return std::max(clock.now_ms(), open.history.state.head.at_ms);
}

void refresh_state(Dir& run, OpenRun& open, const std::function<std::string()>& snapshot,
                   bool always) {
  const auto& state = open.history.state;
  // A cache without the snapshot is no help to the process, however fresh it is.
  const auto cached_head = snapshot && !open.has_snapshot ? std::nullopt : open.cached;
  if (!always && !state_is_behind(cached_head, open.cached_bytes, state.head)) return;
  std::string text;
  if (snapshot) {
    text = snapshot();
  } else if (open.has_snapshot) {
    if (open.snapshot_applied != state.applied) return;
    auto cached = load_state(run, CachePart::kSnapshot);
    if (!cached) return;
    text = std::move(cached->snapshot);
  }
  open.cached_bytes = store_state(run, state, text);
  open.cached = state.head;
  open.has_snapshot = !text.empty();
  open.snapshot_applied = state.applied;
}

void write_derived(std::vector<std::string>& notes, const std::function<void()>& write) {
  try {
    write();
  } catch (const Error& error) {
    notes.push_back("everything is recorded, but a file beside the journal is not up to date: " +
                    error.message());
  }
}

const Members& read_data(Dir& run, const Place& place, std::string& buffer, JsonReader& reader) {
  return reader.members(read_record(run, place, buffer).data);
}

std::string author_json(const Author& author) {
  return JsonWriter()
      .text_if("user", author.user)
      .text_if("host", author.host)
      .text_if("command", author.command)
      .done();
}

int64_t clock_lag_ms(const RunState& state, Clock& clock) {
  const auto lag = state.head.at_ms - clock.now_ms();
  return lag > kClockToleranceMs ? lag : 0;
}

}  // namespace reprise
