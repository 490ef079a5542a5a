// A run is its journal up to one head, and the files that its records name. Those are written
// before the record that names them and never changed after it, so whatever lies in the run's other
// folders when the journal has been copied holds all of them.
//
// Parents come before their children: a parent that waits for a child that has ended takes its
// result when it is iterated again. The other way round the child of the copy would do again what
// its parent knows to be done.
#include "engine/home/backup.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "engine/create.h"
#include "engine/run.h"
#include "engine/task_files.h"
#include "journal/copy.h"
#include "journal/error.h"
#include "journal/foreign_run.h"
#include "journal/real_files.h"
#include "journal/real_lookup.h"

namespace reprise {

namespace {

namespace fs = std::filesystem;

std::string path_below(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + "/" + name;
}

bool is_unfinished(std::string_view name) {
  return name.ends_with(".tmp") || name.starts_with(".new-");
}

/// Of a home: the runs come by themselves, the rest is derived, or of one moment.
bool is_kept_in_home(const std::string& path) {
  const std::string_view name = path;
  return name != "runs" && !name.starts_with("index.db") && name != "changes.log" &&
         !name.ends_with(".lock");
}

/// Of a run: the journal comes by itself, the rest is made anew from it.
bool is_kept_in_run(const std::string& path) {
  const std::string_view name = path;
  const bool of_task = name.starts_with("tasks/") && std::ranges::count(name, '/') == 2;
  const bool derived_of_task =
      of_task && (name.ends_with("/task.json") || name.ends_with("/input.json"));
  return name != "journal" && name != "state" && name != "run.json" && name != "run.lock" &&
         !derived_of_task;
}

bool is_everything_kept(const std::string&) { return true; }

class Copier {
 public:
  explicit Copier(Backup& backup) : x_backup(backup) {}

  using Filter = bool (*)(const std::string& path);
  void copy_tree(Dir& from, Dir& to, Filter is_kept, const std::string& path = {}) {
    for (const auto& name : from.list(path)) {
      const auto there = path_below(path, name);
      if (is_unfinished(name) || !is_kept(there)) continue;
      const auto stat = from.stat(there);
      if (!stat) continue;  // it was there a moment ago
      if (stat->directory) {
        to.make_dir(there);
        copy_tree(from, to, is_kept, there);
      } else {
        copy_file(from, to, there);
      }
    }
  }

  /// As it stood at one moment.
  void copy_run(Dir& from, Dir& to) {
    x_backup.records += copy_journal(from, to).seq;
    copy_tree(from, to, is_kept_in_run);
    const auto state = read_state(to).state;
    JsonReader reader;
    replace_file(to, "run.json", run_json(to, state, reader), false);
    store_state(to, state, {});
    refresh_task_files(to, state, reader);
    // Its age tells which run was created last.
    std::error_code unimportant;
    const auto inputs = [](const Dir& dir) { return dir.path() + "/inputs.json"; };
    fs::last_write_time(inputs(to), fs::last_write_time(inputs(from), unimportant), unimportant);
  }

 private:
  void copy_file(Dir& from, Dir& to, const std::string& path) {
    try {
      const auto file = from.open(path, Access::kRead);
      if (file) x_backup.bytes += copy_bytes(*file, to, path, UINT64_MAX);
    } catch (const Error& error) {
      if (error.code() != "NOT_A_FILE") throw;
      x_backup.left_out.push_back(from.path() + "/" + path);
    }
  }

  Backup& x_backup;
};

/// Discards what was built aside unless it was published.
class Aside {
 public:
  Aside(const std::string& dest, const std::string& ulid)
      : x_parent(open_real_dir(fs::path(dest).parent_path().string(), true)),
        x_final(fs::path(dest).filename().string()),
        x_name("." + x_final + ".new-" + ulid) {
    x_parent->make_dir(x_name);
    x_dir = x_parent->open_dir(x_name);
  }
  ~Aside() {
    if (x_done) return;
    try {
      x_parent->remove_tree(x_name);
    } catch (const std::exception&) {
      // It is in nobody's way, and a destructor has nobody to tell.
    }
  }
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;

  Dir& dir() { return *x_dir; }
  /// False when something is at the destination by now.
  bool publish() {
    const Fd fd(open(x_dir->path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!fd.valid() || syncfs(fd.get()) != 0) throw system_error("sync", x_dir->path(), errno);
    if (!x_parent->rename(x_name, x_final, false)) return false;
    x_done = true;
    x_parent->sync_dir("");
    return true;
  }

 private:
  std::unique_ptr<Dir> x_parent;
  std::string x_final;
  std::string x_name;
  std::unique_ptr<Dir> x_dir;
  bool x_done = false;
};

Error dest_exists(const std::string& dest) {
  return {Exit::kConflict, "DEST_EXISTS", "something is at " + dest + " already",
          "a backup is a new folder: choose another name"};
}

void check_dest(const Workspace& workspace, const std::string& dest) {
  if (fs::exists(fs::symlink_status(dest))) throw dest_exists(dest);
  const auto full = fs::weakly_canonical(dest).string() + "/";
  for (const auto& folder : {workspace.home_path(), workspace.runs_path()}) {
    if (!full.starts_with(fs::weakly_canonical(folder).string() + "/")) continue;
    throw Error(Exit::kUsage, "INVALID_ARGUMENT", dest + " lies in the home that is copied",
                "choose a folder outside of it");
  }
}

void copy_one(Workspace& workspace, const std::string& name, Dir& runs, Backup& backup,
              bool verify) {
  const auto folder = workspace.runs().open_dir(name);
  const bool foreign = folder && is_foreign_run(*folder);
  runs.make_dir(name);
  auto to = runs.open_dir(name);
  Copier copier(backup);
  if (foreign) {
    backup.foreign.push_back(name);
    return copier.copy_tree(*folder, *to, is_everything_kept);
  }
  const auto run = workspace.find(name);
  try {
    copier.copy_run(*run.dir, *to);
  } catch (const Error& error) {
    if (error.exit() != Exit::kCorrupt) throw;
    backup.damaged.push_back({name, error.message()});
    runs.remove_tree(name);
    runs.make_dir(name);
    copier.copy_tree(*run.dir, *runs.open_dir(name), is_everything_kept);
    return;
  }
  ++backup.runs;
  if (!verify) return;
  for (auto& problem : verify_run(*to, name).problems) {
    problem.where.insert(0, name + "/");
    backup.problems.push_back(std::move(problem));
  }
}

/// Folders among the runs that hold one; a parent sorts before its children.
std::vector<std::string> run_names(Workspace& workspace) {
  auto names = workspace.names();
  std::erase_if(names, [&](const std::string& name) {
    const auto stat = workspace.runs().stat(name);
    return !stat || !stat->directory || !workspace.runs().stat(name + "/journal");
  });
  return names;
}

}  // namespace

Backup backup_home(Workspace& workspace, const BackupRequest& request, Clock& clock,
                   Random& random) {
  check_dest(workspace, request.dest);
  const auto home = open_real_dir(workspace.home_path(), false);
  if (!home) {
    throw Error(Exit::kNotFound, "HOME_NOT_FOUND", "there is no home at " + workspace.home_path());
  }
  Backup backup;
  Aside aside(request.dest, make_ulid(clock.now_ms(), random));
  aside.dir().make_dir("runs");
  const auto runs = aside.dir().open_dir("runs");
  const auto names = request.runs.empty() ? run_names(workspace) : request.runs;
  for (const auto& name : names) copy_one(workspace, name, *runs, backup, request.verify);
  if (request.runs.empty()) Copier(backup).copy_tree(*home, aside.dir(), is_kept_in_home);
  if (!aside.publish()) throw dest_exists(request.dest);
  return backup;
}

}  // namespace reprise
