// Is what the executors need there? Programs are looked for, not run; keys are not read.
#include <nlohmann/json.hpp>

#include "engine/executors/match.h"
#include "engine/executors/openai_config.h"
#include "engine/executors/presets.h"
#include "engine/executors/work_failed.h"
#include "engine/home/doctor.h"
#include "engine/launch.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

/// The program that an executor starts; empty: none.
std::string program_of(const Json& executor) {
  if (executor["type"] == "shell") return executor.value("shell", std::string("/bin/sh"));
  return executor.contains("command") ? executor["command"][0].get<std::string>() : std::string();
}

/// What an endpoint says of itself is judged as its executor will; its secrets are looked for where
/// they are said to be. Empty: nothing is wrong.
std::string fault_of_endpoint(const ExecutorConfig& executor, const Checkup& checkup) {
  try {
    const auto config = parse_openai_config(executor);
    const auto& environment = checkup.sources.environment;
    if (config.key) look_for_secret(*config.key, environment, checkup.search_path);
    for (const auto& header : config.headers) {
      if (header.source) look_for_secret(*header.source, environment, checkup.search_path);
    }
    return {};
  } catch (const WorkFailed& failed) {
    return failed.message();
  }
}

/// Vectors that are wanted and that nobody makes are missed by nobody: recalls find by words alone.
void check_embedding(const Config& config, Findings& findings) {
  if (!Json::parse(config.sections.at("memory")).at("embedding").at("enabled").get<bool>()) return;
  if (has_executor(config, "embedding", "memory.embedding")) return;
  findings.push_back(
      {"executors", Health::kWarning,
       "memory.embedding.enabled, and no executor for effects of the kind embedding: "
       "no memory gets a vector",
       R"(add {"kind": "embedding", "executor": NAME} to match, or disable it)"});
}

}  // namespace

void check_executors(const Config& config, const Checkup& checkup, Findings& findings) {
  for (const auto& executor : config.executors) {
    const bool may_have_preset = executor.type == "command";
    const auto json = Json::parse(may_have_preset ? with_preset(executor.json) : executor.json);
    const auto program = program_of(json);
    std::string wrong;
    if (!program.empty() && installed_program(program, checkup.search_path).empty()) {
      wrong = "there is no program " + program;
    } else if (executor.type == "openai") {
      wrong = fault_of_endpoint(executor, checkup);
    }
    const auto name = "executor " + executor.name + " (" + executor.type + ")";
    if (wrong.empty()) {
      findings.push_back({"executors", Health::kOk, name, {}});
    } else {
      findings.push_back({"executors", Health::kProblem, name + ": " + wrong,
                          "install or set it, or change the executor: " + executor.origin});
    }
  }
  check_embedding(config, findings);
}

std::string installed_program(const std::string& word, const std::string& search_path) {
  if (word.find('/') == std::string::npos) return find_in_path(word, search_path);
  return is_program(word) ? word : std::string();
}

}  // namespace reprise
