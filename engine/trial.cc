// One thing happens at a time, and after each the run is iterated: the first answer of the script
// that fits an open effect is posted; when none fits, the next signal is sent; when there is none,
// the clock moves to the next time that the run itself waits for. When nothing moves, the test is
// over. So the order of the answers in the file is the order in which they arrive.
#include "engine/trial.h"

#include <algorithm>
#include <deque>

#include "engine/advance.h"
#include "engine/iterate.h"
#include "engine/post.h"
#include "engine/signal.h"
#include "engine/stop.h"
#include "journal/clock.h"
#include "journal/error.h"
#include "journal/memory_files.h"

namespace reprise {

namespace {

constexpr size_t kMostSteps = 100'000;  ///< a timer that is set again and again never ends

class Rehearsal {
 public:
  Rehearsal(const Context& context, const TestScript& script)
      : x_script(script),
        x_clock(script.now_ms),
        x_context{.clock = x_clock,
                  .random = x_random,
                  .scripts = context.scripts,
                  .host = context.host,
                  .built_ins = context.built_ins,
                  .author = context.author},
        x_signals(script.signals.begin(), script.signals.end()) {
    for (const auto& answer : script.answers) x_left.push_back(answer.times);
  }

  Trial perform(const SourceReader& read, const ProcessChoice& process, const Value& inputs) {
    const auto runs = x_files.root();
    CreateRequest request;
    request.run_id = "test";
    request.process = process;
    request.inputs = inputs;
    request.simulated = true;
    create_run(runs.get(), "/reprise/runs", x_context, read, request);
    x_run = runs->open_dir(request.run_id);
    size_t steps = 0;
    do iterate_once();
    while (!x_trial.state.end && ++steps < kMostSteps && step());
    describe();
    judge(steps);
    return std::move(x_trial);
  }

 private:
  void iterate_once() {
    auto iteration = iterate(*x_run, x_context);
    x_trial.state = std::move(iteration.state);
    std::ranges::move(iteration.log, std::back_inserter(x_trial.log));
  }

  bool step() { return post_next() || send_next() || wait(); }

  bool post_next() {
    for (size_t i = 0; i < x_left.size(); ++i) {
      if (x_left[i] == 0) continue;
      const auto& answer = x_script.answers[i];
      for (const auto& [id, effect] : x_trial.state.open) {
        if (effect.kind == "sleep" || !answer.fits(effect)) continue;
        Post post;
        post.effect.id = id;
        post.ok = answer.ok;
        post.value = answer.value;
        post.for_people = true;
        post_result(*x_run, x_context, post);
        --x_left[i];
        return true;
      }
    }
    return false;
  }

  bool send_next() {
    if (x_signals.empty()) return false;
    const auto& next = x_signals.front();
    if (next.name == kCancelSignal) {
      const auto& reason = next.value.text;
      cancel_run(*x_run, x_context, reason.starts_with('"') ? unquote(reason) : "", false);
    } else {
      Signal signal;
      signal.name = next.name;
      signal.value = next.value;
      send_signal(*x_run, x_context, signal);
    }
    x_signals.pop_front();
    return true;
  }

  bool wait() {
    const auto due_ms = x_trial.state.next_due_ms();
    if (!due_ms || *due_ms <= x_clock.now_ms()) return false;
    x_clock.set(*due_ms);
    return true;
  }

  void describe() {
    JsonReader reader;
    for (auto& info : list_effects(*x_run)) {
      auto result = load_result(*x_run, info, reader);
      x_trial.effects.push_back({std::move(info), std::move(result), 0});
    }
    size_t next = 0;
    for_each_event(*x_run, [&](const RecordView& record) {
      if (record.type == RecordType::kEffectRequested) {
        x_trial.effects[next++].cause = record.cause;
      } else if (record.type == RecordType::kRunCompleted) {
        note_unawaited(record.cause);
      } else if (record.type == RecordType::kEventEmitted) {
        const auto& data = reader.members(record.data);
        x_trial.events.push_back({data.text("type"), load_value(data, "payload", *x_run)});
      }
    });
    if (auto end = load_end(*x_run, x_trial.state, reader)) x_trial.end = std::move(*end);
    for (size_t i = 0; i < x_left.size(); ++i) {
      if (x_left[i] == x_script.answers[i].times) x_trial.unused_answers.push_back(i);
    }
    x_trial.unsent.assign(x_signals.begin(), x_signals.end());
  }

  /// Asked for in the activation in which the run completed.
  void note_unawaited(uint64_t completed_by) {
    for (const auto& effect : x_trial.effects) {
      if (effect.cause == completed_by) x_unawaited.push_back(effect.info.request.id);
    }
  }

  void judge(size_t steps) {
    if (!x_unawaited.empty()) x_trial.failures.push_back(note_of_unawaited(x_unawaited));
    const auto wanted = x_script.expect ? x_script.expect->status : "completed";
    const std::string status(status_name(x_trial.state.status()));
    if (steps == kMostSteps) {
      x_trial.failures.push_back("it goes on and on: the test was given up after " +
                                 std::to_string(kMostSteps) + " steps");
    } else if (!x_trial.state.end && status != wanted) {
      say_what_is_missing();
    } else if (status != wanted) {
      x_trial.failures.push_back("it " + end_in_words(status) + "; expected was " + wanted);
    }
    if (!x_script.expect || !x_script.expect->output || status != "completed") return;
    const auto& expected = *x_script.expect->output;
    if (parse_value(x_trial.end.output, "the output").canonical() == expected.canonical()) return;
    x_trial.failures.push_back("the output is " + x_trial.end.output + "; expected was " +
                               expected.text);
  }

  std::string end_in_words(const std::string& status) const {
    if (status == "failed") {
      JsonReader reader;
      const auto& error = reader.members_of_copy(x_trial.end.error);
      return "failed: " + error.text("name") + ": " + error.text("message");
    }
    const auto reason = x_trial.end.reason.empty() ? "" : ": " + x_trial.end.reason;
    return "is " + status + reason;
  }

  void say_what_is_missing() {
    for (const auto& [id, effect] : x_trial.state.open) {
      x_trial.failures.push_back("no answer for " + format_effect_id(id) + ": task " +
                                 quote(effect.task) + ", kind " + quote(effect.kind) + ", label " +
                                 quote(effect.label) +
                                 (effect.key.empty() ? "" : ", key " + quote(effect.key)));
    }
    if (x_trial.failures.empty()) {
      x_trial.failures.emplace_back("it waits for a signal, and no other is scripted");
    }
  }

  const TestScript& x_script;
  FixedClock x_clock;
  SeededRandom x_random;
  Context x_context;
  MemoryFiles x_files;
  std::unique_ptr<Dir> x_run;
  std::vector<uint64_t> x_left;  ///< how often each answer may still be given
  std::deque<ScriptedSignal> x_signals;
  std::vector<uint64_t> x_unawaited;
  Trial x_trial;
};

}  // namespace

Trial run_trial(const Context& context, const SourceReader& read, const ProcessChoice& process,
                const Value& inputs, const TestScript& script) {
  return Rehearsal(context, script).perform(read, process, inputs);
}

}  // namespace reprise
