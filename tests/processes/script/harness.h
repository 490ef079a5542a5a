// A small language for tests of the script module, on its real C table: give it sources, start it,
// answer its effects, and compare what it commands as lines of text.
//
//   Script script(R"(export async function process(inputs, ctx) { ... })");
//   CHECK(script.start("{}") == Lines{R"(request t1 greet shell {"name":"Ada"})"});
//   CHECK(script.resolve(1, R"("hello")") == Lines{R"(complete "hello")"});
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/process/rules.h"
#include "engine/process/script_module.h"

namespace reprise::test {

using Lines = std::vector<std::string>;

/// A process that needs no tasks of its own: `import` line and a task "work" of kind shell, then
/// the body.
std::string process_of(const std::string& body);

/// The value of an expression (may use ctx, inputs, await), as the process's output line: "complete
/// ...".
Lines value_of(const std::string& expression);

struct CommandCopy {
  int32_t kind;
  uint64_t effect;
  int64_t due_ms;
  std::string task, effect_kind, label, key, args, definition, name, json, options;
  bool cancelled;
};

/// "request t1 task kind args", "complete output", "fail Name: message", "halt reason payload"
/// ("cancelled reason" after a run:cancel), "emit type payload", "log label: text"
std::string line_of(const CommandCopy& command);

const reprise_script_table& module_table();
/// Runs on the engine's thread; exceptions come back here. $REPRISE_TEST_CACHE names the cache
/// folder.
void on_engine(const std::function<void()>& work);

class Script {
 public:
  Script() = default;
  explicit Script(const std::string& main) { file("main.js", main); }
  ~Script();
  Script(const Script&) = delete;
  Script& operator=(const Script&) = delete;

  Script& file(const std::string& path, const std::string& source);  // .cjs is CommonJS
  Script& entry(const std::string& path);
  Script& seed(uint64_t high, uint64_t low);

  /// OK, or the status with its error: "ERROR {...}", "BUDGET {...}", "BUG {...}".
  std::string load();
  /// Loads first if that was not done. At every call a second passes.
  Lines start(const std::string& inputs = "{}");
  Lines resolve(uint64_t effect, const std::string& value);
  Lines reject(uint64_t effect, const std::string& error);
  Lines cancel(uint64_t effect, const std::string& error);
  Lines cancel_run(const std::string& details);
  Lines signal(const std::string& name, const std::string& value);
  Lines apply(reprise_activation activation);

  /// What the last activation commanded, in full.
  const std::vector<CommandCopy>& commands() const { return commands_; }
  /// The status and error of the last call, as load().
  const std::string& status() const { return status_; }
  std::string check();
  uint64_t highest_effect();
  void next_effect(uint64_t number) { next_effect_ = number; }
  void now(int64_t ms) { now_ms_ = ms; }
  void export_name(const std::string& name) { export_name_ = name; }
  void heap(uint64_t bytes) { heap_bytes_ = bytes; }
  void rules(uint32_t rules) { rules_ = rules; }

  static constexpr int64_t kStartMs = 1'700'000'000'000;  // 2023-11-14T22:13:20.000Z

 private:
  std::map<std::string, std::string> files_;
  std::string entry_ = "main.js";
  std::string export_name_ = "process";
  uint64_t seed_[2] = {1, 2};
  uint64_t heap_bytes_ = uint64_t{512} << 20;
  uint32_t rules_ = kNewestRules;
  uint64_t next_effect_ = 0;
  int64_t now_ms_ = kStartMs;
  reprise_script* script_ = nullptr;
  std::string status_;
  std::vector<CommandCopy> commands_;
};

}  // namespace reprise::test
