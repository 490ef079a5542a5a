// The floor: what one durable command cannot avoid. Static, without any library of the project:
// start, open, lock, read 4 KiB, append 200 bytes, fdatasync, exit.
//
// Usage: bench_floor FILE     FILE exists.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

int main(int argc, char** argv) {
  constexpr off_t kRead = 4096;
  constexpr size_t kAppend = 200;
  char bytes[kRead];
  if (argc != 2) _exit(2);
  const int fd = open(argv[1], O_RDWR | O_CLOEXEC);
  struct stat status;
  if (fd < 0 || flock(fd, LOCK_EX) != 0 || fstat(fd, &status) != 0) _exit(1);
  if (pread(fd, bytes, kRead, std::max<off_t>(0, status.st_size - kRead)) < 0) _exit(1);
  std::memset(bytes, 'x', kAppend);
  bytes[kAppend - 1] = '\n';
  if (pwrite(fd, bytes, kAppend, status.st_size) != kAppend || fdatasync(fd) != 0) _exit(1);
  _exit(0);
}
