// The home as a folder: there, writable, closed to others, on a disk that can be relied on.
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "engine/home/doctor.h"
#include "journal/error.h"

namespace reprise {

namespace {

/// File systems on which a lock is seen by one machine alone, or by nobody (linux/magic.h and the
/// sources of those that it does not list).
struct SharedFileSystem {
  uint64_t magic;
  const char* name;
};
constexpr SharedFileSystem kSharedFileSystems[] = {
    {0x6969, "nfs"},      {0x517B, "smb"},      {0xFF534D42, "cifs"},   {0xFE534D42, "smb2"},
    {0x01021997, "9p"},   {0x65735546, "fuse"}, {0x00C36400, "ceph"},   {0x5346414F, "afs"},
    {0x47504653, "gpfs"}, {0x01161970, "gfs2"}, {0x0BD00BD0, "lustre"}, {0x7461636F, "ocfs2"},
};

std::string in_mib(uint64_t bytes) { return std::to_string(bytes >> 20U) + " MiB"; }

/// The nearest folder above that exists: what a new home would lie in.
std::string existing_part(std::filesystem::path path) {
  std::error_code ignored;
  while (!std::filesystem::exists(path, ignored) && path.has_relative_path()) {
    path = path.parent_path();
  }
  return path.string();
}

}  // namespace

void check_folder(const Workspace& workspace, Findings& findings) {
  const auto& path = workspace.home_path();
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) {
    findings.push_back(
        {"home", Health::kWarning, "there is no home at " + path,
         "reprise init --home " + path + " makes one, and so does the first run:create"});
    return;
  }
  findings.push_back({"home", Health::kOk, path, {}});
  for (const auto& folder : {path, workspace.runs_path()}) {
    if (access(folder.c_str(), F_OK) != 0 || access(folder.c_str(), W_OK | X_OK) == 0) continue;
    findings.push_back({"home", Health::kProblem, folder + " cannot be written",
                        "give it to the user who runs reprise, or name another home"});
  }
  if ((status.st_mode & S_IWOTH) != 0) {
    findings.push_back(
        {"modes", Health::kProblem, "everybody may write to " + path, "chmod o-rwx " + path});
  } else if ((status.st_mode & S_IRWXO) != 0) {
    findings.push_back({"modes", Health::kWarning,
                        "everybody may look into " + path + ": its runs may hold what is secret",
                        "chmod o-rwx " + path});
  } else {
    findings.push_back({"modes", Health::kOk, "the home is closed to others", {}});
  }
}

void check_file_system(const Workspace& workspace, uint64_t min_free_bytes, Findings& findings) {
  const auto folder = existing_part(workspace.runs_path());
  struct statfs kind {};
  struct statvfs space {};
  if (statfs(folder.c_str(), &kind) != 0 || statvfs(folder.c_str(), &space) != 0) {
    throw system_error("examine", folder, errno);
  }
  const auto magic = static_cast<uint64_t>(kind.f_type) & 0xFFFFFFFFU;
  const auto shared = std::ranges::find(kSharedFileSystems, magic, &SharedFileSystem::magic);
  if (shared != std::end(kSharedFileSystems)) {
    findings.push_back({"disk", Health::kProblem,
                        folder + " is on " + shared->name + ": locks there cannot be trusted",
                        "keep the home on a disk of this machine"});
  }
  const auto free = static_cast<uint64_t>(space.f_bavail) * space.f_frsize;
  if (free < min_free_bytes) {
    findings.push_back(
        {"disk", Health::kProblem,
         "only " + in_mib(free) + " are free: no work starts below " + in_mib(min_free_bytes),
         "make room, or lower drive.minFreeBytes"});
  } else if (space.f_files > 0 && space.f_favail == 0) {
    findings.push_back({"disk", Health::kProblem, "no more files can be made", "make room"});
  } else {
    findings.push_back({"disk", Health::kOk, in_mib(free) + " are free", {}});
  }
}

}  // namespace reprise
