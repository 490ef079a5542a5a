// The subconscious loop: tasks that are looked at again and again, in ticks. A tick is told
// (heartbeat.tick), evaluated by one effect for all due tasks, carried out decision by decision,
// and completed (docs/subconscious.md). It knows no clock and no files: when a tick is due, what
// the home looks like and when a cron task is due next comes with the signals.
//
// Inputs:   {}
// Signals:  heartbeat.tick {"trigger","window"?,"sections"?,"budgetBytes"?,"writeTasks"?,
//                           "executors"?,"next"?}
//           heartbeat.pause, heartbeat.resume {"reason"?,"by"?}
//           heartbeat.abandon {"taskId","by"?}, approval.retry {"effect","by"?}
//           task.add {"title","intent"?,"recurrence"?,"cron"?,"timeZone"?,"next"?,"by"?}
//           task.edit {"taskId", what changes}, task.enable, task.disable, task.remove {"taskId"}
//           tasks.import {"digest","titles"}: what HEARTBEAT.md says
// Effects:  evaluate, act, agent, breakpoint, sleep: work_key.h has their keys, matrix.h who asks
//           for what with which permission
// Answers:  answer.h
// A recorded signal that check() would refuse becomes heartbeat.signal.refused
// {"name","code","message"}. The run goes on until it is cancelled.
#pragma once

#include "engine/process/process.h"

namespace reprise {

BuiltIn subconscious_process();

}  // namespace reprise
