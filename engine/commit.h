// One commit in the making: each record is folded into the state as it is added, so that the next
// decision sees it; then all are appended at once. When that fails, the command ends and the state
// with it.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "engine/history.h"
#include "engine/run.h"

namespace reprise {

/// The format of the journal of a run with these rules. Version 0.1.0, which knows of none, refuses
/// the one of runs that have some.
constexpr uint64_t journal_format(uint32_t rules) {
  return rules == 0 ? kFormatWithoutRules : kNewestFormat;
}

class Commit {
 public:
  Commit(OpenRun& open, int64_t at_ms) : x_open(open), x_at_ms(at_ms) {}

  /// The view lives as long as this Commit.
  const RecordView& add(NewRecord record);
  bool empty() const { return x_records.empty(); }
  int64_t at_ms() const { return x_at_ms; }
  OpenRun& open() { return x_open; }
  const RunState& state() const { return x_open.history.state; }
  /// Those that were added.
  const std::deque<RecordView>& records() const { return x_views; }
  /// The data of a record that was added; nullptr when that seq is none of this commit.
  const RecordView* find(uint64_t seq) const;
  /// What the records added since the last call give the process, in order. The views live as long
  /// as this Commit.
  std::vector<RecordedActivation> take_activations();

  /// Appends; durable when it returns. `applied` is the last activation that the process was given,
  /// 0 for commands that are no iteration.
  void write(uint64_t applied = 0);

 private:
  std::vector<Place> append();
  void keep_places(const std::vector<Place>& places);
  void keep_progress(const RecordView& view, const Place& place);

  OpenRun& x_open;
  int64_t x_at_ms;
  bool x_remembers = false;  ///< among the records is what recalls answer from
  uint64_t x_format = 0;     ///< of the journal, that the records need
  std::vector<NewRecord> x_records;
  std::deque<std::string> x_texts;
  std::deque<RecordView> x_views;
  std::vector<RecordedActivation> x_activations;
};

}  // namespace reprise
