// The agents of a home and their heartbeats: one run for all of them. What an agent is lies in
// files that people write; whoever knows the time reads them, and tells this process what is due.
//
// Inputs:   {}
// Signals:  agent.beat {agentId, window, prompt, channel, cause: due | now, bulletin?, timeoutMs?}:
//             window is the beginning of the interval in milliseconds; one that is
//             not newer than the last changes nothing, unless its cause is `now`
// Events:   agent.heartbeat.started {agentId, window, cause, channel}
//           agent.heartbeat.skipped {agentId, window}: the one before still runs; told once of it
//           agent.heartbeat.ok, .reported {agentId, window, text}, .failed {agentId, window, error,
//             failures}, .undelivered {agentId, channel, error}
//           agents.signal.refused {name, code, message}
// Effects:  beat:ID:N of the kind "agent", task agents.heartbeat: its definition has the agent's
// name
//             and the prompt; HEARTBEAT_OK alone is success, anything else goes to the channel by
//           tell:ID:N of the kind "run.signal": channel.message with the msgId heartbeat-ID-N. Of
//             failures only the first of a row is told.
// Questions: {"ask":"agents"}, {"ask":"agent","id"}: {agentId, state: idle | running, window,
// skips:
//             the running one's overlap was told, runs, ok, reported, failed, skipped,
//             consecutiveFailures, lastRunAt?, lastSuccessAt?, lastFailureAt?, lastResult?,
//             reason?, runningSinceAt?, effectKey?}; null for one that never had a heartbeat
#pragma once

#include "engine/process/process.h"

namespace reprise {

BuiltIn agents_process();

}  // namespace reprise
