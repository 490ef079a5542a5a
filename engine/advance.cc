#include "engine/advance.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "engine/commands.h"
#include "engine/commit.h"
#include "engine/json_writer.h"
#include "journal/ids.h"
#include "journal/value.h"

namespace reprise {

namespace {

class Advance {
 public:
  Advance(Machine& machine, OpenRun& open, Dir& run, int64_t now_ms, size_t next, Reserve& reserve)
      : x_machine(machine),
        x_open(open),
        x_run(run),
        x_state(open.history.state),
        x_reserve(reserve),
        x_now(now_ms) {
    const auto& recorded = open.history.activations;
    x_queue.assign(recorded.begin() + static_cast<std::ptrdiff_t>(next), recorded.end());
  }

  Advanced go() {
    do {
      x_commit.emplace(x_open, x_now);
      x_engine_activations = 0;
      drain();
      write();
    } while (x_engine_activations >= kEngineActivationsPerCommit);
    return x_result;
  }

 private:
  void drain() {
    while (!x_state.end) {
      if (x_queue.empty() && !resolve_due_timers()) return;
      const auto activation = x_queue.front();
      x_queue.pop_front();
      give(activation);
    }
  }

  void give(const RecordedActivation& activation) {
    ++x_result.activations;
    x_applied = activation.seq;
    if (x_reserve.holds(activation)) return;
    const PreparedActivation prepared(activation, x_state, x_run, x_open.reader);
    std::vector<RecordedActivation> results;  // that came before they were asked for
    for (const auto& command : x_machine.advance(prepared.get(), x_state.highest_effect + 1)) {
      const auto adopted = x_reserve.adopt(command);
      const auto& record =
          x_commit->add(adopted ? adoption_of(command, x_applied, *adopted)
                                : record_of(command, x_applied, x_run, x_state.open));
      if (adopted && command.kind == Command::Kind::kRequest) {
        x_machine.adopt(command.effect, *adopted);
        if (auto held = x_reserve.release(*adopted)) results.push_back(std::move(*held));
      }
      const auto recorded = command_record(record, x_open.reader.members(record.data));
      x_reserve.adopted(recorded);
      x_machine.recorded(recorded);
    }
    if (x_state.end) return;
    for (const auto& result : results) deliver_again(result);
  }

  /// A result whose place in the queue passed before the process asked for its effect.
  void deliver_again(const RecordedActivation& result) {
    auto data = std::string(result.data);
    data.pop_back();
    data += ",\"of\":" + std::to_string(result.seq) + ",\"adopted\":" + std::to_string(x_applied);
    data += result.shell ? ",\"shell\":true}" : "}";
    const auto& recorded = x_commit->add({.type = result.type, .data = std::move(data)});
    x_queue.emplace_back(recorded, x_open.reader.members(recorded.data), result.shell);
    ++x_engine_activations;
  }

  /// Queues the results of the sleeps that are due, by (due, request). False when there is none, or
  /// enough for one commit.
  bool resolve_due_timers() {
    std::vector<std::pair<int64_t, uint64_t>> due;
    for (const auto& [id, effect] : x_state.open) {
      if (effect.due_ms != 0 && effect.due_ms <= x_now) due.emplace_back(effect.due_ms, id);
    }
    std::sort(due.begin(), due.end());
    if (x_engine_activations >= kEngineActivationsPerCommit) return false;
    const size_t room = kEngineActivationsPerCommit - x_engine_activations;
    if (due.size() > room) due.resize(room);
    for (const auto& [time, id] : due) {
      const auto attempt = x_state.open.at(id).attempt;
      NewRecord record{.type = RecordType::kEffectResolved};
      record.data = JsonWriter()
                        .text("effectId", format_effect_id(id))
                        .number("attempt", attempt)
                        .text("status", "ok")
                        .text("digest", value_digest("null"))
                        .raw("value", "null")
                        .done();
      const auto& recorded = x_commit->add(std::move(record));
      x_queue.emplace_back(recorded, x_open.reader.members(recorded.data), false);
    }
    x_engine_activations += due.size();
    return !due.empty();
  }

  void write() {
    if (x_applied == 0) return;
    if (x_commit->empty()) x_commit->add({.type = RecordType::kIterated});
    x_commit->write(x_applied);
    x_applied = 0;
    ++x_result.commits;
  }

  Machine& x_machine;
  OpenRun& x_open;
  Dir& x_run;
  RunState& x_state;
  Reserve& x_reserve;
  std::deque<RecordedActivation> x_queue;
  std::optional<Commit> x_commit;
  const int64_t x_now;
  uint64_t x_applied = 0;
  size_t x_engine_activations = 0;
  Advanced x_result;
};

}  // namespace

Advanced advance(Machine& machine, OpenRun& open, Dir& run, int64_t now_ms, size_t next,
                 Reserve& reserve) {
  return Advance(machine, open, run, now_ms, next, reserve).go();
}

}  // namespace reprise
