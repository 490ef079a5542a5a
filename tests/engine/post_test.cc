// How a post is judged: idempotency first, then the end of the run, then conflicts.
#include <catch2/catch.hpp>

#include "engine/mend.h"
#include "engine/task_log.h"
#include "journal/error.h"
#include "tests/engine/run_fixture.h"

namespace reprise::test {
namespace {

const std::string kTwoAtOnce = R"(import { defineTask } from 'reprise';
const step = defineTask('step', ({ name }) => ({ kind: 'agent', title: name }));
const shell = defineTask('shell', () => ({ kind: 'shell', shell: { command: 'true' } }));
export async function process({ kind }, ctx) {
  if (kind === 'shell') return await ctx.task(shell, {});
  const [a, b] = await Promise.all([
    ctx.task(step, { name: 'a' }, { key: 'first' }), ctx.task(step, { name: 'b' })]);
  return [a, b];
})";

Post result(uint64_t id, const std::string& value) {
  Post post;
  post.effect.id = id;
  post.value = parse_value(value, "value");
  return post;
}

struct Posting {
  World world;
  TestRun run{world, kTwoAtOnce};
  Posting() { run.iterate(); }
  Posted operator()(const Post& post) { return post_result(run.dir(), world.context, post); }
};

TEST_CASE("The same result again is success and changes nothing") {
  Posting post;
  CHECK(post(result(1, R"({"a":1,"b":[2,3]})")).recorded);
  const auto types = post.run.types();
  CHECK_FALSE(post(result(1, R"({"a":1,"b":[2,3]})")).recorded);
  CHECK_FALSE(post(result(1, R"({ "b": [2, 3.0], "a": 1e0 })")).recorded);
  CHECK(post.run.types() == types);
}

TEST_CASE(
    "The same result again is success when it was large, after an iterate, and after the end") {
  Posting post;
  const std::string large = "\"" + std::string(100'000, 'y') + "\"";
  CHECK(post(result(1, large)).recorded);
  CHECK_FALSE(post(result(1, large)).recorded);
  post.run.iterate();
  post(result(2, "2"));
  post.run.iterate();
  CHECK(post.run.status() == "completed");
  CHECK_FALSE(post(result(1, large)).recorded);
  CHECK(code_of([&] { post(result(1, "1")); }) == "EFFECT_CONFLICT");
}

TEST_CASE("Another result is a conflict and changes nothing") {
  Posting post;
  post(result(1, "1"));
  const auto types = post.run.types();
  CHECK(code_of([&] { post(result(1, "2")); }) == "EFFECT_CONFLICT");
  CHECK(code_of([&] { post.run.post_error("t1", "1"); }) == "EFFECT_CONFLICT");
  CHECK(post.run.types() == types);
}

TEST_CASE("An error again is the same by name, message and data") {
  Posting post;
  CHECK(post.run.post_error("t1", R"({"name":"E","message":"m","data":{"x":1}})").recorded);
  CHECK_FALSE(post.run.post_error("t1", R"({"message":"m","data":{"x":1},"name":"E"})").recorded);
  CHECK(code_of([&] { post.run.post_error("t1", R"({"name":"E","message":"other"})"); }) ==
        "EFFECT_CONFLICT");
}

TEST_CASE("The stack of an error does not count when it is posted again") {
  Posting post;
  CHECK(post.run.post_error("t1", R"({"name":"E","message":"m","stack":"at a:1"})").recorded);
  CHECK_FALSE(post.run.post_error("t1", R"({"name":"E","message":"m","stack":"at b:2"})").recorded);
}

TEST_CASE("The invocation key of another effect is refused, also when the result is recorded") {
  Posting post;
  post(result(1, "1"));
  auto again = result(1, "1");
  again.invocation_key = "main:first:step";
  CHECK_FALSE(post(again).recorded);
  again.invocation_key = "main:S000002:step";
  CHECK(code_of([&] { post(again); }) == "EFFECT_CONFLICT");
}

TEST_CASE("Large metadata are kept in a blob") {
  Posting post;
  auto told = result(1, "1");
  told.metadata = R"({"notes":")" + std::string(kInlineValueBytes, 'n') + "\"}";
  post(told);
  CHECK(post.run.state().last_place.length < kInlineValueBytes);
  JsonReader reader;
  const auto effect = find_effect(post.run.dir(), {1, {}});
  CHECK(load_result(post.run.dir(), effect, reader).metadata == told.metadata);
  CHECK(verify_run(post.run.dir(), "run").blobs == 1);
}

TEST_CASE("Errors are objects with a message, strings or plain text") {
  const auto canonical = [](const std::string& text) {
    return std::string(parse_error_value(text, "--error").canonical());
  };
  CHECK(canonical("it broke\nbadly") == R"({"message":"it broke\nbadly","name":"Error"})");
  CHECK(canonical(R"("quoted")") == R"({"message":"quoted","name":"Error"})");
  CHECK(canonical(R"({"message":"m"})") == R"({"message":"m","name":"Error"})");
  CHECK(code_of([] { parse_error_value(R"({"name":"no message"})", "--error"); }) ==
        "INVALID_ERROR");
}

TEST_CASE("A repeat with the same post key is a no-op whatever it holds") {
  Posting post;
  auto keyed = result(1, "1");
  keyed.post_key = "job-7";
  CHECK(post(keyed).recorded);
  keyed.value = parse_value("2", "value");
  CHECK_FALSE(post(keyed).recorded);
}

TEST_CASE("An effect can be named by the key of its author") {
  Posting post;
  auto keyed = result(0, "1");
  keyed.effect.key = "first";
  CHECK(post(keyed).effect.id == 1);
  keyed.effect.key = "none";
  CHECK(code_of([&] { post(keyed); }) == "EFFECT_NOT_FOUND");
}

TEST_CASE("An unknown effect, a wrong attempt and a wrong invocation key are refused") {
  Posting post;
  CHECK(code_of([&] { post(result(9, "1")); }) == "EFFECT_NOT_FOUND");
  auto wrong = result(1, "1");
  wrong.attempt = 2;
  CHECK(code_of([&] { post(wrong); }) == "EFFECT_CONFLICT");
  wrong.attempt = 1;
  wrong.invocation_key = "main:S000002:step";
  CHECK(code_of([&] { post(wrong); }) == "EFFECT_CONFLICT");
  wrong.invocation_key = "main:first:step";
  CHECK(post(wrong).recorded);
  CHECK_FALSE(post(wrong).recorded);
  wrong.attempt = 2;
  CHECK(code_of([&] { post(wrong); }) == "EFFECT_CONFLICT");
}

TEST_CASE("A dry run judges and records nothing") {
  Posting post;
  auto dry = result(1, "1");
  dry.dry_run = true;
  const auto types = post.run.types();
  CHECK_FALSE(post(dry).recorded);
  CHECK(post.run.types() == types);
}

TEST_CASE("A post leaves the run ready and does not iterate") {
  Posting post;
  CHECK(post.run.status() == "waiting");
  post(result(1, "1"));
  CHECK(post.run.status() == "ready");
  CHECK(post.run.pending() == "t2:b");
}

TEST_CASE("Standard output is kept beside the task and named by the record") {
  Posting post;
  auto logged = result(1, "1");
  logged.standard_output = "building...\n";
  const auto posted = post(logged);
  CHECK(posted.stdout_ref == "tasks/t1/stdout.log");
  CHECK(read_file(post.run.dir(), "tasks/t1/stdout.log") == "building...\n");
}

TEST_CASE("A log that is there already is named by the record, when it is the attempt's own") {
  Posting post;
  TaskLog log(post.run.dir(), "t1", 1, 100);
  log.write(false, "built\n");
  log.close();
  auto logged = result(1, "1");
  for (const char* wrong : {"tasks/t1/stdout.2.log", "tasks/t2/stdout.log", "run.json", "../x"}) {
    logged.stdout_ref = wrong;
    CHECK(code_of([&] { post(logged); }) == "LOG_NOT_FOUND");
  }
  logged.stdout_ref = log.stdout_ref();
  logged.stderr_ref = "tasks/t1/stderr.log";
  CHECK(post(logged).stdout_ref == "tasks/t1/stdout.log");
  CHECK(read_file(post.run.dir(), "tasks/t1/stdout.log") == "built\n");
  post.run.dir().remove("tasks/t1/stderr.log");
  auto gone = result(2, "1");
  gone.stderr_ref = "tasks/t2/stderr.log";
  CHECK(code_of([&] { post(gone); }) == "LOG_NOT_FOUND");
}

TEST_CASE("A shell error is recorded as an error and delivered as a value") {
  World world;
  TestRun run(world, kTwoAtOnce, R"({"kind":"shell"})");
  run.iterate();
  run.post_error("t1",
                 R"({"message":"exit 2","data":{"exitCode":2,"stdout":"out","stderr":"err"}})");
  run.iterate();
  CHECK(run.end() == R"({"success":false,"exitCode":2,"stdout":"out","stderr":"err",)"
                     R"("error":{"name":"Error","message":"exit 2",)"
                     R"("data":{"exitCode":2,"stdout":"out","stderr":"err"}}})");
  run.check_replay();
}

}  // namespace
}  // namespace reprise::test
