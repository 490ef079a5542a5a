#include "journal/run_dir.h"

#include <cerrno>

#include "journal/error.h"
#include "journal/foreign_run.h"

namespace reprise {

namespace {

std::string below(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + '/' + name;
}

/// Children first: a directory's names are durable only after what they name is.
void sync_tree(Dir& dir, const std::string& path) {
  for (const std::string& name : dir.list(path)) {
    const std::optional<FileStat> stat = dir.stat(below(path, name));
    if (stat && stat->directory) sync_tree(dir, below(path, name));
  }
  dir.sync_dir(path);
}

std::string trimmed(const std::string& text) {
  const size_t end = text.find_last_not_of(" \n");
  return end == std::string::npos ? std::string() : text.substr(0, end + 1);
}

}  // namespace

NewRun::NewRun(Dir& runs, std::string_view ulid)
    : x_runs(runs), x_name(".new-" + std::string(ulid)) {
  if (!runs.make_dir(x_name)) throw system_error("create", x_name, EEXIST);
  x_dir = runs.open_dir(x_name);
  if (!x_dir) throw system_error("open", x_name, ENOENT);
}

NewRun::~NewRun() {
  if (x_done) return;
  try {
    x_runs.remove_tree(x_name);
  } catch (const std::exception&) {
    // A folder aside is in nobody's way, and a destructor has nobody to tell.
  }
}

bool NewRun::commit(std::string_view run_id) {
  sync_tree(*x_dir, "");
  if (!x_runs.rename(x_name, run_id, false)) return false;
  x_done = true;
  x_runs.sync_dir("");
  return true;
}

std::unique_ptr<FileLock> lock_run(Dir& run, int64_t timeout_ms, std::string_view holder) {
  refuse_foreign_run(run);  // babysitter reads its own run.lock, and stops at the text of ours
  std::unique_ptr<FileLock> lock = run.lock("run.lock", LockMode::kExclusive, timeout_ms, holder);
  if (lock) return lock;
  const std::string by = trimmed(read_file(run, "run.lock").value_or(""));
  throw Error(Exit::kLocked, "LOCKED",
              "the run is locked by " + (by.empty() ? "another process" : by) + "; waited " +
                  std::to_string(timeout_ms) + " ms",
              "wait for it to end, or give --lock-timeout more time");
}

}  // namespace reprise
