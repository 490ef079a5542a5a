// What programs print, read as their executor says: always a result or an error that can be posted.
// And what workers and runs exchange, read back.
//
// The first line is the executor, the second the task, the rest what was printed.
#include <array>
#include <nlohmann/json.hpp>

#include "engine/executors/outcome.h"
#include "engine/executors/prompt.h"
#include "engine/executors/reading.h"
#include "engine/executors/worker_protocol.h"
#include "journal/error.h"
#include "journal/value.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/target.h"

namespace reprise::fuzz {

namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 24> kWords = {
    "{\"output\":\"jsonl\"}",
    "\"output\":\"text\"",
    "\"read\":{",
    "\"result\":\"/result\"",
    "\"at\":\"/a/0\"",
    "\"where\":{\"/type\":\"result\"}",
    "\"failed\":\"/is_error\"",
    "\"error\":\"/error\"",
    "\"session\":\"/session_id\"",
    "\"usage\":\"/usage\"",
    "\"/-\"",
    "\"/~2\"",
    "\"outputSchema\":{\"type\":\"object\"}",
    "```json\n",
    "\n```\n",
    "{\"a\":[1]}",
    "\xff\xfe",
    "\\ud800",
    "\"agent\":{\"prompt\":{\"instructions\":[\"x\"]}}",
    "{\"type\":\"outcome\",\"status\":\"ok\",\"value\":1}\n",
    "{\"type\":\"progress\",\"value\":{}}",
    "12345678901234567890123",
    "{\"a\":1,\"a\":2}",
    "\x01"};

/// Posted as it is, or as an error that says why it cannot be.
void check_outcome(const Outcome& outcome, Subject subject) {
  const auto value = subject == Subject::kReal ? outcome.value : outcome.value.substr(1);
  expect(Json::accept(value), "an outcome is JSON");
  if (!outcome.ok) parse_value(outcome.value, "an error");
  expect(outcome.metadata.empty() || Json::parse(outcome.metadata).is_object(),
         "metadata are an object");
}

void check_events(std::string_view printed) {
  for (Input input(printed); !input.at_end();) {
    const auto event = read_event(input.line());
    if (!event || event->kind != WorkerEvent::Kind::kOutcome) continue;
    if (!Json::accept(event->outcome.value) || !event->outcome.metadata.empty()) continue;
    const auto again = read_event(write_outcome_event(event->outcome));
    expect(again && again->outcome.value == event->outcome.value &&
               again->outcome.ok == event->outcome.ok,
           "an outcome is read as it was written");
  }
  const auto output = read_event(write_output_event(true, printed));
  expect(output && output->is_error, "what is printed can be told");
  expect_equal(output->bytes, valid_text(printed), "what is printed is told");
}

void check_order(std::string_view order) {
  try {
    const auto read = read_work_order(order);
    const auto written = write_work_order(read.work, read.executor, read.policy);
    const auto again = read_work_order(written);
    expect_equal(write_work_order(again.work, again.executor, again.policy), written,
                 "an order is read as it was written");
  } catch (const Error& error) {
    expect(error.exit() == Exit::kUsage, "an order is refused with exit 2");
  }
}

void check(std::string_view bytes, Subject subject) {
  Input input(bytes);
  const auto executor = input.line();
  const auto definition = input.line();
  const auto printed = input.rest();
  check_outcome(read_output(executor, printed, definition), subject);
  const Work work{.definition = std::string(definition), .inputs = std::string(executor)};
  const auto prompt = prompt_text(work);
  expect_equal(valid_text(prompt), prompt, "a prompt is text");
  const auto json = json_in_text(printed, true);
  expect(!json || Json::accept(*json), "the JSON in a text is JSON");
  check_events(printed);
  check_order(printed);
}

}  // namespace

const Target kTarget{"readings", kWords, check};

}  // namespace reprise::fuzz
