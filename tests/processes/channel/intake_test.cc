// What comes in: triggers, bad messages, and what is recorded of a good one.
#include <catch2/catch.hpp>

#include "tests/processes/channel/harness.h"

namespace reprise::channel {
namespace {

constexpr size_t kMiB = size_t{1024} * 1024;

Json flags(const char* name) {
  Json flags = {{"dm", false}};
  flags[name] = true;
  return {{"flags", std::move(flags)}};
}

TEST_CASE("A mention, a reply, a prefix and a direct message trigger, and nothing else does") {
  TestChannel channel;
  const auto triggers = [&](const std::string& id, const Json& more, const char* text = "hello") {
    REQUIRE_FALSE(channel.say(id, text, more));
    return channel.events("channel.message.received").back().payload.at("triggered").get<bool>();
  };
  CHECK(triggers("a", flags("mention")));
  CHECK(triggers("b", flags("reply")));
  CHECK(triggers("c", flags("prefix")));
  CHECK(triggers("d", flags("dm")));
  const Json none = {{"flags", {{"dm", false}}}};
  CHECK_FALSE(triggers("e", none));
  CHECK_FALSE(triggers("f", {{"flags", nullptr}}));
  CHECK(triggers("g", none, "!loop what is new"));
  CHECK(triggers("h", none, "!loop"));
  CHECK_FALSE(triggers("i", none, "!loops are fine"));
  CHECK_FALSE(triggers("j", none, "say !loop"));
  REQUIRE_FALSE(channel.signal("channel.configure", {{"settings", {{"prefix", ""}}}}));
  CHECK_FALSE(triggers("k", none, "!loop what is new"));
}

TEST_CASE("An untriggered message is context: a row, and no run") {
  TestChannel channel;
  channel.news();
  channel.say("a", "chat", {{"flags", {{"dm", false}}}});
  CHECK(channel.news() == "message.created channel.message.received");
  CHECK(channel.events("channel.message.received").back().payload.at("reason") == "untriggered");
  CHECK(channel.ask({{"ask", "message"}, {"msgId", "a"}}).at("state") == "context");
  CHECK(channel.open().empty());
}

TEST_CASE("A message keeps what came with it, over a snapshot too (D8)") {
  TestChannel channel;
  const Json attachments = {{{"name", "a.png"}, {"path", "/tmp/a.png"}, {"size", 7}}};
  channel.say("a", "see this",
              {{"attachments", attachments},
               {"replyTo", "x"},
               {"mode", "plan"},
               {"author", {{"id", "1"}, {"name", "Ann"}, {"roles", {"crew"}}}}});
  const auto row = channel.events("message.created").back().payload;
  CHECK(row.at("attachments") == attachments);
  CHECK(row.at("replyTo") == "x");
  CHECK(row.at("author").at("name") == "Ann");
  CHECK(channel.events("channel.message.received").back().payload.at("roles") == Json({"crew"}));
  CHECK(channel.events("channel.message.received").back().payload.at("mode") == "plan");
  channel.check_cuts();
}

TEST_CASE("A plan is answered, whatever its words") {
  TestChannel channel;
  channel.say("a", "implement it", {{"mode", "plan"}});
  CHECK(channel.events("channel.route.decided").back().payload.at("action") == "respond");
}

TEST_CASE("A routed message is taken over, processed, and the agent is free again") {
  TestChannel channel;
  channel.news();
  channel.say("a", "fix the tests");
  channel.say("b", "research it");
  const auto routes = channel.events("channel.route.decided");
  REQUIRE(routes.size() == 2);
  CHECK(routes[0].payload.at("action") == "spawn_worker");
  CHECK(routes[0].payload.at("matched") == "fix");
  CHECK(routes[1].payload.at("action") == "spawn_branch");
  for (const auto& processed : channel.events("messages.processed")) {
    CHECK(processed.payload.at("cause") == "spawned");
  }
  const auto rows = channel.events("message.created");
  REQUIRE(rows.size() == 4);
  CHECK(rows[1].payload.at("role") == "system");
  CHECK(rows[1].payload.at("replyTo") == "a");
  CHECK(channel.events("agent.status").back().payload.at("state") == "spawned");
  channel.check_cuts();
}

TEST_CASE("A bad message is refused before it is recorded, and says what is wrong") {
  TestChannel channel;
  const auto before = channel.snapshot();
  const auto code = [&](const Json& more, const char* content = "hello") {
    const auto refusal = channel.say("a", content, more);
    INFO(more.dump());
    REQUIRE(refusal);
    CHECK(refusal->kind == Refusal::Kind::kInvalid);
    CHECK_FALSE(refusal->message.empty());
    return refusal->code;
  };
  CHECK(code({{"msgId", ""}}) == "INVALID_MESSAGE");
  CHECK(code({{"msgId", 7}}) == "INVALID_MESSAGE");
  CHECK(code({{"msgId", "row-1"}}) == "INVALID_MESSAGE");
  CHECK(code({{"msgId", std::string(257, 'x')}}) == "INVALID_MESSAGE");
  CHECK(code({{"author", "ann"}}) == "INVALID_MESSAGE");
  CHECK(code({{"author", {{"id", ""}}}}) == "INVALID_AUTHOR");
  CHECK(code({{"author", {{"roles", "crew"}}}}) == "INVALID_AUTHOR");
  CHECK(code({{"author", nullptr}}) == "INVALID_AUTHOR");
  CHECK(code({{"content", 7}}) == "INVALID_MESSAGE");
  CHECK(code({{"mode", "fast"}}) == "INVALID_MESSAGE");
  CHECK(code({{"priority", "high"}}) == "INVALID_MESSAGE");
  CHECK(code({{"priority", 1.5}}) == "INVALID_MESSAGE");
  CHECK(code({{"priority", 9223372036854775808ULL}}) == "INVALID_MESSAGE");
  CHECK(code({{"notBefore", -1}}) == "INVALID_MESSAGE");
  CHECK(code({{"notBefore", "tomorrow"}}) == "INVALID_MESSAGE");
  CHECK(code({{"interrupt", 1}}) == "INVALID_MESSAGE");
  CHECK(code({{"flags", {{"dm", "yes"}}}}) == "INVALID_MESSAGE");
  CHECK(code({{"flags", "dm"}}) == "INVALID_MESSAGE");
  CHECK(code({{"attachments", {"a.png"}}}) == "INVALID_MESSAGE");
  CHECK(code({{"configured", {{"nonsense", 1}}}}) == "INVALID_SETTINGS");
  CHECK(code(Json::object(), "") == "EMPTY_MESSAGE");
  CHECK(code(Json::object(), " \t\n\u00a0") == "EMPTY_MESSAGE");
  CHECK(channel.snapshot() == before);
  CHECK_FALSE(channel.say("b", "", {{"attachments", {{{"name", "a.png"}}}}}));
}

TEST_CASE("A message of 1 MiB is taken, a byte more is not, and the hint is to attach a file") {
  TestChannel channel;
  channel.verifies = false;
  const auto refusal = channel.say("a", std::string(kMiB + 1, 'x'));
  REQUIRE(refusal);
  CHECK(refusal->code == "MESSAGE_TOO_LARGE");
  CHECK(refusal->hint.find("attach") != std::string::npos);
  CHECK(channel.say("b", std::string(10 * kMiB, 'x')));
  const Json huge = {{"attachments", {{{"content", std::string(kMiB, 'x')}}}}};
  CHECK(channel.say("c", "x", huge)->code == "MESSAGE_TOO_LARGE");
  CHECK_FALSE(channel.say("d", std::string(kMiB, 'x')));
}

}  // namespace
}  // namespace reprise::channel
