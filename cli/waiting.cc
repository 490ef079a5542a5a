#include "cli/waiting.h"

#include <algorithm>

namespace reprise {
namespace {

constexpr int64_t kFirstPauseMs = 10;
constexpr int64_t kLongestPauseMs = 320;

}  // namespace

bool Waiting::pause() {
  if (x_left_ms <= 0) return false;
  const int64_t longer = std::clamp(x_pause_ms * 2, kFirstPauseMs, kLongestPauseMs);
  x_pause_ms = std::min(longer, x_left_ms);
  x_left_ms -= x_pause_ms;
  x_host.pause(x_pause_ms);
  return true;
}

void Waiting::came() { x_pause_ms = 0; }

}  // namespace reprise
