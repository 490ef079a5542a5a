// A round is: the chores, then the runs that are due, and when neither does anything the slow
// chores, so that nobody outside keeps the home waiting. What failed, was locked or had nothing to
// do is left alone for the rest of the beat; so is a chore's occurrence that was done.
#include "engine/heartbeat/beat.h"

namespace reprise {

namespace {

/// Due runs that are asked for at a time, besides those that are left alone.
constexpr uint64_t kPageRuns = 256;

/// What nobody meant to throw is a bug of one run or one chore, and no reason to stop the others.
Error error_from(const std::exception& thrown) {
  if (const auto* error = dynamic_cast<const Error*>(&thrown)) return *error;
  return {Exit::kBug, "BUG", thrown.what()};
}

}  // namespace

void Beat::go(const BeatParts& parts) {
  x_done.more = false;
  for (bool did = true; did;) {
    did = do_chores(parts, false);
    while (advance_page(parts.runs, did)) continue;
    if (parts.drivers != nullptr) did = drive(*parts.drivers, parts.home) || did;
    if (!did) did = do_chores(parts, true);
  }
}

void Beat::add_error(std::string part, std::string name, const Error& error) {
  x_done.errors.push_back({std::move(part), std::move(name), error.code(), error.message()});
}

bool Beat::do_chores(const BeatParts& parts, bool slow) {
  bool did = false;
  for (const auto& chore : parts.chores) {
    if (chore->is_slow() == slow) did = do_chore(*chore, parts.home) || did;
  }
  return did;
}

bool Beat::do_chore(Chore& chore, BeatHome& home) {
  const std::string name(chore.name());
  if (x_failed.contains(name)) return false;
  bool did = false;
  try {
    for (const auto& due : chore.due(home)) {
      if (x_occurrences.contains({name, due.key})) continue;
      if (out_of_bounds()) {
        x_done.more = true;
        return did;
      }
      x_occurrences.insert({name, due.key});
      did = perform(chore, home, due) || did;
    }
  } catch (const std::exception& thrown) {
    const auto error = error_from(thrown);
    x_failed.insert(name);
    add_error(name, {}, error);
  }
  return did;
}

bool Beat::perform(Chore& chore, BeatHome& home, const Due& due) {
  const std::string name(chore.name());
  --x_left;
  try {
    chore.perform(home, due);
    x_done.chores.push_back({name, due});
    return true;
  } catch (const std::exception& thrown) {
    const auto error = error_from(thrown);
    if (error.exit() == Exit::kLocked) {
      x_done.locked.push_back(due.run.empty() ? name : due.run);
    } else {
      add_error(name, due.key, error);
    }
    return false;
  }
}

/// The first of those that are due now. False when none was new; `did`: one went on.
bool Beat::advance_page(BeatRuns& runs, bool& did) {
  bool tried = false;
  for (const auto& due : runs.due(kPageRuns + x_left_alone.size())) {
    if (x_left_alone.contains({due.name, due.why})) continue;
    if (out_of_bounds()) {
      x_done.more = true;
      return false;
    }
    tried = true;
    did = take_on(runs, due) || did;
  }
  return tried;
}

bool Beat::take_on(BeatRuns& runs, const DueRun& due) {
  try {
    auto taken = runs.take_on(due);
    for (auto& note : taken.notes) {
      if (x_notes.insert(note).second) x_done.notes.push_back(std::move(note));
    }
    if (taken.changed) {
      --x_left;
      record(due, std::move(taken.status));
      return true;
    }
  } catch (const std::exception& thrown) {
    const auto error = error_from(thrown);
    if (error.exit() == Exit::kLocked) {
      x_done.locked.push_back(due.name);
    } else {
      add_error("run", due.name, error);
    }
  }
  x_left_alone.insert({due.name, due.why});
  return false;
}

void Beat::record(const DueRun& due, std::string status) {
  const auto [found, is_new] = x_places.emplace(due.name, x_done.runs.size());
  if (is_new) x_done.runs.push_back({due.name, due.why, 0, {}});
  auto& run = x_done.runs[found->second];
  ++run.times;
  run.status = std::move(status);
}

/// Whether something ended: what it brought may be due.
bool Beat::drive(BeatDrivers& drivers, BeatHome& home) {
  if (!out_of_bounds()) {
    try {
      drivers.begin(home);
    } catch (const std::exception& thrown) {
      const auto error = error_from(thrown);
      add_error("drive", {}, error);
    }
  }
  auto ended = drivers.collect(x_done.errors);
  const bool did = !ended.empty();
  for (auto& driven : ended) x_done.driven.push_back(std::move(driven));
  x_done.driving = drivers.runs();
  return did;
}

}  // namespace reprise
