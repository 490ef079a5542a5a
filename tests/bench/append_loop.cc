// What a drive cannot avoid: append and fdatasync, one time for each step. Static, without any
// library of the project. Prints the nanoseconds that all took.
//
// Usage: bench_append FILE STEPS BYTES     FILE is made anew.
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

long long now_ns() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const int fd = open(argv[1], O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const long steps = std::atol(argv[2]);
  const std::string bytes(static_cast<size_t>(std::atol(argv[3])), 'x');
  if (fd < 0) return 1;
  off_t offset = 0;
  const long long begin = now_ns();
  for (long i = 0; i < steps; ++i) {
    const ssize_t written = pwrite(fd, bytes.data(), bytes.size(), offset);
    if (written < 0 || fdatasync(fd) != 0) return 1;
    offset += written;
  }
  std::printf("%lld\n", now_ns() - begin);
  return 0;
}
