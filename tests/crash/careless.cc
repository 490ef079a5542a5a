// LD_PRELOAD: a program that appends to a journal by writing the whole file anew, takes what a full
// disk refused for written, renames a file by copying it over the other one, and syncs nothing, for
// the benches that must notice.
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>

namespace {

ssize_t really_write(int file, const void* bytes, size_t size, off_t at) {
  return ::syscall(SYS_pwrite64, file, bytes, size, at);
}

bool is_journal(int file) {
  char path[4096];
  const std::string link = "/proc/self/fd/" + std::to_string(file);
  const ssize_t size = ::readlink(link.c_str(), path, sizeof path);
  return size > 0 && std::string_view(path, static_cast<size_t>(size)).ends_with(".jsonl");
}

}  // namespace

extern "C" {

ssize_t pwrite64(int file, const void* bytes, size_t size, off_t at) {
  if (at > 0 && is_journal(file)) {
    std::string before(static_cast<size_t>(at), '\0');
    if (::pread(file, before.data(), before.size(), 0) != at) return -1;
    if (::ftruncate(file, 0) != 0) return -1;
    if (really_write(file, before.data(), before.size(), 0) != at) return -1;
  }
  const ssize_t written = really_write(file, bytes, size, at);
  return written < 0 && errno == ENOSPC ? static_cast<ssize_t>(size) : written;
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) {
  return pwrite64(file, bytes, size, at);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  char bytes[65536];
  const int source = ::openat(from_folder, from, O_RDONLY | O_CLOEXEC);
  const ssize_t size = ::read(source, bytes, sizeof bytes);
  ::close(source);
  if (size < 0) {  // a folder
    return static_cast<int>(::syscall(SYS_renameat2, from_folder, from, to_folder, to, flags));
  }
  const int target = ::openat(to_folder, to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const bool whole = ::write(target, bytes, static_cast<size_t>(size)) == size;
  ::close(target);
  return whole ? ::unlinkat(from_folder, from, 0) : -1;
}

int fdatasync(int) { return 0; }
int fsync(int) { return 0; }
}
