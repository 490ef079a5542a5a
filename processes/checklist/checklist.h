// The checklist: a list of shell steps, one effect each, one after the other; stop or go on at a
// failure.
//
// Inputs:  {"steps": [STEP, ...], "onFailure": "stop" | "continue"}     STEP is a command line, or
//          {"run": "make test", "name"?: "tests", "cwd"?: "/src", "timeoutMs"?: 60000}
// Output:  {"ok": true, "failed": 0, "steps": [{"name","run","status": "ok" | "failed" |
// "cancelled", "exitCode"?}, ...]} With "stop" (the default) the first step that fails ends the run
// as failed, with an error named StepFailed. A history with more results than steps is none of a
// checklist: std::out_of_range.
#pragma once

#include "engine/process/process.h"

namespace reprise {

BuiltIn checklist_process();

}  // namespace reprise
