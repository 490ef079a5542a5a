#include "engine/executors/worker_protocol.h"

#include <catch2/catch.hpp>

#include "tests/engine/run_fixture.h"

using namespace reprise;
using reprise::test::code_of;

TEST_CASE("Work goes to a worker as it is") {
  Work work;
  work.home = "/h";
  work.run = "r";
  work.run_dir = "/h/runs/r";
  work.effect = "t3";
  work.attempt = 2;
  work.token = "tok";
  work.idempotency_key = "r/t3";
  work.kind = "shell";
  work.task = "build \"it\"";
  work.label = "l";
  work.agent = "a";
  work.definition = R"({"z":1.50,"a":"b"})";
  work.inputs = "[1]";
  work.timeout_ms = 5;
  const ExecutorConfig executor{
      .name = "n", .type = "shell", .json = R"({"type":"shell"})", .origin = "default"};
  Policy policy{.roots = {"/a", "/b"},
                .denied_programs = {"rm"},
                .environment = {"PATH"},
                .permission = "read",
                .network = false,
                .timeout_ms = {{"shell", 7}, {"*", 0}}};
  const auto order = read_work_order(write_work_order(work, executor, policy));
  CHECK(order.work.home == work.home);
  CHECK(order.work.run_dir == work.run_dir);
  CHECK(order.work.effect == work.effect);
  CHECK(order.work.attempt == 2);
  CHECK(order.work.token == work.token);
  CHECK(order.work.task == work.task);
  CHECK(order.work.definition == work.definition);
  CHECK(order.work.inputs == work.inputs);
  CHECK(order.work.timeout_ms == 5);
  CHECK(order.executor.name == "n");
  CHECK(order.executor.json == executor.json);
  CHECK(order.policy.roots == policy.roots);
  CHECK(order.policy.denied_programs == policy.denied_programs);
  CHECK(order.policy.permission == "read");
  CHECK_FALSE(order.policy.network);
  CHECK(order.policy.timeout_ms == policy.timeout_ms);
}

TEST_CASE("What is left out has its default") {
  const auto order = read_work_order(R"({"work":{"effect":"t1"},"executor":{"type":"mock"}})");
  CHECK(order.work.attempt == 1);
  CHECK(order.policy.network);
  CHECK(order.policy.roots.empty());
}

TEST_CASE("What is no work is refused") {
  for (const char* json : {"{}", "[]", R"({"work":1,"executor":{}})", R"({"work":{}})"}) {
    CAPTURE(json);
    CHECK(code_of([&] { read_work_order(json); }) == "INVALID_WORK");
  }
  CHECK(code_of([] { read_work_order("nonsense"); }) == "INVALID_JSON");
}

TEST_CASE("Events come back as they were told") {
  const Outcome outcome{.ok = true,
                        .value = R"({"a":1.0})",
                        .stdout_ref = "tasks/t1/stdout.log",
                        .stderr_ref = "",
                        .metadata = R"({"costUsd":1})",
                        .started_at_ms = 5,
                        .finished_at_ms = 6};
  auto event = read_event(write_outcome_event(outcome));
  REQUIRE(event);
  CHECK(event->kind == WorkerEvent::Kind::kOutcome);
  CHECK(event->outcome.ok);
  CHECK(event->outcome.value == outcome.value);
  CHECK(event->outcome.stdout_ref == outcome.stdout_ref);
  CHECK(event->outcome.metadata == outcome.metadata);
  CHECK(event->outcome.finished_at_ms == 6);

  event = read_event(write_output_event(true, "a\n\xff"));
  REQUIRE(event);
  CHECK(event->is_error);
  CHECK(event->bytes == "a\n\xef\xbf\xbd");

  event = read_event(write_progress_event(R"({"percent":4})"));
  REQUIRE(event);
  CHECK(event->json == R"({"percent":4})");
  CHECK_FALSE(read_event("noise"));
  CHECK_FALSE(read_event(R"({"type":"other"})"));
}
