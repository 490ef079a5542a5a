#include "engine/drive/real_performers.h"

#include <filesystem>
#include <utility>

#include "engine/agents/agent_work.h"
#include "engine/executors/match.h"
#include "engine/executors/outcome.h"
#include "journal/error.h"

namespace reprise {

namespace {

/// Names of work that was performed at once lie apart from those of workers.
constexpr uint64_t kInside = uint64_t{1} << 63U;

}  // namespace

RealPerformers::RealPerformers(const Config& config) : x_config(config) {
  for (const auto& executor : config.executors) {
    if (in_process(executor)) x_inside.insert(&executor);
  }
}

const ExecutorConfig* RealPerformers::choose(const Work& work) const {
  return choose_executor(x_config, work);
}

bool RealPerformers::is_inside(const ExecutorConfig& executor) const {
  return x_inside.contains(&executor);
}

uint64_t RealPerformers::free_bytes(const std::string& folder) const {
  std::error_code failed;
  const auto space = std::filesystem::space(folder, failed);
  return failed ? 0 : space.available;
}

uint64_t RealPerformers::start(const Work& asked, const ExecutorConfig& executor) {
  if (asked.agent.empty()) return begin(asked, executor);
  try {
    return begin(with_agent(asked, x_config.policy), executor);
  } catch (const Error& error) {
    if (error.exit() != Exit::kUsage && error.exit() != Exit::kNotFound) throw;
    return settle(error_outcome("AgentInvalid", error.message(), {}, true));
  }
}

uint64_t RealPerformers::begin(const Work& work, const ExecutorConfig& executor) {
  if (!is_inside(executor)) return x_workers.start(work, executor, x_config.policy);
  return settle(perform(work, executor, x_config.policy, {}));
}

uint64_t RealPerformers::settle(Outcome outcome) {
  const uint64_t name = kInside | ++x_last;
  x_ready.push_back(
      {.worker = name, .kind = WorkerEvent::Kind::kOutcome, .outcome = std::move(outcome)});
  return name;
}

std::vector<WorkerEvent> RealPerformers::wait(int64_t at_most_ms, int& signal) {
  auto events = std::exchange(x_ready, {});
  auto others = x_workers.wait(events.empty() ? at_most_ms : 0, signal);
  events.insert(events.end(), std::make_move_iterator(others.begin()),
                std::make_move_iterator(others.end()));
  return events;
}

void RealPerformers::stop(uint64_t worker) {
  if ((worker & kInside) == 0) x_workers.stop(worker);
}

}  // namespace reprise
