// A drive whose process gives up work that is in hand: it ends soon, and what was done by then is
// kept as late.
#include <catch2/catch.hpp>

#include "engine/signal.h"
#include "engine/stop.h"
#include "tests/engine/drive/drive_fixture.h"

namespace reprise::test {
namespace {

TestRun make_asker(Folder& folder, const std::string& asks) {
  CreateRequest request;
  request.run_id = "r";
  request.process.built_in = "asker";
  request.inputs = parse_value(R"({"asks":[)" + asks + "]}", "inputs");
  create_run(folder.world.runs.get(), "/home/runs", folder.world.context, {}, request);
  return folder.run("r");
}

void give_up(TestRun& run, uint64_t effect) {
  const auto value = parse_value(R"({"effect":)" + std::to_string(effect) + "}", "value");
  send_signal(run.dir(), run.world().context,
              {"withdraw", value, "withdraw-" + std::to_string(effect), false});
}

const std::string kTwo = R"({"kind":"model"},{"kind":"model"})";

/// t1 takes its time; when the drive waits, somebody has the process give t1 up.
struct GivenUp {
  Folder folder;
  TestRun run = make_asker(folder, kTwo);
  DriveTest drive{folder};
  GivenUp() {
    drive.performers.perform = [](const Work& work) -> std::optional<Outcome> {
      if (work.effect == "t1") return std::nullopt;
      return ok_outcome("2");
    };
  }
};

TEST_CASE("Work that was given up elsewhere is stopped at the next look, and posts nothing",
          "[drive]") {
  GivenUp test;
  bool sent = false;
  test.drive.performers.while_waiting = [&] {
    if (std::exchange(sent, true)) return;
    give_up(test.run, 1);
    test.run.iterate();
  };
  CHECK(test.drive("r").state.status() == RunStatus::kCompleted);
  CHECK(test.drive.performers.stopped == std::vector<std::string>{"t1"});
  CHECK(test.folder.world.clock.now_ms() - kStartMs < 1000);
  CHECK(test.run.end() == R"([{"withdrawn":true},2])");
  CHECK(test.run.types().find("EFFECT_LATE") == std::string::npos);
  CHECK(test.drive.heard.text.find("dropped t1") != std::string::npos);
  CHECK(test.drive.heard.reasons == std::vector<std::string>{"the run has completed meanwhile"});
}

TEST_CASE("Work that is given up in the drive's own step is stopped at once", "[drive]") {
  GivenUp test;
  test.drive.performers.perform = [](const Work&) { return std::nullopt; };
  bool sent = false;
  test.drive.performers.while_waiting = [&] {
    if (!std::exchange(sent, true)) return give_up(test.run, 1);
    test.drive.performers.finish("t2", ok_outcome("2"));
  };
  CHECK(test.drive("r").state.status() == RunStatus::kCompleted);
  CHECK(test.drive.performers.stopped == std::vector<std::string>{"t1"});
  CHECK(test.folder.world.clock.now_ms() - kStartMs < 1000);
  CHECK(test.drive.heard.reasons == std::vector<std::string>{"the process waits for it no longer"});
}

TEST_CASE("Work that was done when it was given up is recorded as late", "[drive]") {
  GivenUp test;
  test.drive.performers.perform = [](const Work&) { return std::nullopt; };
  int waits = 0;
  test.drive.performers.while_waiting = [&] {
    if (++waits == 1) {
      give_up(test.run, 1);
      test.run.iterate();
      // It ends before it hears that it should stop.
      test.drive.performers.at_stop = ok_outcome("1");
    } else if (waits > 3) {
      test.drive.performers.finish("t2", ok_outcome("2"));
    }
  };
  CHECK(test.drive("r").state.status() == RunStatus::kCompleted);
  CHECK(test.run.types().find("EFFECT_LATE") != std::string::npos);
  const auto effect = find_effect(test.run.dir(), {1, {}});
  REQUIRE(effect.late.size() == 1);
  CHECK(effect.late.front().status == "ok");
  CHECK(test.run.end() == R"([{"withdrawn":true},2])");
  test.run.check_replay();
}

TEST_CASE("The deadline of a model effect ends its attempt, whatever the executor does",
          "[drive]") {
  Folder folder;
  auto run = make_asker(folder, R"({"kind":"model","options":{"timeoutMs":5000}})");
  DriveTest drive(folder);
  drive.performers.perform = [](const Work&) { return std::nullopt; };
  CHECK(drive("r").state.status() == RunStatus::kCompleted);
  CHECK(run.end() == R"([{"error":"TimeoutError"}])");
  CHECK(drive.performers.started.front().timeout_ms == 5000);
  CHECK(drive.performers.stopped == std::vector<std::string>{"t1"});
}

/// A drive whose work takes a while to end when it is told to; what comes after t1's first attempt
/// is done at once.
struct SlowToEnd {
  Folder folder;
  TestRun run;
  DriveTest drive{folder};
  int looks = 0;
  explicit SlowToEnd(const std::string& source) : run(make(folder, source)) {
    drive.performers.ends_at_stop = false;
    drive.performers.perform = [](const Work& work) -> std::optional<Outcome> {
      if (work.effect == "t1" && work.attempt == 1) return std::nullopt;
      return ok_outcome("2");
    };
  }
  /// Some time after t1 was told to end it does.
  void look() {
    if (drive.performers.stopped.empty() || ++looks < 5) return;
    drive.performers.finish("t1", drive.performers.at_stop);
  }
};

TEST_CASE("The next attempt begins when the work of the last one has ended", "[drive]") {
  SlowToEnd test(
      step_script("return await ctx.task(step, {}, {timeoutMs: 5000, "
                  "retry: {maxAttempts: 2, backoffMs: 0}});"));
  test.drive.performers.while_waiting = [&] { test.look(); };
  CHECK(test.drive("r").state.status() == RunStatus::kCompleted);
  CHECK(test.drive.heard.text == "started t1; expired t1; started t1; ok t1; ");
  CHECK(test.looks == 5);
}

TEST_CASE("What follows a cancellation begins when the cancelled work has ended", "[drive]") {
  SlowToEnd test(step_script(
      "try { await ctx.task(step, 1); } catch (e) { return await ctx.task(step, 2); }"));
  bool cancelled = false;
  test.drive.performers.while_waiting = [&] {
    if (!std::exchange(cancelled, true)) {
      cancel_effect(test.run.dir(), test.folder.world.context, {1, {}}, "", false);
    }
    test.look();
  };
  CHECK(test.drive("r").state.status() == RunStatus::kCompleted);
  CHECK(test.drive.heard.text == "started t1; dropped t1; started t2; ok t2; ");
  CHECK(test.looks == 5);
}

}  // namespace
}  // namespace reprise::test
