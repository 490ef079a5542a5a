// A round is: the chores, then the runs that are due, until a round does nothing. What failed, was
// locked or had nothing to do is left alone for the rest of the beat; so is a chore's occurrence
// that was done. While effects are performed the rounds go on, for what they bring.
#include "engine/heartbeat/beat.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "journal/error.h"

namespace reprise {

namespace {

/// Due runs that are asked for at a time, besides those that are left alone.
constexpr uint64_t kPageRuns = 256;
/// Between two rounds while effects are performed.
constexpr int64_t kRoundMs = 1000;

class Beat {
 public:
  Beat(const BeatParts& parts, const BeatBounds& bounds) : x_parts(parts), x_bounds(bounds) {}

  BeatDone go() {
    for (;;) {
      bool did = do_chores();
      did = advance_runs() || did;
      did = drive() || did;
      if (!did) break;
    }
    return std::move(x_done);
  }

 private:
  bool out_of_time() const { return x_bounds.over && x_bounds.over(); }
  bool is_over() const { return x_left == 0 || out_of_time(); }

  void add_error(std::string part, std::string name, const Error& error) {
    x_done.errors.push_back({std::move(part), std::move(name), error.code(), error.message()});
  }

  bool do_chores() {
    bool did = false;
    for (const auto& chore : x_parts.chores) did = do_chore(*chore) || did;
    return did;
  }

  bool do_chore(Chore& chore) {
    const std::string name(chore.name());
    if (x_failed.contains(name)) return false;
    bool did = false;
    try {
      for (const auto& due : chore.due(x_parts.home)) {
        if (x_occurrences.contains({name, due.key})) continue;
        if (is_over()) {
          x_done.more = true;
          return did;
        }
        x_occurrences.insert({name, due.key});
        did = perform(chore, due) || did;
      }
    } catch (const Error& error) {
      x_failed.insert(name);
      add_error(name, {}, error);
    }
    return did;
  }

  bool perform(Chore& chore, const Due& due) {
    const std::string name(chore.name());
    --x_left;
    try {
      chore.perform(x_parts.home, due);
      x_done.chores.push_back({name, due});
      return true;
    } catch (const Error& error) {
      if (error.exit() == Exit::kLocked) {
        x_done.locked.push_back(due.run.empty() ? name : due.run);
      } else {
        add_error(name, due.key, error);
      }
      return false;
    }
  }

  /// Whether any run went on.
  bool advance_runs() {
    bool did = false;
    for (bool again = true; again;) {
      again = advance_page();
      did = did || again;
    }
    return did;
  }

  bool advance_page() {
    bool did = false;
    for (const auto& due : x_parts.runs.due(kPageRuns + x_left_alone.size())) {
      if (x_left_alone.contains({due.name, due.why})) continue;
      if (is_over()) {
        x_done.more = true;
        return false;
      }
      did = take_on(due) || did;
    }
    return did;
  }

  bool take_on(const DueRun& due) {
    --x_left;
    try {
      auto taken = x_parts.runs.take_on(due);
      for (const auto& note : taken.notes) {
        if (x_notes.insert(note).second) x_done.notes.push_back(note);
      }
      if (taken.changed) {
        record(due, std::move(taken.status));
        return true;
      }
    } catch (const Error& error) {
      if (error.exit() == Exit::kLocked) {
        x_done.locked.push_back(due.name);
      } else {
        add_error("run", due.name, error);
      }
    }
    x_left_alone.insert({due.name, due.why});
    return false;
  }

  void record(const DueRun& due, std::string status) {
    const auto [found, is_new] = x_places.emplace(due.name, x_done.runs.size());
    if (is_new) x_done.runs.push_back({due.name, due.why, 0, {}});
    auto& run = x_done.runs[found->second];
    ++run.times;
    run.status = std::move(status);
  }

  /// Whether another round is to follow.
  bool drive() {
    auto* drivers = x_parts.drivers;
    if (drivers == nullptr) return false;
    if (!is_over()) {
      try {
        drivers->begin();
      } catch (const Error& error) {
        add_error("drive", {}, error);
      }
    }
    const bool waits = x_parts.waits && !drivers->runs().empty() && !out_of_time();
    for (auto& driven : drivers->wait(waits ? kRoundMs : 0, x_done.errors)) {
      x_done.driven.push_back(std::move(driven));
    }
    x_done.driving = drivers->runs();
    return waits;
  }

  const BeatParts& x_parts;
  const BeatBounds& x_bounds;
  BeatDone x_done;
  uint64_t x_left = x_bounds.max_runs;
  std::set<std::string> x_failed;  ///< chores that cannot say what is due
  std::set<std::pair<std::string, std::string>> x_occurrences;  ///< chore and key
  std::set<std::pair<std::string, DueRun::Why>> x_left_alone;   ///< runs
  std::set<std::string> x_notes;
  std::map<std::string, size_t> x_places;  ///< of runs in x_done
};

}  // namespace

BeatDone beat(const BeatParts& parts, const BeatBounds& bounds) { return Beat(parts, bounds).go(); }

}  // namespace reprise
