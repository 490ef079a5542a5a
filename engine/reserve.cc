#include "engine/reserve.h"

#include <algorithm>

#include "engine/commands.h"

namespace reprise {

namespace {

using Shelf = std::map<std::string, std::deque<uint64_t>>;

std::vector<uint64_t> all_of(const Shelf& shelf) {
  std::vector<uint64_t> ids;
  for (const auto& [shape, list] : shelf) ids.insert(ids.end(), list.begin(), list.end());
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace

HeldResult::HeldResult(const RecordedActivation& result)
    : x_data(std::make_unique<const std::string>(result.data)), x_result(result) {
  x_result.data = *x_data;
  if (result.value.empty()) return;
  const auto offset = static_cast<size_t>(result.value.data() - result.data.data());
  x_result.value = x_result.data.substr(offset, result.value.size());
}

Reserve::Reserve(const History& history, JsonReader& reader) {
  if (!history.assignment) return;
  x_active = true;
  const std::set<uint64_t> effects(history.assignment->reserve.begin(),
                                   history.assignment->reserve.end());
  const std::set<uint64_t> events(history.assignment->reserve_events.begin(),
                                  history.assignment->reserve_events.end());
  for (const auto& command : history.superseded) {
    const bool request = command.kind == CommandRecord::Kind::kRequested;
    if (request ? effects.contains(command.effect) : events.contains(command.seq)) {
      offer(command, reader);
    }
  }
}

Reserve Reserve::for_plan(const History& history, JsonReader& reader, bool withdrawn) {
  Reserve reserve;
  reserve.x_active = true;
  for (const auto* commands : {&history.superseded, &history.commands}) {
    for (const auto& command : *commands) {
      if (history.given_up.contains(command.effect)) continue;
      if (withdrawn || !history.withdrawn.contains(command.effect)) reserve.offer(command, reader);
    }
  }
  return reserve;
}

void Reserve::offer(const CommandRecord& command, JsonReader& reader) {
  if (command.adopts) return;  // the first one stands for it
  if (command.kind == CommandRecord::Kind::kRequested) {
    x_requests[shape_of(command, reader)].push_back(command.effect);
  } else if (command.kind == CommandRecord::Kind::kEmitted) {
    x_events[shape_of(command, reader)].push_back(command.seq);
  }
}

bool Reserve::holds(const RecordedActivation& activation) {
  if (!x_active || activation.effect == 0 || x_asked.contains(activation.effect)) return false;
  x_held.insert_or_assign(activation.effect, HeldResult(activation));  // the last result counts
  return true;
}

void Reserve::ask(uint64_t effect) { x_asked.insert(effect); }

std::optional<uint64_t> Reserve::adopt(const Command& command) {
  if (!x_active) return std::nullopt;
  const bool request = command.kind == Command::Kind::kRequest;
  if (!request && command.kind != Command::Kind::kEmit) return std::nullopt;
  auto& shelf = request ? x_requests : x_events;
  const auto found = shelf.find(shape_of(command));
  if (found == shelf.end()) return std::nullopt;
  const auto id = found->second.front();
  found->second.pop_front();
  if (found->second.empty()) shelf.erase(found);
  return id;
}

void Reserve::adopted(const CommandRecord& command) {
  if (!x_active) return;
  if (command.kind == CommandRecord::Kind::kRequested) {
    ask(command.effect);
    if (!command.adopts) return;
    remove(command.effect, false);
    x_held.erase(command.effect);  // it comes again, as a record of its own
  } else if (command.adopts) {
    remove(command.adopted_event, true);
  }
}

void Reserve::remove(uint64_t id, bool event) {
  auto& shelf = event ? x_events : x_requests;
  for (auto entry = shelf.begin(); entry != shelf.end(); ++entry) {
    const auto erased = std::erase(entry->second, id);
    if (entry->second.empty()) shelf.erase(entry);
    if (erased > 0) return;
  }
}

std::optional<HeldResult> Reserve::release(uint64_t effect) {
  auto held = x_held.extract(effect);
  if (!held) return std::nullopt;
  return std::move(held.mapped());
}

std::optional<HeldResult> Reserve::release_oldest() {
  auto oldest = x_held.end();
  for (auto held = x_held.begin(); held != x_held.end(); ++held) {
    if (!x_asked.contains(held->first)) continue;
    if (oldest == x_held.end() || held->second.get().seq < oldest->second.get().seq) oldest = held;
  }
  return oldest == x_held.end() ? std::nullopt : release(oldest->first);
}

std::vector<uint64_t> Reserve::effects() const { return all_of(x_requests); }
std::vector<uint64_t> Reserve::events() const { return all_of(x_events); }

}  // namespace reprise
