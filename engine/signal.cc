// A key is looked up by its hash, which the state keeps, so that a signal costs the same however
// many came before; only a hit is confirmed in the journal.
#include "engine/signal.h"

#include <optional>

#include "engine/commands.h"
#include "engine/commit.h"
#include "engine/json_writer.h"
#include "engine/run.h"
#include "journal/error.h"

namespace reprise {

namespace {

struct Recorded {
  uint64_t seq = 0;
  int64_t at_ms = 0;
};

std::optional<Recorded> find_recorded(Dir& run, const Signal& signal) {
  std::optional<Recorded> found;
  JsonReader reader;
  read_journal(run, nullptr, Keep::kNothing, [&](const RecordView& record) {
    if (found || record.type != RecordType::kSignalReceived) return;
    const auto& data = reader.members(record.data);
    if (data.text("name") == signal.name && data.text("key") == signal.key) {
      found = Recorded{record.seq, record.at_ms};
    }
  });
  return found;
}

NewRecord signal_record(const Signal& signal, const Author& author, Dir& run) {
  JsonWriter data;
  data.text("name", signal.name).text_if("key", signal.key);
  add_value(data, "value", signal.value.text, run);
  return {RecordType::kSignalReceived, 0, 0, data.raw("by", author_json(author)).done()};
}

}  // namespace

Signalled send_signal(Dir& run, const Context& context, const Signal& signal) {
  if (signal.name.empty()) {
    throw Error(Exit::kUsage, "INVALID_SIGNAL", "a signal needs a name",
                "reprise run:signal RUN NAME --value-inline JSON");
  }
  if (signal.name.starts_with("reprise.")) {
    throw Error(Exit::kUsage, "INVALID_SIGNAL",
                "names that begin with \"reprise.\" are kept for reprise itself",
                "to cancel the run: reprise run:cancel RUN");
  }
  auto open = open_run(run, context, Read::kTail);
  auto& state = open.history.state;
  const auto known = state.signal_keys.contains(signal_key_hash(signal.name, signal.key));
  if (!signal.key.empty() && known) {
    if (const auto recorded = find_recorded(run, signal)) {
      return {.seq = recorded->seq, .at_ms = recorded->at_ms, .state = state};
    }
  }
  Signalled result{.at_ms = commit_time(open, context.clock)};
  if (!signal.dry_run) {
    Commit commit(open, result.at_ms);
    result.seq = commit.add(signal_record(signal, context.author, run)).seq;
    commit.write();
    result.recorded = true;
    write_derived(result.notes, [&] { refresh_state(run, open, nullptr, false); });
  }
  result.state = std::move(state);
  return result;
}

}  // namespace reprise
