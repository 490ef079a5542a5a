// LD_PRELOAD: the wall clock stands at $CORPUS_CLOCK, in seconds since 1970. Every number that is
// drawn by chance is made of $CORPUS_CHANCE, however often and in whatever order it is drawn. The
// namespace of processes, which claims name beside the boot, has always the same number.
#include <dlfcn.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace {

constexpr char kPidSpace[] = "pid:[4026531836]";

/// FNV-1a.
uint64_t hash(const char* text) {
  uint64_t sum = 0xcbf29ce484222325;
  for (; *text != 0; ++text) sum = (sum ^ static_cast<unsigned char>(*text)) * 0x100000001b3;
  return sum;
}

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
  using Original = int (*)(clockid_t, timespec*);
  static const auto kOriginal = reinterpret_cast<Original>(dlsym(RTLD_NEXT, "clock_gettime"));
  const char* stands = std::getenv("CORPUS_CLOCK");
  if (clock != CLOCK_REALTIME || stands == nullptr) return kOriginal(clock, time);
  *time = {.tv_sec = std::atol(stands), .tv_nsec = 0};
  return 0;
}

extern "C" ssize_t getrandom(void* buffer, size_t size, unsigned flags) {
  using Original = ssize_t (*)(void*, size_t, unsigned);
  static const auto kOriginal = reinterpret_cast<Original>(dlsym(RTLD_NEXT, "getrandom"));
  const char* chance = std::getenv("CORPUS_CHANCE");
  if (chance == nullptr) return kOriginal(buffer, size, flags);
  const auto sum = hash(chance);
  auto* bytes = static_cast<unsigned char*>(buffer);
  for (size_t i = 0; i < size; i++) bytes[i] = static_cast<unsigned char>(sum >> (i % 8 * 8));
  return static_cast<ssize_t>(size);
}

extern "C" ssize_t readlink(const char* path, char* buffer, size_t size) noexcept {
  using Original = ssize_t (*)(const char*, char*, size_t);
  static const auto kOriginal = reinterpret_cast<Original>(dlsym(RTLD_NEXT, "readlink"));
  if (std::strcmp(path, "/proc/self/ns/pid") != 0) return kOriginal(path, buffer, size);
  const auto written = std::min(size, sizeof kPidSpace - 1);
  std::memcpy(buffer, kPidSpace, written);
  return static_cast<ssize_t>(written);
}
