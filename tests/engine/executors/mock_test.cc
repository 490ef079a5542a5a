#include <catch2/catch.hpp>

#include "engine/executors/executor.h"
#include "tests/engine/run_fixture.h"

using namespace reprise;
using reprise::test::code_of;

namespace {

ExecutorConfig mock(const std::string& json) {
  return {.name = "mock", .type = "mock", .json = json, .origin = ""};
}

std::string answer(const std::string& json, const Work& work = {}) {
  const auto outcome = perform(work, mock(json), {}, {});
  return (outcome.ok ? "ok " : "error ") + outcome.value;
}

Work mocked_work(const std::string& kind, const std::string& task, uint32_t attempt = 1) {
  Work work;
  work.effect = "t1";
  work.kind = kind;
  work.task = task;
  work.attempt = attempt;
  return work;
}

}  // namespace

TEST_CASE("The first answer that fits is given, else the general one") {
  const std::string json = R"({"answers":[{"kind":"shell","task":"b*","value":1},)"
                           R"({"kind":"shell","error":{"message":"no"}}],)"
                           R"("value":{"general":true}})";
  CHECK(answer(json, mocked_work("shell", "build")) == "ok 1");
  CHECK(answer(json, mocked_work("shell", "test")) ==
        R"(error {"message":"no","name":"MockError"})");
  CHECK(answer(json, mocked_work("agent", "build")) == R"(ok {"general":true})");
}

TEST_CASE("Without an answer a shell did well, and everything else is null") {
  CHECK(answer("{}", mocked_work("shell", "x")) ==
        R"(ok {"exitCode":0,"stdout":"","stderr":"","success":true})");
  CHECK(answer("{}", mocked_work("agent", "x")) == "ok null");
}

TEST_CASE("An echo is what was asked") {
  Work work = mocked_work("agent", "x", 2);
  work.inputs = R"({"a":1.50})";
  CHECK(
      answer(R"({"echo":true})", work) ==
      R"(ok {"effect":"t1","attempt":2,"kind":"agent","task":"x","label":"","inputs":{"a":1.50}})");
}

TEST_CASE("The first attempts fail as often as they are told to") {
  const std::string json = R"({"failures":2,"value":"done"})";
  CHECK(answer(json, mocked_work("agent", "x", 1)).starts_with(R"(error {"name":"MockFailure")"));
  CHECK(answer(json, mocked_work("agent", "x", 2)).starts_with("error "));
  CHECK(answer(json, mocked_work("agent", "x", 3)) == R"(ok "done")");
}

TEST_CASE("Only a mock that waits for nothing needs no worker") {
  CHECK(in_process(mock(R"({"value":1})")));
  CHECK_FALSE(in_process(mock(R"({"delay":"1s"})")));
  CHECK_FALSE(in_process(mock(R"({"answers":[{"kind":"x","delay":"1s"}]})")));
  CHECK_FALSE(in_process({.name = "s", .type = "shell", .json = "{}", .origin = ""}));
}

TEST_CASE("A mock that waits is stopped") {
  const WorkEvents events{
      .progress = {}, .output = {}, .stopped = [] { return true; }, .stop_descriptor = -1};
  const auto outcome = perform({}, mock(R"({"delay":"1h"})"), {}, events);
  CHECK(outcome.value == R"({"name":"Stopped","message":"the work was stopped"})");
}

TEST_CASE("A type that is none is an error of the configuration") {
  const ExecutorConfig wrong{.name = "x", .type = "shel", .json = "{}", .origin = ""};
  CHECK(code_of([&] { perform({}, wrong, {}, {}); }) == "INVALID_EXECUTOR");
}
