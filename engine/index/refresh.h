// Brings the tables up to date with the runs, before every query.
#pragma once

#include <cstdint>
#include <string>

#include "engine/index/change_log.h"
#include "engine/index/database.h"
#include "journal/clock.h"
#include "journal/files.h"
#include "journal/ids.h"

namespace reprise {

/// What it was compared with.
struct RunsFolder {
  Dir& runs;
  std::string path;
};

struct Refreshed {
  uint64_t runs_read = 0;  ///< whose journals were read
  bool compared = false;   ///< every run was looked at
  bool built = false;      ///< the tables were empty before
};

/// `is_home`: the index is that of the home, which begins its log and keeps it short.
Refreshed refresh_index(Database& database, const RunsFolder& folder, const IndexFiles& changes,
                        Random& random, bool is_home);

/// Whoever read a run found it damaged: the next refresh reads it from its first record, whatever
/// its files look like.
void distrust_run(Database& database, const std::string& run);

/// Names this build of the index: cursors into the order of events hold within it.
std::string index_epoch(Database& database);
/// Runs whose marks wait for their writer, or that cannot be read.
uint64_t count_touched(Database& database);

}  // namespace reprise
