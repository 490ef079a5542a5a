// What is due now in a home of many runs, asked as a heartbeat would: the index is brought up to
// date, then the one query. Prints {"due":N,"medianMs":M}.
//
// Usage: bench_due HOME ROUNDS
#include "engine/index/due.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/index/run_index.h"
#include "journal/clock.h"
#include "journal/ids.h"
#include "journal/real_files.h"

namespace reprise {
namespace {

void ask(const std::string& home, size_t rounds) {
  const auto runs = open_real_dir(home + "/runs", false);
  if (!runs) throw std::runtime_error("there are no runs in " + home);
  SystemRandom random;
  size_t due = 0;
  std::vector<double> took;
  for (size_t round = 0; round < rounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    RunIndex index({home + "/runs", {}, {}}, *runs, random);
    due = index.ask([](Database& database) {
      return list_due(database, {.now_ms = WallClock().now_ms()}, 1000).size();
    });
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    took.push_back(time.count());
  }
  std::ranges::sort(took);
  std::printf("{\"due\":%zu,\"medianMs\":%.3f}\n", due, took[took.size() / 2]);
}

}  // namespace
}  // namespace reprise

int main(int argc, char** argv) {
  try {
    if (argc != 3) throw std::runtime_error("HOME ROUNDS");
    reprise::ask(argv[1], std::stoul(argv[2]));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_due: %s\n", error.what());
    return 1;
  }
}
