#include "engine/executors/worker_protocol.h"

#include <cstdlib>

#include "engine/executors/outcome.h"
#include "engine/json_writer.h"
#include "journal/error.h"
#include "journal/json_reader.h"

namespace reprise {

namespace {

std::string texts_json(const std::vector<std::string>& texts) {
  return array_json(texts, [](const std::string& text) { return quote(text); });
}

std::string work_json(const Work& work) {
  JsonWriter json;
  json.text("home", work.home)
      .text("run", work.run)
      .text("runDir", work.run_dir)
      .text("effect", work.effect)
      .number("attempt", work.attempt)
      .text("token", work.token)
      .text("idempotencyKey", work.idempotency_key)
      .text("kind", work.kind)
      .text("task", work.task)
      .text("label", work.label)
      .text("agent", work.agent)
      .raw("definition", work.definition.empty() ? "{}" : work.definition)
      .raw("inputs", work.inputs.empty() ? "null" : work.inputs)
      .signed_number("timeoutMs", work.timeout_ms);
  return json.done();
}

std::string policy_json(const Policy& policy) {
  JsonWriter timeouts;
  for (const auto& [kind, ms] : policy.timeout_ms) timeouts.signed_number(kind, ms);
  JsonWriter json;
  json.raw("roots", texts_json(policy.roots))
      .raw("deniedPrograms", texts_json(policy.denied_programs))
      .raw("environment", texts_json(policy.environment))
      .text("permission", policy.permission)
      .raw("network", policy.network ? "true" : "false")
      .raw("timeoutMs", timeouts.done());
  return json.done();
}

std::vector<std::string> texts_of(std::string_view array) {
  std::vector<std::string> texts;
  if (array.empty()) return texts;
  for (const auto text : array_elements(array)) texts.push_back(unquote(text));
  return texts;
}

Work read_work(std::string_view json) {
  JsonReader reader;
  const auto& members = reader.members(json);
  Work work;
  work.home = members.text("home");
  work.run = members.text("run");
  work.run_dir = members.text("runDir");
  work.effect = members.text("effect");
  if (members.has("attempt")) work.attempt = static_cast<uint32_t>(members.number("attempt"));
  work.token = members.text("token");
  work.idempotency_key = members.text("idempotencyKey");
  work.kind = members.text("kind");
  work.task = members.text("task");
  work.label = members.text("label");
  work.agent = members.text("agent");
  work.definition = members.raw("definition");
  work.inputs = members.raw("inputs");
  work.timeout_ms = members.signed_number("timeoutMs");
  return work;
}

ExecutorConfig read_executor(std::string_view json) {
  JsonReader reader;
  const auto& members = reader.members(json);
  return {members.text("name"), members.text("type"), std::string(members.raw("config")),
          members.text("origin")};
}

Policy read_policy(std::string_view json) {
  Policy policy;
  if (json.empty()) return policy;
  JsonReader reader;
  const auto& members = reader.members(json);
  policy.roots = texts_of(members.raw("roots"));
  policy.denied_programs = texts_of(members.raw("deniedPrograms"));
  policy.environment = texts_of(members.raw("environment"));
  policy.permission = members.text("permission");
  policy.network = members.raw("network") != "false";
  if (!members.has("timeoutMs")) return policy;
  JsonReader timeouts;
  for (const auto& [kind, ms] : timeouts.members_of_copy(members.raw("timeoutMs"))) {
    policy.timeout_ms[unquote("\"" + std::string(kind) + "\"")] =
        std::strtoll(std::string(ms).c_str(), nullptr, 10);
  }
  return policy;
}

Error invalid_work(const std::string& why) {
  return {Exit::kUsage, "INVALID_WORK", "what came is no piece of work: " + why,
          R"(standard input takes {"work":{...},"executor":{"type":"shell"},"policy":{}})"};
}

}  // namespace

std::string write_work_order(const Work& work, const ExecutorConfig& executor,
                             const Policy& policy) {
  JsonWriter json;
  json.raw("work", work_json(work))
      .raw("executor", JsonWriter()
                           .text("name", executor.name)
                           .text("type", executor.type)
                           .raw("config", executor.json.empty() ? "{}" : executor.json)
                           .text("origin", executor.origin)
                           .done())
      .raw("policy", policy_json(policy));
  return json.done();
}

WorkOrder read_work_order(std::string_view json) {
  const auto order = parse_value(json, "the work");
  try {
    JsonReader reader;
    const auto& members = reader.members(order.text);
    return {read_work(members.raw("work")), read_executor(members.raw("executor")),
            read_policy(members.raw("policy"))};
  } catch (const Error& error) {
    throw invalid_work(error.message());
  }
}

std::string write_progress_event(std::string_view json) {
  return JsonWriter().text("type", "progress").raw("value", json).done();
}

std::string write_output_event(bool is_error, std::string_view bytes) {
  return JsonWriter()
      .text("type", "output")
      .text("stream", is_error ? "stderr" : "stdout")
      .text("text", valid_text(bytes))
      .done();
}

std::string write_outcome_event(const Outcome& outcome) {
  return JsonWriter()
      .text("type", "outcome")
      .text("status", outcome.ok ? "ok" : "error")
      .raw("value", outcome.value)
      .text_if("stdoutRef", outcome.stdout_ref)
      .text_if("stderrRef", outcome.stderr_ref)
      .raw_if("metadata", outcome.metadata)
      .signed_number("startedAtMs", outcome.started_at_ms)
      .signed_number("finishedAtMs", outcome.finished_at_ms)
      .done();
}

std::optional<WorkerEvent> read_event(std::string_view line) {
  JsonReader reader;
  try {
    const auto& members = reader.members_of_copy(line);
    const auto type = members.text("type");
    WorkerEvent event;
    if (type == "progress") {
      event.kind = WorkerEvent::Kind::kProgress;
      event.json = members.raw("value");
    } else if (type == "output") {
      event.kind = WorkerEvent::Kind::kOutput;
      event.is_error = members.text("stream") == "stderr";
      event.bytes = members.text("text");
    } else if (type == "outcome") {
      event.kind = WorkerEvent::Kind::kOutcome;
      event.outcome = {.ok = members.text("status") == "ok",
                       .value = std::string(members.raw("value")),
                       .stdout_ref = members.text("stdoutRef"),
                       .stderr_ref = members.text("stderrRef"),
                       .metadata = std::string(members.raw("metadata")),
                       .started_at_ms = members.signed_number("startedAtMs"),
                       .finished_at_ms = members.signed_number("finishedAtMs")};
    } else {
      return std::nullopt;
    }
    return event;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace reprise
