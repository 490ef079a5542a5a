// The life of a worker: spawn, then cycles of brief -> work -> result, then one end.
#include "processes/channel/worker_work.h"

#include "processes/channel/artifact.h"
#include "processes/channel/briefing.h"
#include "processes/channel/intake.h"
#include "processes/channel/scribe.h"
#include "processes/channel/usage.h"
#include "processes/kit/finish.h"
#include "unicode/unicode.h"

namespace reprise::channel {

namespace {

constexpr int64_t kWorkerTokenBudget = 3500;

/// An event about a worker.
Json about(const Worker& worker, Json payload) {
  payload["workerId"] = worker.id;
  payload["taskId"] = worker.task_id;
  if (!worker.branch_id.empty()) payload["branchId"] = worker.branch_id;
  return payload;
}

/// "w2", or "w2:3" from the second cycle on.
std::string cycle_key(const Worker& worker) {
  return worker.cycle == 1 ? worker.id : worker.id + ":" + std::to_string(worker.cycle);
}

std::string prompt_of_worker(const Worker& worker, const Briefing& briefing) {
  std::string text = "[channel_worker_v1]\nDo the work below and answer with its result";
  text += worker.is_interactive() ? ", or with what you need to know to go on.\n\n" : ".\n\n";
  text += briefing.text() + "## Objective\n" + worker.objective + "\n";
  if (!worker.report.empty()) text += "\n## Your last report\n" + worker.report + "\n";
  if (!worker.inbox.empty()) text += "\n## The answer to it\n";
  for (const auto& message : worker.inbox) text += message + "\n";
  return text;
}

void request_work(Scribe& scribe, const Worker& worker, const Briefing& briefing) {
  const auto& state = scribe.state();
  const auto prompt = prompt_of_worker(worker, briefing);
  Json inputs = {{"channelId", state.identity.id},
                 {"workerId", worker.id},
                 {"taskId", worker.task_id},
                 {"title", worker.title},
                 {"objective", worker.objective},
                 {"tools", worker.tools},
                 {"mode", worker.mode},
                 {"cycle", worker.cycle},
                 {"inbox", worker.inbox},
                 {"prompt", prompt},
                 {"tokenBudget", worker.token_budget},
                 {"memories", briefing.memories}};
  const auto cwd = worker.working_directory.empty() ? state.identity.dir : worker.working_directory;
  if (!cwd.empty()) inputs["cwd"] = cwd;
  if (!worker.report.empty()) inputs["report"] = worker.report;
  if (!worker.session_id.empty()) inputs["sessionId"] = worker.session_id;
  if (!briefing.bulletin.empty()) inputs["bulletin"] = briefing.bulletin;
  Json definition = {{"title", worker.title}, {"outputSchema", "reprise:worker-result"}};
  if (!worker.agent.empty()) definition["agent"] = {{"name", worker.agent}};
  scribe.request({.noun = "worker",
                  .id = cycle_key(worker),
                  .kind = "worker",
                  .task = "channel.worker",
                  .label = worker.title,
                  .inputs = std::move(inputs),
                  .definition = std::move(definition),
                  .options = work_options(state.settings.run_timeout_ms)});
}

void begin_cycle(Scribe& scribe, const Worker& worker) {
  if (!scribe.state().settings.recall) return request_work(scribe, worker, {});
  auto query = worker.objective;
  for (const auto& message : worker.inbox) query = message + "\n" + query;
  request_briefing(scribe, "brief", cycle_key(worker), query);
}

void request_child(Scribe& scribe, const Worker& worker, const Json& inputs) {
  scribe.request({.noun = "worker",
                  .id = worker.id,
                  .kind = "run",
                  .task = "channel.worker",
                  .label = worker.title,
                  .inputs = {{"entry", worker.entry}, {"inputs", inputs}},
                  .definition = {{"title", worker.title}}});
}

Json tools_of(const Json& spec) {
  const auto& tools = member_of(spec, "tools");
  return tools.is_null() ? Json::array() : tools;
}

/// worker.spawned; returns the worker.
Worker begin_worker(Scribe& scribe, const std::string& branch_id, const Json& spec) {
  const auto id = "w" + std::to_string(scribe.state().workers.spawned + 1);
  const auto entry = text_of(spec, "entry");
  const auto objective = text_of(spec, "objective", entry);
  Json spawned = {{"workerId", id},
                  {"taskId", text_of(spec, "taskId", "task-" + id)},
                  {"title", text_of(spec, "title", preview_of(objective))},
                  {"objective", objective},
                  {"tools", tools_of(spec)},
                  {"mode", text_of(spec, "mode", "fire_and_forget")},
                  {"tokenBudget", number_of(spec, "tokenBudget", kWorkerTokenBudget)}};
  for (const auto* name : {"agent", "workingDirectory", "entry"}) {
    if (const auto text = text_of(spec, name); !text.empty()) spawned[name] = text;
  }
  if (!branch_id.empty()) spawned["branchId"] = branch_id;
  scribe.emit("worker.spawned", spawned);
  return *scribe.state().workers.find(id);
}

/// What a child run put out is its result, whatever it is.
void take_output(Scribe& scribe, const Worker& worker, const Json& output) {
  const auto text = output.is_string() ? output.get<std::string>() : output.dump();
  const auto media_type = output.is_string() ? "text/plain" : "application/json";
  complete_worker(scribe, worker, text_of(output, "summary", text),
                  {{"title", worker.title}, {"mediaType", media_type}, {"content", text}});
}

void wait_for_route(Scribe& scribe, const Worker& worker, const Json& value) {
  const auto report = text_of(value, "report");
  Json waiting = {{"progress", "waiting_for_route"}};
  for (const auto* name : {"report", "sessionId"}) {
    if (const auto text = text_of(value, name); !text.empty()) waiting[name] = text;
  }
  scribe.emit("worker.progress", about(worker, std::move(waiting)));
  write_row(scribe, "system",
            "Worker " + worker.id + " waits for input" + (report.empty() ? "" : ": " + report),
            {{"workerId", worker.id}});
  // What was routed while it ran is already an answer.
  if (!worker.arrived.empty()) continue_worker(scribe, worker, {});
}

void finish(Scribe& scribe, const Worker& worker, const Json& value, const Json& usage) {
  const auto& artifact = member_of(value, "artifact");
  auto summary = text_of(value, "summary");
  if (unicode::trimmed(summary).empty()) summary = preview_of(text_of(artifact, "content"));
  if (unicode::trimmed(summary).empty()) {
    return fail_worker(scribe, worker,
                       {"the result has no summary", "invalid_result", "empty_summary"});
  }
  complete_worker(scribe, worker, kit::with_cut_reason(value, summary), artifact, usage);
}

void take_result(Scribe& scribe, const Worker& worker, const Json& value) {
  count_usage(scribe, "worker", {{"workerId", worker.id}}, value);
  const auto usage = tells_usage(value) ? value.at("usage") : Json();
  const auto& status = member_of(value, "status");
  if (value.is_object() && (status.is_null() || status == "completed")) {
    return finish(scribe, worker, value, usage);
  }
  if (status == "waiting") {
    if (worker.is_interactive()) return wait_for_route(scribe, worker, value);
    return fail_worker(
        scribe, worker,
        {"a fire_and_forget worker cannot wait for input", "invalid_result", "cannot_wait"});
  }
  if (status == "failed") {
    return fail_worker(scribe, worker,
                       {text_of(value, "error", "it did not say why"), "execution_failed", {}});
  }
  fail_worker(scribe, worker,
              {"the result is not {\"status\": completed, waiting or failed, ...}",
               "invalid_result", "invalid_status"});
}

}  // namespace

std::string spawn_worker(Scribe& scribe, const Json& spec) {
  const auto worker = begin_worker(scribe, {}, spec);
  if (worker.entry.empty()) {
    begin_cycle(scribe, worker);
  } else {
    const auto& inputs = member_of(spec, "inputs");
    request_child(scribe, worker, inputs.is_null() ? Json::object() : inputs);
  }
  return worker.id;
}

std::string spawn_worker_of_branch(Scribe& scribe, const std::string& branch_id, const Json& spec) {
  return begin_worker(scribe, branch_id, spec).id;
}

std::string complete_worker(Scribe& scribe, const Worker& worker, const std::string& summary,
                            const Json& artifact, const Json& usage) {
  auto artifact_id = create_artifact(scribe, worker.id, summary, artifact);
  Json completed = {{"summary", summary}, {"artifactId", artifact_id}};
  if (usage.is_object()) completed["usage"] = usage;
  scribe.emit_withdrawing("worker.completed", about(worker, std::move(completed)),
                          effect_of(scribe.state(), worker));
  if (worker.branch_id.empty()) {
    write_row(scribe, "system",
              "Worker " + worker.id + " completed with artifact " + artifact_id + ": " +
                  preview_of(summary),
              {{"workerId", worker.id}, {"artifactId", artifact_id}});
  }
  return artifact_id;
}

void fail_worker(Scribe& scribe, const Worker& worker, const Failure& failure) {
  Json failed = {{"error", failure.error}, {"reason", failure.reason}};
  if (!failure.code.empty()) failed["code"] = failure.code;
  scribe.emit_withdrawing("worker.failed", about(worker, std::move(failed)),
                          effect_of(scribe.state(), worker));
  const auto subject =
      worker.branch_id.empty() ? "Worker " + worker.id : "Branch " + worker.branch_id;
  const auto* what = failure.reason == "cancelled"        ? " was cancelled: "
                     : failure.reason == "branch_timeout" ? " timed out: "
                                                          : " failed: ";
  write_row(scribe, "system", subject + what + failure.error, {{"workerId", worker.id}});
}

Failure failure_of(const Worker& worker, const Result& result) {
  if (result.cancelled) {
    return {text_of(result.value, "reason", "Worker cancelled"), "cancelled", {}};
  }
  const std::string prefix =
      worker.is_interactive() ? "Worker execution failed: " : "Fire-and-forget execution failed: ";
  return {prefix + text_of(result.value, "message"), "execution_failed",
          text_of(result.value, "name")};
}

void continue_worker(Scribe& scribe, const Worker& worker, const std::string& text) {
  if (!text.empty()) {
    scribe.emit("worker.progress", about(worker, {{"progress", "received_route"}, {"text", text}}));
  }
  const auto* now = scribe.state().workers.find(worker.id);
  if (now->state != Worker::State::kWaitingInput) return;
  scribe.emit("worker.progress",
              about(worker, {{"progress", "continued"}, {"cycle", now->cycle + 1}}));
  begin_cycle(scribe, Worker(*scribe.state().workers.find(worker.id)));
}

void cancel_workers(Scribe& scribe, const std::string& reason) {
  const auto known = scribe.state().workers.known;
  for (const auto& [number, worker] : known) {
    if (!worker.has_ended()) fail_worker(scribe, worker, {reason, "cancelled", {}});
  }
}

void resolve_worker(Scribe& scribe, const Result& result) {
  const auto* known =
      scribe.state().workers.find(result.owner.id.substr(0, result.owner.id.find(':')));
  if (known == nullptr || known->has_ended()) return;
  const auto worker = *known;  // what is written moves the state
  if (result.owner.noun == "brief") {
    const auto limit = scribe.state().settings.recall_limit;
    request_work(scribe, worker, parse_briefing(result, limit));
  } else if (!result.ok) {
    fail_worker(scribe, worker, failure_of(worker, result));
  } else if (!worker.entry.empty()) {
    take_output(scribe, worker, result.value);
  } else {
    take_result(scribe, worker, result.value);
  }
}

}  // namespace reprise::channel
