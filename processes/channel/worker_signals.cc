// What people and other programs may do with workers.
#include <array>

#include "processes/channel/fields.h"
#include "processes/channel/scribe.h"
#include "processes/channel/worker_work.h"
#include "unicode/unicode.h"

namespace reprise::channel {

namespace {

constexpr size_t kMostTextBytes = size_t{1024} * 1024;

constexpr const char* kInvalid = "INVALID_WORKER";

bool lacks_text(const Json& value, const char* name) {
  return unicode::trimmed(text_of(value, name)).empty();
}

std::optional<Refusal> check_worker_spawn(const Channel&, const Json& value, int64_t) {
  return check_worker_spec(value);
}

void take_worker_spawn(Scribe& scribe, const Json& value, uint64_t) { spawn_worker(scribe, value); }

/// Of a signal that names a worker which must still live.
std::optional<Refusal> check_alive(const Channel& channel, const Json& value) {
  const auto id = text_of(value, "workerId");
  const auto* worker = channel.workers.find(id);
  if (worker == nullptr && !channel.workers.ever_had(id)) {
    return Refusal{Refusal::Kind::kNotFound, "WORKER_UNKNOWN",
                   "there is no worker \"" + id + "\" in this channel",
                   "reprise worker:list " + channel.identity.id + " --all shows all of them"};
  }
  if (worker == nullptr || worker->has_ended()) {
    return Refusal{Refusal::Kind::kConflict, "WORKER_FINISHED",
                   "worker " + id + " has ended; nothing changes that",
                   "reprise worker:show " + channel.identity.id + " " + id + " shows how"};
  }
  return std::nullopt;
}

std::optional<Refusal> check_route(const Channel& channel, const Json& value, int64_t) {
  if (auto refusal = check_alive(channel, value)) return refusal;
  const auto id = text_of(value, "workerId");
  if (!channel.workers.find(id)->is_interactive()) {
    return Refusal{Refusal::Kind::kConflict, "WORKER_NOT_INTERACTIVE",
                   "worker " + id + " is fire_and_forget: it takes no route",
                   "reprise worker:cancel " + channel.identity.id + " " + id + " ends it"};
  }
  const auto command = text_of(value, "command");
  const bool known = command == "continue" || command == "complete" || command == "fail";
  return Fields(value, kInvalid)
      .text("text", kMostTextBytes)
      .text("summary", kMostTextBytes)
      .text("error", kMostTextBytes)
      .refuse_if(!known, "the command of a route is continue, complete or fail")
      .refuse_if(command == "complete" && lacks_text(value, "summary"),
                 "to complete a worker takes a summary")
      .refuse_if(command == "fail" && lacks_text(value, "error"), "to fail a worker takes an error")
      .refusal();
}

void route(Scribe& scribe, const Json& value, uint64_t) {
  const auto worker = *scribe.state().workers.find(text_of(value, "workerId"));
  const auto command = text_of(value, "command");
  if (command == "complete") {
    complete_worker(scribe, worker, text_of(value, "summary"), Json());
  } else if (command == "fail") {
    fail_worker(scribe, worker, {text_of(value, "error"), "route", {}});
  } else {
    continue_worker(scribe, worker, text_of(value, "text"));
  }
}

std::optional<Refusal> check_worker_cancel(const Channel& channel, const Json& value, int64_t) {
  if (auto refusal = check_alive(channel, value)) return refusal;
  return Fields(value, kInvalid).text("reason", kMostTextBytes).refusal();
}

void cancel_worker(Scribe& scribe, const Json& value, uint64_t) {
  const auto worker = *scribe.state().workers.find(text_of(value, "workerId"));
  const auto reason = lacks_text(value, "reason") ? "Worker cancelled" : text_of(value, "reason");
  fail_worker(scribe, worker, {reason, "cancelled", {}});
}

}  // namespace

std::optional<Refusal> check_worker_spec(const Json& spec) {
  const auto mode = text_of(spec, "mode", "fire_and_forget");
  const auto directory = text_of(spec, "workingDirectory");
  const auto entry = text_of(spec, "entry");
  const bool is_place = entry.starts_with('/') || entry.starts_with("builtin:");
  return Fields(spec, kInvalid)
      .text("title")
      .text("objective", kMostTextBytes)
      .text("taskId")
      .text("mode")
      .text("agent")
      .text("workingDirectory", kMostPathBytes)
      .text("entry", kMostPathBytes)
      .texts("tools", kMostTools)
      .whole("tokenBudget", 1)
      .refuse_if(lacks_text(spec, "objective") && entry.empty(), "a worker needs an objective")
      .refuse_if(mode != "fire_and_forget" && mode != "interactive",
                 "the mode of a worker is fire_and_forget or interactive")
      .refuse_if(!directory.empty() && !directory.starts_with('/'),
                 "workingDirectory must be an absolute path")
      .refuse_if(!entry.empty() && !is_place, "entry must be an absolute path or builtin:NAME")
      .refuse_if(!entry.empty() && mode == "interactive",
                 "a worker with an entry is a run of its own: it cannot be interactive")
      .refusal();
}

std::span<const SignalSpec> worker_signals() {
  static constexpr std::array kSignals = {
      SignalSpec{"worker.spawn", check_worker_spawn, take_worker_spawn},
      SignalSpec{"worker.route", check_route, route},
      SignalSpec{"worker.cancel", check_worker_cancel, cancel_worker},
  };
  return kSignals;
}

}  // namespace reprise::channel
