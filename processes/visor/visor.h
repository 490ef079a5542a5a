// The visor: watches over the channels of a home, keeps its memories, and says in a bulletin what
// goes on (docs/visor.md). It looks at nothing itself: whoever ticks hands over what there is to
// know, and records a tick only when something follows from it.
//
// Inputs:    {}
// Signals:   visor.tick, the facts of tick.h: {"window", "settings", "counts", "workers",
// "branches",
//              "complete", "failures", "lastMessageAt"?, "cards"?, "maintenance"?, "memories"?}.
//              The first one of a window counts.
// Events:    visor.worker.timeout, visor.signal.channel_degraded, visor.signal.idle,
//            visor.memory.maintained, visor.memory.merged, visor.bulletin.requested,
//            visor.bulletin.generated; memory.saved, memory.linked, memory.forgotten;
//            visor.signal.refused {"name","message"}
// Effects:   run.signal: worker.cancel and branch.timeout for channels; bulletin: a text, or an
//            object with "text", "digest" or "summary"
// Questions: {"ask":"status"} -> the state; {"ask":"tick","at":ms,"value":{...}} ->
//            {"decides": whether anything would be decided, "bulletin": whether one would be made,
//            "what": all of it, for people, "maintenance": whether it is time for it,
//            "examinedUntil": ms}
#pragma once

#include "engine/process/process.h"

namespace reprise {

BuiltIn visor_process();

}  // namespace reprise
