#include "tests/processes/subconscious/loop_fixture.h"

namespace reprise::subconscious {
namespace {

TEST_CASE("A new tick takes over: entries are cancelled, and their work is given up") {
  TestLoop loop;
  const auto id = loop.add("Look at the mail");
  const auto other = loop.add("Look at the weather");
  const auto first = loop.tick();
  loop.decide({{id, "act"}, {other, "noop"}});
  const auto act = loop.open_of("act:").effect;
  const auto second = loop.next_tick();
  CHECK(second != first);
  CHECK(loop.withdrawn() == std::vector<uint64_t>{act});
  const auto entries = loop.entries();
  CHECK(entries[0].at("state") == "cancelled");
  CHECK(entries[0].at("text") == "Cancelled");
  CHECK(entries[1].at("state") == "skipped");  // what was final stays so
  CHECK(entries[2].at("state") == "in_progress");
  CHECK(loop.open().size() == 1);
  CHECK(loop.status().at("lastSeen") == 0);
  CHECK(loop.status().at("failures") == 0);
}

TEST_CASE("A pause before another attempt ends with its tick") {
  TestLoop loop;
  loop.add("Look");
  loop.tick();
  loop.fail(loop.open_of("evaluate:").effect, {{"name", "RateLimited"}, {"message", "429"}});
  const auto second = loop.run_now();
  CHECK_FALSE(loop.is_open("again:"));
  CHECK(loop.open().size() == 1);
  CHECK(loop.is_open("evaluate:" + second));
}

TEST_CASE("Work with full permission outlives its tick, and keeps its task back until it ends") {
  TestLoop loop;
  const auto id = loop.add("Send the digest", {{"recurrence", "once"}});
  const auto other = loop.add("Look");
  loop.tick();
  loop.decide({{id, "escalate"}, {other, "act"}});
  const auto sending = loop.open_of("agent-full:").effect;
  loop.next_tick();
  CHECK(loop.entry(id).at("state") == "cancelled");
  CHECK_FALSE(loop.is_due(id));
  CHECK(loop.task(id).at("waitsFor") == "unresolved work");
  CHECK(loop.open_of("evaluate:").inputs.at("tasks").size() == 1);
  loop.news();
  loop.resolve(sending, "sent");
  CHECK(loop.news() == "heartbeat.effect.late");
  CHECK(loop.entry(id).at("state") == "cancelled");  // the log does not change
  CHECK(loop.task(id).at("completed") == true);      // but it is not sent twice
}

TEST_CASE("Work with full permission that failed late makes its task due again") {
  TestLoop loop;
  const auto id = loop.add("Send the digest");
  const auto other = loop.add("Look");
  loop.tick();
  loop.decide({{id, "act"}});
  loop.next_tick();
  loop.decide({{other, "noop"}});
  loop.fail(loop.open_of("act-full:").effect, {{"name", "AgentError"}, {"message", "no"}});
  CHECK(loop.is_due(id));
}

TEST_CASE("A late success of a cron task spends its occurrence") {
  TestLoop loop;
  const auto next = loop.now_ms + 86'400'000;
  const auto id = loop.add("Send the digest",
                           {{"recurrence", "cron"}, {"cron", "0 9 * * *"}, {"next", loop.now_ms}});
  loop.add("Look");
  loop.tick({{"next", {{id, next}}}});
  loop.decide({{id, "act"}});
  loop.next_tick();
  loop.resolve(loop.open_of("act-full:").effect, "sent");
  CHECK_FALSE(loop.is_due(id));
  CHECK(loop.task(id).at("next") == next);
}

TEST_CASE("Unresolved work can be abandoned, before its tick is over and after") {
  TestLoop loop;
  const auto id = loop.add("Send the digest");
  const auto other = loop.add("Look");
  const auto abandon = [&](const std::string& task) {
    const auto refusal = loop.signal("heartbeat.abandon", {{"taskId", task}, {"by", "anna"}});
    return refusal ? refusal->code : "";
  };
  CHECK(abandon(id) == "NOTHING_TO_ABANDON");
  CHECK(abandon("task-77") == "TASK_NOT_FOUND");
  loop.tick();
  loop.decide({{id, "act"}, {other, "act"}});
  CHECK(abandon(other) == "NOTHING_TO_ABANDON");
  const auto first = loop.open_of("act-full:").effect;
  CHECK(abandon(id).empty());
  CHECK(loop.withdrawn() == std::vector<uint64_t>{first});
  CHECK(loop.entry(id).at("state") == "cancelled");
  CHECK(loop.is_due(id));
  loop.next_tick();
  loop.decide({{id, "act"}, {other, "act"}});
  loop.next_tick();
  CHECK_FALSE(loop.is_due(id));
  CHECK(abandon(id).empty());
  CHECK(loop.is_due(id));
  CHECK_FALSE(loop.is_open("act-full:"));
}

TEST_CASE("A task with unresolved work cannot be removed") {
  TestLoop loop;
  const auto id = loop.add("Send the digest");
  loop.tick();
  loop.decide({{id, "act"}});
  const auto refusal = loop.signal("task.remove", {{"taskId", id}});
  REQUIRE(refusal);
  CHECK(refusal->code == "TASK_BUSY");
}

TEST_CASE("When all that is due is still being done there is nothing to take over for") {
  TestLoop loop;
  const auto id = loop.add("Send the digest");
  const auto tick = loop.tick();
  loop.decide({{id, "act"}});
  CHECK(loop.next_tick().empty());
  CHECK(loop.status().at("tick").at("state") == "open");
  loop.resolve(loop.open_of("act-full:").effect, "sent");
  CHECK(loop.status().at("tick").at("state") == "completed");
}

}  // namespace
}  // namespace reprise::subconscious
