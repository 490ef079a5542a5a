#include "engine/host.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <climits>
#include <string_view>
#include <thread>

#include "journal/real_lookup.h"

namespace reprise {

namespace {

/// Of /proc/PID/stat: field 3 and field 22.
struct ProcessStat {
  char state = 0;
  uint64_t start_time = 0;
};

/// A short file of the kernel's; empty: it cannot be read. Not with a stream, which would call a
/// lack of memory a file that cannot be read, and somebody who is gone alive.
std::string read_kernel(const std::string& path) {
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 4096> bytes{};
  const auto size = file.valid() ? ::read(file.get(), bytes.data(), bytes.size()) : -1;
  return size > 0 ? std::string(bytes.data(), static_cast<size_t>(size)) : std::string();
}

std::optional<ProcessStat> read_stat(uint64_t pid) {
  const auto text = read_kernel("/proc/" + std::to_string(pid) + "/stat");
  // The second field is the program's name in brackets, and may hold anything, brackets too.
  const auto name_end = text.rfind(')');
  if (name_end == std::string::npos || text.size() < name_end + 3) return std::nullopt;
  auto fields = std::string_view(text).substr(name_end + 1);  // " S 1 ..."
  ProcessStat stat;
  stat.state = fields[1];
  for (int field = 3; field < 22; ++field) {
    fields.remove_prefix(std::min(fields.find(' ', 1), fields.size()));
  }
  if (fields.empty()) return std::nullopt;
  const char* end = fields.data() + fields.size();
  const auto [stop, error] = std::from_chars(fields.data() + 1, end, stat.start_time);
  return error == std::errc() ? std::optional(stat) : std::nullopt;
}

bool is_over(char state) { return state == 'Z' || state == 'X' || state == 'x'; }

}  // namespace

std::string ThisHost::name() {
  std::array<char, HOST_NAME_MAX + 1> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : std::string();
}

std::string ThisHost::boot() {
  auto boot = read_kernel("/proc/sys/kernel/random/boot_id");
  std::array<char, 64> space{};  // "pid:[4026531836]"
  const auto size = ::readlink("/proc/self/ns/pid", space.data(), space.size());
  if (boot.empty() || size <= 0) return {};
  boot.resize(std::min(boot.find('\n'), boot.size()));
  return boot + " " + std::string(space.data(), static_cast<size_t>(size));
}

std::optional<uint64_t> ThisHost::start_time(uint64_t pid) {
  const auto stat = read_stat(pid);
  if (!stat || is_over(stat->state)) return std::nullopt;
  return stat->start_time;
}

bool ThisHost::has_ended(uint64_t pid, uint64_t start_time) {
  if (::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH) return true;
  const auto stat = read_stat(pid);  // hidden from other users on some machines
  return stat && (is_over(stat->state) || stat->start_time != start_time);
}

void ThisHost::pause(int64_t ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

}  // namespace reprise
