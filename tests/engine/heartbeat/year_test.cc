// A home that is left alone with a heartbeat every minute, for a year.
#include <catch2/catch.hpp>

#include "engine/index/queries.h"
#include "tests/engine/heartbeat/beat_home.h"
#include "tests/engine/heartbeat/habit.h"

namespace reprise::test {
namespace {

constexpr int64_t kMinuteMs = 60'000;
constexpr int64_t kDayMs = 1440 * kMinuteMs;
/// A beat costs some ten microseconds, and many times that with sanitizers: there a week is enough.
#ifdef REPRISE_SANITIZED
constexpr int64_t kDays = 7;
#else
constexpr int64_t kDays = 365;
#endif

std::string every(int64_t ms, const std::string& more = "") {
  return R"({"everyMs":)" + std::to_string(ms) + R"(,"times":1000000)" + more + "}";
}

void create(BeatingHome& home, const std::string& id, const std::string& inputs) {
  CreateRequest request;
  request.run_id = id;
  request.process.built_in = "habit";
  request.inputs = parse_value(inputs, "inputs");
  request.simulated = true;
  request.labels = {{std::string(kAutodriveLabel), std::string(kAutodriveValue)}};
  create_run(home.folder.world.runs.get(), home.runs_path, home.folder.world.context,
             home.folder.folder().read, request);
}

uint64_t signals_of(BeatingHome& home, const std::string& run) {
  uint64_t signals = 0;
  read_journal(home.folder.run(run).dir(), nullptr, Keep::kNothing, [&](const RecordView& record) {
    if (record.type == RecordType::kSignalReceived) ++signals;
  });
  return signals;
}

TEST_CASE("A year of minutes does everything in its time, once") {
  BeatingHome home({habit()});
  home.simulated = true;
  create(home, "hourly", every(60 * kMinuteMs));
  create(home, "daily", every(kDayMs, R"(,"child":{"everyMs":600000,"times":3})"));
  create(home, "failing", every(kDayMs, R"(,"child":{"everyMs":600000,"times":3,"failAt":2})"));
  create(home, "weekly", every(7 * kDayMs, R"(,"tell":"hourly")"));
  auto index = home.index();
  uint64_t taken_on = 0;
  uint64_t loud = 0;
  for (int64_t minute = 0; minute <= kDays * 1440 + 60; ++minute) {
    home.folder.world.clock.set(kStartMs + minute * kMinuteMs);
    const auto done = home.beat_with(index);
    REQUIRE(done.errors.empty());
    REQUIRE(done.notes.empty());
    for (const auto& run : done.runs) taken_on += run.times;
    loud += done.quiet() ? 0 : 1;
  }

  constexpr auto kWeeks = static_cast<uint64_t>(kDays / 7);
  constexpr auto kChildren = static_cast<uint64_t>(kDays);
  const auto counts = index.ask(count_runs);
  CHECK(counts == std::map<std::string, uint64_t>{
                      {"waiting", 4}, {"completed", kChildren}, {"failed", kChildren}});
  // Each hour, also the one behind the last day; each day; each child three times, or once.
  const auto woke = kChildren * 24 + 1 + 2 * kChildren + kWeeks + 3 * kChildren + kChildren;
  CHECK(index.ask(count_events) == woke);
  CHECK(signals_of(home, "hourly") == kWeeks);
  CHECK(home.folder.run("daily").state().counts.resolved_ok == 2 * kChildren);
  CHECK(home.folder.run("failing").state().counts.resolved_error == kChildren);
  CHECK(home.folder.run("weekly").state().counts.resolved_ok == 2 * kWeeks);
  CHECK(index.ask(IndexedHome::dump) == home.fresh());
  CHECK(loud < taken_on);
  INFO(taken_on << " times a run was taken on, in " << loud << " beats");
  for (const auto* run : {"hourly", "daily", "failing", "weekly"}) {
    home.folder.run(run).check_replay();
  }
}

}  // namespace
}  // namespace reprise::test
