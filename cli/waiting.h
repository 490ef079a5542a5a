// How commands wait for something that others do: they look, pause and look again, until the time
// that they were given is over. The first pauses are short, and grow while nothing comes.
#pragma once

#include <cstdint>

#include "engine/host.h"

namespace reprise {

/// When no other bound is given.
constexpr int64_t kLongestWaitMs = int64_t{24} * 3600 * 1000;

class Waiting {
 public:
  Waiting(Host& host, int64_t bound_ms) : x_host(host), x_left_ms(bound_ms) {}

  /// Pauses. False, without a pause, when the time is over.
  bool pause();
  /// Something came: the next pauses are short again.
  void came();

 private:
  Host& x_host;
  int64_t x_left_ms;
  int64_t x_pause_ms = 0;  ///< the last one
};

}  // namespace reprise
