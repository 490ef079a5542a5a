// What a chat endpoint sends: however the bytes are cut into pieces, the events and the answer are
// the same, and whatever they are, the answer is JSON or the work has failed.
//
// The first line says status and type; the second where the body is cut.
#include <array>
#include <nlohmann/json.hpp>

#include "engine/executors/chat_receiver.h"
#include "engine/executors/work_failed.h"
#include "journal/error.h"
#include "journal/value.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/target.h"

namespace reprise::fuzz {

namespace {

constexpr std::array<std::string_view, 20> kWords = {
    "data: ",
    "\n\n",
    "\r\n\r\n",
    "\r",
    "data: [DONE]\n\n",
    "event: error\n",
    "error: {}\n",
    ": \n",
    "\xef\xbb\xbf",
    "\"choices\":[{",
    "\"delta\":{\"content\":\"x\"}",
    "\"index\":999",
    "\"index\":-1",
    "\"index\":1e300",
    "\"tool_calls\":[{\"index\":0,\"function\":{\"name\":\"f\"}}]",
    "\"usage\":{\"prompt_tokens\":1}",
    "\"usage\":{\"prompt_tokens\":18446744073709551615}",
    "\"finish_reason\":\"stop\"",
    "\"error\":{\"message\":\"x\"}",
    "\xff"};

struct Received {
  std::string told;     ///< what those who watch were told
  std::string outcome;  ///< the answer, or why there is none
};

Received receive(const HttpResponse& head, std::string_view body, std::string_view cuts,
                 Subject subject) {
  Received received;
  ChatReply reply;
  ChatReceiver receiver(reply, [&](std::string_view text) { received.told += text; });
  try {
    bool goes_on = true;
    for (Input pieces(cuts); goes_on && !body.empty();) {
      const size_t size = pieces.at_end() ? body.size() : pieces.byte();
      goes_on = receiver.take(head, body.substr(0, size));
      body.remove_prefix(std::min(size, body.size()));
      // As a reader that begins anew with each piece.
      if (subject == Subject::kBroken && goes_on) receiver.finish();
    }
    if (goes_on) receiver.finish();
  } catch (const WorkFailed& failed) {
    received.outcome = "failed " + failed.name();
    return received;
  }
  received.outcome = reply.json("asked", reply.usage());
  parse_value(received.outcome, "an answer");
  if (!reply.error().is_null()) {
    received.outcome += reply.error().dump(-1, ' ', false, nlohmann::json::error_handler_t::strict);
  }
  return received;
}

std::string events_of(std::string_view body, size_t piece) {
  std::string events;
  SseParser parser(
      [&](const SseEvent& event) { events += "[" + event.type + "] " + event.data + "\n"; });
  while (!body.empty()) {
    parser.feed(body.substr(0, piece));
    body.remove_prefix(std::min(piece, body.size()));
  }
  parser.finish();
  return events;
}

void check(std::string_view bytes, Subject subject) {
  Input input(bytes);
  HttpResponse head;
  head.status = static_cast<int>(input.number() % 1000);
  head.headers.emplace_back("content-type", input.line());
  const auto cuts = input.line();
  const auto body = input.rest();
  expect_equal(events_of(body, 1), events_of(body, SIZE_MAX), "how events are cut does not matter");
  const auto whole = receive(head, body, {}, Subject::kReal);
  const auto cut = receive(head, body, cuts, subject);
  expect_equal(cut.outcome, whole.outcome, "how an answer is cut does not matter");
  expect_equal(cut.told, whole.told, "how an answer is cut does not matter to who watches");
}

}  // namespace

const Target kTarget{"endpoints", kWords, check};

}  // namespace reprise::fuzz
