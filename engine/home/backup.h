// A consistent copy of a home, made while commands go on.
#pragma once

#include <string>
#include <vector>

#include "engine/mend.h"
#include "engine/workspace.h"
#include "journal/ids.h"

namespace reprise {

struct BackupRequest {
  std::string dest;               ///< absolute; must not exist
  std::vector<std::string> runs;  ///< names; empty: all, and everything else that is in the home
  bool verify = false;            ///< also check every blob, log and module of the copy
};

struct Backup {
  uint64_t runs = 0;
  uint64_t records = 0;
  uint64_t bytes = 0;  ///< copied
  /// Runs that cannot be read: copied byte by byte as they are.
  struct Damaged {
    std::string run;
    std::string reason;
  };
  std::vector<Damaged> damaged;
  std::vector<std::string> foreign;  ///< runs of another program: copied as they are
  /// Of the copy, with `verify`: as verify_run finds them, `where` begins with the run.
  std::vector<Problem> problems;
  std::vector<std::string> left_out;  ///< links, pipes, devices
};

/// Copies runs, config.json, logs and whatever else lies in the home into a new folder, which is a
/// home itself. Each run is copied as it stood at one moment, a parent before its children; what
/// is derived is not copied but made anew, or left out (the index, locks). The folder is built
/// aside, synced and renamed: it exists whole or not at all. Takes no lock and changes nothing in
/// the home. Errors: DEST_EXISTS (exit 4), INVALID_ARGUMENT (exit 2: it would lie in the home).
Backup backup_home(Workspace& workspace, const BackupRequest& request, Clock& clock,
                   Random& random);

}  // namespace reprise
