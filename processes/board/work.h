// Workers of cards. A card that is ready and has a channel gets one worker there; what becomes of
// the worker moves the card. A card has at most one at a time: who takes it elsewhere meanwhile has
// its worker ended, and another begins only when the channel has told the end of the first.
#pragma once

#include "processes/board/scribe.h"

namespace reprise::board {

/// Who moves a card because of its worker.
constexpr const char* kTheBoard = "board";

/// Asks for the workers of cards that are ready, and for the end of those that nobody wants.
void go_on(Scribe& scribe);

/// What a channel told: worker.spawned, worker.progress, worker.completed, worker.failed.
void hear_worker(Scribe& scribe, const std::string& channel, const std::string& type,
                 const Json& payload);
/// The channel is no more, and its workers with it.
void hear_gone(Scribe& scribe, const std::string& channel);

/// What became of a request: `error` is null when the channel took the signal.
void take_result(Scribe& scribe, const Errand& errand, const Json& error);

}  // namespace reprise::board
