// The schedules of a home: what fires, when it fires next, what came of it. When that is, is worked
// out by those who know time zones (engine/cron) and handed over in signals; here each occurrence
// fires once, a schedule does not overlap itself, and an edit while something of it runs stays.
//
// Inputs: {}. Times are milliseconds since 1970, ids whole numbers.
//
// Signals:
//
//   schedule.add {"timing","next","target","name"?,"enabled"?,"by"?}
//
//   schedule.edit {"scheduleId","name"?,"timing"? with "next","target"?,"by"?}: a merge patch
//
//   schedule.enable {"scheduleId","next"}, schedule.disable and schedule.remove {"scheduleId"}
//
//   schedule.due {"scheduleId","revision","occurrence","next","missed"?,"missedMore"?,"thread"?,
//   "problem"?}: an occurrence whose time has come; next is null when there is none
//
//   schedule.fire {"scheduleId","thread"?,"problem"?}: at once; the schedule stays as it is
//
//   schedule.answered {"firing","outcome","text"?,"ephemeral"?,"title"?,"error"?}
//
//   schedule.thread.deleted {"thread"}
//
// A timing is what engine/cron/timing.h records, opaque here but for "text" and "kind". A target is
// one of
//
//   {"kind":"message","channel","prompt","author","autoDeleteMs"?}
//
//   {"kind":"run","entry","inputs"}
//
//   {"kind":"command","command","cwd"?}
//
// A message goes to "thread", a channel that whoever sends the signal has made; "problem"
// {"code","message"} says why there is none: the occurrence has then failed.
//
// docs/schedules.md describes the events.
//
// Questions: {"ask":"schedules"}; {"ask":"schedule","scheduleId"|"name"}; {"ask":"removed",
// "scheduleId"}: was there one; {"ask":"log","scheduleId"?}; {"ask":"work","now"}: what is due,
// which messages wait for their answer, which threads are to go.
#pragma once

#include "engine/process/process.h"

namespace reprise {

BuiltIn schedules_process();

}  // namespace reprise
