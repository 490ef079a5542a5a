// What this machine says of its processes.
#include "engine/host.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

namespace reprise::test {
namespace {

/// Field 22 of /proc/self/stat, read in another way.
uint64_t told_start() {
  std::ifstream file("/proc/self/stat");
  std::string line;
  std::getline(file, line);
  std::istringstream fields(line.substr(line.rfind(')') + 2));
  std::string field;
  for (int number = 3; number <= 22; ++number) fields >> field;
  return std::stoull(field);
}

TEST_CASE("A process is known by its number and its start") {
  ThisHost host;
  const auto self = static_cast<uint64_t>(::getpid());
  const auto start = host.start_time(self);
  REQUIRE(start);
  CHECK(*start == told_start());
  CHECK(*start > 0);
  CHECK_FALSE(host.has_ended(self, *start));
  CHECK(host.has_ended(self, *start + 1));
}

TEST_CASE("A boot is told with the space of process ids") {
  ThisHost host;
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string boot;
  std::getline(file, boot);
  CHECK(host.boot().starts_with(boot + " pid:["));
  CHECK(host.boot().find('\n') == std::string::npos);
}

}  // namespace
}  // namespace reprise::test
