// Does anything keep the home alive?
#include <algorithm>

#include "engine/heartbeat/last_beat.h"
#include "engine/home/doctor.h"
#include "engine/text.h"

namespace reprise {

namespace {

constexpr int64_t kMsPerMinute = 60'000;
/// Of a heartbeat that comes every minute.
constexpr int64_t kLateMs = 10 * kMsPerMinute;

std::string ago(int64_t ms) {
  const auto minutes = ms / kMsPerMinute;
  if (minutes < 1) return "less than a minute ago";
  if (minutes < 120) return std::to_string(minutes) + " min ago";
  if (minutes < int64_t{48} * 60) return std::to_string(minutes / 60) + " h ago";
  return std::to_string(minutes / (int64_t{24} * 60)) + " days ago";
}

}  // namespace

void check_heartbeat(const Workspace& workspace, Clock& clock, Findings& findings) {
  const auto last = read_last_beat(workspace.home_path());
  if (!last) {
    findings.push_back({"heartbeat", Health::kOk,
                        "this home has no heartbeat: nothing goes on by itself",
                        "reprise heartbeat:install --cron, or --systemd"});
    return;
  }
  const auto since_ms = std::max<int64_t>(clock.now_ms() - last->at_ms, 0);
  const auto what = "the last heartbeat was " + ago(since_ms);
  if (since_ms > kLateMs) {
    findings.push_back({"heartbeat", Health::kWarning, what,
                        "see what should run it: reprise heartbeat:install shows how"});
  } else if (last->errors > 0) {
    findings.push_back(
        {"heartbeat", Health::kWarning,
         what + ", and " +
             (last->errors == 1 ? "1 thing" : std::to_string(last->errors) + " things") +
             " went wrong in it" +
             (last->troubles.empty() ? "" : ": " + joined(last->troubles, "; ")),
         "mend it; the next beat says how it went"});
  } else {
    findings.push_back({"heartbeat", Health::kOk, what, {}});
  }
}

}  // namespace reprise
