// A home without hooks costs two reads of configuration files that most homes do not have.
#include <filesystem>

#include "cli/configured.h"
#include "cli/session.h"
#include "cli/streams.h"
#include "cli/touched_runs.h"
#include "engine/home/home_file.h"
#include "engine/hooks/deadline.h"
#include "engine/hooks/deliver.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMostEvents = 100;

bool names_hooks(const std::string& file) {
  const auto text = file.empty() ? std::nullopt : read_home_file(file);
  return text && text->find("\"hooks\"") != std::string::npos;
}

void tell_hook(const Session& session, Workspace& workspace, const Hook& hook,
               const std::string& run, int64_t since_ms, const Deadline& deadline) {
  DeliveryLog log(workspace.home_path(), hook.name);
  if (!log.exists()) log.begin(since_ms);
  if (!log.read()) return;
  auto index = session.index(workspace);
  const auto from_ms = std::max(since_ms, log.since_ms());
  for (const auto& event : events_of_run(index, hook, run, from_ms, kMostEvents)) {
    if (log.knows(id_of_event(event))) continue;
    if (deadline.left_ms() <= 0) return;
    deliver(hook, log, workspace.runs(), event, {}, deadline.left_ms(),
            session.context().clock.now_ms());
  }
}

}  // namespace

void tell_hooks(const Session& session, const TouchedRuns& touched, int64_t since_ms) {
  // What a hook does tells no hooks at once: one that answers events with events must come to rest.
  if (touched.paths().empty() || !environment("REPRISE_HOOK").empty()) return;
  auto workspace = session.workspace();
  const auto sources = config_sources(session.arguments(), workspace.home());
  if (!names_hooks(sources.home_file) && !names_hooks(sources.user_file)) return;
  const auto [hooks, faults] = sound_hooks(load_config(sources));
  if ((hooks.empty() && faults.empty()) || !workspace.exists()) return;
  require_trust(workspace.home());
  const Deadline deadline(kMostDeliveryMs);
  for (const auto& path : touched.paths()) {
    const fs::path run(path);
    if (run.parent_path() != fs::path(workspace.runs_path())) continue;
    for (const auto& hook : hooks) {
      tell_hook(session, workspace, hook, run.filename().string(), since_ms, deadline);
    }
  }
  if (!faults.empty()) throw Error(faults.begin()->second);
}

}  // namespace reprise
