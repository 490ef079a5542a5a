// What happens to a worker, for all who decide about one: its executor, a route, a cancel, its
// branch.
#pragma once

#include <string>

#include "processes/channel/worker.h"

namespace reprise::channel {

/// A worker that does the work of a branch: it asks for nothing itself.
std::string spawn_worker_of_branch(Scribe& scribe, const std::string& branch_id, const Json& spec);

/// Its artifact, worker.completed, and a row unless its branch writes one. `artifact` as
/// create_artifact takes it; `usage` as a result tells it, or null. What it waited for is
/// withdrawn. Returns the id of the artifact.
std::string complete_worker(Scribe& scribe, const Worker& worker, const std::string& summary,
                            const Json& artifact, const Json& usage = Json());

struct Failure {
  std::string error;   ///< for people
  std::string reason;  ///< "execution_failed", "cancelled", "route", "branch_timeout", ...
  std::string code;    ///< what exactly; may be empty
};
/// worker.failed, which is the failure of its branch too, and a row. What it waited for is
/// withdrawn.
void fail_worker(Scribe& scribe, const Worker& worker, const Failure& failure);
/// Of a result that is no success: cancelled from outside, or an error of its executor.
Failure failure_of(const Worker& worker, const Result& result);

/// It has `text`, if any, for its next cycle, which begins now when it waits.
void continue_worker(Scribe& scribe, const Worker& worker, const std::string& text);

}  // namespace reprise::channel
