// Who may speak, what is recorded of it, and what later changes do not touch.
#include "processes/channel/permissions.h"

#include <catch2/catch.hpp>

#include "tests/processes/channel/harness.h"

namespace reprise::channel {
namespace {

Json list(const Json& users, const Json& roles = Json::array()) {
  return {{"users", users}, {"roles", roles}};
}

/// A message from another platform, whose permission counts.
Json from(const std::string& user, const Json& roles = Json::array()) {
  return {{"author", {{"id", user}, {"roles", roles}}}, {"platform", "discord"}};
}

/// "owner", "member", or why not.
std::string judged(TestChannel& channel, const Json& message) {
  static int number = 0;
  REQUIRE_FALSE(channel.say("p" + std::to_string(++number), "hello", message));
  const auto received = channel.events("channel.message.received").back().payload;
  return received.at("allowed") ? received.at("role") : received.at("reason");
}

TEST_CASE("Without any list everybody is an owner, and with one nobody else is") {
  TestChannel channel;
  CHECK(judged(channel, from("zoe")) == "owner");
  REQUIRE_FALSE(channel.signal("channel.allow", {{"users", {"ann"}}, {"role", "owner"}}));
  CHECK(judged(channel, from("ann")) == "owner");
  CHECK(judged(channel, from("zoe")) == "not_permitted");
}

TEST_CASE("The higher of all grants wins: users and roles, of the home and of the channel") {
  TestChannel channel(
      {{"platform", "discord"},
       {"permissions", {{"members", list({"ann", "bob"}, {"crew"})}}},
       {"configured",
        {{"permissions", {{"owners", list({"bob"}, {"admin"})}, {"members", list({"eve"})}}}}}});
  CHECK(judged(channel, from("ann")) == "member");
  CHECK(judged(channel, from("bob")) == "owner");
  CHECK(judged(channel, from("eve")) == "member");
  CHECK(judged(channel, from("zoe", {"crew"})) == "member");
  CHECK(judged(channel, from("zoe", {"crew", "admin"})) == "owner");
  CHECK(judged(channel, from("zoe", {"other"})) == "not_permitted");
}

TEST_CASE("A grant never takes a role away") {
  const std::vector<std::string> users = {"ann", "bob", "eve"};
  const auto rank = [](const TestChannel& channel, const std::string& user) {
    const auto permissions = channel.ask({{"ask", "identity"}}).at("permissions");
    Permissions lists;
    lists.restore(permissions);
    return role_of(lists, Settings(), {user, user, {"crew"}});
  };
  TestChannel channel(Json{{"permissions", {{"owners", list({"root"})}}}});
  for (const auto& grant :
       {Json{{"users", {"ann"}}}, Json{{"roles", {"crew"}}},
        Json{{"users", {"bob"}}, {"role", "owner"}}, Json{{"users", {"eve"}}, {"role", "member"}},
        Json{{"roles", {"crew"}}, {"role", "owner"}}}) {
    std::vector<Role> before;
    before.reserve(users.size());
    for (const auto& user : users) before.push_back(rank(channel, user));
    REQUIRE_FALSE(channel.signal("channel.allow", grant));
    for (size_t i = 0; i < users.size(); ++i) CHECK(rank(channel, users[i]) >= before[i]);
  }
}

TEST_CASE("Who speaks on this machine is an owner, the channel's agent may speak") {
  TestChannel channel(Json{{"permissions", {{"owners", list({"root"})}}}});
  CHECK(judged(channel, {{"platform", "local"}}) == "owner");
  CHECK(judged(channel, Json::object()) == "owner");  // the channel's own platform is local
  CHECK(judged(channel, from("agent")) == "member");
  CHECK(judged(channel, from("zoe")) == "not_permitted");
}

TEST_CASE("A denied message is kept as context with its reason, and never runs") {
  TestChannel channel(Json{{"permissions", {{"owners", list({"root"})}}}});
  CHECK(judged(channel, from("zoe")) == "not_permitted");
  CHECK(channel.events("message.created").size() == 1);
  CHECK(channel.events("message.claimed").empty());
  const auto id = channel.events("message.created").back().payload.at("msgId");
  CHECK(channel.ask({{"ask", "message"}, {"msgId", id}}).at("state") == "denied");
}

TEST_CASE("A change of the lists leaves messages that wait as they were judged") {
  TestChannel channel(
      Json{{"permissions", {{"owners", list({"root"})}, {"members", list({"ann"})}}}});
  REQUIRE_FALSE(channel.signal("channel.hold", Json::object()));
  REQUIRE_FALSE(channel.say("m1", "hello", from("ann")));
  REQUIRE_FALSE(channel.say("m2", "hello", from("zoe")));
  REQUIRE_FALSE(channel.signal("channel.deny", {{"users", {"ann"}}}));
  REQUIRE_FALSE(channel.signal("channel.allow", {{"users", {"zoe"}}}));
  REQUIRE_FALSE(channel.signal("channel.release", Json::object()));
  REQUIRE(channel.events("message.claimed").size() == 1);
  CHECK(channel.events("message.claimed")[0].payload.at("msgId") == "m1");
  CHECK(judged(channel, from("ann")) == "not_permitted");
}

TEST_CASE("To allow is to move: a name stands on one list") {
  TestChannel channel;
  REQUIRE_FALSE(channel.signal("channel.allow", {{"users", {"ann"}}, {"role", "owner"}}));
  REQUIRE_FALSE(channel.signal("channel.allow", {{"users", {"ann", "bob"}}}));
  const auto lists = channel.ask({{"ask", "identity"}}).at("permissions");
  CHECK(lists.at("owners").at("users").empty());
  CHECK(lists.at("members").at("users") == Json({"ann", "bob"}));
  const auto changes = channel.events("permission.changed").size();
  REQUIRE_FALSE(channel.signal("channel.allow", {{"users", {"bob"}}}));
  CHECK(channel.events("permission.changed").size() == changes);
}

TEST_CASE("Taking the last name away does not open the channel to all") {
  TestChannel channel(Json{{"permissions", {{"owners", list({"ann"})}}}});
  const auto refusal = channel.signal("channel.deny", {{"users", {"ann"}}});
  REQUIRE(refusal);
  CHECK(refusal->kind == Refusal::Kind::kConflict);
  CHECK(refusal->code == "LAST_PERMISSION");
  CHECK_FALSE(channel.signal("channel.deny", {{"users", {"nobody"}}}));
  REQUIRE_FALSE(channel.signal("channel.allow", {{"users", {"bob"}}}));
  CHECK_FALSE(channel.signal("channel.deny", {{"users", {"ann"}}}));
}

TEST_CASE("A role that does not exist makes nobody a member") {
  TestChannel channel;
  const auto refusal = channel.signal("channel.allow", {{"users", {"ann"}}, {"role", "ownr"}});
  REQUIRE(refusal);
  CHECK(refusal->code == "INVALID_PERMISSION");
  CHECK(channel.signal("channel.allow", {{"users", Json::array()}}));
  CHECK(channel.signal("channel.allow", {{"users", "ann"}}));
  CHECK(channel.signal("channel.deny", {{"roles", {1}}}));
}

TEST_CASE("A thread gets what it inherits, and goes its own way from there") {
  const Json lists = {{"members", list({"ann"})}, {"owners", list(Json::array(), {"admin"})}};
  TestChannel thread(Json{{"parent", "main"},
                          {"dir", "/work"},
                          {"parentDir", "/work"},
                          {"platform", "discord"},
                          {"guild", "g1"},
                          {"forkFrom", "s1"},
                          {"permissions", lists}});
  const auto identity = thread.ask({{"ask", "identity"}});
  CHECK(identity.at("parent") == "main");
  CHECK(identity.at("dir") == "/work");
  CHECK(identity.at("parentDir") == "/work");
  CHECK(identity.at("platform") == "discord");
  CHECK(identity.at("guild") == "g1");
  CHECK(identity.at("permissions").at("members") == lists.at("members"));
  CHECK(judged(thread, {{"author", {{"id", "zoe"}}}}) == "not_permitted");
  CHECK(judged(thread, {{"author", {{"id", "ann"}}}}) == "member");
}

}  // namespace
}  // namespace reprise::channel
