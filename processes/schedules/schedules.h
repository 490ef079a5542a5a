// The schedules of a home: what fires, when it fires next, what came of it. When that is, is worked
// out by those who know time zones (engine/cron) and handed over in signals; here each occurrence
// fires once, a schedule does not overlap itself, and an edit while something of it runs stays.
//
// Inputs:   {}
// Signals (times are milliseconds, ids whole numbers):
//   schedule.add     {"timing","next","target","name"?,"enabled"?,"by"?}
//   schedule.edit    {"scheduleId","name"?,"timing"? with "next","target"? (a merge patch),"by"?}
//   schedule.enable  {"scheduleId","next","by"?}      schedule.disable, schedule.remove
//   {"scheduleId"} schedule.due     {"scheduleId","revision","occurrence","next" (null:
//   none),"missed"?,
//                     "missedMore"?,"thread"?,"problem"?}     an occurrence whose time has come
//   schedule.fire    {"scheduleId","thread"?,"problem"?}      at once; the schedule stays as it is
//   schedule.answered {"firing","outcome","text"?,"ephemeral"?,"title"?,"error"?}
//   schedule.thread.deleted {"thread"}
// A timing is what engine/cron/timing.h records, opaque here but for "text" and "kind". A target is
//   {"kind":"message","channel","prompt","author","autoDeleteMs"?} |
//   {"kind":"run","entry","inputs"} | {"kind":"command","command","cwd"?}
// A message goes to "thread", a channel that whoever sends the signal has made; "problem"
// {"code","message"} says why there is none: the occurrence has then failed.
//
// Events: schedule.added, .edited, .enabled, .disabled, .removed, .fired, .skipped, .finished,
// .thread.marked, .thread.deleted, .signal.refused. docs/schedules.md describes their payloads.
//
// Questions: {"ask":"schedules"}; {"ask":"schedule","scheduleId"|"name"}; {"ask":"removed",
// "scheduleId"}: was there one; {"ask":"log","scheduleId"?}; {"ask":"work","now"}: what is due, which messages wait for their answer, which
// threads are to go.
#pragma once

#include "engine/process/process.h"

namespace reprise {

BuiltIn schedules_process();

}  // namespace reprise
