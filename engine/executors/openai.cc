// Config, request, slot, key, answer; and where the answer must be JSON, one chance to mend it.
#include "engine/executors/openai.h"

#include <chrono>
#include <thread>

#include "engine/executors/chat_asker.h"
#include "engine/executors/outcome.h"
#include "engine/executors/prompt.h"
#include "engine/executors/slots.h"
#include "engine/executors/work_failed.h"
#include "engine/json_writer.h"
#include "engine/schema.h"
#include "engine/steady_time.h"
#include "journal/clock.h"
#include "journal/error.h"
#include "journal/json_reader.h"
#include "journal/value.h"

namespace reprise {

namespace {

constexpr size_t kShownText = 2000;

struct Judged {
  std::string value;      ///< JSON
  std::string complaint;  ///< empty: the value is what was asked for
};

Judged judge_output(const std::string& schema, const std::string& text, const Work& work) {
  try {
    auto value = parse_value(json_in_text(text, true).value_or(text), "the answer");
    check_schema(schema, value.text, work.effect);
    return {std::move(value.text), {}};
  } catch (const Error& error) {
    if (error.code() == "SCHEMA_INVALID") throw WorkFailed("SchemaInvalid", error.message());
    if (error.code() == "INVALID_JSON") return {{}, error.message()};
    if (error.code() != "OUTPUT_INVALID") throw;
    JsonReader reader;
    const auto& violation = reader.members_of_copy(error.details());
    const auto pointer = violation.text("pointer");
    return {{}, (pointer.empty() ? "the value" : pointer) + ": " + violation.text("reason")};
  }
}

/// Before anything is paid for.
void check_is_schema(const std::string& schema, const Work& work) {
  try {
    check_schema(schema, "null", work.effect);
  } catch (const Error& error) {
    if (error.code() == "SCHEMA_INVALID") throw WorkFailed("SchemaInvalid", error.message());
  }
}

std::string lower_case(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

/// One piece of work on its way.
class Performance {
 public:
  Performance(const Work& work, const ExecutorConfig& executor, const WorkEvents& events,
              const ChatOutside& outside)
      : x_work(work), x_executor(executor), x_events(events), x_outside(outside) {}

  Outcome run();

 private:
  std::string answer();
  std::string structured_answer(ChatAsker& asker, ChatRequest& request);
  ChatReply ask(ChatAsker& asker, const ChatRequest& request);
  bool is_stopped() const { return x_events.stopped && x_events.stopped(); }
  std::unique_ptr<FileLock> wait_for_slot(const OpenaiConfig& config, const ChatTerms& terms) const;
  std::vector<std::string> headers_of(const OpenaiConfig& config);
  std::string secret(const SecretSource& source);
  std::string metadata(const std::string& log_problem) const;

  const Work& x_work;
  const ExecutorConfig& x_executor;
  const WorkEvents& x_events;
  const ChatOutside& x_outside;
  Redactor x_redactor;
  AnswerStream x_stream{x_work, x_events, x_redactor};
  // What came of it so far, also where it fails in the end.
  ChatUsage x_used;
  ChatReply x_reply;  ///< the last one
  std::string x_model;
  uint32_t x_requests = 0;
  bool x_repaired = false;
};

std::string Performance::secret(const SecretSource& source) {
  auto text = read_secret(source, [this] { return is_stopped(); });
  x_redactor.add(text);
  return text;
}

std::vector<std::string> Performance::headers_of(const OpenaiConfig& config) {
  std::vector<std::string> headers = {
      "Content-Type: application/json",
      std::string("Accept: ") + (config.stream ? "text/event-stream" : "application/json")};
  bool authorized = false;
  for (const auto& header : config.headers) {
    authorized = authorized || lower_case(header.name) == "authorization";
    headers.push_back(header.name + ": " + (header.source ? secret(*header.source) : header.value));
  }
  if (config.key && !authorized) headers.push_back("Authorization: Bearer " + secret(*config.key));
  return headers;
}

std::unique_ptr<FileLock> Performance::wait_for_slot(const OpenaiConfig& config,
                                                     const ChatTerms& terms) const {
  if (config.slots == 0 || x_work.home.empty()) return nullptr;
  const auto late = [&] {
    return terms.deadline_ms && x_outside.steady_ms() >= *terms.deadline_ms;
  };
  auto slot =
      take_slot(x_work.home, config.executor, config.slots, [&] { return is_stopped() || late(); });
  if (slot) return slot;
  if (!late())
    throw WorkFailed("Stopped",
                     "stopped while it waited for a slot of the executor " + config.executor,
                     WorkFailed::Again::kMayHelp);
  throw WorkFailed("TimeoutError",
                   "no slot of the executor " + config.executor + " became free within " +
                       std::to_string(x_work.timeout_ms) + " ms; slots sets how many there are",
                   WorkFailed::Again::kMayHelp);
}

ChatReply Performance::ask(ChatAsker& asker, const ChatRequest& request) {
  const auto count = [&] { x_requests = asker.requests(); };
  try {
    auto reply = asker.ask(request);
    count();
    x_used.add(reply.usage());
    return reply;
  } catch (...) {
    count();
    throw;
  }
}

std::string Performance::structured_answer(ChatAsker& asker, ChatRequest& request) {
  for (;;) {
    x_reply = ask(asker, request);
    auto judged = judge_output(request.schema(), x_reply.text(), x_work);
    if (judged.complaint.empty()) return std::move(judged.value);
    if (x_repaired) {
      const bool cut = x_reply.finish_reason() == "length";
      throw WorkFailed("OutputInvalid",
                       "the model's answer is not what the outputSchema asks for, also when it was "
                       "told so: " +
                           judged.complaint +
                           (cut ? "; the answer was cut off by its token limit" : ""),
                       WorkFailed::Again::kMayHelp,
                       JsonWriter()
                           .text("reason", judged.complaint)
                           .text("text", valid_text(x_reply.text().substr(0, kShownText)))
                           .done());
    }
    x_repaired = true;
    x_stream.notice("the answer cannot be used: " + judged.complaint + "; asking once more");
    request.add_complaint(x_reply.text(), judged.complaint);
  }
}

std::string Performance::answer() {
  const auto config = parse_openai_config(x_executor);
  ChatRequest request(x_work, config);
  x_model = request.model();
  if (!request.schema().empty()) check_is_schema(request.schema(), x_work);
  ChatTerms terms{.seed = x_work.idempotency_key + std::to_string(x_work.attempt)};
  if (x_work.timeout_ms > 0) terms.deadline_ms = x_outside.steady_ms() + x_work.timeout_ms;
  const auto slot = wait_for_slot(config, terms);
  // Only now: some keys are short-lived.
  terms.headers = headers_of(config);
  x_stream.open();
  ChatAsker asker(config, terms, x_outside, x_events, x_stream);
  if (!request.schema().empty()) return structured_answer(asker, request);
  x_reply = ask(asker, request);
  return x_reply.json(x_model, x_used);
}

std::string Performance::metadata(const std::string& log_problem) const {
  if (x_requests == 0) return {};
  JsonWriter json;
  json.text("executor", x_executor.name)
      .text("model", x_reply.model().empty() ? x_model : x_reply.model())
      .number("requests", x_requests)
      .text_if("finishReason", x_reply.finish_reason())
      .text_if("responseId", x_reply.id())
      .text_if("logProblem", valid_text(log_problem));
  if (x_used.known()) json.raw("usage", x_used.json());
  return json.flag("repaired", x_repaired).done();
}

Outcome Performance::run() {
  Outcome outcome;
  try {
    outcome.value = answer();
    outcome.ok = true;
  } catch (const WorkFailed& failed) {
    outcome = error_outcome(failed.name(), failed.message(), failed.data(), failed.is_final());
  }
  const auto logs = x_stream.finish();
  outcome.value = x_redactor.redact(std::move(outcome.value));
  outcome.metadata = x_redactor.redact(metadata(logs.problem));
  outcome.stdout_ref = logs.out;
  outcome.stderr_ref = logs.err;
  return outcome;
}

}  // namespace

Outcome perform_openai(const Work& work, const ExecutorConfig& executor, const WorkEvents& events,
                       const ChatOutside& outside) {
  return Performance(work, executor, events, outside).run();
}

Outcome perform_openai(const Work& work, const ExecutorConfig& executor, const Policy&,
                       const WorkEvents& events) {
  using std::chrono::milliseconds;
  const HttpClient client;
  WallClock clock;
  const ChatOutside outside = {
      .send = [&](const HttpRequest& request) { return client.send(request); },
      .wall_ms = [&] { return clock.now_ms(); },
      .steady_ms = steady_ms,
      .pause = [](int64_t ms) { std::this_thread::sleep_for(milliseconds(ms)); }};
  return perform_openai(work, executor, events, outside);
}

}  // namespace reprise
