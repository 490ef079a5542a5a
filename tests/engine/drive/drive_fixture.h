// Drives under test: performers that do what a test says, and a listener that writes down what it
// hears.
#pragma once

#include <csignal>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/drive/drive.h"
#include "engine/json_writer.h"
#include "tests/engine/folder_fixture.h"

namespace reprise::test {

inline Outcome ok_outcome(const std::string& value) { return {.ok = true, .value = value}; }
inline Outcome error_outcome(const std::string& name) {
  return {.value = JsonWriter().text("name", name).text("message", "no").done()};
}

/// What is not answered at once runs until finish() or stop(). To wait passes the time.
class FakePerformers final : public Performers {
 public:
  explicit FakePerformers(FixedClock& clock) : x_clock(clock) {}

  const ExecutorConfig* choose(const Work& work) const override {
    return work.kind == "nobody" ? nullptr : &x_executor;
  }
  bool is_inside(const ExecutorConfig&) const override { return inside; }
  uint64_t free_bytes(const std::string&) const override { return free; }

  uint64_t start(const Work& work, const ExecutorConfig&) override {
    started.push_back(work);
    running[++x_last] = work;
    if (const auto outcome = perform(work)) finish(work.effect, *outcome);
    return x_last;
  }
  std::vector<WorkerEvent> wait(int64_t at_most_ms, int& sent) override {
    if (x_events.empty()) x_clock.advance(at_most_ms);
    if (x_events.empty() && at_most_ms > 0 && while_waiting) while_waiting();
    sent = std::exchange(signal, 0);
    return std::exchange(x_events, {});
  }
  void stop(uint64_t worker) override {
    if (!running.contains(worker)) return;  // its outcome is on the way
    stopped.push_back(running.at(worker).effect);
    if (ends_at_stop) finish(running.at(worker).effect, at_stop);
  }

  void finish(const std::string& effect, const Outcome& outcome) {
    for (auto entry = running.begin(); entry != running.end(); ++entry) {
      if (entry->second.effect != effect) continue;
      x_events.push_back(
          {.worker = entry->first, .kind = WorkerEvent::Kind::kOutcome, .outcome = outcome});
      running.erase(entry);
      return;
    }
  }

  bool inside = true;
  uint64_t free = 1 << 20;
  int signal = 0;  ///< sent to the drive when it waits the next time
  std::function<std::optional<Outcome>(const Work&)> perform = [](const Work&) {
    return ok_outcome("{}");
  };
  Outcome at_stop = error_outcome("Stopped");  ///< what comes of work that is told to stop
  bool ends_at_stop = true;
  std::function<void()> while_waiting;
  std::vector<Work> started;
  std::vector<std::string> stopped;
  std::map<uint64_t, Work> running;

 private:
  FixedClock& x_clock;
  ExecutorConfig x_executor{.name = "fake", .type = "mock"};
  uint64_t x_last = 0;
  std::vector<WorkerEvent> x_events;
};

/// "started t1; finished t1 ok; ..."
class Heard final : public DriveListener {
 public:
  void started(const DriveWork& work) override { add("started", work); }
  void output(const DriveWork& work, bool, std::string_view bytes) override {
    add("output " + std::string(bytes), work);
  }
  void progress(const DriveWork& work, std::string_view json) override {
    add("progress " + std::string(json), work);
  }
  void finished(const DriveWork& work, const Post& post, const Posted& posted) override {
    add(std::string(post.ok ? "ok" : "error") + (posted.followup.again ? " again" : ""), work);
  }
  void dropped(const DriveWork& work, const std::string& why) override {
    add("dropped", work);
    reasons.push_back(why);
  }
  void expired(const DriveWork& work, int64_t) override { add("expired", work); }
  void stopping(const std::string&, size_t running) override {
    text += "stopping " + std::to_string(running) + "; ";
  }
  void logged(const std::string&, const std::vector<LogLine>& lines) override {
    for (const auto& line : lines) text += "log " + line.message + "; ";
  }
  void noted(const std::string&, const std::string& note) override { notes.push_back(note); }
  bool idle(std::span<const DrivenRun>) override { return false; }

  std::string text;
  std::vector<std::string> notes;
  std::vector<std::string> reasons;  ///< why something was dropped

 private:
  void add(const std::string& what, const DriveWork& work) {
    text += what + " " + format_effect_id(work.effect.id) + "; ";
  }
};

constexpr uint64_t kDrivePid = 77;

/// One drive of a run in the folder.
struct DriveTest {
  explicit DriveTest(Folder& in) : folder(in), performers(in.world.clock) {
    folder.world.host.processes[kDrivePid] = 1;
    request.worker = "drive";
    request.pid = kDrivePid;
  }
  DriveEnd operator()(const std::string& run) {
    request.run = run;
    return drive(folder.folder(), folder.world.context, performers, heard, request);
  }

  Folder& folder;
  FakePerformers performers;
  Heard heard;
  DriveRequest request;
};

inline std::string step_script(const std::string& body, const std::string& task = "kind: 'node'") {
  return "import { defineTask } from 'reprise';\n"
         "const step = defineTask('step', (args) => ({ " +
         task +
         ", title: 'step' }));\n"
         "export async function process(inputs, ctx) {\n" +
         body + "\n}\n";
}

inline std::string checklist_inputs(int steps) {
  std::string list;
  for (int i = 0; i < steps; ++i) list += std::string(i == 0 ? "" : ",") + "\"make\"";
  return R"({"steps":[)" + list + "]}";
}

/// A script in the folder, as the run "r".
inline TestRun make(Folder& folder, const std::string& source) {
  folder.edit("/source/main.js", source);
  return folder.create_script("r", "/source/main.js");
}

inline TestRun make_checklist(Folder& folder, int steps) {
  CreateRequest request;
  request.run_id = "r";
  request.process.built_in = "checklist";
  request.inputs = parse_value(checklist_inputs(steps), "inputs");
  create_run(folder.world.runs.get(), "/home/runs", folder.world.context, {}, request);
  return folder.run("r");
}

/// "people t1, time t2"
inline std::string waits_text(const DriveEnd& end) {
  std::string text;
  for (const auto& wait : end.waits) {
    text += (text.empty() ? "" : ", ") + std::string(wait_name(wait.what));
    if (wait.effect) text += " " + format_effect_id(wait.effect->id);
  }
  return text;
}

}  // namespace reprise::test
