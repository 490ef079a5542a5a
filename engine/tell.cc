#include "engine/tell.h"

#include "engine/ask.h"
#include "engine/commit.h"
#include "engine/process_loader.h"
#include "engine/replay.h"
#include "engine/run.h"
#include "engine/stop.h"
#include "engine/task_files.h"
#include "journal/error.h"

namespace reprise {

namespace {

Exit exit_of(Refusal::Kind kind) {
  switch (kind) {
    case Refusal::Kind::kInvalid:
      return Exit::kUsage;
    case Refusal::Kind::kNotFound:
      return Exit::kNotFound;
    case Refusal::Kind::kConflict:
      return Exit::kConflict;
    case Refusal::Kind::kForbidden:
      break;
  }
  return Exit::kForbidden;
}

void check_not_ended(const RunState& state) {
  if (!state.end) return;
  const auto rest = *rest_of(state);
  const bool can_go_back = rest.command.starts_with("run:rewind");
  throw Error(Exit::kConflict, "RUN_ENDED", "run " + state.run_id + " is " + rest.status,
              std::string("it takes nothing ") +
                  (can_go_back ? "until its end is taken back" : "any more") + ": reprise " +
                  rest.command);
}

/// A signal that was recorded before is not judged again: what it asked for is done.
bool is_known(const RunState& state, const Signal& signal) {
  return !signal.key.empty() &&
         state.signal_keys.may_contain(signal_key_hash(signal.name, signal.key));
}

void check(const Machine& machine, const RunState& state, const Signal& signal, int64_t at_ms) {
  if (is_known(state, signal)) return;
  Activation activation;
  activation.kind = Activation::Kind::kSignal;
  activation.at_ms = at_ms;
  activation.rules = state.rules;
  activation.name = signal.name;
  activation.value = signal.value.text;
  const auto refusal = machine.check(activation);
  if (!refusal) return;
  throw Error(exit_of(refusal->kind), refusal->code, refusal->message, refusal->hint);
}

class SignalTelling {
 public:
  SignalTelling(Dir& run, const Context& context, OpenRun& open, Machine& machine)
      : x_run(run), x_context(context), x_open(open), x_machine(machine) {}

  Told go(const std::vector<Signal>& signals, After after, std::string_view question) {
    auto& state = x_open.history.state;
    Told told;
    told.iteration.at_ms = commit_time(x_open, x_context.clock);
    Reserve reserve(x_open.history, x_open.reader);
    const auto next = replay(x_machine, x_open, x_run, reserve);
    x_machine.begin_live();
    const bool goes_on = after == After::kIterate && !state.paused;
    // The signals are judged by what the process knows then.
    if (goes_on) go_on(x_machine, x_open, x_run, x_context, next, reserve, {}, told.iteration);
    check_not_ended(state);
    for (const auto& signal : signals) check(x_machine, state, signal, told.iteration.at_ms);
    const CommitParts parts{.first = [&](Commit& commit) { add(commit, signals, told); }};
    if (goes_on) {
      const auto given = x_open.history.activations.size();
      go_on(x_machine, x_open, x_run, x_context, given, reserve, parts, told.iteration);
    } else {
      Commit commit(x_open, told.iteration.at_ms);
      parts.first(commit);
      if (!commit.empty()) commit.write();
    }
    if (!question.empty()) told.answer = x_machine.answer(question);
    return told;
  }

 private:
  void add(Commit& commit, const std::vector<Signal>& signals, Told& told) {
    for (const auto& signal : signals) {
      told.signals.push_back(add_signal(commit, x_run, x_context, signal));
    }
  }

  Dir& x_run;
  const Context& x_context;
  OpenRun& x_open;
  Machine& x_machine;
};

}  // namespace

void check_signals(Dir& run, const Context& context, const std::vector<Signal>& signals) {
  const auto at_ms = context.clock.now_ms();
  with_asked(run, context, Past::kPresent, [&](const Machine& machine, const RunState& state) {
    check_not_ended(state);
    for (const auto& signal : signals) check(machine, state, signal, at_ms);
  });
}

Told tell(Dir& run, const Context& context, const std::vector<Signal>& signals, After after,
          std::string_view question) {
  auto open = open_run(run, context, Read::kSnapshot);
  refuse_without_process(open.history.state);
  check_not_ended(open.history.state);
  Told told;
  with_machine(run, open, context, [&](Machine& machine) {
    told = SignalTelling(run, context, open, machine).go(signals, after, question);
  });
  write_derived(told.iteration.notes,
                [&] { refresh_task_files(run, open.history.state, open.reader); });
  told.iteration.state = std::move(open.history.state);
  return told;
}

}  // namespace reprise
