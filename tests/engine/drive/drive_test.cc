#include <catch2/catch.hpp>

#include "engine/claim.h"
#include "engine/signal.h"
#include "engine/stop.h"
#include "tests/engine/drive/drive_fixture.h"

namespace reprise::test {
namespace {

TEST_CASE("A step is one commit: a result, what the process asks for next, and its claim",
          "[drive]") {
  Folder folder;
  auto run = make(folder, step_script("for (let i = 0; i < 2; i++) await ctx.task(step, {i});"));
  DriveTest drive(folder);
  const auto end = drive("r");
  CHECK(end.state.status() == RunStatus::kCompleted);
  CHECK(end.performed == 2);
  CHECK(end.waits.empty());
  CHECK(run.types() ==
        "RUN_CREATED EFFECT_REQUESTED EFFECT_CLAIMED EFFECT_RESOLVED EFFECT_REQUESTED "
        "EFFECT_CLAIMED EFFECT_RESOLVED RUN_COMPLETED");
  CHECK(run.commits() == 4);
  CHECK(drive.heard.text == "started t1; ok t1; started t2; ok t2; ");
  run.check_replay();
}

TEST_CASE("A built-in process is driven the same way, from every prefix of its journal",
          "[drive]") {
  Folder folder;
  auto whole = make_checklist(folder, 4);
  at_every_prefix(std::move(whole), [&](TestRun& run) {
    DriveTest drive(folder);
    drive.performers.perform = [](const Work&) { return ok_outcome(R"({"exitCode":0})"); };
    folder.world.runs->remove_tree("r");
    folder.world.runs->make_dir("r");
    copy_tree(run.dir(), *folder.world.runs->open_dir("r"), "");
    // Claims of the drive that was cut off name a process that is gone.
    folder.world.host.processes[kDrivePid] += 1;
    CHECK(drive("r").state.status() == RunStatus::kCompleted);
    run = TestRun(folder.world, folder.world.runs->open_dir("r"));
  });
}

TEST_CASE("So many effects are performed side by side as there are jobs", "[drive]") {
  Folder folder;
  make(folder, step_script("await Promise.all([1, 2, 3, 4, 5].map((i) => ctx.task(step, {i})));"));
  DriveTest drive(folder);
  drive.request.jobs = 2;
  drive.performers.inside = false;
  size_t most = 0;
  drive.performers.perform = [](const Work&) { return std::nullopt; };
  drive.performers.while_waiting = [&] {
    most = std::max(most, drive.performers.running.size());
    drive.performers.finish(drive.performers.running.rbegin()->second.effect, ok_outcome("1"));
  };
  CHECK(drive("r").state.status() == RunStatus::kCompleted);
  CHECK(most == 2);
  CHECK(drive.performers.started.size() == 5);
}

TEST_CASE("What is not wanted is neither performed nor waited for", "[drive]") {
  Folder folder;
  make(folder, step_script("await Promise.all([1, 2, 3].map((i) => ctx.task(step, {i})));"));
  DriveTest drive(folder);
  drive.request.wanted = [](const OpenEffect& effect) { return effect.id == 2; };
  const auto end = drive("r");
  CHECK(end.state.status() == RunStatus::kWaiting);
  CHECK(drive.heard.text == "started t2; ok t2; ");
}

TEST_CASE("When it is enough nothing more is begun, and what is in hand is finished", "[drive]") {
  Folder folder;
  make(folder, step_script("for (let i = 0; i < 5; i++) await ctx.task(step, {i});"));
  DriveTest drive(folder);
  drive.request.enough = [](const RunState& state) { return state.counts.resolved_ok > 0; };
  const auto end = drive("r");
  CHECK(end.state.status() == RunStatus::kWaiting);
  // The second one was claimed in the commit of the first one's result.
  CHECK(drive.heard.text == "started t1; ok t1; started t2; ok t2; ");
}

TEST_CASE("A lease is renewed while the work goes on", "[drive]") {
  Folder folder;
  auto run = make(folder, step_script("await ctx.task(step, {});"));
  DriveTest drive(folder);
  drive.performers.perform = [](const Work&) { return std::nullopt; };
  const auto begun = folder.world.clock.now_ms();
  drive.performers.while_waiting = [&] {
    if (folder.world.clock.now_ms() - begun < 5 * drive.request.lease_ms) return;
    drive.performers.finish("t1", ok_outcome("1"));
  };
  CHECK(drive("r").state.status() == RunStatus::kCompleted);
  const auto types = run.types();
  size_t claims = 0;
  for (size_t at = types.find("CLAIMED"); at != std::string::npos;
       at = types.find("CLAIMED", at + 1))
    ++claims;
  CHECK(claims == 15);  // one, and a renewal for each third but the last
  CHECK(drive.performers.started.size() == 1);
}

TEST_CASE("What ended and who stops the drive is heard while its claims are renewed all the time",
          "[drive]") {
  Folder folder;
  auto run = make(folder, step_script("await ctx.task(step, {});"));
  DriveTest drive(folder);
  drive.request.lease_ms = 0;  // a disk that is slower than the lease is the same
  SECTION("a result") { CHECK(drive("r").state.status() == RunStatus::kCompleted); }
  SECTION("a signal") {
    drive.performers.perform = [&](const Work&) {
      drive.performers.signal = SIGTERM;
      return std::nullopt;
    };
    CHECK(drive("r").signal == SIGTERM);
    CHECK(drive.performers.stopped == std::vector<std::string>{"t1"});
  }
}

TEST_CASE("Work that was lost to somebody else is stopped, and its outcome is not posted",
          "[drive]") {
  Folder folder;
  auto run = make(folder, step_script("return await ctx.task(step, {});"));
  DriveTest drive(folder);
  drive.performers.perform = [](const Work&) { return std::nullopt; };
  drive.performers.while_waiting = [&] {
    if (run.state().counts.resolved_ok > 0) return;
    auto forced = folder.world.context;
    forced.force = true;
    Post post;
    post.effect.id = 1;
    post.value = parse_value("\"by hand\"", "value");
    post_result(run.dir(), forced, post);
  };
  CHECK(drive("r").state.status() == RunStatus::kCompleted);
  CHECK(drive.performers.stopped == std::vector<std::string>{"t1"});
  CHECK(run.end() == "\"by hand\"");
  CHECK(drive.heard.text == "started t1; dropped t1; ");
}

TEST_CASE("A signal stops the work: claims are given back and the effects stay pending",
          "[drive]") {
  Folder folder;
  auto run = make(
      folder, step_script("await Promise.all([ctx.task(step, {i: 1}), ctx.task(step, {i: 2})]);"));
  DriveTest drive(folder);
  drive.performers.perform = [](const Work&) { return std::nullopt; };
  drive.performers.while_waiting = [&] { drive.performers.signal = SIGTERM; };
  const auto end = drive("r");
  CHECK(end.signal == SIGTERM);
  CHECK(drive.heard.text.find("stopping 2; dropped t1; dropped t2; ") != std::string::npos);
  CHECK(end.state.status() == RunStatus::kWaiting);
  CHECK(waits_text(end) == "start t1, start t2");
  CHECK(run.pending() == "t1:step t2:step");
  for (const auto& [id, effect] : run.state().open) CHECK(!effect.claim);
  CHECK(run.state().open.at(1).attempt == 1);
}

TEST_CASE("What finished before it could be stopped is posted", "[drive]") {
  Folder folder;
  auto run = make(folder, step_script("return await ctx.task(step, {});"));
  DriveTest drive(folder);
  drive.performers.perform = [](const Work&) { return std::nullopt; };
  drive.performers.while_waiting = [&] {
    drive.performers.signal = SIGINT;
    drive.performers.finish("t1", ok_outcome("7"));
  };
  drive("r");
  CHECK(run.end() == "7");
}

TEST_CASE("It ends where only people, time or an executor that is missing help", "[drive]") {
  Folder folder;
  DriveTest drive(folder);
  SECTION("a breakpoint") {
    make(folder, step_script("await ctx.breakpoint({question: 'Go?'});"));
    CHECK(waits_text(drive("r")) == "people t1");
  }
  SECTION("a long sleep") {
    make(folder, step_script("await ctx.sleepUntil(ctx.now().getTime() + 3600000);"));
    CHECK(waits_text(drive("r")) == "time t1");
  }
  SECTION("a short sleep is waited for") {
    make(folder, step_script("await ctx.sleepUntil(ctx.now().getTime() + 2000);"));
    CHECK(drive("r").state.status() == RunStatus::kCompleted);
  }
  SECTION("no executor") {
    make(folder, step_script("await ctx.task(step, {});", "kind: 'nobody'"));
    CHECK(waits_text(drive("r")) == "executor t1");
    CHECK(drive.performers.started.empty());
  }
  SECTION("a signal") {
    make(folder, step_script("await ctx.signal('go');"));
    CHECK(waits_text(drive("r")) == "signal");
  }
  SECTION("a pause") {
    auto run = make(folder, step_script("await ctx.task(step, {});"));
    pause_run(run.dir(), folder.world.context, "", false);
    CHECK(waits_text(drive("r")) == "resume");
  }
  SECTION("no space") {
    make(folder, step_script("await ctx.task(step, {});"));
    drive.request.min_free_bytes = drive.performers.free + 1;
    const auto end = drive("r");
    CHECK(end.no_space);
    CHECK(end.free_bytes == drive.performers.free);
    CHECK(waits_text(end) == "start t1");
    CHECK(drive.performers.started.empty());
  }
}

TEST_CASE("With a time to wait it goes on when somebody gives it something", "[drive]") {
  Folder folder;
  auto run = make(folder, step_script("return await ctx.signal('go');"));
  DriveTest drive(folder);
  drive.request.wait_ms = 60'000;
  int waited = 0;
  drive.performers.while_waiting = [&] {
    if (++waited != 3) return;
    send_signal(run.dir(), folder.world.context, {.name = "go", .value = parse_value("5", "v")});
  };
  CHECK(drive("r").state.status() == RunStatus::kCompleted);
  CHECK(run.end() == "5");
  SECTION("and ends when nobody does") {
    Folder other;
    make(other, step_script("return await ctx.signal('go');"));
    DriveTest waiting(other);
    waiting.request.wait_ms = 60'000;
    CHECK(waits_text(waiting("r")) == "signal");
    CHECK(other.world.clock.now_ms() - kStartMs >= 60'000);
  }
}

TEST_CASE("A failed attempt is tried again after its pause", "[drive]") {
  Folder folder;
  auto run = make(
      folder,
      step_script("return await ctx.task(step, {}, {retry: {maxAttempts: 3, backoffMs: 500}});"));
  DriveTest drive(folder);
  drive.performers.perform = [](const Work& work) {
    return work.attempt < 3 ? error_outcome("Flaky") : ok_outcome("\"done\"");
  };
  CHECK(drive("r").state.status() == RunStatus::kCompleted);
  CHECK(run.end() == "\"done\"");
  CHECK(drive.heard.text ==
        "started t1; error again t1; started t1; error again t1; started t1; ok t1; ");
}

TEST_CASE("A result that is not what was asked for is an error of the attempt", "[drive]") {
  Folder folder;
  auto run =
      make(folder, step_script("try { await ctx.task(step, {}); } catch (e) { return e.name; }",
                               "kind: 'node', outputSchema: {type: 'string'}"));
  DriveTest drive(folder);
  drive("r");
  CHECK(run.end() == "\"OutputInvalid\"");
}

TEST_CASE("A run that is paused while it is driven takes the results, and nothing new starts",
          "[drive]") {
  Folder folder;
  auto run =
      make(folder, step_script("await ctx.task(step, {i: 1}); await ctx.task(step, {i: 2});"));
  DriveTest drive(folder);
  drive.performers.perform = [](const Work&) { return std::nullopt; };
  drive.performers.while_waiting = [&] {
    if (run.state().paused) return drive.performers.finish("t1", ok_outcome("1"));
    pause_run(run.dir(), folder.world.context, "", false);
  };
  CHECK(waits_text(drive("r")) == "resume");
  CHECK(run.state().counts.resolved_ok == 1);
  CHECK(drive.performers.started.size() == 1);
}

}  // namespace
}  // namespace reprise::test
