// A result that is kept is an activation of its own, right after the one that made the new code ask
// for its effect, with the clock unchanged; the oldest result first.
#include "engine/plan.h"

#include <functional>
#include <map>
#include <set>

#include "engine/commands.h"
#include "journal/error.h"
#include "journal/ids.h"

namespace reprise {

namespace {

/// Is told what an activation made the code ask for, before anything else is given to it.
using OnCommands = std::function<void(uint64_t activation, std::vector<Command>& commands)>;

/// Of several results of one effect the last counts: one that was delivered again, later.
std::map<uint64_t, uint64_t> last_results(const History& history, uint64_t until) {
  std::map<uint64_t, uint64_t> last;
  for (const auto& activation : history.activations) {
    if (activation.effect != 0 && activation.seq < until) last[activation.effect] = activation.seq;
  }
  return last;
}

/// Gives the machine all activations before `until` until it ends. Returns the index behind them.
size_t give_history(Machine& machine, OpenRun& open, Dir& run, Reserve& reserve, uint64_t until,
                    uint64_t first_number, const OnCommands& on_commands) {
  const auto& history = open.history;
  const auto last = last_results(history, until);
  bool ended = false;
  const auto give = [&](const RecordedActivation& activation, int64_t at_ms) {
    auto dated = activation;
    dated.at_ms = at_ms;
    const PreparedActivation prepared(dated, history.state, run, open.reader);
    auto commands = machine.repeat(prepared.get(), first_number);
    on_commands(activation.seq, commands);
    for (const auto& command : commands) {
      if (command.kind == Command::Kind::kRequest) reserve.ask(command.effect);
      ended = ended || is_end(command);
    }
  };
  size_t index = 0;
  for (; index < history.activations.size(); ++index) {
    const auto& activation = history.activations[index];
    if (activation.seq >= until) break;
    const bool superseded = activation.effect != 0 && last.at(activation.effect) != activation.seq;
    if (ended || superseded || reserve.holds(activation)) continue;
    give(activation, activation.at_ms);
    while (!ended) {
      const auto held = reserve.release_oldest();
      if (!held) break;
      give(held->get(), activation.at_ms);
    }
  }
  return index;
}

PlannedCommand::Kind planned_kind(const Command& command) {
  if (command.kind == Command::Kind::kRequest) return PlannedCommand::Kind::kRequest;
  return command.kind == Command::Kind::kEmit ? PlannedCommand::Kind::kEvent
                                              : PlannedCommand::Kind::kEnd;
}

/// Compares what the code asks for with the recorded plan, entry by entry.
class Follower {
 public:
  Follower(Machine& machine, const History& history, JsonReader& reader)
      : x_machine(machine), x_assignment(*history.assignment), x_reader(reader) {
    for (const auto& command : history.superseded) enter(command);
    for (const auto& command : history.commands_of(x_assignment.seq)) enter(command);
  }

  void take(uint64_t activation, std::vector<Command>& commands) {
    for (auto& command : commands) {
      if (x_next == x_assignment.plan.size())
        diverge(activation, "nothing more", describe(command));
      const auto& planned = x_assignment.plan[x_next++];
      const auto* recorded = find(planned);
      const bool same = recorded != nullptr && planned.kind == planned_kind(command) &&
                        (is_end(command) ? same_command(command, *recorded, x_reader)
                                         : shape_of(command) == shape_of(*recorded, x_reader));
      if (!same) {
        diverge(activation, recorded ? describe(*recorded, x_reader) : "what is not there",
                describe(command));
      }
      if (command.kind != Command::Kind::kRequest) continue;
      if (command.effect != planned.id) x_machine.adopt(command.effect, planned.id);
      command.effect = planned.id;
    }
  }

  void finish() const {
    if (x_next == x_assignment.plan.size()) return;
    const auto* recorded = find(x_assignment.plan[x_next]);
    diverge(x_assignment.seq, recorded ? describe(*recorded, x_reader) : "what is not there",
            "nothing more");
  }

 private:
  void enter(const CommandRecord& command) {
    if (command.adopts) return;
    switch (command.kind) {
      case CommandRecord::Kind::kRequested:
        x_requests[command.effect] = &command;
        break;
      case CommandRecord::Kind::kEmitted:
        x_events[command.seq] = &command;
        break;
      default:
        x_end = &command;  // of earlier code none is left
    }
  }

  const CommandRecord* find(const PlannedCommand& planned) const {
    if (planned.kind == PlannedCommand::Kind::kEnd) return x_end;
    const auto& known = planned.kind == PlannedCommand::Kind::kRequest ? x_requests : x_events;
    const auto found = known.find(planned.id);
    return found == known.end() ? nullptr : found->second;
  }

  [[noreturn]] void diverge(uint64_t activation, const std::string& planned,
                            const std::string& asked) const {
    throw Error(Exit::kDiverged, "DIVERGED",
                "the replay diverged after activation " + std::to_string(activation) +
                    ", in the history that was there when the code was assigned (record " +
                    std::to_string(x_assignment.seq) + "): planned " + planned +
                    "; requested now " + asked,
                "with the same history the process decided something else than before; nothing was "
                "recorded");
  }

  Machine& x_machine;
  const Assignment& x_assignment;
  JsonReader& x_reader;
  std::map<uint64_t, const CommandRecord*> x_requests;
  std::map<uint64_t, const CommandRecord*> x_events;
  const CommandRecord* x_end = nullptr;
  size_t x_next = 0;
};

}  // namespace

Plan make_plan(Machine& machine, OpenRun& open, Dir& run, uint64_t until, bool keep_withdrawn) {
  Plan plan;
  const auto& history = open.history;
  plan.assignment.first_number = history.state.highest_effect + 1;
  auto reserve = Reserve::for_plan(history, open.reader, keep_withdrawn);
  std::set<uint64_t> waits;  // for effects that were withdrawn
  give_history(
      machine, open, run, reserve, until, plan.assignment.first_number,
      [&](uint64_t activation, std::vector<Command>& commands) {
        for (auto& command : commands) {
          const auto adopted = reserve.adopt(command);
          if (adopted && command.kind == Command::Kind::kRequest) {
            machine.adopt(command.effect, *adopted);
            command.effect = *adopted;
            if (history.withdrawn.contains(*adopted)) waits.insert(*adopted);
          }
          if (is_end(command)) plan.ended_at = activation;
          plan.assignment.plan.push_back(
              {planned_kind(command),
               command.kind == Command::Kind::kRequest ? command.effect : adopted.value_or(0)});
          plan.commands.push_back(command);
          plan.kept.push_back(adopted.has_value());
        }
      });
  for (const auto effect : machine.take_withdrawn()) waits.erase(effect);
  plan.wants_withdrawn = !waits.empty() && plan.ended_at == 0;
  for (const auto effect : reserve.effects()) {
    if (!history.withdrawn.contains(effect)) plan.assignment.reserve.push_back(effect);
  }
  plan.assignment.reserve_events = reserve.events();
  return plan;
}

size_t follow_plan(Machine& machine, OpenRun& open, Dir& run, Reserve& reserve) {
  const auto& history = open.history;
  Follower follower(machine, history, open.reader);
  const auto index = give_history(machine, open, run, reserve, history.assignment->seq,
                                  history.assignment->first_number,
                                  [&](uint64_t activation, std::vector<Command>& commands) {
                                    follower.take(activation, commands);
                                  });
  follower.finish();
  return index;
}

}  // namespace reprise
