// Making a home.
#pragma once

#include <string>
#include <vector>

namespace reprise {

struct InitializedHome {
  std::string path;               ///< absolute
  std::vector<std::string> made;  ///< what was missing: "runs", "config.json"; empty: nothing
  bool shared = false;            ///< with its group: 2770 and 0660
  /// Nothing that could run anything is in it: no runs, and no configuration but the empty one that
  /// is written here. It is safe to trust.
  bool empty = false;
};

/// Makes the home at an absolute path, its folders for runs and logs and an empty config.json,
/// whatever of it is missing: repeating it is fine. With `shared` its own folders and its
/// config.json are opened to its group, those that are there, too; runs that are there stay as they
/// are. Durable when it returns. Error HOME_NOT_WRITABLE, exit 8.
InitializedHome init_home(const std::string& path, bool shared);

}  // namespace reprise
