// A key is looked up by its hash, which the state keeps, so that a signal costs the same however
// many came before; only a hit is confirmed in the journal.
#include "engine/signal.h"

#include <optional>

#include "engine/commands.h"
#include "engine/commit.h"
#include "engine/json_writer.h"
#include "engine/limits.h"
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

void check_name(const std::string& name) {
  check_name_length(name, "the name of the signal");
  if (name.empty()) {
    throw Error(Exit::kUsage, "INVALID_SIGNAL", "a signal needs a name",
                "reprise run:signal RUN NAME --value-inline JSON");
  }
  if (name.starts_with("reprise.")) {
    throw Error(Exit::kUsage, "INVALID_SIGNAL",
                "names that begin with \"reprise.\" are kept for reprise itself",
                "to cancel the run: reprise run:cancel RUN");
  }
}

/// The signal with this one's name and key, when there is one.
std::optional<Recorded> find_repeated(Dir& run, const Commit& commit, const RunState& state,
                                      const Signal& signal) {
  if (signal.key.empty()) return std::nullopt;
  if (!state.signal_keys.may_contain(signal_key_hash(signal.name, signal.key))) return std::nullopt;
  if (auto recorded = find_recorded(run, signal)) return recorded;
  JsonReader reader;
  for (auto seq = state.head.seq; const auto* record = commit.find(seq); --seq) {
    if (record->type != RecordType::kSignalReceived) continue;
    const auto& data = reader.members(record->data);
    if (data.text("name") != signal.name || data.text("key") != signal.key) continue;
    return Recorded{seq, commit.at_ms()};
  }
  return std::nullopt;
}

}  // namespace

Signalled add_signal(Commit& commit, Dir& run, const Context& context, const Signal& signal) {
  check_name(signal.name);
  check_name_length(signal.key, "the key of the signal");
  const auto& state = commit.open().history.state;
  if (const auto repeated = find_repeated(run, commit, state, signal)) {
    return {.seq = repeated->seq, .at_ms = repeated->at_ms};
  }
  Signalled result{.at_ms = commit.at_ms()};
  if (signal.dry_run) return result;
  result.seq = commit.add(signal_record(signal, context.author, run)).seq;
  result.recorded = true;
  return result;
}

Signalled send_signal(Dir& run, const Context& context, const Signal& signal) {
  check_name(signal.name);
  auto open = open_run(run, context, Read::kTail);
  Commit commit(open, commit_time(open, context.clock));
  auto result = add_signal(commit, run, context, signal);
  if (result.recorded) {
    commit.write();
    write_derived(result.notes, [&] { refresh_state(run, open, nullptr, false); });
  }
  result.state = std::move(open.history.state);
  return result;
}

}  // namespace reprise
