#include "engine/drive/work.h"

#include <algorithm>

#include "engine/approval.h"
#include "engine/executors/match.h"
#include "engine/identity.h"
#include "engine/json_writer.h"
#include "engine/schema.h"
#include "engine/task_options.h"
#include "journal/clock.h"
#include "journal/ids.h"

namespace reprise {

namespace {

Value error_value(std::string_view name, std::string_view message, std::string_view data,
                  bool is_final = false) {
  JsonWriter error;
  error.text("name", name).text("message", message).raw_if("data", data);
  if (is_final) error.raw("retryable", "false");
  return parse_value(error.done(), "an error");
}

}  // namespace

Work work_of(const std::string& home, const RunState& state, const OpenEffect& effect,
             const EffectRequest& request) {
  Work work;
  work.home = home;
  work.run = state.run_id;
  work.effect = format_effect_id(effect.id);
  work.idempotency_key = idempotency_key(state, effect.id);
  work.kind = effect.kind;
  work.task = effect.task;
  work.label = effect.label;
  work.agent = agent_name(request.definition);
  work.definition = request.definition;
  work.inputs = request.inputs;
  return work;
}

void add_claim(Work& work, const OpenEffect& claimed, int64_t now_ms) {
  work.attempt = claimed.attempt;
  work.token = claimed.claim->token;
  const auto deadline = claimed.deadline_ms();
  if (deadline) work.timeout_ms = std::max<int64_t>(*deadline - now_ms, 1);
}

bool has_expired(const OpenEffect& claimed, int64_t now_ms) {
  const auto deadline = claimed.deadline_ms();
  return deadline && *deadline <= now_ms;
}

Post post_of(const OpenEffect& effect, const std::string& token, const Outcome& outcome) {
  Post post;
  post.effect.id = effect.id;
  post.token = token;
  post.ok = outcome.ok;
  try {
    post.value = outcome.ok ? parse_value(outcome.value, "the result")
                            : parse_error_value(outcome.value, "the error");
  } catch (const Error& error) {
    post.ok = false;
    post.value = error_value("InvalidResult", error.message(), {});
  }
  post.stdout_ref = outcome.stdout_ref;
  post.stderr_ref = outcome.stderr_ref;
  if (!outcome.metadata.empty()) post.metadata = parse_value(outcome.metadata, "metadata").text;
  if (outcome.started_at_ms != 0) post.started_at = format_time(outcome.started_at_ms);
  if (outcome.finished_at_ms != 0) post.finished_at = format_time(outcome.finished_at_ms);
  return post;
}

std::optional<Error> bad_schema(const OpenEffect& effect, const std::string& definition) {
  if (!parse_task_options(effect.options).has_schema) return std::nullopt;
  try {
    check_output(definition, "null", format_effect_id(effect.id));
  } catch (const Error& error) {
    if (error.code() == "SCHEMA_INVALID") return error;
  }
  return std::nullopt;
}

Post post_of_violation(Post post, const Error& violation) {
  JsonReader reader;
  JsonWriter data;
  if (!violation.details().empty()) {
    const auto& details = reader.members_of_copy(violation.details());
    data.text("pointer", details.text("pointer")).text_if("reason", details.text("reason"));
  }
  const bool by_schema = violation.code() == "SCHEMA_INVALID";
  post.ok = false;
  post.value = error_value(by_schema ? "SchemaInvalid" : "OutputInvalid", violation.message(),
                           data.done(), by_schema);
  return post;
}

bool was_stopped(const Outcome& outcome) {
  return !outcome.ok && text_member(outcome.value, "name") == "Stopped";
}

}  // namespace reprise
