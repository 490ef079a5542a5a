#include "processes/board/status.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace reprise::board {

namespace {

constexpr uint32_t set_of(std::initializer_list<Status> statuses) {
  uint32_t set = 0;
  for (const auto status : statuses) set |= 1U << static_cast<uint32_t>(status);
  return set;
}

struct Row {
  std::string_view name;
  uint32_t ways_out;
};
// In the order of Status.
constexpr std::array kRows = {
    Row{"pending_approval", set_of({Status::kCancelled})},
    Row{"backlog", set_of({Status::kReady, Status::kInProgress, Status::kDone, Status::kBlocked,
                           Status::kCancelled})},
    Row{"ready", set_of({Status::kBacklog, Status::kInProgress, Status::kDone, Status::kBlocked,
                         Status::kCancelled})},
    Row{"in_progress",
        set_of({Status::kBacklog, Status::kReady, Status::kWaitingInput, Status::kNeedsReview,
                Status::kDone, Status::kBlocked, Status::kCancelled})},
    Row{"waiting_input",
        set_of({Status::kBacklog, Status::kReady, Status::kInProgress, Status::kNeedsReview,
                Status::kDone, Status::kBlocked, Status::kCancelled})},
    Row{"needs_review", set_of({Status::kBacklog, Status::kReady, Status::kInProgress,
                                Status::kDone, Status::kBlocked, Status::kCancelled})},
    Row{"done", set_of({Status::kBacklog})},
    Row{"blocked", set_of({Status::kBacklog, Status::kReady, Status::kInProgress,
                           Status::kNeedsReview, Status::kDone, Status::kCancelled})},
    Row{"cancelled", set_of({Status::kBacklog})},
};
constexpr uint32_t kApproved = set_of({Status::kBacklog, Status::kReady});
constexpr std::array<std::string_view, 3> kPriorities = {"low", "medium", "high"};

bool holds(uint32_t set, Status status) {
  return (set & (1U << static_cast<uint32_t>(status))) != 0;
}

const Row& row_of(Status status) { return kRows.at(static_cast<size_t>(status)); }

}  // namespace

std::string_view name_of(Status status) { return row_of(status).name; }

std::optional<Status> find_status(std::string_view name) {
  const auto found = std::ranges::find(kRows, name, &Row::name);
  if (found == kRows.end()) return std::nullopt;
  return static_cast<Status>(found - kRows.begin());
}

bool may_move(Status from, Status to, MoveBy by) {
  if (by == MoveBy::kApproval) return from == Status::kPendingApproval && holds(kApproved, to);
  return holds(row_of(from).ways_out, to);
}

std::string ways_out(Status from) {
  std::string ways;
  for (size_t i = 0; i < kRows.size(); ++i) {
    if (!holds(row_of(from).ways_out, static_cast<Status>(i))) continue;
    ways += (ways.empty() ? "" : ", ") + std::string(kRows.at(i).name);
  }
  return ways;
}

std::optional<int> priority_of(std::string_view name) {
  const auto found = std::ranges::find(kPriorities, name);
  if (found == kPriorities.end()) return std::nullopt;
  return static_cast<int>(found - kPriorities.begin());
}

}  // namespace reprise::board
