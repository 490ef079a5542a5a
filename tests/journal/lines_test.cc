// The lines of a journal of fifty records in every wrong order: each pair swapped, each line taken
// out, each put in again at every place, each line of another run in every place. Found, or
// harmless.
#include <catch2/catch.hpp>
#include <functional>

#include "journal/error.h"
#include "tests/journal/journal_fixture.h"

using namespace reprise;

namespace {

using Lines = std::vector<std::string>;

void append_many(Dir& run) {
  for (int commit = 0; commit < 16; ++commit) {
    std::vector<NewRecord> records;
    for (int i = 0; i <= commit % 6; ++i) records.push_back(event("e" + std::to_string(commit)));
    append(run, records);
  }
}

/// A journal whose lines are changed, and what was right.
class Changed {
 public:
  Changed() : x_other("run-2:00ff") {
    append_many(*x_run.dir);
    append_many(*x_other.dir);
    x_lines = lines_of(get(*x_run.dir, kFirstSegment));
    x_others = lines_of(get(*x_other.dir, kFirstSegment));
    x_names = read_names(*x_run.dir);
    const auto heads = commit_heads(*x_run.dir);
    const auto last = get(*x_run.dir, kFirstSegment);
    put(*x_run.dir, kFirstSegment, last.substr(0, heads[heads.size() - 2].offset));
    set_witness(*x_run.dir, nullptr);
    x_names_before = read_names(*x_run.dir);
    put(*x_run.dir, kFirstSegment, last);
    set_witness(*x_run.dir, &heads.back());
  }

  const Lines& lines() const { return x_lines; }
  const Lines& others() const { return x_others; }
  void forget_witness() { x_run.dir->remove(kWitnessPath), x_witness = false; }

  /// Found; or all is there. Without a witness the last commit may pass for one that was not done.
  void check(const Lines& lines) {
    put(*x_run.dir, kFirstSegment, joined(lines));
    const auto names = read_names(*x_run.dir);
    const bool found = names.starts_with("JOURNAL_");
    const bool harmless = names == x_names || (!x_witness && names == x_names_before);
    CHECK((found || harmless));
    if (found) CHECK(verify_journal(*x_run.dir).damage);
    ++count;
  }

  int count = 0;

 private:
  TestRun x_run;
  TestRun x_other;
  Lines x_lines;
  Lines x_others;
  std::string x_names;
  std::string x_names_before;
  bool x_witness = true;
};

void check_all(Changed& changed, size_t step) {
  const auto& whole = changed.lines();
  const auto at = [](Lines& lines, size_t i) {
    return lines.begin() + static_cast<std::ptrdiff_t>(i);
  };
  for (size_t i = 0; i < whole.size(); ++i) {
    auto without = whole;
    without.erase(at(without, i));
    changed.check(without);
    for (size_t j = i % step; j < whole.size(); j += step) {
      INFO("lines " << i << " and " << j);
      auto swapped = whole;
      std::swap(swapped[i], swapped[j]);
      changed.check(swapped);
      auto doubled = whole;
      doubled.insert(at(doubled, j), whole[i]);
      changed.check(doubled);
      auto spliced = whole;
      spliced[j] = changed.others()[i];
      changed.check(spliced);
      auto inserted = whole;
      inserted.insert(at(inserted, j), changed.others()[i]);
      changed.check(inserted);
    }
  }
}

}  // namespace

TEST_CASE("lines in any wrong order are found, or harmless") {
  Changed changed;
  REQUIRE(changed.lines().size() > 50);
  check_all(changed, 1);
  CHECK(changed.count > 10'000);
}

TEST_CASE("without a witness lines in a wrong order cost at most the last commit") {
  Changed changed;
  changed.forget_witness();
  check_all(changed, 5);
}
