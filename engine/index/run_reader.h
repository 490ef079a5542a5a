// What the index wants to know of one run, read from its journal. Reads only; takes no lock.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/run_state.h"
#include "journal/files.h"
#include "journal/journal.h"

namespace reprise {

/// What the last file of a journal looks like. Files that only grow look different when they did.
struct JournalFile {
  uint32_t segment = 0;
  uint64_t size = 0;
  int64_t modified_ms = 0;
  uint64_t inode = 0;
  bool operator==(const JournalFile&) const = default;
};

/// A domain event: where its record lies.
struct EventPlace {
  uint64_t seq = 0;
  uint64_t sum = 0;
  int64_t at_ms = 0;
  std::string type;
  Place place;
  std::string payload;  ///< of an event about memories, JSON; else empty
};

/// What a recall of the run's found, as the record of its result says.
struct RecallRecord {
  uint64_t seq = 0;
  int64_t at_ms = 0;
  std::vector<std::string> ids;  ///< of memories, as told to the run
};

struct RunReading {
  bool exists = true;   ///< false: there is no such directory
  std::string code;     ///< why the run cannot be read; empty: it can
  std::string message;  ///< of that, or why the run failed
  JournalFile file;     ///< before anything was read
  Head head;            ///< up to which `events` are known
  bool whole = false;   ///< read from the first record: `events` and `recalls` are all
  RunState state;
  std::string labels;    ///< a JSON object, or empty; of a whole reading only
  std::string built_in;  ///< name of the built-in process it was created with; the same
  std::vector<EventPlace> events;
  std::vector<RecallRecord> recalls;
};

/// Reads behind `known`, or from the first record where there is none or the journal does not hold
/// it any more. Throws nothing for a run that cannot be read: it says what is wrong with it.
RunReading read_run(Dir& runs, const std::string& name, const Head* known);

/// segment 0: there is none.
JournalFile look_at_journal(Dir& run);

/// Whether the journal's last file is still this one; never of none.
bool looks_the_same(Dir& runs, const std::string& name, const JournalFile& file);

}  // namespace reprise
