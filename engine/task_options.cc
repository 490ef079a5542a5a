#include "engine/task_options.h"

#include <algorithm>
#include <string>

#include "journal/json_reader.h"

namespace reprise {

namespace {

void read_retry(std::string_view json, TaskOptions& options) {
  JsonReader reader;
  const auto& retry = reader.members_of_copy(json);
  options.retries = true;
  options.max_attempts = static_cast<uint32_t>(retry.number("maxAttempts"));
  options.backoff_ms = retry.signed_number("backoffMs");
  options.factor = std::stod(std::string(retry.raw("factor")));
  options.max_backoff_ms = retry.signed_number("maxBackoffMs");
  options.ask_when_exhausted = retry.text("onExhausted") == "ask";
  if (!retry.has("nonRetryable")) return;
  for (const auto name : array_elements(retry.raw("nonRetryable")))
    options.non_retryable.push_back(unquote(name));
}

}  // namespace

TaskOptions parse_task_options(std::string_view json) {
  TaskOptions options;
  if (json.empty()) return options;
  JsonReader reader;
  const auto& given = reader.members_of_copy(json);
  options.timeout_ms = given.signed_number("timeoutMs");
  options.has_schema = given.flag("outputSchema");
  options.detached = given.flag("detached");
  const auto on_lost = given.text("onLost");
  if (on_lost == "ask") options.on_lost = TaskOptions::OnLost::kAsk;
  if (on_lost == "fail") options.on_lost = TaskOptions::OnLost::kFail;
  if (given.has("retry")) read_retry(given.raw("retry"), options);
  return options;
}

int64_t retry_pause_ms(const TaskOptions& options, uint32_t next) {
  // Not pow(), which the C library answers, each version as it likes.
  auto pause = static_cast<double>(options.backoff_ms);
  for (uint32_t attempt = 2; attempt < next; ++attempt) pause *= options.factor;
  return static_cast<int64_t>(std::min(pause, static_cast<double>(options.max_backoff_ms)));
}

}  // namespace reprise
