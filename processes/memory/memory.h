// The memory of a home: a run that tells the world, as domain events, what people and programs save
// with memory:*. Of what is remembered it keeps nothing in its state: that is folded from the
// events of all runs by whoever asks. What it keeps is the outbox to an executor of embeddings.
//
// Inputs:   {}
// Signals:  memory.save {"note", ...}          -> memory.saved, with a memoryId "m<seq of the
// signal>"
//                                                  unless the value names one
//           memory.update {"memoryId", ...}    -> memory.updated
//           memory.link {"from","to", ...}     -> memory.linked
//           memory.forget {"memoryId", ...}    -> memory.forgotten
//           memory.recall {"query", ...}       -> memory.recalled
//           memory.embed {"items": [{"memoryId","text","textAt"}]} -> an effect of the kind
//             "embedding" with these items; ignored while there is one
// Effects:  embedding: a list of vectors, one an item, or an object with "vectors" and "model" ->
//             memory.embedded {"memoryId","textAt","vector","model"?} of each; else
//             memory.embedding.failed {"error","failures","retryAt"}: the next is asked for after
//             clamp(2^failures, 5, 300) s
// Question: {"ask":"outbox"} -> {"batches": how many there were, "open": whether an effect is,
// "failures", "retryAt": ms, "error"} A recorded signal that is none of these becomes
// memory.signal.refused {"name","message"}. The run goes on until it is cancelled.
#pragma once

#include "engine/process/process.h"

namespace reprise {

BuiltIn memory_process();

}  // namespace reprise
