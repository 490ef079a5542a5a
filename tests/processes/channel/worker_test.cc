#include <catch2/catch.hpp>

#include "tests/processes/channel/work_fixture.h"

namespace reprise::channel {
namespace {

const Json kFix = {{"title", "Fix"}, {"objective", "fix the build"}};
const Json kAsk = {{"objective", "ask me things"}, {"mode", "interactive"}};

Json route(const std::string& command, const Json& more = Json::object()) {
  Json value = {{"workerId", "w1"}, {"command", command}};
  value.update(more);
  return value;
}

TEST_CASE("a worker is briefed, works, and its artifact is there when it completes") {
  TestChannel channel({{"id", "c"}, {"dir", "/srv/app"}});
  REQUIRE_FALSE(channel.signal("worker.spawn", kFix));
  CHECK(channel.news() == "channel.created worker.spawned");
  const auto recall = channel.asked("brief:w1");
  CHECK(recall.kind == "recall");
  CHECK(recall.inputs == Json{{"query", "fix the build"},
                              {"limit", 8},
                              {"bulletin", true},
                              {"scopes", Json::array({{{"type", "channel"}, {"id", "c"}}})}});
  const Json memories = {{{"id", "c/b1.conclusion"}, {"note", "use ninja"}}};
  channel.resolve(recall.effect, {{"memories", memories}, {"bulletin", "all is well"}});

  const auto work = channel.asked("worker:w1");
  CHECK(work.kind == "worker");
  CHECK(work.inputs.at("channelId") == "c");
  CHECK(work.inputs.at("objective") == "fix the build");
  CHECK(work.inputs.at("taskId") == "task-w1");
  CHECK(work.inputs.at("mode") == "fire_and_forget");
  CHECK(work.inputs.at("cycle") == 1);
  CHECK(work.inputs.at("inbox") == Json::array());
  CHECK(work.inputs.at("cwd") == "/srv/app");
  CHECK(work.inputs.at("memories") == memories);
  CHECK(work.inputs.at("bulletin") == "all is well");
  CHECK(work.inputs.at("prompt").get<std::string>().find("use ninja") != std::string::npos);
  CHECK(work.definition.at("outputSchema") == "reprise:worker-result");
  CHECK(work.options ==
        Json{{"timeoutMs", 3'600'000}, {"timeoutFrom", "claim"}, {"outputSchema", true}});
  CHECK(worker_of(channel, "w1").at("effect") == "t2");

  channel.resolve(work.effect, {{"summary", "it builds"},
                                {"artifact", {{"mediaType", "text/x-diff"}, {"content", "+x"}}},
                                {"usage", {{"promptTokens", 10}, {"completionTokens", 2}}}});
  CHECK(channel.news() == "usage.counted artifact.created worker.completed message.created");
  CHECK(channel.events("artifact.created").back().payload == Json{{"artifactId", "a1"},
                                                                  {"workerId", "w1"},
                                                                  {"kind", "text"},
                                                                  {"title", ""},
                                                                  {"mediaType", "text/x-diff"},
                                                                  {"preview", "it builds"},
                                                                  {"content", "+x"}});
  CHECK(last_row(channel) == "Worker w1 completed with artifact a1: it builds");
  const auto done = worker_of(channel, "w1");
  CHECK(done.at("state") == "completed");
  CHECK(done.at("artifactId") == "a1");
  CHECK_FALSE(done.contains("effect"));
  CHECK(channel.open().empty());
}

TEST_CASE("an interactive worker waits, is told more, and goes on in a next cycle") {
  TestChannel channel(no_recall());
  channel.signal("worker.spawn", kAsk);
  channel.news();
  channel.resolve(channel.asked("worker:w1").effect,
                  {{"status", "waiting"}, {"report", "which port?"}, {"sessionId", "s1"}});
  CHECK(channel.news() == "worker.progress message.created");
  CHECK(last_row(channel) == "Worker w1 waits for input: which port?");
  CHECK(worker_of(channel, "w1").at("state") == "waiting_input");
  CHECK(channel.open().empty());

  REQUIRE_FALSE(channel.signal("worker.route", route("continue", {{"text", "8080"}})));
  CHECK(channel.news() == "worker.progress worker.progress");
  const auto next = channel.asked("worker:w1:2");
  CHECK(next.inputs.at("cycle") == 2);
  CHECK(next.inputs.at("inbox") == Json{"8080"});
  CHECK(next.inputs.at("report") == "which port?");
  CHECK(next.inputs.at("sessionId") == "s1");
  CHECK(worker_of(channel, "w1").at("state") == "queued");
  channel.resolve(next.effect, {{"summary", "listens on 8080"}});
  CHECK(worker_of(channel, "w1").at("state") == "completed");
}

TEST_CASE("work that an endpoint cut off says so where its summary is read") {
  TestChannel channel(no_recall());
  channel.signal("worker.spawn", kFix);
  channel.resolve(channel.asked("worker:w1").effect,
                  {{"summary", "it bui"}, {"finishReason", "length"}});
  CHECK(channel.events("worker.completed").back().payload.at("summary") ==
        "[Cut off: the model's token limit was reached]\nit bui");
  channel.signal("branch.spawn", {{"prompt", "why?"}});
  channel.resolve(channel.asked("branch:b1").effect,
                  {{"summary", "beca"}, {"finishReason", "content_filter"}});
  const auto summary = branch_of(channel, "b1").dump();
  CHECK_THAT(summary, Catch::Contains("[Cut off: a content filter stopped the model]"));
}

TEST_CASE("what is routed while a worker runs is not lost: its next cycle is told") {
  TestChannel channel(no_recall());
  channel.signal("worker.spawn", kAsk);
  REQUIRE_FALSE(channel.signal("worker.route", route("continue", {{"text", "one"}})));
  REQUIRE_FALSE(channel.signal("worker.route", route("continue", {{"text", "two"}})));
  CHECK(worker_of(channel, "w1").at("state") == "queued");
  channel.resolve(channel.asked("worker:w1").effect, {{"status", "waiting"}});
  CHECK(channel.asked("worker:w1:2").inputs.at("inbox") == Json{"one", "two"});
}

TEST_CASE("a route completes or fails an interactive worker, whether it waits or runs") {
  const auto waits = GENERATE(true, false);
  TestChannel channel(no_recall());
  channel.signal("worker.spawn", kAsk);
  if (waits) channel.resolve(channel.asked("worker:w1").effect, {{"status", "waiting"}});
  SECTION("complete") {
    REQUIRE_FALSE(channel.signal("worker.route", route("complete", {{"summary", "enough"}})));
    CHECK(worker_of(channel, "w1").at("state") == "completed");
    CHECK(channel.events("artifact.created").back().payload.at("content") == "enough");
  }
  SECTION("fail") {
    REQUIRE_FALSE(channel.signal("worker.route", route("fail", {{"error", "no use"}})));
    CHECK(worker_of(channel, "w1").at("state") == "failed");
    CHECK(last_row(channel) == "Worker w1 failed: no use");
  }
  CHECK(channel.open().empty());
  CHECK(channel.withdrawn().size() == (waits ? 0 : 1));
}

TEST_CASE("a cancelled worker has failed with that reason, and nobody waits for its result") {
  TestChannel channel(no_recall());
  channel.signal("worker.spawn", kFix);
  const auto effect = channel.asked("worker:w1").effect;
  REQUIRE_FALSE(channel.signal("worker.cancel", {{"workerId", "w1"}, {"reason", "not any more"}}));
  CHECK(channel.withdrawn() == std::vector<uint64_t>{effect});
  const auto failed = channel.events("worker.failed").back().payload;
  CHECK(failed == Json{{"workerId", "w1"},
                       {"taskId", "task-w1"},
                       {"error", "not any more"},
                       {"reason", "cancelled"},
                       {"withdrawn", effect}});
  CHECK(last_row(channel) == "Worker w1 was cancelled: not any more");

  channel.signal("worker.spawn", kFix);
  channel.cancel(channel.asked("worker:w2").effect);
  CHECK(worker_of(channel, "w2").at("reason") == "cancelled");
}

TEST_CASE("deleting the channel cancels all that works in it") {
  TestChannel channel(no_recall());
  channel.signal("worker.spawn", kFix);
  channel.signal("worker.spawn", kAsk);
  channel.resolve(channel.asked("worker:w2").effect, {{"status", "waiting"}});
  channel.signal("branch.spawn", {{"prompt", "why?"}});
  REQUIRE_FALSE(channel.signal("channel.delete", Json::object()));
  CHECK(channel.events("worker.failed").size() == 3);
  CHECK(branch_of(channel, "b1").at("reason") == "cancelled");
  CHECK(channel.withdrawn().size() == 2);
  CHECK(channel.ended());
}

TEST_CASE("an executor's error fails the worker, and says what it was") {
  TestChannel channel(no_recall());
  channel.signal("worker.spawn", kFix);
  channel.fail(channel.asked("worker:w1").effect, {{"name", "TimeoutError"}, {"message", "late"}});
  const auto worker = worker_of(channel, "w1");
  CHECK(worker.at("error") == "Fire-and-forget execution failed: late");
  CHECK(worker.at("reason") == "execution_failed");
  CHECK(worker.at("code") == "TimeoutError");
  CHECK(channel.events("artifact.created").empty());
}

TEST_CASE("a result of the wrong shape fails the worker with a code") {
  const auto code_after = [](const Json& spec, const Json& result) {
    TestChannel channel(no_recall());
    channel.signal("worker.spawn", spec);
    channel.resolve(channel.asked("worker:w1").effect, result);
    CHECK(channel.open().empty());
    return worker_of(channel, "w1").value("code", "none");
  };
  CHECK(code_after(kFix, Json::object()) == "empty_summary");
  CHECK(code_after(kFix, {{"summary", "  "}}) == "empty_summary");
  CHECK(code_after(kFix, {{"artifact", {{"content", "all of it"}}}}) == "none");
  CHECK(code_after(kFix, {{"status", "waiting"}}) == "cannot_wait");
  CHECK(code_after(kAsk, {{"status", "done"}}) == "invalid_status");
  CHECK(code_after(kAsk, {{"status", 3}}) == "invalid_status");
  CHECK(code_after(kFix, "done") == "invalid_status");
  CHECK(code_after(kFix, Json()) == "invalid_status");
}

TEST_CASE("a worker with an entry is a child run, and the run's output is its result") {
  TestChannel channel;
  REQUIRE_FALSE(channel.signal("worker.spawn",
                               {{"entry", "/srv/build.js"}, {"inputs", {{"branch", "main"}}}}));
  const auto run = channel.asked("worker:w1");
  CHECK(run.kind == "run");
  CHECK(run.inputs == Json{{"entry", "/srv/build.js"}, {"inputs", {{"branch", "main"}}}});
  channel.resolve(run.effect, {{"ok", true}});
  const auto artifact = channel.events("artifact.created").back().payload;
  CHECK(artifact.at("content") == R"({"ok":true})");
  CHECK(artifact.at("mediaType") == "application/json");
  CHECK(worker_of(channel, "w1").at("state") == "completed");
}

TEST_CASE("a preview is 120 characters of whatever alphabet, the content is whole") {
  TestChannel channel(no_recall());
  channel.signal("worker.spawn", kFix);
  std::string summary, preview;
  for (int i = 0; i < 200; ++i) summary += "ж";
  for (int i = 0; i < 120; ++i) preview += "ж";
  channel.resolve(channel.asked("worker:w1").effect, {{"summary", summary}});
  const auto artifact = channel.events("artifact.created").back().payload;
  CHECK(artifact.at("preview") == preview);
  CHECK(artifact.at("content") == summary);
  CHECK(channel.ask({{"ask", "artifact"}, {"id", "a1"}}).at("bytes") == 400);
}

TEST_CASE("the newest 20 that ended are remembered, and all that live") {
  TestChannel channel(no_recall());
  channel.signal("worker.spawn", kAsk);
  for (int i = 2; i <= 30; ++i) {
    channel.signal("worker.spawn", kFix);
    channel.resolve(channel.asked("worker:w" + std::to_string(i)).effect, {{"summary", "ok"}});
  }
  CHECK(channel.ask({{"ask", "workers"}}).size() == 21);
  CHECK(worker_of(channel, "w1").at("state") == "queued");
  CHECK(worker_of(channel, "w10").is_null());
  CHECK(worker_of(channel, "w11").at("state") == "completed");
  CHECK(channel.ask({{"ask", "artifacts"}}).size() == 20);
  CHECK(code_of(channel.signal("worker.cancel", {{"workerId", "w10"}})) == "WORKER_FINISHED");
}

TEST_CASE("a spawn that makes no sense is refused before it is recorded") {
  TestChannel channel;
  const auto refused = [&](const Json& change) {
    auto spec = kFix;
    spec.update(change);
    return code_of(channel.signal("worker.spawn", spec));
  };
  CHECK(code_of(channel.signal("worker.spawn", "fix it")) == "INVALID_WORKER");
  CHECK(refused({{"objective", " "}}) == "INVALID_WORKER");
  CHECK(refused({{"objective", std::string(2 << 20, 'x')}}) == "INVALID_WORKER");
  CHECK(refused({{"title", std::string(300, 'x')}}) == "INVALID_WORKER");
  CHECK(refused({{"title", 7}}) == "INVALID_WORKER");
  CHECK(refused({{"mode", "sometimes"}}) == "INVALID_WORKER");
  CHECK(refused({{"mode", true}}) == "INVALID_WORKER");
  CHECK(refused({{"tools", "shell"}}) == "INVALID_WORKER");
  CHECK(refused({{"tools", {"shell", 2}}}) == "INVALID_WORKER");
  CHECK(refused({{"workingDirectory", "src"}}) == "INVALID_WORKER");
  CHECK(refused({{"entry", "build.js"}}) == "INVALID_WORKER");
  CHECK(refused({{"entry", "/b.js"}, {"mode", "interactive"}}) == "INVALID_WORKER");
  CHECK(refused({{"tokenBudget", 0}}) == "INVALID_WORKER");
  CHECK(refused({{"tokenBudget", 1.5}}) == "INVALID_WORKER");
  CHECK(channel.news() == "channel.created");
  CHECK(refused({{"tools", {"shell"}}, {"agent", "coder"}}).empty());
}

TEST_CASE("a command to a worker that cannot follow it is refused, and says why") {
  TestChannel channel(no_recall());
  channel.signal("worker.spawn", kAsk);
  CHECK(code_of(channel.signal("worker.route", {{"workerId", "w2"}})) == "WORKER_UNKNOWN");
  CHECK(code_of(channel.signal("worker.cancel", {{"workerId", "../w1"}})) == "WORKER_UNKNOWN");
  CHECK(code_of(channel.signal("worker.cancel", Json::array())) == "WORKER_UNKNOWN");
  CHECK(code_of(channel.signal("worker.route", route("complete"))) == "INVALID_WORKER");
  CHECK(code_of(channel.signal("worker.route", route("fail", {{"error", " "}}))) ==
        "INVALID_WORKER");
  CHECK(code_of(channel.signal("worker.route", route("done"))) == "INVALID_WORKER");
  CHECK(code_of(channel.signal("worker.route", route("continue", {{"text", 4}}))) ==
        "INVALID_WORKER");
  channel.signal("worker.spawn", kFix);
  CHECK(code_of(channel.signal("worker.route", {{"workerId", "w2"}, {"command", "continue"}})) ==
        "WORKER_NOT_INTERACTIVE");
  channel.signal("worker.cancel", {{"workerId", "w1"}});
  const auto refusal = channel.signal("worker.route", route("continue"));
  CHECK(code_of(refusal) == "WORKER_FINISHED");
  CHECK(refusal->kind == Refusal::Kind::kConflict);

  channel.news();
  channel.force_signal("worker.route", route("continue"));
  CHECK(channel.news() == "channel.signal.refused");
}

}  // namespace
}  // namespace reprise::channel
