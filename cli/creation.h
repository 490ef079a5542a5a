// Creating a run from the words of a command: run:create and run:start.
#pragma once

#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/session.h"
#include "engine/create.h"

namespace reprise {

/// What the flags of run:create ask for. Errors INVALID_RUN_ID, NOT_SIMULATED, INVALID_ARGUMENT,
/// exit 2.
CreateRequest read_creation(const Arguments& arguments, ProcessChoice process, Value inputs);
/// Errors: those of create_run; RUN_ARCHIVED, exit 4, when the archive has a run of that id.
CreatedRun create_in(Workspace& workspace, const Session& session, const CreateRequest& request);
/// What is doubtful about the inputs, of which `pairs` came as K=V.
std::vector<std::string> doubts_of_inputs(const Session& session, const CreateRequest& request,
                                          const std::vector<std::string>& pairs);

/// Flags that run:create and run:start share.
inline constexpr Flag kLabelFlag = {"--label", "K=V", "a label of the run, to find it by", false,
                                    true};
inline constexpr Flag kInputsFlag = {"--inputs", "FILE|-",
                                     "the inputs as one JSON document; K=V adds to it"};
inline constexpr Flag kRunIdFlag = {"--run-id", "ID", "the run's id; default a new ULID"};
inline constexpr Flag kIfAbsentFlag = {"--if-absent", "",
                                       "a run of that id with the same process and inputs is fine"};
inline constexpr Flag kSimulatedFlag = {"--simulated", "", "a run whose clock is set by --now"};
inline constexpr Flag kAutodriveFlag = {
    "--autodrive", "", "heartbeats begin the run, and heartbeat --drive performs what it asks for"};
inline constexpr Flag kProcessIdFlag = {
    "--process-id", "ID", "what the process is called; default the name of its entry"};
inline constexpr Flag kRequestFlag = {"--request", "TEXT", "what the run was asked for; recorded"};

}  // namespace reprise
