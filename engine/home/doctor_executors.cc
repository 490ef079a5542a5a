// Is what the executors need there? Programs are looked for, not run; keys are not read.
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "engine/executors/presets.h"
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

/// Why the key cannot be had; empty when it probably can.
std::string missing_key(const Json& executor, const Checkup& checkup) {
  const Json& key = executor["apiKey"];
  if (key.contains("env")) {
    const auto name = key["env"].get<std::string>();
    const auto& environment = checkup.sources.environment;
    return environment && environment(name) ? "" : "$" + name + " is not set";
  }
  if (key.contains("file")) {
    const auto path = key["file"].get<std::string>();
    return access(path.c_str(), R_OK) == 0 ? "" : path + " cannot be read";
  }
  const auto program = key["command"][0].get<std::string>();
  return installed_program(program, checkup.search_path).empty() ? "there is no program " + program
                                                                 : "";
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
    } else if (json.contains("apiKey")) {
      wrong = missing_key(json, checkup);
    }
    const auto name = "executor " + executor.name + " (" + executor.type + ")";
    if (wrong.empty()) {
      findings.push_back({"executors", Health::kOk, name, {}});
    } else {
      findings.push_back({"executors", Health::kProblem, name + ": " + wrong,
                          "install or set it, or change the executor: " + executor.origin});
    }
  }
}

std::string installed_program(const std::string& word, const std::string& search_path) {
  if (word.find('/') == std::string::npos) return find_in_path(word, search_path);
  return is_program(word) ? word : std::string();
}

}  // namespace reprise
