// Makes a home of many runs: each is made by the engine itself, in memory, and put on the disk
// without syncing, as it would lie there after a restart of the machine. All are checklists of five
// steps that wait for the result of the last one: ten records. Every hundredth asks a person
// instead in its last step, and DUE of them sleep in it, until a time that is long ago by now.
//
// Usage: bench_fill_home HOME RUNS DUE
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/create.h"
#include "engine/iterate.h"
#include "engine/post.h"
#include "journal/clock.h"
#include "journal/ids.h"
#include "journal/memory_files.h"
#include "journal/real_files.h"
#include "processes/checklist/checklist.h"

namespace reprise {
namespace {

constexpr int64_t kBeginMs = 1'767'225'600'000;    // 2026-01-01
constexpr int64_t kDueMs = kBeginMs + 86'400'000;  // when all runs are made
constexpr size_t kSteps = 5;
constexpr const char* kInputs = R"({"steps":["make","make","make","make","make"]})";

/// A checklist whose last step asks for something else than a command.
class OddEnd final : public Decider {
 public:
  OddEnd(const Inputs& inputs, std::string kind, int64_t due_ms)
      : x_checklist(checklist_process().make(inputs)), x_kind(std::move(kind)), x_due_ms(due_ms) {}

  void evolve(const Activation& activation) override {
    ++x_given;
    x_checklist->evolve(activation);
  }
  void evolve(const CommandRecord& command) override { x_checklist->evolve(command); }
  std::vector<Command> decide(const Activation& activation) const override {
    auto commands = x_checklist->decide(activation);
    if (x_given == kSteps) {
      commands.at(0).effect_kind = x_kind;
      commands.at(0).due_ms = x_due_ms;
    }
    return commands;
  }
  std::string snapshot() const override { return x_checklist->snapshot(); }
  bool restore(std::string_view) override { return false; }

 private:
  std::unique_ptr<Decider> x_checklist;
  std::string x_kind;
  int64_t x_due_ms;
  size_t x_given = 0;
};

BuiltIn checklist_that_asks() {
  auto process = checklist_process();
  process.make = [](const Inputs& inputs) -> std::unique_ptr<Decider> {
    return std::make_unique<OddEnd>(inputs, "breakpoint", 0);
  };
  return process;
}

BuiltIn checklist_that_sleeps() {
  auto process = checklist_process();
  process.make = [](const Inputs& inputs) -> std::unique_ptr<Decider> {
    return std::make_unique<OddEnd>(inputs, "sleep", kDueMs);
  };
  return process;
}

/// Makes runs in memory, one at a time.
class Maker {
 public:
  explicit Maker(std::string runs_path) : x_runs_path(std::move(runs_path)) {
    x_request.process.built_in = "checklist";
    x_request.inputs = parse_value(kInputs, "the inputs");
    x_request.labels = {{"team", "web"}};
    x_post.value = parse_value(R"({"exitCode":0,"stdout":"ok"})", "the result");
  }

  /// Puts a run that was made `number` milliseconds after the beginning into `disk`.
  void make(Dir& disk, const BuiltIn& process, int64_t number) {
    FixedClock clock(kBeginMs + number);
    const auto context = [&](const char* command) {
      return Context{clock,  x_random,      x_scripts,
                     x_host, {&process, 1}, {"bench", "bench", command}};
    };
    const auto memory = MemoryFiles().root();
    const auto id =
        create_run(memory.get(), x_runs_path, context("run:create"), {}, x_request).run_id;
    const auto run = memory->open_dir(id);
    iterate(*run, context("run:iterate"));
    for (x_post.effect.id = 1; x_post.effect.id < kSteps; ++x_post.effect.id) {
      post_result(*run, context("task:post"), x_post);
      iterate(*run, context("run:iterate"));
    }
    copy(*memory, id, disk);
  }

 private:
  static void copy(Dir& memory, const std::string& path, Dir& disk) {
    if (!memory.stat(path)->directory) {
      return write_new_file(disk, path, *read_file(memory, path), false);
    }
    disk.make_dir(path);
    for (const auto& name : memory.list(path)) copy(memory, path + "/" + name, disk);
  }

  std::string x_runs_path;
  SeededRandom x_random;
  ScriptHost x_scripts{{}};
  ThisHost x_host;
  CreateRequest x_request;
  Post x_post;
};

int fill(const std::vector<std::string>& words) {
  if (words.size() != 3) throw std::runtime_error("HOME RUNS DUE");
  const auto runs = std::filesystem::path(words[0]) / "runs";
  std::filesystem::create_directories(runs);
  const auto disk = open_real_dir(runs.string(), false);
  const auto count = std::stoll(words[1]);
  const auto due = std::stoll(words[2]);
  const auto usual = checklist_process();
  const auto asks = checklist_that_asks();
  const auto sleeps = checklist_that_sleeps();
  Maker maker(runs.string());
  for (int64_t i = 1; i <= count; ++i) {
    maker.make(*disk, i <= due ? sleeps : i % 100 == 0 ? asks : usual, i);
  }
  return 0;
}

}  // namespace
}  // namespace reprise

int main(int argc, char** argv) {
  try {
    return reprise::fill({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_fill_home: %s\n", error.what());
    return 1;
  }
}
