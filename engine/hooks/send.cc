#include "engine/hooks/send.h"

#include <algorithm>
#include <cstdlib>

#include "engine/executors/backoff.h"
#include "engine/http/http_client.h"
#include "engine/launch.h"
#include "engine/program.h"
#include "journal/error.h"

namespace reprise {

namespace {

constexpr uint64_t kLargestAnswer = uint64_t{1} << 20U;
constexpr int64_t kHookGraceMs = 1000;

Sent run_command(const Hook& hook, const EventId& id, const std::string& type,
                 const std::string& event, int64_t timeout_ms) {
  Program program{.words = hook.command,
                  .environment = own_environment(),
                  .input = Program::Input::kText,
                  .text = event + "\n",
                  .timeout_ms = timeout_ms,
                  .grace_ms = kHookGraceMs};
  set_variable(program.environment, "REPRISE_EVENT_ID", id.text());
  set_variable(program.environment, "REPRISE_EVENT_TYPE", type);
  set_variable(program.environment, "REPRISE_HOOK", hook.name);
  const auto end = run_program(
      program, [](bool, std::string_view) {}, [] { return true; });
  if (!end.problem.empty()) return {.error = end.problem};
  if (end.timed_out) return {.error = "not done after " + std::to_string(timeout_ms) + " ms"};
  if (end.exit_code != 0) return {.error = "exit code " + std::to_string(end.exit_code)};
  return {.ok = true};
}

Sent post(const Hook& hook, const EventId& id, const std::string& type, const std::string& event,
          int64_t timeout_ms, int64_t now_ms) {
  HttpRequest request{.url = hook.url,
                      .headers = {"Content-Type: application/json", "Idempotency-Key: " + id.text(),
                                  "X-Reprise-Event: " + type},
                      .body = event};
  for (const auto& header : hook.headers) {
    auto value = header.value;
    if (!header.variable.empty()) {
      const char* held = std::getenv(header.variable.c_str());
      if (held == nullptr) {
        return {.error = "the variable " + header.variable + " is not set: it is the header " +
                         header.name};
      }
      value = held;
    }
    request.headers.push_back(header.name + ": " + value);
  }
  request.timeout_ms = timeout_ms;
  request.connect_timeout_ms = timeout_ms;
  request.max_response_bytes = kLargestAnswer;
  const auto answer = HttpClient().send(request);
  if (answer.error == HttpError::kConnect) return {.error = "nobody answers there"};
  if (answer.error == HttpError::kResolve) return {.error = "there is no such host"};
  if (answer.error == HttpError::kTooLarge && answer.status / 100 == 2) return {.ok = true};
  if (answer.error != HttpError::kNone) return {.error = answer.message};
  if (answer.status / 100 == 2) return {.ok = true};
  Sent sent{.error = "status " + std::to_string(answer.status)};
  sent.again_in_ms = parse_retry_after(answer.header("retry-after"), now_ms);
  return sent;
}

}  // namespace

Sent send_to_hook(const Hook& hook, const EventId& id, const std::string& type,
                  const std::string& event, int64_t most_ms, int64_t now_ms) {
  const auto timeout_ms = std::max<int64_t>(1, std::min(hook.timeout_ms, most_ms));
  try {
    return hook.url.empty() ? run_command(hook, id, type, event, timeout_ms)
                            : post(hook, id, type, event, timeout_ms, now_ms);
  } catch (const Error& error) {  // no module, no process
    return {.error = error.message()};
  }
}

}  // namespace reprise
