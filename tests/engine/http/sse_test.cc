// Server-sent events: the format's corners, and streams that arrive in any pieces.
#include "engine/executors/sse.h"

#include <catch2/catch.hpp>
#include <random>

namespace reprise::test {
namespace {

/// Each event as "type|data;".
std::string read(const std::vector<std::string>& pieces) {
  std::string events;
  SseParser parser([&](const SseEvent& event) { events += event.type + "|" + event.data + ";"; });
  for (const auto& piece : pieces) parser.feed(piece);
  parser.finish();
  return events;
}

std::vector<std::string> split(const std::string& bytes, std::mt19937& random) {
  std::vector<std::string> pieces;
  for (size_t at = 0; at < bytes.size();) {
    const size_t size = random() % 8;
    pieces.push_back(bytes.substr(at, size));
    at += size;
  }
  return pieces;
}

TEST_CASE("Events end with a blank line, whichever line ends are used") {
  CHECK(read({"data: a\n\ndata:b\r\n\r\ndata:  c\r\rdata: d\n\n"}) == "|a;|b;| c;|d;");
  CHECK(read({"data: a\ndata: b\n\n"}) == "|a\nb;");
  CHECK(read({"event: x\ndata: a\n\ndata: b\n\n"}) == "x|a;|b;");
}

TEST_CASE("Comments, other fields and events without data are passed over") {
  CHECK(read({": keep-alive\n\n\n\nid: 7\nretry: 3\n\nevent: x\n\ndata: a\n: more\n\n"}) == "|a;");
  CHECK(read({"\xef\xbb\xbf"
              "data: a\n\n"}) == "|a;");
  CHECK(read({"data\n\n"}) == "|;");
  CHECK(read({}).empty());
}

TEST_CASE("An event whose blank line never came counts, a line that was cut off does not") {
  CHECK(read({"data: a\n\ndata: b\n"}) == "|a;|b;");
  CHECK(read({"data: a\n\ndata: b\r"}) == "|a;|b;");
  CHECK(read({"data: a\n\ndata: b"}) == "|a;");
}

TEST_CASE("A field named error is an event of that type") {
  CHECK(read({"error: {\"code\":500}\n\n"}) == "error|{\"code\":500};");
}

TEST_CASE("How a stream is cut into pieces makes no difference") {
  const std::vector<std::string> parts = {
      "data: a\n\n", "data: b\r\n\r\n", "data: c\r\r",      ": x\n",        "\r",   "\n",
      "event: e\n",  "data\n",          "data: \xff\xc3\n", "error: q\r\n", "\n\r", "id: 1\r"};
  std::mt19937 random(20261122);
  for (int round = 0; round < 3000; ++round) {
    std::string bytes;
    for (size_t i = random() % 12; i > 0; --i) bytes += parts[random() % parts.size()];
    const auto expected = read({bytes});
    const auto pieces = split(bytes, random);
    INFO("round " << round);
    REQUIRE(read(pieces) == expected);
  }
}

}  // namespace
}  // namespace reprise::test
