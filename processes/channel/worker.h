// Workers: pieces of work beside the conversation.
//
//   queued         claimed                    -> running
//   queued|running result completed           -> completed
//   queued|running result failed, cancel      -> failed
//   queued|running result waiting             -> waiting_input      (interactive)
//   waiting_input  route continue             -> queued             (next cycle)
//   waiting_input  route complete | fail      -> completed | failed
//   waiting_input  cancel                     -> failed
//   completed, failed                            final
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "processes/channel/effects.h"
#include "processes/channel/event.h"
#include "processes/channel/signals.h"

namespace reprise::channel {

class Scribe;

struct Worker {
  std::string id;
  std::string task_id;
  std::string title;
  std::string objective;
  Json tools = Json::array();
  std::string mode;   ///< "fire_and_forget" or "interactive"
  std::string state;  ///< "queued", "running", "waiting_input", "completed", "failed"
};

struct Workers {
  uint64_t spawned = 0;                 ///< how many there have been
  std::map<std::string, Worker> known;  ///< those that live, and the last that ended

  void evolve(const Event& event, bool keeps_all);
  Json to_json() const;
  void restore(const Json& json);
};

/// Returns the worker's id. `spec` as the signal worker.spawn, checked.
std::string spawn_worker(Scribe& scribe, const Json& spec);
/// A result of noun "worker".
void resolve_worker(Scribe& scribe, const Result& result);
/// worker.spawn, worker.route, worker.cancel.
std::span<const SignalSpec> worker_signals();

}  // namespace reprise::channel
