#include "engine/host.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <fstream>
#include <sstream>
#include <thread>

namespace reprise {

namespace {

/// Of /proc/PID/stat: field 3 and field 22.
struct ProcessStat {
  char state = 0;
  uint64_t start_time = 0;
};

std::optional<ProcessStat> read_stat(uint64_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  // The second field is the program's name in brackets, and may hold anything, brackets too.
  std::istringstream fields(line.substr(std::min(line.rfind(')'), line.size() - 1) + 1));
  ProcessStat stat;
  fields >> stat.state;
  std::string skipped;
  for (int field = 4; field < 22; ++field) fields >> skipped;
  if (!(fields >> stat.start_time)) return std::nullopt;
  return stat;
}

bool is_over(char state) { return state == 'Z' || state == 'X' || state == 'x'; }

}  // namespace

std::string ThisHost::name() {
  std::array<char, HOST_NAME_MAX + 1> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : std::string();
}

std::string ThisHost::boot() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string boot;
  std::array<char, 64> space{};  // "pid:[4026531836]"
  const auto size = ::readlink("/proc/self/ns/pid", space.data(), space.size());
  if (!std::getline(file, boot) || size <= 0) return {};
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
