// {"type":"mock",
//  "answers":[{"kind":"shell","task":"*","label":"...","agent":"...",      the first that fits
//              "value":..., "error":{...}, "echo":true, "failures":2, "delay":"100ms"}],
//  "value":..., "error":..., "echo":..., "failures":..., "delay":...}    when none does
#include <poll.h>

#include <algorithm>
#include <chrono>

#include "engine/executors/executors.h"
#include "engine/executors/json_fields.h"
#include "engine/executors/match.h"
#include "engine/executors/outcome.h"
#include "engine/json_writer.h"

namespace reprise {

namespace {

bool suits(const Json& answer, const char* name, const std::string& text) {
  const auto pattern = text_field(answer, name);
  return pattern.empty() || fits(pattern, text);
}

const Json& choose_answer(const Json& settings, const Work& work) {
  for (const auto& answer : field(settings, "answers")) {
    if (suits(answer, "kind", work.kind) && suits(answer, "task", work.task) &&
        suits(answer, "label", work.label) && suits(answer, "agent", work.agent)) {
      return answer;
    }
  }
  return settings;
}

/// False when the work was stopped meanwhile.
bool wait_for(int64_t delay_ms, const WorkEvents& events) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::milliseconds(delay_ms);
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
    if (left.count() <= 0) return true;
    pollfd stop{events.stop_descriptor, POLLIN, 0};
    ::poll(&stop, 1, static_cast<int>(std::min<int64_t>(left.count(), 1000)));
    if (stop.revents != 0 || (events.stopped && events.stopped())) return false;
  }
}

std::string echo(const Work& work) {
  return JsonWriter()
      .text("effect", work.effect)
      .number("attempt", work.attempt)
      .text("kind", work.kind)
      .text("task", work.task)
      .text("label", work.label)
      .raw("inputs", work.inputs.empty() ? "null" : work.inputs)
      .done();
}

}  // namespace

bool mock_is_instant(const ExecutorConfig& executor) {
  const auto settings = parse_object(executor.json);
  const auto& answers = field(settings, "answers");
  return duration_field(settings, "delay") == 0 && std::ranges::all_of(answers, [](const Json& it) {
           return duration_field(it, "delay") == 0;
         });
}

Outcome perform_mock(const Work& work, const ExecutorConfig& executor, const WorkEvents& events) {
  const auto settings = parse_object(executor.json);
  const auto& answer = choose_answer(settings, work);
  const auto delay_ms = duration_field(answer, "delay");
  if (delay_ms > 0 && !wait_for(delay_ms, events)) {
    return error_outcome("Stopped", "the work was stopped");
  }
  if (work.attempt <= number_field(answer, "failures")) {
    return error_outcome("MockFailure", "attempt " + std::to_string(work.attempt) +
                                            " fails, as the mock's configuration says");
  }
  Outcome outcome;
  const auto& error = field(answer, "error");
  if (error.is_object()) {
    Json named = error;
    if (!named.contains("name")) named["name"] = "MockError";
    if (!named.contains("message")) named["message"] = "as the mock's configuration says";
    outcome.value = json_text(named);
    return outcome;
  }
  outcome.ok = true;
  if (answer.is_object() && answer.contains("value")) {
    outcome.value = json_text(answer["value"]);
  } else if (flag_field(answer, "echo")) {
    outcome.value = echo(work);
  } else if (work.kind == "shell") {
    outcome.value = R"({"exitCode":0,"stdout":"","stderr":"","success":true})";
  } else {
    outcome.value = "null";
  }
  return outcome;
}

}  // namespace reprise
