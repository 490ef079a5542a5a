#include "tests/fuzz/journal_check.h"

#include <functional>
#include <optional>

#include "journal/error.h"
#include "journal/journal.h"
#include "journal/memory_files.h"
#include "journal/segment.h"

namespace reprise::fuzz {

namespace {

struct Copy {
  explicit Copy(const FileTree& tree) : dir(files.root()) { put_files(*dir, tree); }

  MemoryFiles files;
  std::unique_ptr<Dir> dir;
};

/// Nothing where the action is refused.
template <typename Action>
auto unless_refused(Action action) -> std::optional<decltype(action())> {
  try {
    return action();
  } catch (const Error& error) {
    expect(error.exit() == Exit::kCorrupt, "a journal is refused with exit 5");
    return std::nullopt;
  }
}

/// The records as text, one a line, whole commits.
class Records {
 public:
  RecordVisitor visitor() {
    return [this](const RecordView& record) {
      expect(record.seq == ++x_count, "records are numbered without a gap");
      x_open = record.more;
      x_text += std::to_string(record.seq) + ' ' + std::string(record_type_name(record.type)) +
                ' ' + std::string(record.data) + '\n';
    };
  }
  uint64_t count() const { return x_count; }
  const std::string& text() const {
    expect(!x_open, "commits are visited as a whole");
    return x_text;
  }

 private:
  uint64_t x_count = 0;
  bool x_open = false;
  std::string x_text;
};

std::optional<std::string> read(Dir& run) {
  Records records;
  const auto scan = unless_refused(
      [&] { return *read_journal(run, nullptr, Keep::kNothing, records.visitor()); });
  if (!scan) return std::nullopt;
  expect(scan->head.seq == records.count(), "the head is behind the last record");
  return records.text();
}

std::optional<std::string> open(Dir& run) {
  Records records;
  const auto journal = unless_refused(
      [&] { return *Journal::open(run, nullptr, Keep::kNothing, records.visitor()); });
  if (!journal) return std::nullopt;
  return records.text();
}

std::optional<Verdict> verify(const FileTree& files) {
  const Copy run(files);
  auto verdict = unless_refused([&] { return verify_journal(*run.dir); });
  expect(files_of(*run.dir) == files, "the check changes nothing");
  return verdict;
}

void check_readers(const FileTree& files, const std::optional<Verdict>& verdict) {
  const Copy run(files);
  const auto seen = read(*run.dir);
  expect(files_of(*run.dir) == files, "a reader changes nothing");
  expect(seen.has_value() == (verdict && !verdict->damage), "a reader refuses what is damaged");
  const auto opened = open(*run.dir);
  expect(opened.has_value() == seen.has_value(), "the writer refuses what a reader refuses");
  if (!opened) return expect(files_of(*run.dir) == files, "a writer that refuses changes nothing");
  expect_equal(*opened, *seen, "the writer sees what a reader sees");
  expect_equal(read(*run.dir).value_or("refused"), *seen, "a reader sees it after the writer");
  expect(!verify_journal(*run.dir).tail.torn_bytes, "the writer leaves no torn tail");
}

std::string at(const FileTree& files, const std::string& path) {
  const auto found = files.find(path);
  return found == files.end() ? std::string() : found->second;
}

/// Every segment is there still, its end perhaps in one of the files that repair made.
void expect_bytes_kept(const FileTree& before, const FileTree& after) {
  for (const auto& [path, bytes] : before) {
    if (!path.starts_with("journal/") || !path.ends_with(".jsonl")) continue;
    const auto left = at(after, path);
    const auto name = "/" + path.substr(8, 8) + "-" + std::to_string(left.size()) + "-";
    bool kept = left == bytes;
    for (const auto& [other, tail] : after) {
      kept = kept || (other.find(name) != std::string::npos && left + tail == bytes);
    }
    expect(kept, "repair keeps the bytes of " + path);
  }
}

void check_goes_on(Dir& run, const std::string& seen) {
  NewRecord record;
  record.type = RecordType::kSignalReceived;
  auto journal = *Journal::open(run, nullptr, Keep::kNothing, [](const RecordView&) {});
  if (journal.head().at_ms >= 253'402'300'799'000) return;  // time itself ends there
  journal.append({&record, 1}, journal.head().at_ms);
  expect(read(run).value_or("refused").starts_with(seen), "a repaired journal goes on");
}

void check_repair(const FileTree& files, const Verdict& verdict, Subject subject) {
  const Copy run(files);
  const auto plan = unless_refused([&] { return repair_journal(*run.dir, false, true); });
  expect(files_of(*run.dir) == files, "a plan changes nothing");
  const auto repair = unless_refused([&] { return repair_journal(*run.dir, true, false); });
  expect(repair.has_value() == plan.has_value(), "repair refuses what its plan refuses");
  if (!repair) return expect(files_of(*run.dir) == files, "a repair that refuses changes nothing");
  expect(repair->needed == plan->needed && repair->dropped_bytes == plan->dropped_bytes &&
             repair->dropped_records == plan->dropped_records,
         "repair does what its plan says");
  if (subject == Subject::kBroken && !repair->kept_in.empty()) run.dir->remove(repair->kept_in);
  const auto after = files_of(*run.dir);
  expect_bytes_kept(files, after);
  const auto seen = read(*run.dir);
  expect(seen.has_value(), "a repaired journal can be read");
  expect(verify_journal(*run.dir).records == verdict.records, "repair keeps what is whole");
  expect(!repair_journal(*run.dir, true, false).needed, "one repair is enough");
  expect(files_of(*run.dir) == after, "a repair that is not needed changes nothing");
  check_goes_on(*run.dir, *seen);
}

void check_refusal(const FileTree& files) {
  const Copy run(files);
  try {
    repair_journal(*run.dir, false, false);
    expect(false, "a loss has to be accepted");
  } catch (const Error& error) {
    expect(error.code() == "LOSS_NOT_ACCEPTED" || error.exit() == Exit::kCorrupt,
           "a loss has to be accepted");
  }
  expect(files_of(*run.dir) == files, "a loss that is not accepted changes nothing");
}

}  // namespace

FileTree files_of(Dir& dir, const std::string& path) {
  FileTree files;
  for (const auto& name : dir.list(path)) {
    const auto below = path.empty() ? name : path + "/" + name;
    if (dir.stat(below)->directory) {
      files.merge(files_of(dir, below));
    } else {
      files[below] = read_file(dir, below).value_or("");
    }
  }
  return files;
}

void put_files(Dir& dir, const FileTree& files) {
  for (const auto& [path, bytes] : files) {
    if (const auto slash = path.rfind('/'); slash != std::string::npos) {
      dir.make_dir(path.substr(0, slash));
    }
    write_new_file(dir, path, bytes, true);
  }
}

void check_journal(const FileTree& files, Subject subject) {
  const auto verdict = verify(files);
  check_readers(files, verdict);
  if (!verdict) return;
  if (verdict->damage) check_refusal(files);
  check_repair(files, *verdict, subject);
}

}  // namespace reprise::fuzz
