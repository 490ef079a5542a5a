// Runs of one folder under test: parents, their children, and what can happen between them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/family.h"
#include "engine/stop.h"
#include "processes/checklist/checklist.h"
#include "tests/engine/asker.h"
#include "tests/engine/family_process.h"
#include "tests/engine/run_fixture.h"

namespace reprise::test {

inline const std::vector<BuiltIn> kProcesses = {family_process(), checklist_process(), asker()};

inline std::string ask(const std::string& entry, const std::string& inputs,
                       const std::string& more = "") {
  return R"({"kind":"run","args":{"entry":")" + entry + R"(","inputs":)" + inputs + "}" + more +
         "}";
}
inline const std::string kOneStep = R"({"steps":["make"]})";
inline const std::string kChild = R"({"ask":[)" + ask("builtin:checklist", kOneStep) + "]}";
inline const std::string kGrandchild = R"({"ask":[)" + ask("builtin:family", kChild) + "]}";

using Sources = std::map<std::string, std::string>;

/// The runs of one folder, by name.
class Folder {
 public:
  explicit Folder(Sources sources = {}) : x_sources(std::move(sources)) {}

  TestRun create(const std::string& id, const std::string& inputs, bool simulated = false) {
    CreateRequest request;
    request.run_id = id;
    request.process.built_in = "family";
    request.inputs = parse_value(inputs, "inputs");
    request.simulated = simulated;
    request.rules = world.rules;
    create_run(world.runs.get(), "/home/runs", world.context, read(), request);
    return run(id);
  }
  TestRun create_script(const std::string& id, const std::string& entry) {
    CreateRequest request;
    request.run_id = id;
    request.process.entry = entry;
    request.inputs = parse_value("{}", "inputs");
    request.rules = world.rules;
    create_run(world.runs.get(), "/home/runs", world.context, read(), request);
    return run(id);
  }
  /// As an author does.
  void edit(const std::string& path, const std::string& text) { x_sources[path] = text; }

  TestRun run(const std::string& id) { return {world, world.runs->open_dir(id)}; }
  bool exists(const std::string& id) { return world.runs->stat(id).has_value(); }

  Iteration iterate(const std::string& id) {
    return iterate_among(folder(), id, run(id).dir(), world.context);
  }
  /// The descendants, then the run.
  std::string iterate_all(const std::string& id) {
    std::vector<std::string> notes;
    std::string text;
    for (const auto& [name, iteration] :
         iterate_descendants(folder(), id, run(id).dir(), world.context, notes)) {
      text += name + " ";
    }
    iterate(id);
    return text;
  }
  Stopped cancel(const std::string& id) {
    return cancel_run(run(id).dir(), world.context, "enough", false);
  }
  RunFolder folder() { return {*world.runs, "/home/runs", read()}; }

  World world{kProcesses};

 private:
  SourceReader read() {
    return [this](const std::string& path) -> std::optional<std::string> {
      const auto found = x_sources.find(path);
      return found == x_sources.end() ? std::nullopt : std::optional(found->second);
    };
  }
  Sources x_sources;
};

}  // namespace reprise::test
