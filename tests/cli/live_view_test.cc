#include "cli/live_view.h"

#include <catch2/catch.hpp>

#include "cli/text.h"
#include "journal/memory_files.h"

namespace reprise::test {
namespace {

constexpr int64_t kBeginMs = 1'000'000;

DriveWork work(uint64_t id, const std::string& label, const std::string& run = "r") {
  DriveWork made;
  made.run = run;
  made.effect.id = id;
  made.effect.label = label;
  made.effect.kind = "shell";
  made.executor = "shell";
  made.started_at_ms = kBeginMs;
  return made;
}

std::string text(const LiveView& view, const TerminalSize& size, int64_t after_ms) {
  std::string all;
  for (const auto& line : view.block(size, kBeginMs + after_ms)) {
    CHECK(width_of(line.text) < size.columns);
    all += line.text + "\n";
  }
  return all;
}

TEST_CASE("The live view says what runs, for how long, and the last line of its output") {
  LiveView view;
  view.started(work(1, "build"));
  view.output(work(1, "build"), "first\nsec");
  view.output(work(1, "build"), "ond\n");
  const auto shown_text = text(view, {}, 65'000);
  CHECK_THAT(shown_text, Catch::Contains("0 done, 1 running, 0 waiting  1:05"));
  CHECK_THAT(shown_text, Catch::Contains("t1   build"));
  CHECK_THAT(shown_text, Catch::Contains("1:05   second"));
  view.ended(work(1, "build"));
  CHECK_THAT(text(view, {}, 65'000), Catch::Contains("1 done, 0 running"));
}

TEST_CASE("What data says cannot act on the terminal") {
  LiveView view;
  view.started(work(1, "\x1b[2Jlabel"));
  view.output(work(1, ""), "\x1b]0;title\x07\xff\n");
  const auto shown_text = text(view, {}, 0);
  CHECK(shown_text.find('\x1b') == std::string::npos);
  CHECK_THAT(shown_text, Catch::Contains("\\x1b]0;title\\x07\\xff"));
}

TEST_CASE("It fits into narrow and low terminals") {
  LiveView view;
  for (uint64_t i = 1; i <= 30; ++i) {
    view.started(work(i, std::string(100, 'w')));
    view.output(work(i, ""), std::string(500, 'o') + "\n");
  }
  for (const auto& size : {TerminalSize{80, 24}, TerminalSize{20, 6}, TerminalSize{200, 100}}) {
    const auto lines = view.block(size, kBeginMs);
    CHECK(lines.size() <= size.rows / 2 + 1);
    text(view, size, 0);
  }
  CHECK_THAT(text(view, {80, 24}, 0), Catch::Contains("and 20 more"));
}

TEST_CASE("It says what waits for whom") {
  LiveView view;
  RunState state;
  OpenEffect asks;
  asks.id = 1;
  asks.kind = "breakpoint";
  asks.label = "Publish?";
  OpenEffect other;
  other.id = 2;
  other.kind = "shell";
  other.label = "tests";
  other.claim = Claim{};
  other.claim->worker = "ci-7";
  OpenEffect sleeps;
  sleeps.id = 3;
  sleeps.kind = "sleep";
  sleeps.due_ms = kBeginMs;
  for (const auto& effect : {asks, other, sleeps}) state.open.emplace(effect.id, effect);
  const std::string name = "r";
  const auto dir = MemoryFiles().root();
  const DrivenRun run{name, *dir, state};
  view.see({&run, 1}, 0);
  const auto shown_text = text(view, {}, 0);
  CHECK_THAT(shown_text, Catch::Contains("t1   asks people: Publish?"));
  CHECK_THAT(shown_text, Catch::Contains("t2   is done by ci-7: tests"));
  CHECK_THAT(shown_text, Catch::Contains("t3   sleeps until 1970-01-01"));
}

}  // namespace
}  // namespace reprise::test
