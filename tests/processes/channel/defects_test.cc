// What the systems that channels follow lose, double or invent around workers and branches, and
// that it does not happen here. The numbers are those of the table in docs/channels.md.
#include <catch2/catch.hpp>

#include "processes/channel/channel.h"
#include "processes/channel/state.h"
#include "tests/processes/channel/work_fixture.h"

namespace reprise::channel {
namespace {

const Json kWholeFix = {{"title", "Fix"},
                        {"objective", "fix the build"},
                        {"tools", {"shell"}},
                        {"agent", "coder"},
                        {"workingDirectory", "/srv/app"}};

/// The channel as the next command finds it: from a snapshot.
Json ask_restarted(const TestChannel& channel, const Json& question) {
  const Inputs inputs([] { return std::string("{}"); });
  const auto decider = channel_process().make(inputs);
  REQUIRE(decider->restore(channel.snapshot()));
  return Json::parse(decider->answer(question.dump()));
}

size_t rows_with(const TestChannel& channel, const std::string& text) {
  const auto rows = channel.events("message.created");
  return static_cast<size_t>(std::ranges::count_if(rows, [&](const ToldEvent& row) {
    return row.payload.at("content").get<std::string>().find(text) != std::string::npos;
  }));
}

TEST_CASE("D1: a worker that ends within the millisecond of its spawn stays ended") {
  TestChannel channel(no_recall());
  channel.signal("worker.spawn", kWholeFix);
  channel.resolve(channel.asked("worker:w1").effect, {{"summary", "done"}});
  CHECK(ask_restarted(channel, {{"ask", "worker"}, {"id", "w1"}}).at("state") == "completed");
  // Even a journal that said "spawned" again would not bring it back.
  Channel state;
  const Json spawned = {{"workerId", "w1"}, {"objective", "x"}};
  const Json completed = {{"workerId", "w1"}, {"summary", "y"}, {"artifactId", "a1"}};
  state.evolve({"worker.spawned", spawned, 1});
  state.evolve({"worker.completed", completed, 1});
  state.evolve({"worker.spawned", spawned, 1});
  CHECK(show_worker(state, "w1").at("state") == "completed");
  CHECK(state.workers.spawned == 1);
}

TEST_CASE("D2: a conclusion is one row, however often the journal is read") {
  TestChannel channel(no_recall());
  channel.signal("branch.spawn", {{"prompt", "why?"}});
  channel.resolve(channel.asked("branch:b1").effect, {{"summary", "because"}});
  CHECK(rows_with(channel, "Branch conclusion:") == 1);
  const auto rows = Json::parse(channel.snapshot()).at("channel").at("transcript").at("rows");
  CHECK(rows == 1);
}

TEST_CASE("D3: a worker that goes on, and one that waits again, are just that after a restart") {
  TestChannel channel(no_recall());
  channel.signal("worker.spawn", {{"objective", "ask"}, {"mode", "interactive"}});
  channel.resolve(channel.asked("worker:w1").effect, {{"status", "waiting"}});
  channel.signal("worker.route", {{"workerId", "w1"}, {"command", "continue"}, {"text", "go"}});
  auto found = ask_restarted(channel, {{"ask", "worker"}, {"id", "w1"}});
  CHECK(found.at("state") == "queued");
  CHECK(found.at("effect") == "t2");
  channel.resolve(channel.asked("worker:w1:2").effect, {{"status", "waiting"}});
  found = ask_restarted(channel, {{"ask", "worker"}, {"id", "w1"}});
  CHECK(found.at("state") == "waiting_input");
  CHECK_FALSE(found.contains("effect"));
}

TEST_CASE("D4: a fire-and-forget worker that ends by itself is gone from what is open, live too") {
  TestChannel channel(no_recall());
  channel.signal("worker.spawn", kWholeFix);
  channel.resolve(channel.asked("worker:w1").effect, {{"summary", "done"}});
  const auto live = channel.ask({{"ask", "workers"}});
  CHECK(live == ask_restarted(channel, {{"ask", "workers"}}));
  CHECK_FALSE(live.at(0).contains("effect"));
}

TEST_CASE("D5: an artifact that nobody reads is kept, and so is all that was said of a worker") {
  TestChannel channel(no_recall());
  channel.signal("worker.spawn", kWholeFix);
  const auto spawned = channel.events("worker.spawned").back().payload;
  for (const auto& [name, value] : kWholeFix.items()) CHECK(spawned.at(name) == value);
  const auto found = ask_restarted(channel, {{"ask", "worker"}, {"id", "w1"}});
  for (const auto& [name, value] : kWholeFix.items()) CHECK(found.at(name) == value);
  channel.resolve(channel.asked("worker:w1").effect, {{"summary", "done"}});
  const auto completed = channel.events("worker.completed").back();
  const auto created = channel.events("artifact.created").back();
  CHECK(created.cause == completed.cause);  // one commit
  CHECK(created.seq < completed.seq);
  CHECK(ask_restarted(channel, {{"ask", "artifact"}, {"id", "a1"}}).at("preview") == "done");
}

TEST_CASE("D6: what waits is not found running after a restart, and its clock goes on") {
  TestChannel channel(no_recall());
  channel.signal("worker.spawn", {{"objective", "ask"}, {"mode", "interactive"}});
  channel.now_ms += 5000;
  channel.resolve(channel.asked("worker:w1").effect, {{"status", "waiting"}});
  const auto waits_since = channel.now_ms;
  channel.now_ms += 900'000;
  channel.say("m1", "hello");
  const auto found = ask_restarted(channel, {{"ask", "worker"}, {"id", "w1"}});
  CHECK(found.at("state") == "waiting_input");
  CHECK(found.at("updatedAt") == waits_since);
  CHECK(found.at("spawnedAt") == waits_since - 5000);
}

TEST_CASE("D7: an open branch is still open after a restart, and its worker is its own") {
  TestChannel channel;
  channel.signal("branch.spawn", {{"prompt", "why?"}});
  CHECK(ask_restarted(channel, {{"ask", "branch"}, {"id", "b1"}}).at("state") == "recalling");
  brief(channel, "recall:b1", {{{"id", "m1"}, {"note", "x"}}});
  const auto found = ask_restarted(channel, {{"ask", "branch"}, {"id", "b1"}});
  CHECK(found.at("state") == "thinking");
  CHECK(found.at("memoryRefs") == Json{"m1"});
  CHECK(found.at("effect") == "t2");
  CHECK(ask_restarted(channel, {{"ask", "worker"}, {"id", "w1"}}).at("branchId") == "b1");
}

TEST_CASE("D8: every event of a worker names the record where its story began") {
  TestChannel channel;
  channel.signal("worker.spawn", {{"objective", "ask"}, {"mode", "interactive"}});
  const auto spawn = channel.events("worker.spawned").back();
  CHECK(spawn.trace == spawn.cause);
  brief(channel, "brief:w1");
  channel.resolve(channel.asked("worker:w1").effect, {{"status", "waiting"}});
  CHECK(channel.events("worker.progress").back().trace == spawn.trace);
  channel.signal("worker.route", {{"workerId", "w1"}, {"command", "continue"}});
  const auto routed = channel.events("worker.progress").back();
  CHECK(routed.trace == routed.cause);
  brief(channel, "brief:w1:2");
  channel.resolve(channel.asked("worker:w1:2").effect, {{"summary", "done"}});
  CHECK(channel.events("worker.completed").back().trace == routed.trace);
}

TEST_CASE("W1: a cancel is not overwritten by a worker that says it waits") {
  TestChannel channel(no_recall());
  channel.signal("worker.spawn", {{"objective", "ask"}, {"mode", "interactive"}});
  const auto effect = channel.asked("worker:w1").effect;
  channel.signal("worker.cancel", {{"workerId", "w1"}});
  CHECK(channel.withdrawn() == std::vector<uint64_t>{effect});  // its result comes too late
  Channel state;
  const Json spawned = {{"workerId", "w1"}, {"objective", "x"}, {"mode", "interactive"}};
  const Json failed = {{"workerId", "w1"}, {"reason", "cancelled"}};
  const Json waiting = {{"workerId", "w1"}, {"progress", "waiting_for_route"}};
  state.evolve({"worker.spawned", spawned, 1});
  state.evolve({"worker.failed", failed, 2});
  state.evolve({"worker.progress", waiting, 3});
  CHECK(show_worker(state, "w1").at("state") == "failed");
}

TEST_CASE("W2: no word in a text completes a worker: \"not done yet\" does not") {
  TestChannel channel(no_recall());
  channel.signal("worker.spawn", {{"objective", "ask"}, {"mode", "interactive"}});
  channel.resolve(channel.asked("worker:w1").effect, {{"status", "waiting"}});
  channel.signal("worker.route",
                 {{"workerId", "w1"}, {"command", "continue"}, {"text", "not done yet, готово"}});
  CHECK(worker_of(channel, "w1").at("state") == "queued");
  channel.resolve(channel.asked("worker:w1:2").effect, {{"status", "waiting"}});
  CHECK(code_of(channel.signal("worker.route", "not json")) == "WORKER_UNKNOWN");
  CHECK(worker_of(channel, "w1").at("state") == "waiting_input");
}

TEST_CASE("W3: cancelling one worker leaves the others of the channel alone") {
  TestChannel channel(no_recall());
  channel.signal("worker.spawn", kWholeFix);
  channel.signal("worker.spawn", kWholeFix);
  channel.signal("branch.spawn", {{"prompt", "why?"}});
  channel.signal("worker.cancel", {{"workerId", "w1"}});
  CHECK(worker_of(channel, "w2").at("state") == "queued");
  CHECK(branch_of(channel, "b1").at("state") == "thinking");
  CHECK(channel.open().size() == 2);
}

TEST_CASE("B1: a conclusion that is refused leaves no memory behind") {
  TestChannel channel;
  channel.signal("branch.spawn", {{"prompt", "why?"}});
  brief(channel, "recall:b1", {{{"id", "m1"}, {"note", "x"}}});
  channel.resolve(channel.asked("branch:b1").effect,
                  {{"summary", "x"}, {"memoryRefs", {"m1", "m1"}}});
  CHECK(channel.events("memory.saved").empty());
  CHECK(channel.events("memory.linked").empty());
  CHECK(channel.events("artifact.created").empty());
}

TEST_CASE("B2: a branch that ran out of time takes its worker along and says so in the channel") {
  TestChannel channel(no_recall());
  channel.signal("branch.spawn", {{"prompt", "why?"}});
  const auto effect = channel.asked("branch:b1").effect;
  channel.signal("branch.timeout", {{"branchId", "b1"}});
  CHECK(worker_of(channel, "w1").at("state") == "failed");
  CHECK(rows_with(channel, "Branch b1 timed out") == 1);
  CHECK(channel.withdrawn() == std::vector<uint64_t>{effect});  // a conclusion comes too late
  CHECK(channel.events("memory.saved").empty());
}

TEST_CASE("B3: a branch says what its executor said, and no tokens that nobody counted") {
  TestChannel channel(no_recall());
  channel.signal("branch.spawn", {{"prompt", "why?"}});
  channel.resolve(channel.asked("branch:b1").effect, {{"summary", "because of the cache"}});
  const auto conclusion = channel.events("branch.conclusion").back().payload;
  CHECK(conclusion.at("summary") == "because of the cache");
  CHECK(conclusion.at("tokenUsage").is_null());
  CHECK(channel.events("usage.counted").empty());
}

TEST_CASE("B4: the failure of a branch names its task") {
  TestChannel channel(no_recall());
  channel.signal("branch.spawn", {{"prompt", "why?"}});
  channel.resolve(channel.asked("branch:b1").effect, {{"summary", ""}});
  CHECK(channel.events("worker.failed").back().payload.at("taskId") == "branch-b1");
}

}  // namespace
}  // namespace reprise::channel
