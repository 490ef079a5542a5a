#include "engine/home/init.h"

#include <sys/stat.h>

#include <cerrno>

#include "engine/home/home_file.h"
#include "engine/workspace.h"
#include "journal/error.h"
#include "journal/foreign_run.h"
#include "journal/real_files.h"

namespace reprise {

namespace {

constexpr const char* kConfig = "config.json";
constexpr mode_t kSharedDirMode = 02770;
constexpr mode_t kSharedFileMode = 0660;

constexpr std::string_view kEmptyConfig =
    R"(// The configuration of this home: docs/configuration.md has every key and its default.
// reprise config:show --origin prints what holds, and where it was said.
{
  // Who performs effects, by name, and which effect each one takes:
  // "executors": {"reviewer": {"type": "command", "command": ["./review"]}},
  // "match": [{"kind": "agent", "executor": "reviewer"}],

  // What the work may do:
  // "policy": {"deniedPrograms": ["sudo"], "timeouts": {"shell": "10m"}},

  // How run:drive works:
  // "drive": {"jobs": 8}
}
)";

void set_mode(const std::string& path, mode_t mode) {
  if (chmod(path.c_str(), mode) != 0) throw system_error("share", path, errno);
}

InitializedHome fill_home(const std::string& path, bool shared) {
  InitializedHome home{.path = path};
  if (const auto there = open_real_dir(path, false)) refuse_foreign_run(*there);
  open_real_dir(path, true);
  if (shared) set_mode(path, kSharedDirMode);
  const auto dir = existing_real_dir(path);
  for (const auto* folder : {"runs", "logs"}) {
    if (dir->make_dir(folder)) home.made.emplace_back(folder);
    if (shared) set_mode(path + "/" + folder, kSharedDirMode);
  }
  auto config = read_file(*dir, kConfig);
  std::unique_ptr<FileLock> lock;
  if (!config) {
    lock = lock_home_file(*dir, kConfig);
    config = read_file(*dir, kConfig);
  }
  if (!config) {
    replace_file(*dir, kConfig, kEmptyConfig, true);
    home.made.emplace_back(kConfig);
    config = kEmptyConfig;
  }
  if (shared) set_mode(path + "/" + kConfig, kSharedFileMode);
  dir->sync_dir("");
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) throw system_error("stat", path, errno);
  home.shared = (status.st_mode & kSharedDirMode) == kSharedDirMode;
  home.empty = config == kEmptyConfig && dir->list("runs").empty();
  return home;
}

}  // namespace

InitializedHome init_home(const std::string& path, bool shared) {
  try {
    return fill_home(path, shared);
  } catch (const Error& error) {
    if (error.exit() != Exit::kSystem) throw;
    throw home_not_writable(error.message());
  }
}

}  // namespace reprise
