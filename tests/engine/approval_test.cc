// What people are asked, and their answers.
#include "engine/approval.h"

#include <catch2/catch.hpp>

#include "engine/answer.h"
#include "engine/commit.h"
#include "engine/json_writer.h"
#include "engine/stop.h"
#include "tests/engine/family_process.h"
#include "tests/engine/run_fixture.h"

namespace reprise::test {
namespace {

const std::string kQuestion =
    R"({"ask":[{"kind":"breakpoint","args":{"question":"Ship it?","options":["now","later"]}}]})";
const std::string kTwoOfThree =
    R"({"ask":[{"kind":"breakpoint","args":{"question":"Ship it?"},"definition":{"kind":)"
    R"("breakpoint","breakpoint":{"approvers":["anna","ben","eva"],"quorum":2}}}]})";
const std::string kAgentWork = R"({"ask":[{"kind":"agent"}]})";

TestRun asking(World& world, const std::string& inputs) {
  auto run = TestRun::built_in(world, "family", inputs);
  run.iterate();
  return run;
}

Answer yes(const std::string& by) { return {.effect = {1, {}}, .approved = true, .by = by}; }
Answer no(const std::string& by) { return {.effect = {1, {}}, .approved = false, .by = by}; }

Answered give(TestRun& run, const Answer& answer) {
  return answer_approval(run.dir(), run.world().context, answer);
}

Approval question(TestRun& run) {
  JsonReader reader;
  return find_approval(run.dir(), {1, {}}, reader);
}

/// The first attempt of t1 ended so, and a person is to decide.
void hold(TestRun& run, const std::string& held) {
  auto open = open_run(run.dir(), run.world().context, Read::kTail);
  Commit commit(open, commit_time(open, run.world().clock));
  const auto error = R"({"name":"BuildError","message":"exit code 2","data":{"exitCode":2}})";
  commit.add({RecordType::kEffectRetryScheduled, 0, 0,
              JsonWriter()
                  .text("effectId", "t1")
                  .number("attempt", open.history.state.open.at(1).attempt)
                  .text("status", held == "lost" ? "lost" : "error")
                  .raw("error", error)
                  .text("held", held)
                  .done()});
  commit.write();
}

/// Cuts the run behind each of its commits, repeats the steps, and expects the same end.
void check_answered_prefixes(TestRun& whole, const Steps& steps) {
  steps(whole);
  for (size_t kept = 1; kept <= whole.commits(); ++kept) {
    INFO("cut behind commit " << kept);
    auto run = whole.cut(kept);
    steps(run);
    CHECK(run.end() == whole.end());
    run.check_replay();
  }
}

TEST_CASE("An approval is the result of a breakpoint, at every prefix") {
  World world({family_process()});
  auto run = TestRun::built_in(world, "family", kQuestion);
  const auto steps = [](TestRun& r) {
    r.iterate();
    auto answer = yes("anna");
    answer.option = "later";
    answer.comment = "after lunch";
    give(r, answer);
    r.iterate();
  };
  check_answered_prefixes(run, steps);
  CHECK(run.end() ==
        R"([{"approved":true,"feedback":"after lunch","option":"later","respondedBy":"anna"}])");
}

TEST_CASE("What is asked is told with its options and its digest") {
  World world({family_process()});
  auto run = asking(world, kQuestion);
  JsonReader reader;
  const auto all = list_approvals(run.dir(), run.state(), reader);
  REQUIRE(all.size() == 1);
  CHECK(all[0].question == "Ship it?");
  CHECK(all[0].options == R"(["now","later"])");
  CHECK(all[0].digest == question(run).digest);
  CHECK(all[0].digest.size() == 32);
  auto other = asking(world, kTwoOfThree);
  CHECK(question(other).digest != all[0].digest);
  auto work = asking(world, kAgentWork);
  CHECK(list_approvals(work.dir(), work.state(), reader).empty());
  CHECK(code_of([&] { question(work); }) == "NO_APPROVAL");
  CHECK(code_of([&] { give(work, yes("anna")); }) == "NO_APPROVAL");
}

TEST_CASE("The same answer again changes nothing, another one is a conflict") {
  World world({family_process()});
  auto run = asking(world, kQuestion);
  CHECK(give(run, yes("anna")).recorded);
  const auto types = run.types();
  for (const bool iterated : {false, true}) {
    if (iterated) run.iterate();
    const auto before = run.types();
    CHECK_FALSE(give(run, yes("anna")).recorded);
    CHECK_FALSE(give(run, yes("ben")).recorded);
    CHECK(code_of([&] { give(run, no("anna")); }) == "EFFECT_CONFLICT");
    auto other = yes("anna");
    other.response = "but slowly";
    CHECK(code_of([&] { give(run, other); }) == "EFFECT_CONFLICT");
    CHECK(run.types() == before);
  }
  CHECK(question(run).effect.status == "resolved_ok");
}

TEST_CASE("A question whose digest is not the expected one takes no answer") {
  World world({family_process()});
  auto run = asking(world, kQuestion);
  auto answer = yes("anna");
  answer.expect = std::string(32, '0');
  CHECK(code_of([&] { give(run, answer); }) == "APPROVAL_CHANGED");
  CHECK(run.pending() == "t1:breakpoint");
  answer.expect = question(run).digest;
  answer.dry_run = true;
  CHECK_FALSE(give(run, answer).recorded);
  CHECK(run.pending() == "t1:breakpoint");
  answer.dry_run = false;
  CHECK(give(run, answer).recorded);
  CHECK_FALSE(give(run, answer).recorded);
  answer.expect = std::string(32, '0');
  CHECK(code_of([&] { give(run, answer); }) == "APPROVAL_CHANGED");
}

TEST_CASE("What was expected of a held effect holds for the same answer again") {
  World world({family_process()});
  const bool approved = GENERATE(true, false);
  auto run = asking(world, kAgentWork);
  hold(run, "exhausted");
  auto answer = approved ? yes("anna") : no("anna");
  answer.expect = question(run).digest;
  CHECK(give(run, answer).recorded);
  CHECK_FALSE(give(run, answer).recorded);
  answer.expect = std::string(32, '0');
  CHECK(code_of([&] { give(run, answer); }) == "APPROVAL_CHANGED");
}

TEST_CASE("Enough different approvers must approve, in whatever order, at every prefix") {
  const bool anna_first = GENERATE(true, false);
  World world({family_process()});
  auto run = TestRun::built_in(world, "family", kTwoOfThree);
  const auto steps = [&](TestRun& r) {
    r.iterate();
    for (const auto* by : {anna_first ? "anna" : "ben", anna_first ? "ben" : "anna"}) {
      if (r.state().open.contains(1)) give(r, yes(by));
    }
    r.iterate();
  };
  check_answered_prefixes(run, steps);
  const std::string anna = R"({"approved":true,"respondedBy":"anna"})";
  const std::string ben = R"({"approved":true,"respondedBy":"ben"})";
  CHECK(run.end() == R"([{"allResponses":[)" + (anna_first ? anna + "," + ben : ben + "," + anna) +
                         R"(],"approved":true,"respondedBy":")" + (anna_first ? "ben" : "anna") +
                         R"("}])");
  CHECK(run.types() ==
        "RUN_CREATED EFFECT_REQUESTED EFFECT_PROGRESS EFFECT_RESOLVED RUN_COMPLETED");
}

TEST_CASE("One person counts once, and may change his mind") {
  World world({family_process()});
  auto run = asking(world, kTwoOfThree);
  CHECK(give(run, yes("anna")).missing == 1);
  const auto again = give(run, yes("anna"));
  CHECK_FALSE(again.recorded);
  CHECK(again.missing == 1);
  auto other = yes("anna");
  other.response = "but slowly";
  CHECK(give(run, other).missing == 1);
  REQUIRE(question(run).answers.size() == 1);
  CHECK(question(run).answers[0].json.find("slowly") != std::string::npos);
  CHECK(give(run, no("anna")).settled);
  run.iterate();
  CHECK(run.end() == R"([{"allResponses":[{"approved":false,"respondedBy":"anna"}],)"
                     R"("approved":false,"respondedBy":"anna"}])");
}

TEST_CASE("An answer is judged by the schema of its question, unless somebody insists") {
  World world({family_process()});
  auto run = asking(world, R"({"ask":[{"kind":"breakpoint","options":{"outputSchema":true},)"
                           R"("definition":{"outputSchema":{"required":["option"]}}}]})");
  const auto types = run.types();
  CHECK(code_of([&] { give(run, yes("anna")); }) == "OUTPUT_INVALID");
  CHECK(run.types() == types);
  auto answer = yes("anna");
  const bool forced = GENERATE(true, false);
  if (forced) {
    world.context.force = true;
  } else {
    answer.option = "now";
  }
  CHECK(give(run, answer).recorded);
}

TEST_CASE("Only those who are asked may answer, and nobody from inside an executor") {
  World world({family_process()});
  auto run = asking(world, kTwoOfThree);
  CHECK(code_of([&] { give(run, yes("mallory")); }) == "NOT_PERMITTED");
  auto inside = yes("anna");
  inside.inside_executor = true;
  CHECK(code_of([&] { give(run, inside); }) == "NOT_PERMITTED");
  CHECK(run.types() == "RUN_CREATED EFFECT_REQUESTED");
}

TEST_CASE("A held effect goes on when a person approves") {
  const std::string held = GENERATE("exhausted", "lost");
  World world({family_process()});
  auto run = asking(world, kAgentWork);
  hold(run, held);
  CHECK(run.state().open.at(1).held == held);
  const auto digest = question(run).digest;
  CHECK(question(run).error.find("BuildError") != std::string::npos);
  CHECK(give(run, yes("anna")).recorded);
  CHECK(run.state().open.at(1).held.empty());
  CHECK(run.state().open.at(1).attempt == 2);
  CHECK_FALSE(give(run, yes("anna")).recorded);
  CHECK(code_of([&] { give(run, no("anna")); }) == "EFFECT_CONFLICT");
  hold(run, held);
  CHECK(question(run).digest != digest);
  CHECK(give(run, yes("anna")).recorded);
  run.post("t1", "7");
  run.iterate();
  CHECK(run.end() == "[7]");
}

TEST_CASE("A held effect that is denied has the error that it failed with") {
  World world({family_process()});
  auto run = asking(world, kAgentWork);
  hold(run, "exhausted");
  auto worded = yes("anna");
  worded.option = "now";
  CHECK(code_of([&] { give(run, worded); }) == "INVALID_ARGUMENT");
  CHECK(give(run, no("anna")).recorded);
  CHECK_FALSE(give(run, no("anna")).recorded);
  CHECK(code_of([&] { give(run, yes("anna")); }) == "EFFECT_CONFLICT");
  const auto repeated = run.post_error(
      "t1", R"({"name":"BuildError","message":"exit code 2","data":{"exitCode":2}})");
  CHECK_FALSE(repeated.recorded);
  run.iterate();
  CHECK(run.end() == R"([{"data":{"exitCode":2},"name":"BuildError"}])");
}

TEST_CASE("An error that nobody was asked about was not denied") {
  World world({family_process()});
  auto run = asking(world, kAgentWork);
  const bool approved = GENERATE(false, true);
  if (approved) {
    hold(run, "exhausted");
    give(run, yes("anna"));
  }
  run.post_error("t1", R"({"name":"BuildError","message":"exit code 2"})");
  REQUIRE(run.state().open.empty());
  CHECK(code_of([&] { give(run, no("anna")); }) == "EFFECT_CONFLICT");
  CHECK(code_of([&] { give(run, yes("anna")); }) == "EFFECT_CONFLICT");
}

TEST_CASE("A question that was cancelled takes no answer") {
  World world({family_process()});
  auto run = asking(world, kQuestion);
  cancel_effect(run.dir(), world.context, {1, {}}, "", false);
  CHECK(code_of([&] { give(run, yes("anna")); }) == "EFFECT_CONFLICT");
}

}  // namespace
}  // namespace reprise::test
