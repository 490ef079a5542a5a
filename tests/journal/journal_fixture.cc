#include "tests/journal/journal_fixture.h"

#include "journal/error.h"

namespace reprise {

namespace {

constexpr std::string_view kBegin = "{\"name\":\"";

RecordVisitor collect(std::string& names) {
  return [&names](const RecordView& record) {
    std::string_view name = record.data.substr(kBegin.size());
    name.remove_suffix(2);
    if (!names.empty()) names += ' ';
    names += name;
  };
}

}  // namespace

NewRecord event(std::string_view name) {
  NewRecord record;
  record.type = RecordType::kEventEmitted;
  record.data = std::string(kBegin) + std::string(name) + "\"}";
  return record;
}

std::vector<NewRecord> events(std::initializer_list<const char*> names) {
  std::vector<NewRecord> records;
  for (const char* name : names) records.push_back(event(name));
  return records;
}

void start(Dir& run, std::string_view identity) {
  const NewRecord first = event("start");
  start_journal(run, identity, {&first, 1}, 1000);
  run.sync_dir("journal");
  run.sync_dir("state");
  run.sync_dir("");
}

void append(Dir& run, const std::vector<NewRecord>& records, uint64_t segment_bytes) {
  const RecordVisitor ignore = [](const RecordView&) {};
  auto journal = Journal::open(run, nullptr, Keep::kNothing, ignore, segment_bytes);
  journal->append(records, journal->head().at_ms + 1);
}

std::string read_names(Dir& run, const Head* from) {
  std::string names;
  try {
    if (!read_journal(run, from, Keep::kNothing, collect(names))) return "stale";
  } catch (const Error& error) {
    return error.code();
  }
  return names;
}

std::string open_names(Dir& run, const Head* from) {
  std::string names;
  try {
    if (!Journal::open(run, from, Keep::kNothing, collect(names))) return "stale";
  } catch (const Error& error) {
    return error.code();
  }
  return names;
}

std::vector<Head> commit_heads(Dir& run) {
  std::vector<Head> heads;
  read_journal(run, nullptr, Keep::kNothing, [&](const RecordView& record) {
    if (record.more) return;
    heads.push_back({record.seq, record.place.segment,
                     record.place.offset + record.place.length + 1, record.sum, record.at_ms});
  });
  return heads;
}

std::string get(Dir& dir, std::string_view path) { return read_file(dir, path).value_or(""); }

void put(Dir& dir, std::string_view path, std::string_view bytes) {
  const auto file = dir.open(path, Access::kCreate);
  file->truncate(0);
  file->write_at(0, bytes);
  file->sync();
}

std::vector<std::string> lines_of(std::string_view bytes) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < bytes.size();) {
    const size_t end = bytes.find('\n', begin) + 1;
    lines.emplace_back(bytes.substr(begin, end - begin));
    begin = end;
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string bytes;
  for (const std::string& line : lines) bytes += line;
  return bytes;
}

void set_witness(Dir& run, const Head* head) {
  run.remove(kWitnessPath);
  if (head != nullptr) WitnessFile(run).move_to(*head);
}

}  // namespace reprise
