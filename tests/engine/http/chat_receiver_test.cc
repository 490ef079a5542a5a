// Bodies in any pieces, and bodies that are damaged.
#include "engine/executors/chat_receiver.h"

#include <catch2/catch.hpp>
#include <random>

#include "engine/executors/work_failed.h"

namespace reprise::test {
namespace {

const std::string kStream =
    ": hello\r\n\r\n"
    "data: {\"id\":\"c-1\",\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n"
    "data: {\"choices\":[{\"delta\":{\"content\":\"Gr\xc3\xbc\xc3\x9f \\ud83d\\ude00\"}}]}\r\n\r\n"
    "data: {\"choices\":[{\"delta\":{\"content\":\" Gott\xff\"}}]}\r\r"
    "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\"}]}}]}\n\n"
    "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2}}\n\n"
    "data: [DONE]\n\n";

HttpResponse head(const std::string& type, int status = 200) {
  return {.status = status, .headers = {{"content-type", type}}};
}

/// The answer, or the name of the error; then what was told.
std::string receive(const std::vector<std::string>& pieces, const std::string& type) {
  ChatReply reply;
  std::string told;
  ChatReceiver receiver(reply, [&](std::string_view text) { told += text; });
  try {
    bool more = true;
    for (size_t i = 0; i < pieces.size() && more; ++i) more = receiver.take(head(type), pieces[i]);
    if (more) receiver.finish();
    return reply.json("m", reply.usage()) + (receiver.done() ? " done " : " open ") + told;
  } catch (const WorkFailed& failed) {
    return failed.name();
  }
}

std::vector<std::string> cut(const std::string& bytes, std::mt19937& random, size_t longest) {
  std::vector<std::string> pieces;
  for (size_t at = 0; at < bytes.size();) {
    const size_t size = 1 + random() % longest;
    pieces.push_back(bytes.substr(at, size));
    at += size;
  }
  return pieces;
}

TEST_CASE("However a stream is cut, the answer is the same") {
  const auto expected = receive({kStream}, "text/event-stream; charset=utf-8");
  CHECK(expected.find("Gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80 Gott\xef\xbf\xbd") != std::string::npos);
  CHECK(expected.find(" done ") != std::string::npos);
  std::mt19937 random(1);
  for (size_t round = 0; round < 500; ++round) {
    INFO("round " << round);
    REQUIRE(receive(cut(kStream, random, 1 + round % 40), "text/event-stream") == expected);
  }
}

TEST_CASE("A stream that ends anywhere is whole only behind its finish_reason") {
  const auto finish = kStream.find("\"finish_reason\"");
  for (size_t size = 0; size <= kStream.size(); ++size) {
    ChatReply reply;
    ChatReceiver receiver(reply, [](std::string_view) {});
    receiver.take(head("text/event-stream"), kStream.substr(0, size));
    receiver.finish();
    INFO("size " << size);
    const bool whole = reply.finished() || receiver.done();
    if (size < finish) REQUIRE_FALSE(whole);
    if (size > finish + 30) REQUIRE(whole);
  }
}

TEST_CASE("A damaged body is read or refused, and no more") {
  std::mt19937 random(2);
  for (int round = 0; round < 2000; ++round) {
    auto bytes = kStream;
    for (size_t i = 1 + random() % 4; i > 0; --i) {
      bytes[random() % bytes.size()] = static_cast<char>(random() % 256);
    }
    const auto pieces = cut(bytes, random, 60);
    INFO("round " << round);
    REQUIRE(receive(pieces, "text/event-stream") == receive({bytes}, "text/event-stream"));
    receive(pieces, "application/json");
  }
}

TEST_CASE("Of what is no answer the beginning is kept") {
  ChatReply reply;
  ChatReceiver receiver(reply, [](std::string_view) {});
  CHECK(receiver.take(head("text/html"), std::string(60'000, 'x')));
  CHECK_FALSE(receiver.take(head("text/html"), std::string(60'000, 'x')));
  CHECK_FALSE(receiver.readable());
  CHECK(receiver.body().size() == size_t{64} << 10U);
}

}  // namespace
}  // namespace reprise::test
