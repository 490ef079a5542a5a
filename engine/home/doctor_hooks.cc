// Is what the hooks need there? Programs are looked for, not run; variables are not told.
#include "engine/home/doctor.h"
#include "engine/hooks/hooks.h"

namespace reprise {

namespace {

/// Empty: nothing is wrong.
std::string fault_of_hook(const Hook& hook, const Checkup& checkup) {
  if (!hook.command.empty()) {
    const auto& program = hook.command.front();
    return installed_program(program, checkup.search_path).empty()
               ? "there is no program " + program
               : std::string();
  }
  for (const auto& header : hook.headers) {
    if (header.variable.empty() || checkup.sources.environment(header.variable)) continue;
    return "the variable " + header.variable + " is not set: it is the header " + header.name;
  }
  return {};
}

}  // namespace

void check_hooks(const Config& config, const Checkup& checkup, Findings& findings) {
  const auto [hooks, faults] = sound_hooks(config);
  for (const auto& hook : hooks) {
    const auto wrong = fault_of_hook(hook, checkup);
    const auto name = "hook " + hook.name;
    if (wrong.empty()) {
      findings.push_back({"hooks", Health::kOk, name, {}});
    } else {
      findings.push_back({"hooks", Health::kProblem, name + ": " + wrong,
                          "install or set it, or change hooks." + hook.name + " of config.json"});
    }
  }
  for (const auto& [name, fault] : faults) {
    findings.push_back({"hooks", Health::kProblem, fault.message(), fault.hint()});
  }
}

}  // namespace reprise
