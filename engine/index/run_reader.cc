#include "engine/index/run_reader.h"

#include "engine/effective.h"
#include "engine/inspect.h"
#include "engine/memory/memory_writer.h"
#include "engine/process_loader.h"
#include "engine/run.h"
#include "journal/error.h"
#include "journal/foreign_run.h"
#include "journal/segment.h"

namespace reprise {

namespace {

constexpr size_t kMessageBytes = 1000;

std::string in_short(std::string text) {
  if (text.size() <= kMessageBytes) return text;
  size_t end = kMessageBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;
  return text.substr(0, end) + "...";
}

/// Empty when it cannot be read: the run can be read all the same, without that memory.
std::string load_payload(Dir& run, const Members& data) {
  try {
    return load_value(data, "payload", run);
  } catch (const Error&) {
    return {};
  }
}

void add_event(Dir& run, RunReading& reading, const RecordView& record, const Members& data) {
  if (record.type != RecordType::kEventEmitted || data.has("adopts")) return;
  reading.events.push_back(
      {record.seq, record.sum, record.at_ms, data.text("type"), record.place, {}});
  auto& event = reading.events.back();
  if (is_memory_event(event.type)) event.payload = load_payload(run, data);
}

/// One that was delivered once more counts once.
void add_recall(RunReading& reading, const RecordView& record, const Members& data) {
  if (record.type != RecordType::kEffectResolved || data.has("of")) return;
  const auto recalled = data.raw("recalled");
  if (recalled.empty()) return;
  auto& recall = reading.recalls.emplace_back();
  recall.seq = record.seq;
  recall.at_ms = record.at_ms;
  for (const auto id : array_elements(recalled)) recall.ids.push_back(unquote(id));
}

void add_creation(RunReading& reading, const Members& data) {
  reading.labels = data.raw("labels");
  const auto process = parse_descriptor(data.raw("process"));
  if (!process.script) reading.built_in = process.name;
}

/// Every record, every sum checked.
void read_from_start(Dir& run, RunReading& reading) {
  reading.whole = true;
  reading.events.clear();
  reading.recalls.clear();
  JsonReader reader;
  bool rewritten = false;
  const auto scan = read_journal(run, nullptr, Keep::kNothing, [&](const RecordView& record) {
    const auto& data = reader.members(record.data);
    if (record.type == RecordType::kRunCreated) add_creation(reading, data);
    add_event(run, reading, record, data);
    add_recall(reading, record, data);
    rewritten = rewritten || rewrites(record, data);
    if (!rewritten) evolve(reading.state, record, data);
  });
  reading.head = scan->head;
  reading.state.head = scan->head;
  if (rewritten) reading.state = read_state(run, true).state;
}

/// The events first: what the state knows beyond them is read again, for their head is kept.
void read_on(Dir& run, const Head& known, RunReading& reading) {
  JsonReader reader;
  const auto scan = read_journal(run, &known, Keep::kNothing, [&](const RecordView& record) {
    const bool is_result = record.type == RecordType::kEffectResolved;
    if (record.type != RecordType::kEventEmitted && !is_result) return;
    const auto& data = reader.members(record.data);
    add_event(run, reading, record, data);
    add_recall(reading, record, data);
  });
  if (!scan) return read_from_start(run, reading);
  reading.head = scan->head;
  reading.state = read_state(run).state;
}

std::string failure_of(Dir& run, const RunState& state) {
  if (state.status() != RunStatus::kFailed) return {};
  try {
    JsonReader reader;
    const auto end = load_end(run, state, reader);
    return reader.members_of_copy(end->error).text("message");
  } catch (const Error& error) {
    return error.message();  // a blob that is gone: the run can be read all the same
  }
}

void read_records(Dir& run, const Head* known, RunReading& reading) {
  reading.file = look_at_journal(run);
  if (reading.file.segment == 0) refuse_foreign_run(run);
  if (reading.file.segment == 0 && !run.stat("run.json")) {
    throw Error(Exit::kNotFound, "RUN_NOT_FOUND", run.path() + " is no run: it holds no journal");
  }
  if (known != nullptr) {
    read_on(run, *known, reading);
  } else {
    read_from_start(run, reading);
  }
  reading.message = in_short(failure_of(run, reading.state));
}

}  // namespace

RunReading read_run(Dir& runs, const std::string& name, const Head* known) {
  RunReading reading;
  try {
    const auto run = runs.open_dir(name);
    reading.exists = run != nullptr;
    if (run) read_records(*run, known, reading);
  } catch (const Error& error) {
    // What is wrong with the machine may be over the next time.
    const auto file = error.exit() == Exit::kSystem ? JournalFile() : reading.file;
    reading = RunReading{.code = error.code(), .message = in_short(error.message()), .file = file};
  }
  return reading;
}

JournalFile look_at_journal(Dir& run) {
  const auto segments = list_segments(run);
  if (segments.empty()) return {};
  const auto stat = run.stat(segment_path(segments.back()));
  if (!stat) return {};
  return {segments.back(), stat->size, stat->modified_ms, stat->inode};
}

bool looks_the_same(Dir& runs, const std::string& name, const JournalFile& file) {
  if (file.segment == 0) return false;
  try {
    const auto stat = runs.stat(name + "/" + segment_path(file.segment));
    return stat && JournalFile{file.segment, stat->size, stat->modified_ms, stat->inode} == file &&
           !runs.stat(name + "/" + segment_path(file.segment + 1));
  } catch (const Error&) {
    return false;
  }
}

}  // namespace reprise
