// {"type":"mock",
//  "answers":[{"kind":"shell","task":"*","label":"...","agent":"...",      the first that fits
//              "contains":"hello","where":{POINTER:VALUE},
//              "value":..., "values":[...], "error":{...}, "echo":true, "failures":2,
//              "delay":"100ms"}],
//  "value":..., "error":..., "echo":..., "failures":..., "delay":...}    when none does
#include <poll.h>

#include <algorithm>
#include <chrono>

#include "engine/executors/executors.h"
#include "engine/executors/json_fields.h"
#include "engine/executors/match.h"
#include "engine/executors/outcome.h"
#include "engine/executors/prompt.h"
#include "engine/executors/turn.h"
#include "engine/executors/turn_prompt.h"
#include "engine/json_writer.h"

namespace reprise {

namespace {

bool answers_for(const OrderedJson& answer, const char* name, const std::string& text) {
  const auto pattern = text_field(answer, name);
  return pattern.empty() || fits(pattern, text);
}

/// All that is to stand in what was said: in the message that a channel's effect answers, else in
/// the task's prompt.
bool is_said(const OrderedJson& answer, const Work& work, const OrderedJson& inputs) {
  const auto wanted = texts_field(answer, "contains");
  if (wanted.empty()) return true;
  const auto text =
      find_turn_kind(work) != nullptr ? turn_trigger(work.kind, inputs) : prompt_text(work);
  return std::ranges::all_of(
      wanted, [&](const std::string& words) { return text.find(words) != std::string::npos; });
}

const OrderedJson& choose_answer(const OrderedJson& settings, const Work& work,
                                 const OrderedJson& inputs) {
  for (const auto& answer : field(settings, "answers")) {
    if (answers_for(answer, "kind", work.kind) && answers_for(answer, "task", work.task) &&
        answers_for(answer, "label", work.label) && answers_for(answer, "agent", work.agent) &&
        has_values(inputs, field(answer, "where")) && is_said(answer, work, inputs)) {
      return answer;
    }
  }
  return settings;
}

/// Of several values the one for the cycle of a channel's worker, else for the attempt: both stand
/// in the journal, so that the same question has the same answer whoever asks it.
const OrderedJson& choose_value(const OrderedJson& answer, const Work& work,
                                const OrderedJson& inputs) {
  const auto& values = field(answer, "values");
  if (!values.is_array() || values.empty()) return field(answer, "value");
  const auto turn = std::max<int64_t>(number_field(inputs, "cycle", work.attempt), 1);
  return values[std::min(static_cast<size_t>(turn), values.size()) - 1];
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
  return duration_field(settings, "delay") == 0 &&
         std::ranges::all_of(
             answers, [](const OrderedJson& it) { return duration_field(it, "delay") == 0; });
}

Outcome perform_mock(const Work& work, const ExecutorConfig& executor, const WorkEvents& events) {
  const auto settings = parse_object(executor.json);
  const auto inputs = parse_object(work.inputs);
  const auto& answer = choose_answer(settings, work, inputs);
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
    OrderedJson named = error;
    if (!named.contains("name")) named["name"] = "MockError";
    if (!named.contains("message")) named["message"] = "as the mock's configuration says";
    outcome.value = json_text(named);
    return outcome;
  }
  outcome.ok = true;
  if (answer.contains("value") || answer.contains("values")) {
    outcome.value = json_text(choose_value(answer, work, inputs));
  } else if (flag_field(answer, "echo")) {
    outcome.value =
        find_turn_kind(work) != nullptr ? json_text(turn_trigger(work.kind, inputs)) : echo(work);
  } else if (work.kind == "shell") {
    outcome.value = R"({"exitCode":0,"stdout":"","stderr":"","success":true})";
  } else {
    outcome.value = "null";
  }
  return outcome;
}

}  // namespace reprise
