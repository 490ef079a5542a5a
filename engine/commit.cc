#include "engine/commit.h"

#include <utility>

#include "engine/recall_effect.h"
#include "journal/ids.h"

namespace reprise {

const RecordView& Commit::add(NewRecord record) {
  const auto& text = x_texts.emplace_back(record.data);
  RecordView view;
  view.seq = x_open.history.state.head.seq + 1;
  view.type = record.type;
  view.at_ms = x_at_ms;
  view.cause = record.cause;
  view.data = text;
  const auto& members = x_open.reader.members(view.data);
  if (const auto activation = evolve(x_open.history.state, view, members)) {
    x_activations.emplace_back(view, members, *activation);
  }
  if (record.type == RecordType::kProcessAssigned && members.has("rules")) {
    x_format = journal_format(x_open.history.state.rules);
  }
  if (record.type == RecordType::kEventEmitted) {
    x_remembers = x_remembers || is_remembered(members.text("type"));
  }
  x_records.push_back(std::move(record));
  return x_views.emplace_back(view);
}

const RecordView* Commit::find(uint64_t seq) const {
  if (x_views.empty() || seq < x_views.front().seq || seq > x_views.back().seq) return nullptr;
  return &x_views[seq - x_views.front().seq];
}

std::vector<RecordedActivation> Commit::take_activations() {
  return std::exchange(x_activations, {});
}

void Commit::write(uint64_t applied) {
  x_records.back().applied = applied;
  const auto places = append();
  keep_places(places);
  auto& state = x_open.history.state;
  advance_applied(state, applied);
  state.head = x_open.journal->head();
}

/// The index may have seen records that a failure takes back, so it is told of that, too.
std::vector<Place> Commit::append() {
  const auto touch = [this] {
    if (x_open.changes != nullptr) x_open.changes->touch(x_open.path, x_open.journal->head().seq);
  };
  touch();
  if (x_remembers && x_open.changes != nullptr) x_open.changes->remember(x_open.path);
  try {
    return x_open.journal->append(x_records, x_at_ms, x_format);
  } catch (...) {
    touch();
    throw;
  }
}

/// The fold did not know where the records would lie. New effects and activations are the last of
/// their lists.
void Commit::keep_places(const std::vector<Place>& places) {
  auto& state = x_open.history.state;
  const uint64_t first = x_views.front().seq;
  const auto place = [&](uint64_t seq) { return places[seq - first]; };
  for (auto effect = state.open.rbegin(); effect != state.open.rend(); ++effect) {
    if (effect->second.requested_seq < first) break;
    effect->second.place = place(effect->second.requested_seq);
  }
  for (auto waiting = state.unapplied.rbegin(); waiting != state.unapplied.rend(); ++waiting) {
    if (waiting->seq < first) break;
    waiting->place = place(waiting->seq);
  }
  for (const auto& view : x_views) {
    // One that only gives rules leaves the process where it is recorded.
    const bool adopted = state.has_process && state.process_place.length == 0;
    if (view.type == RecordType::kProcessAssigned && adopted) state.process_place = place(view.seq);
    if (view.type == RecordType::kEffectProgress) keep_progress(view, place(view.seq));
  }
  if (state.end && state.end->seq >= first) state.end->place = place(state.end->seq);
  state.last_place = places.back();
}

void Commit::keep_progress(const RecordView& view, const Place& place) {
  const auto& data = x_open.reader.members(view.data);
  const auto effect =
      x_open.history.state.open.find(parse_effect_id(data.text("effectId")).value_or(0));
  if (effect == x_open.history.state.open.end()) return;
  if (data.has("answer")) {
    effect->second.answers.back() = place;
  } else {
    effect->second.progress = place;
  }
}

}  // namespace reprise
