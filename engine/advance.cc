#include "engine/advance.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <span>

#include "engine/attempt.h"
#include "engine/commands.h"
#include "engine/commit.h"
#include "engine/json_writer.h"
#include "engine/recall_effect.h"
#include "journal/ids.h"

namespace reprise {

namespace {

class Advance {
 public:
  Advance(Machine& machine, OpenRun& open, Dir& run, const Context& context, int64_t now_ms,
          size_t next, Reserve& reserve, const CommitParts& parts)
      : x_machine(machine),
        x_open(open),
        x_run(run),
        x_context(context),
        x_state(open.history.state),
        x_reserve(reserve),
        x_parts(parts),
        x_now(now_ms) {
    const auto& recorded = open.history.activations;
    x_queue.assign(recorded.begin() + static_cast<std::ptrdiff_t>(next), recorded.end());
  }

  Advanced go() {
    x_commit.emplace(x_open, x_now);
    if (x_parts.first) x_parts.first(*x_commit);
    queue_added();
    drain();
    while (x_engine_activations >= kEngineActivationsPerCommit) {
      write();
      x_commit.emplace(x_open, x_now);
      x_engine_activations = 0;
      drain();
    }
    if (x_parts.last) x_parts.last(*x_commit);
    write();
    return x_result;
  }

 private:
  void drain() {
    withdraw();
    while (!x_state.end) {
      if (x_queue.empty() && !record_due()) return;
      if (x_queue.empty()) continue;  // attempts ended, and others follow
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
    std::vector<HeldResult> results;  // that came before they were asked for
    const auto commands = x_machine.advance(prepared.get(), x_state.highest_effect + 1);
    if (!x_machine.folds()) note_unawaited(commands);
    for (const auto& command : commands) {
      const auto adopted = x_reserve.adopt(command);
      const auto& record =
          x_commit->add(adopted ? adoption_of(command, x_applied, *adopted)
                                : record_of(command, x_applied, x_run, x_state.open));
      if (adopted && command.kind == Command::Kind::kRequest) {
        x_machine.adopt(command.effect, *adopted);
        if (auto held = x_reserve.release(*adopted)) results.push_back(std::move(*held));
      }
      auto recorded = command_record(record, x_open.reader.members(record.data));
      if (command.kind == Command::Kind::kEmit) recorded.payload = command.json;
      x_reserve.adopted(recorded);
      x_machine.recorded(recorded);
    }
    if (x_state.end) return;
    withdraw();
    for (const auto& result : results) deliver_again(result.get());
  }

  void note_unawaited(std::span<const Command> commands) {
    if (commands.empty() || commands.back().kind != Command::Kind::kComplete) return;
    for (const auto& command : commands) {
      if (command.kind == Command::Kind::kRequest) x_result.unawaited.push_back(command.effect);
    }
  }

  /// What the process waits for no longer is open no longer.
  void withdraw() {
    for (const auto effect : x_machine.take_withdrawn()) {
      if (!x_state.open.contains(effect)) continue;
      x_commit->add({.type = RecordType::kEffectWithdrawn,
                     .cause = std::max(x_applied, x_state.applied),
                     .data = JsonWriter().text("effectId", format_effect_id(effect)).done()});
    }
  }

  /// A result whose place in the queue passed before the process asked for its effect.
  void deliver_again(const RecordedActivation& result) {
    auto data = std::string(result.data);
    const auto& members = x_open.reader.members(result.data);
    const auto of = members.has("of") ? members.number("of") : result.seq;
    data.resize(members.has("of") ? data.rfind(",\"of\":") : data.size() - 1);
    data += ",\"of\":" + std::to_string(of) + ",\"adopted\":" + std::to_string(x_applied);
    data += result.shell ? ",\"shell\":true}" : "}";
    x_commit->add({.type = result.type, .data = std::move(data)});
    queue_added();
    ++x_engine_activations;
  }

  /// What the process is given of the commit's own records.
  void queue_added() {
    for (const auto& activation : x_commit->take_activations()) x_queue.push_back(activation);
  }

  /// Records what happens by itself, and queues the results among it. False when nothing is due, or
  /// enough for one commit.
  bool record_due() {
    if (x_engine_activations >= kEngineActivationsPerCommit) return false;
    auto due = all_due(x_state, x_now, x_context.host);
    const size_t room = kEngineActivationsPerCommit - x_engine_activations;
    if (due.size() > room) due.resize(room);
    for (const auto& item : due) {
      x_commit->add(due_record(x_state.open.at(item.effect), item, x_now));
    }
    const auto answers = answer_recalls(*x_commit, x_run, x_context.memory);
    for (const auto& answer : answers) x_commit->add(answer);
    queue_added();
    x_engine_activations += due.size() + answers.size();
    return !due.empty() || !answers.empty();
  }

  void write() {
    if (x_applied == 0 && x_commit->empty() && !forgot_awaited()) return;
    note_awaited();
    if (x_commit->empty()) x_commit->add({.type = RecordType::kIterated});
    x_commit->write(x_applied);
    x_applied = 0;
    ++x_result.commits;
  }

  /// Other code has taken over, and nothing was given to it yet.
  bool forgot_awaited() const {
    return !x_state.end && x_state.awaits.empty() && x_machine.awaited() != "[]";
  }

  /// Whoever looks at the run is told what it waits for; replay does not look at it.
  void note_awaited() {
    if (x_state.end) return;
    const auto awaited = x_machine.awaited();
    if (awaited == (x_state.awaits.empty() ? "[]" : x_state.awaits)) return;
    x_commit->add(
        {.type = RecordType::kIterated, .data = JsonWriter().raw("awaits", awaited).done()});
  }

  Machine& x_machine;
  OpenRun& x_open;
  Dir& x_run;
  const Context& x_context;
  RunState& x_state;
  Reserve& x_reserve;
  const CommitParts& x_parts;
  std::deque<RecordedActivation> x_queue;
  std::optional<Commit> x_commit;
  const int64_t x_now;
  uint64_t x_applied = 0;
  size_t x_engine_activations = 0;
  Advanced x_result;
};

}  // namespace

std::string note_of_unawaited(const std::vector<uint64_t>& effects) {
  constexpr size_t kNamed = 8;
  std::string names;
  for (const auto id : std::span(effects).first(std::min(effects.size(), kNamed))) {
    names += " " + format_effect_id(id);
  }
  if (effects.size() > kNamed) names += " and " + std::to_string(effects.size() - kNamed) + " more";
  return "the run completed and did not wait for" + names +
         ", which its process asked for in its last step: is an await missing?";
}

Advanced advance(Machine& machine, OpenRun& open, Dir& run, const Context& context, int64_t now_ms,
                 size_t next, Reserve& reserve, const CommitParts& parts) {
  return Advance(machine, open, run, context, now_ms, next, reserve, parts).go();
}

}  // namespace reprise
