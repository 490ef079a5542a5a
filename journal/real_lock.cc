// The lock is flock's: it belongs to the open file, so the kernel releases it when its process
// dies, and a descriptor that is O_CLOEXEC is not inherited by what the process starts. flock
// cannot wait for a time, so waiting is asking again after a pause that doubles. The wait is
// measured with the monotonic clock, which no setting of the time moves.
#include "journal/real_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>

namespace reprise {

namespace {

using std::chrono::microseconds;
using std::chrono::steady_clock;

constexpr microseconds kFirstPause{200};
constexpr microseconds kLongestPause{10'000};
/// Of one size, so that writing the holder never changes the file's size.
constexpr size_t kHolderSize = 120;

class RealLock final : public FileLock {
 public:
  explicit RealLock(Fd fd) : x_fd(std::move(fd)) {}

 private:
  Fd x_fd;  // closing it releases the lock
};

/// A shared lock needs no writing, so that a reader of a home that it may not write can take one.
Fd open_lock_file(const LockFolder& dir, std::string_view path, const std::string& shown,
                  LockMode mode) {
  Fd fd;
  if (mode == LockMode::kShared) fd = open_below(dir.fd, path, O_RDONLY, 0, dir.lookup);
  if (!fd.valid()) fd = open_below(dir.fd, path, O_RDWR | O_CREAT, 0600, dir.lookup);
  if (!fd.valid()) throw lookup_error("lock", shown, errno);
  struct stat status;
  if (fstat(fd.get(), &status) != 0) throw system_error("stat", shown, errno);
  if (!S_ISREG(status.st_mode)) throw not_a_file(shown, "not a regular file");
  if (dir.shared) share_file(fd.get(), status, shown);
  return fd;
}

/// Whether the file was locked before the deadline.
bool wait_for(int fd, LockMode mode, steady_clock::time_point deadline, const std::string& shown) {
  const int operation = (mode == LockMode::kShared ? LOCK_SH : LOCK_EX) | LOCK_NB;
  for (microseconds pause = kFirstPause;; pause = std::min(pause * 2, kLongestPause)) {
    if (flock(fd, operation) == 0) return true;
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) throw system_error("lock", shown, errno);
    const auto now = steady_clock::now();
    if (now >= deadline) return false;
    std::this_thread::sleep_for(std::min<steady_clock::duration>(pause, deadline - now));
  }
}

/// Whether the locked file is still the one at the path.
bool still_there(int fd, const LockFolder& dir, std::string_view path, const std::string& shown) {
  struct stat locked, there;
  if (fstat(fd, &locked) != 0) throw system_error("stat", shown, errno);
  const Parent parent = open_parent(dir.fd, path, dir.lookup);
  if (parent.fd < 0 || fstatat(parent.fd, parent.name.c_str(), &there, AT_SYMLINK_NOFOLLOW) != 0) {
    return false;
  }
  return locked.st_dev == there.st_dev && locked.st_ino == there.st_ino;
}

void write_holder(int fd, std::string_view holder, const std::string& shown) {
  std::string text = "process " + std::to_string(getpid());
  if (!holder.empty()) text += " (" + std::string(holder) + ")";
  text.resize(kHolderSize, ' ');
  text.back() = '\n';
  if (pwrite(fd, text.data(), text.size(), 0) < 0) throw system_error("write", shown, errno);
}

}  // namespace

bool wait_for_lock(int fd, LockMode mode, int64_t timeout_ms, const std::string& shown) {
  const auto deadline = steady_clock::now() + std::chrono::milliseconds(timeout_ms);
  return wait_for(fd, mode, deadline, shown);
}

std::unique_ptr<FileLock> lock_file(const LockFolder& dir, std::string_view path,
                                    const std::string& shown, LockMode mode, int64_t timeout_ms,
                                    std::string_view holder) {
  const auto deadline = steady_clock::now() + std::chrono::milliseconds(timeout_ms);
  for (;;) {
    Fd fd = open_lock_file(dir, path, shown, mode);
    if (!wait_for(fd.get(), mode, deadline, shown)) return nullptr;
    if (still_there(fd.get(), dir, path, shown)) {
      if (mode == LockMode::kExclusive) write_holder(fd.get(), holder, shown);
      return std::make_unique<RealLock>(std::move(fd));
    }
    if (steady_clock::now() >= deadline) return nullptr;
  }
}

}  // namespace reprise
