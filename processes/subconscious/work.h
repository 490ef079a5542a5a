// What a decision asks for: work is requested, and its result becomes the outcome of the task.
#pragma once

#include "processes/subconscious/evaluation.h"
#include "processes/subconscious/matrix.h"
#include "processes/subconscious/state.h"

namespace reprise::subconscious {

void carry_out(Pen& pen, const Decision& decision);
void request_work(Pen& pen, const Work& work, const Task& task, int attempt);

/// Of a work of the open tick, or of one with full permission that outlived its tick.
void resolve_work(Pen& pen, const kit::Result& result);
/// A pause is over: the request is made again, when it is still wanted.
void resolve_pause(Pen& pen, const kit::Result& result);

}  // namespace reprise::subconscious
