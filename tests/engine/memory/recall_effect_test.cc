// The effect that the engine performs itself: within the iteration, behind everything else, and
// recorded like any other result.
#include <catch2/catch.hpp>
#include <functional>
#include <nlohmann/json.hpp>

#include "tests/engine/run_fixture.h"

using namespace reprise;
using namespace reprise::test;
using Json = nlohmann::json;

namespace {

constexpr const char* kScript = R"js(
import { defineTask } from 'reprise';
const recall = defineTask('context', { kind: 'recall', title: 'What do we know?' });
const ask = defineTask('ask', { kind: 'agent', title: 'Ask' });
export async function process({ n }, ctx) {
  ctx.emit('memory.saved', { memoryId: 'a', note: 'It rains' });
  const known = await ctx.task(recall, { query: 'rain', limit: 3 }).catch(e => e.name);
  const answer = await ctx.task(ask, { known });
  const later = await ctx.task(recall, { query: 'rain' }).catch(e => e.name);
  return { known, answer, later };
}
)js";

class FakeMemory final : public MemorySource {
 public:
  std::string answer(const RecallRequest& request) override {
    requests.push_back(request);
    return reply(request);
  }
  std::function<std::string(const RecallRequest&)> reply = [](const RecallRequest&) {
    return std::string(R"({"bulletin":null,"memories":[{"id":"a"}]})");
  };
  std::vector<RecallRequest> requests;
};

const Steps kDrive = [](TestRun& run) {
  run.iterate();
  if (run.pending().find("t2") == std::string::npos) return;
  run.post("t2", R"("sunny")");
  run.iterate();
};

}  // namespace

TEST_CASE("Where nothing is remembered, a recall answers so, at every prefix") {
  World world;
  const auto run = at_every_prefix(world, kScript, "{}", kDrive);
  const auto nothing = Json::parse(kNothingRecalled);
  CHECK(Json::parse(run.end()) ==
        Json{{"known", nothing}, {"answer", "sunny"}, {"later", nothing}});
}

TEST_CASE("The answer is recorded, and replay never asks again") {
  World world;
  FakeMemory memory;
  world.context.memory = &memory;
  TestRun run(world, kScript);
  run.iterate();
  CHECK(run.commits() == 2);  // the creation, and all of the iteration
  CHECK(run.pending() == "t2:Ask");
  REQUIRE(memory.requests.size() == 1);
  CHECK(Json::parse(memory.requests[0].args) == Json{{"query", "rain"}, {"limit", 3}});
  CHECK(memory.requests[0].now_ms == kStartMs);
  run.check_replay();
  run.post("t2", "1");
  run.iterate();
  CHECK(memory.requests.size() == 2);
  run.check_replay();
  CHECK(memory.requests.size() == 2);
  CHECK(run.status() == "completed");
}

TEST_CASE("What the same commit told comes along; what is durable is the index's to know") {
  World world;
  FakeMemory memory;
  world.context.memory = &memory;
  TestRun run(world, kScript);
  run.iterate();
  run.post("t2", "1");
  run.iterate();
  REQUIRE(memory.requests.size() == 2);
  REQUIRE(memory.requests[0].own.size() == 1);
  CHECK(memory.requests[0].own[0].type == "memory.saved");
  CHECK(Json::parse(memory.requests[0].own[0].payload)["note"] == "It rains");
  CHECK(memory.requests[1].own.empty());
}

TEST_CASE("Memories that cannot be asked are an error of the effect, never of the run") {
  World world;
  FakeMemory memory;
  world.context.memory = &memory;
  memory.reply = [](const RecallRequest&) -> std::string { throw std::runtime_error("no disk"); };
  auto run = at_every_prefix(world, kScript, "{}", kDrive);
  CHECK(Json::parse(run.end())["known"] == "RecallFailed");
  memory.reply = [](const RecallRequest&) { return std::string("not json"); };
  TestRun other(world, kScript);
  kDrive(other);
  CHECK(Json::parse(other.end())["later"] == "RecallFailed");
}

TEST_CASE("A long answer becomes a blob") {
  World world;
  FakeMemory memory;
  world.context.memory = &memory;
  const auto note = std::string(100'000, 'x');
  memory.reply = [&](const RecallRequest&) {
    return Json{{"bulletin", nullptr}, {"memories", {{{"id", "a"}, {"note", note}}}}}.dump();
  };
  const auto run = at_every_prefix(world, kScript, "{}", kDrive);
  CHECK(Json::parse(run.end())["later"]["memories"][0]["note"] == note);
}

TEST_CASE("Recalls come behind all that is recorded and due") {
  World world;
  FakeMemory memory;
  world.context.memory = &memory;
  TestRun run(world, R"js(
import { defineTask } from 'reprise';
const recall = defineTask('context', { kind: 'recall', title: 'What do we know?' });
const ask = defineTask('ask', { kind: 'agent', title: 'Ask' });
export async function process(_, ctx) {
  const order = [];
  const known = () => ctx.task(recall, { query: 'rain' });
  await ctx.parallel.all([
    () => ctx.task(ask, {}).then(known).then(() => order.push('recall')),
    () => ctx.sleepUntil('2026-01-01T00:00:01.000Z').then(() => order.push('sleep')),
  ]);
  return order;
}
)js");
  run.iterate();
  world.clock.advance(2000);
  run.post("t1", "1");
  run.iterate();
  INFO(run.end());
  CHECK(Json::parse(run.end()) == Json{"sleep", "recall"});
  run.check_replay();
}

TEST_CASE("ctx.memory says the same in short: its recall sees its save, at every prefix") {
  World world;
  FakeMemory memory;
  world.context.memory = &memory;
  const auto run = at_every_prefix(world, R"js(
export async function process(inputs, ctx) {
  const id = ctx.memory.save('It rains', { kind: 'fact', scope: { type: 'global', id: 'global' } });
  const again = ctx.memory.save('It rains', { scope: { type: 'global', id: 'global' } });
  const other = ctx.memory.save('It rains', { scope: { type: 'channel', id: 'web' } });
  const known = await ctx.memory.recall('rain', { limit: 3, scopes: [{ type: 'global' }] });
  return { same: id === again, other: id === other, known, whose: id.startsWith(ctx.runId + '/n') };
}
)js",
                                   "{}", [](TestRun& one) { one.iterate(); });
  CHECK(Json::parse(run.end()) ==
        Json{{"same", true},
             {"other", false},
             {"known", {{"bulletin", nullptr}, {"memories", {{{"id", "a"}}}}}},
             {"whose", true}});
  const auto& request = memory.requests.front();
  CHECK(Json::parse(request.args) ==
        Json{{"query", "rain"}, {"limit", 3}, {"scopes", {{{"type", "global"}}}}});
  REQUIRE(request.own.size() == 3);
  CHECK(Json::parse(request.own[0].payload)["kind"] == "fact");
}
