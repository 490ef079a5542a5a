#include <catch2/catch.hpp>

#include "tests/processes/channel/work_fixture.h"

namespace reprise::channel {
namespace {

const Json kMemories = {{{"id", "c/m1"}, {"note", "we chose C++"}, {"kind", "decision"}},
                        {{"id", "c/m2"}, {"note", "no daemons"}, {"kind", "decision"}}};

/// A branch that recalled two memories and thinks.
void begin(TestChannel& channel, const std::string& prompt = "which language?") {
  REQUIRE_FALSE(channel.signal("branch.spawn", {{"prompt", prompt}}));
  brief(channel, "recall:b1", kMemories);
}

TEST_CASE("a branch recalls, thinks, concludes, and its conclusion is remembered") {
  TestChannel channel({{"id", "c"}, {"dir", "/srv/app"}});
  REQUIRE_FALSE(channel.signal("branch.spawn", {{"prompt", "which language?"}}));
  CHECK(channel.news() == "channel.created worker.spawned");
  CHECK(branch_of(channel, "b1").at("state") == "recalling");
  CHECK(branch_of(channel, "b1").at("effect") == "t1");
  brief(channel, "recall:b1", kMemories);
  CHECK(channel.news() == "branch.spawned");
  CHECK(channel.events("branch.spawned").back().payload == Json{{"branchId", "b1"},
                                                                {"prompt", "which language?"},
                                                                {"memoryRefs", {"c/m1", "c/m2"}},
                                                                {"todos", Json::array()},
                                                                {"workerId", "w1"}});
  const auto asked = channel.asked("branch:b1");
  CHECK(asked.kind == "branch");
  CHECK(asked.inputs == Json{{"channelId", "c"},
                             {"branchId", "b1"},
                             {"workerId", "w1"},
                             {"prompt", "which language?"},
                             {"memories", kMemories},
                             {"todos", Json::array()},
                             {"tools", {"shell", "file", "exec"}},
                             {"tokenBudget", 2000},
                             {"cwd", "/srv/app"}});

  channel.resolve(asked.effect, {{"summary", "C++ again"},
                                 {"artifactRefs", {"a7"}},
                                 {"usage", {{"promptTokens", 31}, {"completionTokens", 7}}}});
  CHECK(channel.news() ==
        "usage.counted memory.saved memory.linked memory.linked artifact.created "
        "worker.completed branch.conclusion message.created");
  const auto saved = channel.events("memory.saved").back().payload;
  CHECK(saved.at("memoryId") == "b1.conclusion");
  CHECK(saved.at("note") == "C++ again");
  CHECK(saved.at("scope") == Json{{"type", "channel"}, {"id", "c"}});
  CHECK(saved.at("kind") == "decision");
  CHECK(saved.at("class") == "procedural");
  CHECK(saved.at("importance") == 0.8);
  CHECK(saved.at("confidence") == 0.8);
  CHECK(saved.at("source") == Json{{"type", "branch.conclusion"}, {"id", "b1"}});
  CHECK(channel.events("memory.linked").front().payload ==
        Json{{"from", "b1.conclusion"},
             {"to", "c/m1"},
             {"relation", "derived_from"},
             {"weight", 1.0},
             {"provenance", "branch.conclusion"}});
  CHECK(channel.events("branch.conclusion").back().payload ==
        Json{{"branchId", "b1"},
             {"workerId", "w1"},
             {"artifactId", "a1"},
             {"memoryId", "b1.conclusion"},
             {"summary", "C++ again"},
             {"artifactRefs", {"a7"}},
             {"memoryRefs", {"c/m1", "c/m2", "b1.conclusion"}},
             {"tokenUsage", {{"promptTokens", 31}, {"completionTokens", 7}}}});
  CHECK(last_row(channel) == "Branch conclusion: C++ again");
  CHECK(branch_of(channel, "b1").at("state") == "concluded");
  CHECK(worker_of(channel, "w1").at("state") == "completed");
  CHECK(channel.open().empty());
}

TEST_CASE("a conclusion with a fault fails branch and worker, and nothing is saved") {
  const auto [code, result] = GENERATE(table<std::string, Json>(
      {{"empty_summary", {{"summary", "\t"}}},
       {"negative_prompt_tokens", {{"summary", "x"}, {"usage", {{"promptTokens", -1}}}}},
       {"excessive_completion_tokens",
        {{"summary", "x"}, {"usage", {{"completionTokens", 1'000'001}}}}},
       {"duplicate_artifact_ref", {{"summary", "x"}, {"artifactRefs", {"a1", "a1"}}}},
       {"duplicate_memory_ref", {{"summary", "x"}, {"memoryRefs", {"m", "m"}}}},
       {"empty_summary", "just text"},
       {"empty_summary", nullptr}}));
  TestChannel channel;
  begin(channel);
  channel.news();
  channel.resolve(channel.asked("branch:b1").effect, result);
  CHECK(channel.news() == "worker.failed message.created");
  const auto failed = channel.events("worker.failed").back().payload;
  CHECK(failed.at("code") == code);
  CHECK(failed.at("reason") == "invalid_branch_conclusion");
  CHECK(failed.at("branchId") == "b1");
  CHECK(failed.at("taskId") == "branch-b1");
  CHECK(branch_of(channel, "b1").at("state") == "failed");
  CHECK(branch_of(channel, "b1").at("code") == code);
  CHECK(worker_of(channel, "w1").at("state") == "failed");
}

TEST_CASE("a branch that the visor ends saves nothing, and says so") {
  const bool thinks = GENERATE(true, false);
  TestChannel channel;
  REQUIRE_FALSE(channel.signal("branch.spawn", {{"prompt", "why?"}}));
  if (thinks) brief(channel, "recall:b1");
  channel.news();
  REQUIRE_FALSE(channel.signal("branch.timeout", {{"branchId", "b1"}}));
  CHECK(channel.news() == "visor.branch.timeout worker.failed message.created");
  CHECK(last_row(channel) == "Branch b1 timed out: nothing was concluded");
  CHECK(channel.open().empty());
  CHECK(channel.withdrawn().size() == 1);
  CHECK(branch_of(channel, "b1").at("state") == "timed_out");
  CHECK(worker_of(channel, "w1").at("reason") == "branch_timeout");
  CHECK(code_of(channel.signal("branch.timeout", {{"branchId", "b1"}})) == "BRANCH_FINISHED");
  CHECK(code_of(channel.signal("branch.timeout", {{"branchId", "b2"}})) == "BRANCH_UNKNOWN");
}

TEST_CASE("cancelling the worker of a branch ends the branch") {
  TestChannel channel;
  begin(channel);
  REQUIRE_FALSE(channel.signal("worker.cancel", {{"workerId", "w1"}}));
  CHECK(branch_of(channel, "b1").at("state") == "failed");
  CHECK(branch_of(channel, "b1").at("reason") == "cancelled");
  CHECK(last_row(channel) == "Branch b1 was cancelled: Worker cancelled");
  CHECK(channel.open().empty());
  CHECK(code_of(channel.signal("worker.route", {{"workerId", "w1"}, {"command", "continue"}})) ==
        "WORKER_FINISHED");
}

TEST_CASE("a recall that fails, or answers nonsense, is no memory") {
  TestChannel channel;
  channel.signal("branch.spawn", {{"prompt", "why?"}});
  SECTION("an error") {
    channel.fail(channel.asked("recall:b1").effect, {{"name", "Busy"}, {"message", "later"}});
  }
  SECTION("cancelled") { channel.cancel(channel.asked("recall:b1").effect); }
  SECTION("nonsense") { channel.resolve(channel.asked("recall:b1").effect, {{"memories", 7}}); }
  SECTION("without ids") { brief(channel, "recall:b1", {"m1", {{"note", "x"}}, Json()}); }
  CHECK(channel.asked("branch:b1").inputs.at("memories") == Json::array());
}

TEST_CASE("a memory that is recalled twice counts once, and more than the limit are left out") {
  TestChannel channel;
  channel.signal("branch.spawn", {{"prompt", "why?"}});
  auto memories = Json::array();
  for (int i = 0; i < 12; ++i) memories.push_back({{"id", "m" + std::to_string(i / 2 * 2)}});
  for (int i = 20; i < 30; ++i) memories.push_back({{"id", "m" + std::to_string(i)}});
  brief(channel, "recall:b1", memories);
  CHECK(channel.events("branch.spawned").back().payload.at("memoryRefs") ==
        Json{"m0", "m2", "m4", "m6", "m8", "m10", "m20", "m21"});
  channel.resolve(channel.asked("branch:b1").effect, {{"summary", "because"}});
  CHECK(branch_of(channel, "b1").at("state") == "concluded");
}

TEST_CASE("what the question says is to be done is proposed, unless that is switched off") {
  const auto on = GENERATE(true, false);
  TestChannel channel(Json{{"settings", {{"todoPatterns", on}}}});
  begin(channel, "plan it\n- [ ] write the tests\nнужно купить хлеб");
  const auto proposed = channel.events("todo.proposed");
  REQUIRE(proposed.size() == (on ? 1 : 0));
  if (on) {
    CHECK(proposed.front().payload ==
          Json{{"branchId", "b1"}, {"todos", {"write the tests", "нужно купить хлеб"}}});
    CHECK(channel.asked("branch:b1").inputs.at("todos").size() == 2);
  }
}

TEST_CASE("a branch without recall thinks at once") {
  TestChannel channel(no_recall());
  channel.signal("branch.spawn", {{"prompt", "why?"}, {"tools", {"file"}}});
  CHECK(channel.news() == "channel.created worker.spawned branch.spawned");
  CHECK(channel.asked("branch:b1").inputs.at("tools") == Json{"file"});
}

TEST_CASE("a branch that makes no sense is refused before it is recorded") {
  TestChannel channel;
  CHECK(code_of(channel.signal("branch.spawn", "why?")) == "INVALID_BRANCH");
  CHECK(code_of(channel.signal("branch.spawn", {{"prompt", ""}})) == "INVALID_BRANCH");
  CHECK(code_of(channel.signal("branch.spawn", {{"prompt", 1}})) == "INVALID_BRANCH");
  CHECK(code_of(channel.signal("branch.spawn", {{"prompt", "x"}, {"tools", 1}})) ==
        "INVALID_BRANCH");
  CHECK(channel.news() == "channel.created");
}

}  // namespace
}  // namespace reprise::channel
