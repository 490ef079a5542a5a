// What a worker is given on its standard input, and what it tells on its standard output
// (docs/executors.md, "The worker"). JSON texts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/executors/executor.h"
#include "engine/executors/worker.h"

namespace reprise {

/// A piece of work with all that is to be known to perform it.
struct WorkOrder {
  Work work;
  ExecutorConfig executor;
  Policy policy;
};

std::string write_work_order(const Work& work, const ExecutorConfig& executor,
                             const Policy& policy);
/// Error INVALID_WORK, exit 2, when it is none; members that are absent have their defaults.
WorkOrder read_work_order(std::string_view json);

/// One event, without a newline: {"type":"progress","value":...},
/// {"type":"output","stream":"stdout","text":"..."} or {"type":"outcome","status":"ok",...}.
std::string write_progress_event(std::string_view json);
std::string write_output_event(bool is_error, std::string_view bytes);
std::string write_outcome_event(const Outcome& outcome);
/// nullopt when the line is no event.
std::optional<WorkerEvent> read_event(std::string_view line);

}  // namespace reprise
