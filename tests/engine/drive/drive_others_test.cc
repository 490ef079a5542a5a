// A drive is not alone: other drives, people and child runs meanwhile.
#include <catch2/catch.hpp>

#include "engine/claim.h"
#include "engine/fence.h"
#include "engine/signal.h"
#include "tests/engine/drive/drive_fixture.h"

namespace reprise::test {
namespace {

TEST_CASE("Two drives share the work of a run", "[drive]") {
  Folder folder;
  auto run = make(folder,
                  step_script("return await Promise.all([1, 2].map((i) => ctx.task(step, {i})));"));
  run.iterate();
  auto claim = ClaimRequest{.worker = "other", .lease_ms = 600'000};
  claim.effect = EffectSelector{.id = 1, .key = {}};
  const auto other = claim_effect(run.dir(), folder.world.context, claim);
  DriveTest drive(folder);
  bool posted = false;
  drive.performers.while_waiting = [&] {
    if (std::exchange(posted, true)) return;
    Post post;
    post.effect.id = 1;
    post.token = other.effect.claim->token;
    post.value = parse_value("\"other\"", "value");
    post_result(run.dir(), folder.world.context, post);
  };
  CHECK(drive("r").state.status() == RunStatus::kCompleted);
  CHECK(run.end() == "[\"other\",{}]");
  CHECK(drive.performers.started.size() == 1);
  CHECK(drive.heard.notes == std::vector<std::string>{"t1 is " + claim_words(*other.effect.claim) +
                                                      "; that is waited for"});
}

TEST_CASE("The claim of a drive that died is free at once", "[drive]") {
  Folder folder;
  auto run = make(folder, step_script("return await ctx.task(step, {});"));
  run.iterate();
  folder.world.host.processes[5] = 1;
  auto claim = ClaimRequest{.worker = "other", .pid = 5, .lease_ms = 600'000};
  claim.effect = EffectSelector{.id = 1, .key = {}};
  claim_effect(run.dir(), folder.world.context, claim);
  DriveTest drive(folder);
  drive.performers.while_waiting = [&] { folder.world.host.processes.erase(5); };
  CHECK(drive("r").state.status() == RunStatus::kCompleted);
  CHECK(folder.world.clock.now_ms() - kStartMs < 1000);
  CHECK(drive.performers.started.front().attempt == 2);
}

TEST_CASE("Other people's commits between the steps are taken in", "[drive]") {
  Folder folder;
  auto run = make(folder, step_script(R"(
    const seen = [];
    for (let i = 0; i < 3; i++) {
      seen.push(await ctx.task(step, {i}));
      seen.push(await ctx.signal('note'));
    }
    return seen;)"));
  DriveTest drive(folder);
  drive.request.wait_ms = 10'000;
  int sent = 0;
  drive.performers.while_waiting = [&] {
    send_signal(run.dir(), folder.world.context,
                {.name = "note", .value = parse_value(std::to_string(sent), "v")});
    ++sent;
  };
  CHECK(drive("r").state.status() == RunStatus::kCompleted);
  CHECK(run.end() == "[{},0,{},1,{},2]");
  run.check_replay();
}

TEST_CASE("What somebody else went on with is replayed, and driven from there", "[drive]") {
  Folder folder;
  auto run = make_checklist(folder, 3);
  DriveTest drive(folder);
  drive.performers.perform = [](const Work& work) -> std::optional<Outcome> {
    if (work.effect == "t1") return std::nullopt;
    return ok_outcome(R"({"exitCode":0})");
  };
  drive.performers.while_waiting = [&] {
    if (run.state().counts.resolved_ok > 0) return;
    auto forced = folder.world.context;
    forced.force = true;
    Post post;
    post.effect.id = 1;
    post.value = parse_value(R"({"exitCode":0})", "value");
    post_result(run.dir(), forced, post);
    run.iterate();
  };
  CHECK(drive("r").state.status() == RunStatus::kCompleted);
  CHECK(drive.performers.started.size() == 3);
  CHECK(drive.performers.stopped == std::vector<std::string>{"t1"});
  CHECK(drive.heard.reasons ==
        std::vector<std::string>{"somebody else posted its result meanwhile"});
  CHECK(run.state().counts.requested == 3);
}

TEST_CASE("A rewind while it drives is followed", "[drive]") {
  Folder folder;
  auto run = make(folder, step_script(R"(
    const first = await ctx.task(step, {i: 1});
    const second = await ctx.task(step, {i: 2});
    return [first, second];)"));
  DriveTest drive(folder);
  bool rewound = false;
  int n = 0;
  drive.performers.perform = [&](const Work& work) -> std::optional<Outcome> {
    if (work.effect == "t2" && !rewound) return std::nullopt;
    return ok_outcome(std::to_string(++n));
  };
  drive.performers.while_waiting = [&] {
    if (std::exchange(rewound, true)) return;
    auto forced = folder.world.context;
    forced.force = true;
    RewindRequest request;
    request.before = EffectSelector{1, {}};
    request.reason = "a test";
    request.yes = true;
    rewind_run(run.dir(), forced, {}, request);
  };
  CHECK(drive("r").state.status() == RunStatus::kCompleted);
  CHECK(run.end() == "[2,3]");
  CHECK(drive.performers.stopped == std::vector<std::string>{"t2"});
  run.check_replay();
}

TEST_CASE("Child runs are driven, too", "[drive]") {
  Folder folder;
  folder.create("r", kGrandchild);
  DriveTest drive(folder);
  drive.performers.perform = [](const Work&) { return ok_outcome(R"({"exitCode":0})"); };
  const auto end = drive("r");
  CHECK(drive.heard.notes == std::vector<std::string>{});
  CHECK(end.state.status() == RunStatus::kCompleted);
  CHECK(drive.performers.started.size() == 1);
  CHECK(drive.performers.started.front().run == "r.t1.t1");
}

TEST_CASE("Script parents and script children are driven in turn", "[drive]") {
  Folder folder;
  folder.edit("/source/child.js", step_script("return (await ctx.task(step, inputs)).got;"));
  auto run = make(folder, step_script(R"(
    const two = [ctx.run('./child.js', {n: 1}), ctx.run('./child.js', {n: 2})];
    const own = await ctx.task(step, {n: 3});
    return [own.got, ...(await Promise.all(two))];)"));
  DriveTest drive(folder);
  drive.performers.perform = [](const Work& work) {
    return ok_outcome("{\"got\":" + work.inputs + "}");
  };
  CHECK(drive("r").state.status() == RunStatus::kCompleted);
  CHECK(run.end() == R"([{"n":3},{"n":1},{"n":2}])");
}

}  // namespace
}  // namespace reprise::test
