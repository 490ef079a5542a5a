// A run's journal in memory, and the few verbs that the journal's tests are written in.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "journal/journal.h"
#include "journal/memory_files.h"
#include "journal/segment.h"
#include "journal/witness.h"

namespace reprise {

constexpr char kFirstSegment[] = "journal/00000001.jsonl";
constexpr char kWitnessPath[] = "state/head";

inline const RecordVisitor kIgnore = [](const RecordView&) {};

NewRecord event(std::string_view name);
std::vector<NewRecord> events(std::initializer_list<const char*> names);

/// Starts a journal in `run`, as durable as run:create makes it. Its first record is "start".
void start(Dir& run, std::string_view identity = "run-1:00ff");

/// Opens the journal as a writer, appends one commit and closes it.
void append(Dir& run, const std::vector<NewRecord>& records,
            uint64_t segment_bytes = kSegmentBytes);

/// The names of all records, separated by spaces; or the code of the Error that reading ends with.
std::string read_names(Dir& run, const Head* from = nullptr);
/// The same, as a writer sees it when it opens the journal.
std::string open_names(Dir& run, const Head* from = nullptr);

/// The heads behind each commit, from the first.
std::vector<Head> commit_heads(Dir& run);

std::string get(Dir& dir, std::string_view path);
/// The file now holds these bytes, durably.
void put(Dir& dir, std::string_view path, std::string_view bytes);

/// The lines of a segment, with their ends.
std::vector<std::string> lines_of(std::string_view bytes);
std::string joined(const std::vector<std::string>& lines);

/// Makes the witness say `head`; nullptr removes it.
void set_witness(Dir& run, const Head* head);

/// A run in memory with a journal of one record.
struct TestRun {
  explicit TestRun(std::string_view identity = "run-1:00ff") : dir(files.root()) {
    start(*dir, identity);
  }

  MemoryFiles files;
  std::unique_ptr<Dir> dir;
};

}  // namespace reprise
