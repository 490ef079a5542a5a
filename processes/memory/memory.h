// The memory of a home: a run that tells the world, as domain events, what people and programs save
// with memory:*. It keeps nothing in its state: what is remembered is folded from the events of all
// runs by whoever asks.
//
// Inputs:   {}
// Signals:  memory.save {"note", ...}          -> memory.saved, with a memoryId "m<seq of the
// signal>"
//                                                  unless the value names one
//           memory.update {"memoryId", ...}    -> memory.updated
//           memory.link {"from","to", ...}     -> memory.linked
//           memory.forget {"memoryId", ...}    -> memory.forgotten
//           memory.recall {"query", ...}       -> memory.recalled
// A recorded signal that is none of these becomes memory.signal.refused {"name","message"}. The run
// goes on until it is cancelled.
#pragma once

#include "engine/process/process.h"

namespace reprise {

BuiltIn memory_process();

}  // namespace reprise
