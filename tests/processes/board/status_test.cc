#include "processes/board/status.h"

#include <catch2/catch.hpp>

namespace reprise::board {

namespace {

constexpr int kStatuses = 9;

}  // namespace

TEST_CASE("every status has a name of its own, and the name finds it") {
  for (int i = 0; i < kStatuses; ++i) {
    const auto status = static_cast<Status>(i);
    CHECK(find_status(name_of(status)) == status);
  }
  CHECK_FALSE(find_status("nowhere"));
}

TEST_CASE("no card moves to where it is, and none becomes a proposal again") {
  for (int i = 0; i < kStatuses; ++i) {
    const auto from = static_cast<Status>(i);
    for (const auto by : {MoveBy::kAnyone, MoveBy::kApproval}) {
      CHECK_FALSE(may_move(from, from, by));
      CHECK_FALSE(may_move(from, Status::kPendingApproval, by));
    }
  }
}

TEST_CASE("a proposal goes further only when it is approved") {
  for (int i = 0; i < kStatuses; ++i) {
    const auto to = static_cast<Status>(i);
    CHECK(may_move(Status::kPendingApproval, to, MoveBy::kAnyone) == (to == Status::kCancelled));
    CHECK(may_move(Status::kPendingApproval, to, MoveBy::kApproval) ==
          (to == Status::kBacklog || to == Status::kReady));
    CHECK_FALSE(may_move(Status::kBacklog, to, MoveBy::kApproval));
  }
}

TEST_CASE("what is over can only be taken back") {
  CHECK(ways_out(Status::kDone) == "backlog");
  CHECK(ways_out(Status::kCancelled) == "backlog");
}

}  // namespace reprise::board
