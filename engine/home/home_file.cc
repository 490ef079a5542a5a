#include "engine/home/home_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>

#include "engine/home/config_text.h"
#include "journal/error.h"
#include "journal/real_lookup.h"

namespace reprise {

namespace {

constexpr int64_t kLockTimeoutMs = 10'000;

}  // namespace

std::optional<std::string> read_home_file(const std::string& path) {
  // Non-blocking: a pipe in its place must not hang the command.
  const Fd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (!file.valid() && (errno == ENOENT || errno == ENOTDIR)) return std::nullopt;
  if (!file.valid()) throw system_error("open", path, errno);
  struct stat status {};
  if (fstat(file.get(), &status) != 0) throw system_error("stat", path, errno);
  if (!S_ISREG(status.st_mode)) refuse_config(path, "it is no regular file");
  if (static_cast<size_t>(status.st_size) > kLargestHomeFile) {
    refuse_config(path, "it is larger than 1 MiB");
  }
  std::string text(static_cast<size_t>(status.st_size), '\0');
  size_t done = 0;
  while (done < text.size()) {
    const auto got =
        pread(file.get(), text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (got == 0) break;
    if (got > 0) {
      done += static_cast<size_t>(got);
    } else if (errno != EINTR) {
      throw system_error("read", path, errno);
    }
  }
  text.resize(done);
  return text;
}

std::unique_ptr<FileLock> lock_home_file(Dir& folder, const std::string& name) {
  const auto file = std::filesystem::path(name).replace_extension(".lock").string();
  auto lock = folder.lock(file, LockMode::kExclusive, kLockTimeoutMs, "edits " + name);
  if (lock) return lock;
  throw Error(Exit::kLocked, "LOCKED", folder.path() + "/" + file + " is held by another process",
              "wait for it to end");
}

}  // namespace reprise
