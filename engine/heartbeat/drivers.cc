#include "engine/heartbeat/drivers.h"

#include <poll.h>

#include <algorithm>
#include <chrono>

#include "engine/attempt.h"
#include "engine/drive/work.h"
#include "engine/executors/match.h"
#include "engine/heartbeat/home_runs.h"
#include "engine/run.h"
#include "journal/error.h"
#include "journal/ids.h"

namespace reprise {

namespace {

/// Effects that are looked at in one beat.
constexpr uint64_t kMostEffects = 10'000;

/// What was found out about the runs of one family.
struct RunFamily {
  size_t place = 0;   ///< in the order of what waits longest
  bool busy = false;  ///< somebody works on it
  std::set<std::string> work;
};

bool has_performer(const BeatHome& home, Dir& run, const RunState& state,
                   const OpenEffect& effect) {
  JsonReader reader;
  const auto work =
      work_of(home.workspace.home_path(), state, effect, load_request(run, effect.place, reader));
  return choose_executor(home.config, work) != nullptr;
}

void look_at_effect(BeatHome& home, const DrivenEffect& found, RunFamily& family) {
  const auto dir = home.workspace.runs().open_dir(found.run);
  if (!dir) return;
  const auto state = read_state(*dir).state;
  const auto entry = state.open.find(found.effect);
  if (state.end || state.paused || entry == state.open.end()) return;
  const auto& effect = entry->second;
  if (effect.claim && lives(*effect.claim, home.now_ms, home.context.host)) {
    family.busy = true;
  } else if (has_performer(home, *dir, state, effect)) {
    family.work.insert(found.run + "/" + format_effect_id(effect.id) + "#" +
                       std::to_string(effect.attempt));
  }
}

}  // namespace

std::vector<Drivable> list_drivable(BeatHome& home) {
  const auto found = home.index.ask(
      [&](Database& database) { return list_driven(database, time_of(home), kMostEffects); });
  std::map<std::string, RunFamily> families;
  for (const auto& effect : found) {
    const auto [entry, is_new] = families.try_emplace(effect.root);
    if (is_new) entry->second.place = families.size();
    look_at_effect(home, effect, entry->second);
  }
  std::vector<std::pair<size_t, Drivable>> sorted;
  for (auto& [root, family] : families) {
    if (family.busy || family.work.empty()) continue;
    sorted.push_back({family.place, {root, std::move(family.work)}});
  }
  std::ranges::sort(sorted, {}, [](const auto& entry) { return entry.first; });
  std::vector<Drivable> drivable;
  drivable.reserve(sorted.size());
  for (auto& [place, one] : sorted) drivable.push_back(std::move(one));
  return drivable;
}

void Drivers::stop() {
  for (auto& [run, program] : x_running) program.stop();
}

std::vector<std::string> Drivers::runs() const {
  std::vector<std::string> runs;
  for (const auto& [run, program] : x_running) runs.push_back(run);
  return runs;
}

void Drivers::begin(BeatHome& home) {
  if (x_running.size() >= x_most) return;
  for (const auto& [run, work] : list_drivable(home)) {
    if (x_running.size() >= x_most) break;
    const bool is_taken = x_running.contains(run) || x_ended.contains(run);
    if (is_taken || std::ranges::includes(x_tried, work)) continue;
    x_tried.insert(work.begin(), work.end());
    x_running.emplace(run, OwnProgram(x_words(run), OwnProgram::Life::kOwn));
  }
}

void Drivers::pause(int64_t at_most_ms) {
  using Time = std::chrono::steady_clock;
  const auto until = Time::now() + std::chrono::milliseconds(at_most_ms);
  const auto before = x_ended.size();
  while (x_ended.size() == before && !x_running.empty()) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Time::now());
    std::vector<pollfd> ready;
    for (const auto& [run, program] : x_running) ready.push_back({program.descriptor(), POLLIN, 0});
    ::poll(ready.data(), ready.size(), static_cast<int>(std::max<int64_t>(left.count(), 0)));
    for (auto next = x_running.begin(); next != x_running.end();) {
      const auto current = next++;
      if (!current->second.wait(0)) continue;
      x_ended.insert_or_assign(current->first, read_answer(current->second));
      x_running.erase(current);
    }
    if (left.count() <= 0) return;
  }
}

std::vector<DriveResult> Drivers::collect(std::vector<BeatError>& errors) {
  pause(0);
  std::vector<DriveResult> results;
  for (const auto& [run, answer] : std::exchange(x_ended, {})) {
    if (answer.error) {
      errors.push_back({"drive", run, answer.error->code(), answer.error->message()});
    }
    results.push_back({run, answer.status, answer.performed});
  }
  return results;
}

}  // namespace reprise
