// What a heartbeat does for the board of a home: it tells the board what happened in the channels
// of its projects since it last listened: proposed todos, and the ends of its cards' workers.
#pragma once

#include <memory>

#include "engine/heartbeat/chore.h"

namespace reprise {

/// The run of the board, and its process.
constexpr const char* kBoardRun = "board";

/// Due.key is "<channel>@<sequence number of the first news>".
std::unique_ptr<Chore> make_board_chore();

}  // namespace reprise
