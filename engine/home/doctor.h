// What is right and wrong with a home and what it needs around it, found out without running
// anything and without changing anything.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/home/config.h"
#include "engine/home/trust.h"
#include "engine/module.h"
#include "engine/workspace.h"
#include "journal/clock.h"

namespace reprise {

enum class Health { kOk, kWarning, kProblem };

struct Finding {
  std::string check;  ///< "home", "trust", "executors", ...: stable, for programs
  Health health = Health::kOk;
  std::string what;
  std::string remedy;  ///< how to mend it; empty when there is nothing to mend
};

/// What the doctor looks at.
struct Checkup {
  Workspace& workspace;
  ConfigSources sources;
  const TrustStore& trust;
  Clock& clock;
  std::string search_path;  ///< $PATH
  std::span<const ModuleQuery> modules;
  /// Runs that are known to be damaged, and what is wrong with them.
  std::map<std::string, std::string> damaged = {};
  /// How many runs of another program lie among them.
  uint64_t foreign = 0;
  /// Open runs with older rules than new ones get; some of them when there are many.
  std::vector<std::string> behind = {};
  bool more_behind = false;
};

/// All findings, in a fixed order. Throws only for what is no answer (a disk that cannot be read).
std::vector<Finding> examine_home(Checkup& checkup);

/// The checks that examine_home consists of, each adding what it found.
using Findings = std::vector<Finding>;
void check_folder(const Workspace& workspace, Findings& findings);
void check_file_system(const Workspace& workspace, uint64_t min_free_bytes, Findings& findings);
void check_runs(const Checkup& checkup, Findings& findings);
void check_heartbeat(const Workspace& workspace, Clock& clock, Findings& findings);
void check_executors(const Config& config, const Checkup& checkup, Findings& findings);
void check_hooks(const Config& config, const Checkup& checkup, Findings& findings);
void check_rules(const Checkup& checkup, Findings& findings);

/// Folders of run:create and run:delete commands that were killed, older than an hour.
std::vector<std::string> find_leftovers(Workspace& workspace, Clock& clock);
/// Removes them; returns their names.
std::vector<std::string> remove_leftovers(Workspace& workspace, Clock& clock);

/// Where a program is found, as a shell would; empty: nowhere.
std::string installed_program(const std::string& name, const std::string& search_path);

}  // namespace reprise
