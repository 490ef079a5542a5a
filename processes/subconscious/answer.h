// What a loop can be asked: JSON for JSON. Times are milliseconds since 1970.
//
//   {"ask":"beat","at"}             what a heartbeat must know to open a tick
//   {"ask":"status","at"}           numbers, the last tick, what stands in the way
//   {"ask":"tasks","at"}            all tasks, each with "due" and why it is kept back
//   {"ask":"tick"}                  the last tick: {tickId, state, text, open, total}
//   {"ask":"last"}                  {tick: that, entries: those that it wrote, oldest first}
//   {"ask":"log","taskId"?,"limit"?,"after"?}   entries, oldest first; behind a revision
//   {"ask":"card","effect"}         the card of a breakpoint, or null
#pragma once

#include "processes/subconscious/state.h"

namespace reprise::subconscious {

/// null for a question that it does not know.
Json answer(const Loop& loop, const Json& question);

}  // namespace reprise::subconscious
