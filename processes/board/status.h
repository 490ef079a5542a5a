// Where a card stands, and where it may go from there.
//
//   pending_approval --approve--> backlog, ready                         cancelled
//   backlog        ready, in_progress, done,                    blocked, cancelled
//   ready          backlog, in_progress, done,                  blocked, cancelled
//   in_progress    backlog, ready, waiting_input, needs_review, done, blocked, cancelled
//   waiting_input  backlog, ready, in_progress, needs_review, done, blocked, cancelled
//   needs_review   backlog, ready, in_progress, done,           blocked, cancelled
//   blocked        backlog, ready, in_progress, needs_review, done,      cancelled
//   done           backlog
//   cancelled      backlog
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reprise::board {

enum class Status : uint8_t {
  kPendingApproval,
  kBacklog,
  kReady,
  kInProgress,
  kWaitingInput,
  kNeedsReview,
  kDone,
  kBlocked,
  kCancelled,
};

std::string_view name_of(Status status);
std::optional<Status> find_status(std::string_view name);

/// By whom a card is moved: approving is a move of its own.
enum class MoveBy : uint8_t { kAnyone, kApproval };
bool may_move(Status from, Status to, MoveBy by);
/// "backlog, ready and cancelled": where anyone may move it.
std::string ways_out(Status from);

/// Nothing more happens with it unless somebody takes it back.
constexpr bool is_over(Status status) {
  return status == Status::kDone || status == Status::kCancelled;
}
/// A worker may be at it.
constexpr bool is_worked_on(Status status) {
  return status == Status::kInProgress || status == Status::kWaitingInput;
}

/// "low", "medium" and "high" are 0, 1 and 2; nullopt for other words.
std::optional<int> priority_of(std::string_view name);

}  // namespace reprise::board
