// One request at a time; between two of them a pause that the endpoint or the backoff decides. An
// answer counts only when it says that it is whole, since a connection that ends looks the same
// whether the server was done or died.
#include "engine/executors/chat_asker.h"

#include <algorithm>
#include <limits>

#include "engine/executors/chat_receiver.h"
#include "engine/executors/work_failed.h"
#include "engine/json_writer.h"

namespace reprise {

namespace {

constexpr int64_t kSliceMs = 200;

std::string in_ms(int64_t ms) { return std::to_string(ms) + " ms"; }

[[noreturn]] void fail_asking(const ChatTrouble& trouble, const std::string& also,
                              uint32_t requests) {
  JsonWriter data;
  if (trouble.status != 0) data.number("status", static_cast<uint64_t>(trouble.status));
  if (trouble.wait_ms) data.signed_number("retryAfterMs", *trouble.wait_ms);
  // What another request might change, another attempt might; so might one with more time.
  const bool may_help = trouble.again || trouble.name == "TimeoutError";
  throw WorkFailed(trouble.name, trouble.message + also,
                   may_help ? WorkFailed::Again::kMayHelp : WorkFailed::Again::kIsUseless,
                   data.number("requests", requests).done());
}

[[noreturn]] void say_stopped() {
  throw WorkFailed("Stopped", "stopped while the endpoint was asked", WorkFailed::Again::kMayHelp);
}

/// What is wrong with an answer that came to its end.
std::optional<ChatTrouble> judge_answer(const OpenaiConfig& config, const HttpResponse& response,
                                        const ChatReceiver& receiver, const ChatReply& reply) {
  if (!receiver.readable()) {
    const auto type = std::string(response.header("content-type"));
    return ChatTrouble{"ReplyInvalid", config.url + " answered " + std::to_string(response.status) +
                                           " with " + (type.empty() ? "no content type" : type) +
                                           ", which is no chat; is the url right, /v1 and all?"};
  }
  const auto& error = reply.error();
  if (!error.is_null()) return trouble_of_event(config, error);
  if (!receiver.done() && !reply.finished()) {
    return ChatTrouble{.name = "ReplyCutOff",
                       .message = config.url + " ended the connection before its answer was whole",
                       .again = true};
  }
  if (!reply.answered()) {
    return ChatTrouble{"ReplyInvalid", config.url + " sent an answer without a choice"};
  }
  return std::nullopt;
}

}  // namespace

int64_t ChatAsker::left_ms() const {
  if (!x_terms.deadline_ms) return std::numeric_limits<int64_t>::max();
  return *x_terms.deadline_ms - x_outside.steady_ms();
}

ChatReply ChatAsker::ask(const ChatRequest& request) {
  for (uint32_t done = 1;; ++done) {
    if (is_stopped()) say_stopped();
    ChatReply reply;
    const auto trouble = ask_once(request, reply);
    if (!trouble) {
      x_stream.end_text();
      return reply;
    }
    pause_after(*trouble, done);
    x_stream.start_anew();
  }
}

HttpRequest ChatAsker::http_request(const ChatRequest& request) const {
  return {.url = x_config.url,
          .headers = x_terms.headers,
          .body = request.json(),
          .ca_file = x_config.ca_file,
          .insecure = !x_config.verify_tls,
          .connect_timeout_ms = x_config.connect_timeout_ms,
          .timeout_ms = std::min(x_config.request_timeout_ms, left_ms()),
          .idle_timeout_ms = x_config.idle_timeout_ms,
          .max_response_bytes = x_config.max_response_bytes};
}

std::optional<ChatTrouble> ChatAsker::ask_once(const ChatRequest& request, ChatReply& reply) {
  auto http = http_request(request);
  if (http.timeout_ms <= 0) {
    return ChatTrouble{"TimeoutError", "no time was left to ask " + x_config.url};
  }
  ChatReceiver receiver(reply, [&](std::string_view piece) {
    x_stream.text(piece);
    x_stream.progress(x_outside.steady_ms(), reply.usage().completion_tokens);
  });
  bool stopped = false;
  http.stopped = [&] { return stopped = stopped || is_stopped(); };
  http.on_body = [&](const HttpResponse& head, std::string_view bytes) {
    return receiver.take(head, bytes);
  };
  x_requests++;
  const auto response = x_outside.send(http);
  if (stopped) say_stopped();
  // We end the transfer ourselves when all that matters has come.
  if (response.error == HttpError::kNone || response.error == HttpError::kStopped) {
    if (response.status < 200 || response.status >= 300) {
      return trouble_of_status(x_config, request.model(), response, receiver.body(),
                               x_outside.wall_ms());
    }
    if (response.error == HttpError::kNone) receiver.finish();
    return judge_answer(x_config, response, receiver, reply);
  }
  // The connection broke, but behind the end of the answer.
  if (reply.finished()) return std::nullopt;
  return trouble_of_transport(x_config, response);
}

void ChatAsker::pause_after(const ChatTrouble& trouble, uint32_t done) {
  if (!trouble.again) fail_asking(trouble, "", x_requests);
  if (done >= x_config.retry.attempts) {
    fail_asking(trouble, done > 1 ? " (asked " + std::to_string(done) + " times)" : "", x_requests);
  }
  int64_t pause = trouble.wait_ms.value_or(backoff_ms(x_config.retry, done, x_terms.seed));
  const int64_t most = std::min(left_ms(), x_config.request_timeout_ms);
  if (pause >= most) {
    fail_asking(
        trouble,
        "; asking again in " + in_ms(pause) + " would be too late, " + in_ms(most) + " are left",
        x_requests);
  }
  x_stream.notice(trouble.message + "; asking again in " + in_ms(pause) + " (" +
                  std::to_string(done + 1) + " of " + std::to_string(x_config.retry.attempts) +
                  ")");
  for (; pause > 0; pause -= kSliceMs) {
    if (is_stopped()) say_stopped();
    x_outside.pause(std::min(pause, kSliceMs));
  }
}

}  // namespace reprise
