// Attempts: what follows an error, a passed deadline, an answer that nobody gave.
#include <catch2/catch.hpp>

#include "tests/engine/effect_fixture.h"

namespace reprise::test {
namespace {

const std::string kThrice =
    R"({"options":{"retry":{"maxAttempts":3,"backoffMs":1000,"factor":2,"maxBackoffMs":60000}}})";

std::string with_retry(const std::string& more) {
  return R"({"options":{"retry":{"maxAttempts":2,"backoffMs":0,"factor":1,"maxBackoffMs":0,)" +
         more + "}}}";
}

OpenEffect open_effect(TestRun& run, uint64_t id = 1) { return run.state().open.at(id); }

Post nth_error(uint32_t attempt) {
  auto post = error_post(1, "it broke");
  post.attempt = attempt;
  return post;
}

TEST_CASE("An error is followed by the next attempt after a growing pause, at every prefix") {
  World world{{asker()}};
  const auto run = at_every_prefix(ask(world, kThrice), [&](TestRun& r) {
    for (uint32_t attempt = 1; attempt <= 3; ++attempt) {
      at_second(world, int64_t{10} * attempt);
      r.iterate();
      code_of([&] { send(r, nth_error(attempt)); });
    }
    r.iterate();
  });
  CHECK(run.end() == R"([{"error":"Error"}])");
  CHECK(run.types() ==
        "RUN_CREATED EFFECT_REQUESTED EFFECT_RETRY_SCHEDULED EFFECT_RETRY_SCHEDULED "
        "EFFECT_RESOLVED RUN_COMPLETED");
}

TEST_CASE("A pause between attempts refuses claims until it is over") {
  World world{{asker()}};
  auto run = ask(world, kThrice);
  const auto posted = send(run, nth_error(1));
  CHECK(posted.followup.available_at_ms == kStartMs + 1000);
  CHECK(code_of([&] { claim(run, claim_of(1)); }) == "EFFECT_NOT_AVAILABLE");
  CHECK_FALSE(open_effect(run).is_available(kStartMs + 999));
  world.clock.advance(1000);
  CHECK(send(run, nth_error(2)).followup.available_at_ms == kStartMs + 3000);
  auto waiting = claim_of(1);
  waiting.wait_ms = 5 * kSecondMs;
  CHECK(claim(run, waiting).effect.attempt == 3);
}

TEST_CASE("The same retryable error again is the same post, unless it is of the next attempt") {
  World world{{asker()}};
  auto run = ask(world, kThrice);
  CHECK(send(run, error_post(1, "it broke")).recorded);
  const auto types = run.types();
  CHECK_FALSE(send(run, error_post(1, "it broke")).recorded);
  CHECK_FALSE(send(run, nth_error(1)).recorded);
  CHECK(run.types() == types);
  CHECK(send(run, nth_error(2)).recorded);
  CHECK_FALSE(send(run, nth_error(1)).recorded);
  auto late = ok_post(1, "1");
  late.attempt = 1;
  CHECK(code_of([&] { send(run, late); }) == "EFFECT_CONFLICT");
  late.attempt = 7;
  CHECK(code_of([&] { send(run, late); }) == "EFFECT_CONFLICT");
  CHECK(open_effect(run).attempt == 3);
  CHECK(send(run, ok_post(1, "1")).recorded);
  CHECK_FALSE(send(run, nth_error(1)).recorded);
  CHECK_FALSE(send(run, nth_error(2)).recorded);
  CHECK(code_of([&] { send(run, nth_error(3)); }) == "EFFECT_CONFLICT");
}

TEST_CASE("An error posted with a token is recognised by the token after its attempt") {
  World world{{asker()}};
  auto run = ask(world, kThrice);
  const auto token = claim(run, claim_of(1)).effect.claim->token;
  CHECK(send(run, error_post(1, "it broke", token)).recorded);
  CHECK_FALSE(send(run, error_post(1, "it broke", token)).recorded);
  CHECK(code_of([&] { send(run, error_post(1, "other", token)); }) == "CLAIM_STALE");
  auto keyed = error_post(1, "once more");
  keyed.post_key = "job-1";
  CHECK(send(run, keyed).recorded);
  CHECK_FALSE(send(run, keyed).recorded);
  CHECK(open_effect(run).attempt == 3);
}

TEST_CASE("Some errors are final whatever the policy says") {
  World world{{asker()}};
  auto run = ask(world, with_retry(R"("nonRetryable":["TypeError"])"));
  SECTION("by name") { send(run, error_post(1, R"({"name":"TypeError","message":"m"})")); }
  SECTION("by what they say") { send(run, error_post(1, R"({"message":"m","retryable":false})")); }
  CHECK_FALSE(run.state().open.contains(1));
}

TEST_CASE("Without a policy an error is final") {
  World world{{asker()}};
  auto run = ask(world, "{}");
  CHECK_FALSE(send(run, error_post(1, "it broke")).followup.again);
  run.iterate();
  CHECK(run.end() == R"([{"error":"Error"}])");
}

TEST_CASE("When attempts run out a person may be asked") {
  World world{{asker()}};
  auto run = ask(world, with_retry(R"("onExhausted":"ask")"));
  send(run, nth_error(1));
  CHECK(send(run, nth_error(2)).followup.held == "exhausted");
  CHECK(open_effect(run).held == "exhausted");
  CHECK(code_of([&] { claim(run, claim_of(1)); }) == "EFFECT_HELD");
  run.iterate();
  CHECK(run.status() == "waiting");
  send(run, ok_post(1, "1"));
  run.iterate();
  CHECK(run.end() == "[1]");
}

TEST_CASE("A passed deadline is an error, and is retried as one, at every prefix") {
  World world{{asker()}};
  const auto run = at_every_prefix(
      ask(world,
          R"({"options":{"timeoutMs":5000,"retry":{"maxAttempts":2,"backoffMs":3000,"factor":1,)"
          R"("maxBackoffMs":3000}}},{"kind":"shell","options":{"timeoutMs":5000}})"),
      [&](TestRun& r) {
        for (const int64_t second : {4, 5, 8, 12, 13, 20, 30}) {
          at_second(world, second);
          r.iterate();
        }
      });
  CHECK(run.end().starts_with(R"([{"error":"TimeoutError"},{"error":{"message":"attempt 1 of t2)"));
  CHECK(run.types() ==
        "RUN_CREATED EFFECT_REQUESTED EFFECT_REQUESTED EFFECT_RETRY_SCHEDULED EFFECT_RESOLVED "
        "EFFECT_RESOLVED RUN_COMPLETED");
}

TEST_CASE("The time of an attempt counts from its claim") {
  World world{{asker()}};
  auto run = ask(world, R"({"options":{"timeoutMs":5000}})");
  at_second(world, 4);
  claim(run, claim_of(1));
  at_second(world, 8);
  run.iterate();
  CHECK(run.status() == "waiting");
  CHECK(run.state().next_due_ms() == kStartMs + 9000);
  at_second(world, 9);
  run.iterate();
  CHECK(run.end() == R"([{"error":"TimeoutError"}])");
}

TEST_CASE("Time that counts from a claim alone does not pass while nobody works") {
  World world{{asker()}};
  auto run = ask(world, R"({"options":{"timeoutMs":5000,"timeoutFrom":"claim"}})");
  CHECK(run.state().next_due_ms() == std::nullopt);
  at_second(world, 50'000);
  run.iterate();
  REQUIRE(run.status() == "waiting");
  claim(run, claim_of(1));
  CHECK(run.state().next_due_ms() == kStartMs + 50'005 * kSecondMs);
  at_second(world, 50'005);
  run.iterate();
  CHECK(run.end() == R"([{"error":"TimeoutError"}])");
}

TEST_CASE("What was recorded first wins: a result before anybody saw the deadline pass") {
  World world{{asker()}};
  auto run = ask(world, R"({"options":{"timeoutMs":5000}})");
  at_second(world, 50);
  send(run, ok_post(1, "1"));
  run.iterate();
  CHECK(run.end() == "[1]");
}

TEST_CASE("Sleeps, deadlines, leases and expiries are recorded by (time, effect)") {
  World world{{asker()}};
  auto run = ask(world, R"({"kind":"sleep","dueMs":9000},{"options":{"timeoutMs":3000}},)"
                        R"({"options":{"onLost":"fail"}},{"kind":"breakpoint","dueMs":3000},)"
                        R"({"kind":"sleep","dueMs":2000})");
  auto brief = claim_of(3);
  brief.lease_ms = 4000;
  claim(run, brief);
  at_second(world, 9);
  run.iterate();
  std::string order;
  JsonReader reader;
  for_each_event(run.dir(), [&](const RecordView& record) {
    if (record.type != RecordType::kEffectResolved) return;
    order += reader.members(record.data).text("effectId") + " ";
  });
  CHECK(order == "t5 t2 t4 t3 t1 ");
  CHECK(run.end() == R"([null,{"error":"TimeoutError"},{"error":"ClaimLostError"},)"
                     R"({"approved":false,"expired":true},null])");
}

TEST_CASE("An agent does not approve itself, and named approvers answer in their own way") {
  World world{{asker()}};
  auto run =
      ask(world, R"({"kind":"breakpoint"},)"
                 R"({"kind":"breakpoint","definition":{"breakpoint":{"approvers":["ann"]}}},)"
                 R"({"kind":"breakpoint","definition":{"breakpoint":{"quorum":2}}},)"
                 R"({"kind":"breakpoint","definition":{"breakpoint":{"quorum":1}}})");
  auto own = ok_post(1, R"({"approved":true})");
  own.inside_executor = true;
  CHECK(code_of([&] { send(run, own); }) == "NOT_PERMITTED");
  own.inside_executor = false;
  CHECK(send(run, own).recorded);
  CHECK(code_of([&] { send(run, ok_post(2, "true")); }) == "NOT_PERMITTED");
  CHECK(code_of([&] { send(run, ok_post(3, "true")); }) == "NOT_PERMITTED");
  CHECK(send(run, ok_post(4, "true")).recorded);
  world.context.force = true;
  CHECK(send(run, ok_post(2, "true")).recorded);
}

TEST_CASE("Each attempt keeps its own logs, and its story is told") {
  World world{{asker()}};
  auto run = ask(world, kThrice);
  auto failed = nth_error(1);
  failed.standard_output = "first";
  CHECK(send(run, failed).stdout_ref == "tasks/t1/stdout.log");
  auto request = claim_of(1, "ci-7");
  request.wait_ms = kLeaseMs;
  auto done = ok_post(1, "1", claim(run, request).effect.claim->token);
  done.standard_output = "second";
  CHECK(send(run, done).stdout_ref == "tasks/t1/stdout.2.log");
  CHECK(read_file(run.dir(), "tasks/t1/stdout.log") == "first");
  const auto effect = find_effect(run.dir(), {1, {}});
  REQUIRE(effect.attempts.size() == 2);
  CHECK(effect.attempts[0].status == "error");
  CHECK(effect.attempts[1].status == "ok");
  CHECK(effect.attempts[1].worker == "ci-7");
  JsonReader reader;
  CHECK(load_error(run.dir(), effect.attempts[0], reader) ==
        R"({"name":"Error","message":"it broke"})");
}

TEST_CASE("A post with a key is known again, however many attempts followed") {
  World world{{asker()}};
  auto run = ask(world, R"({"options":{"retry":{"maxAttempts":4,"backoffMs":0,"factor":1,)"
                        R"("maxBackoffMs":0}}})");
  auto first = error_post(1, "first");
  first.post_key = "k1";
  CHECK(send(run, first).recorded);
  CHECK(send(run, error_post(1, "second")).recorded);
  const auto types = run.types();
  const auto again = send(run, first);
  CHECK_FALSE(again.recorded);
  CHECK(again.effect.attempt == 1);
  CHECK(run.types() == types);
  CHECK(send(run, ok_post(1, "7")).recorded);
  CHECK_FALSE(send(run, first).recorded);
}

}  // namespace
}  // namespace reprise::test
