#include "engine/home/doctor.h"

#include "journal/error.h"

namespace reprise {

namespace {

void check_trusted(const Checkup& checkup, Findings& findings) {
  try {
    check_trust(checkup.workspace.home(), checkup.trust);
    findings.push_back({"trust", Health::kOk, "the home may run programs", {}});
  } catch (const Error& error) {
    findings.push_back({"trust", Health::kWarning, error.message(), error.hint()});
  }
}

/// The defaults when it cannot be read, so that the other checks go on.
Config check_config(const Checkup& checkup, Findings& findings) {
  try {
    auto config = load_config(checkup.sources);
    findings.push_back({"config", Health::kOk, "the configuration is valid", {}});
    for (const auto& warning : config.warnings)
      findings.push_back({"config", Health::kWarning, warning, {}});
    return config;
  } catch (const Error& error) {
    findings.push_back({"config", Health::kProblem, error.message(), error.hint()});
    return load_config({});
  }
}

void check_modules(std::span<const ModuleQuery> modules, Findings& findings) {
  for (const auto& module : modules) {
    try {
      open_module(module);
      findings.push_back({"modules", Health::kOk, std::string(module.what) + " can be loaded", {}});
    } catch (const Error& error) {
      findings.push_back({"modules", Health::kProblem, error.message(), error.hint()});
    }
  }
}

void check_sandbox(const Checkup& checkup, Findings& findings) {
  const auto program = installed_program("bwrap", checkup.search_path);
  if (!program.empty()) {
    findings.push_back({"sandbox", Health::kOk, "bubblewrap is " + program, {}});
    return;
  }
  findings.push_back({"sandbox", Health::kWarning,
                      "bubblewrap is not installed: work with the permission none or read cannot "
                      "be confined",
                      "install the package bubblewrap"});
}

}  // namespace

std::vector<Finding> examine_home(Checkup& checkup) {
  Findings findings = {{"version", Health::kOk, "reprise " REPRISE_VERSION, {}}};
  check_folder(checkup.workspace, findings);
  check_trusted(checkup, findings);
  const auto config = check_config(checkup, findings);
  check_file_system(checkup.workspace, config.min_free_bytes, findings);
  check_runs(checkup, findings);
  check_heartbeat(checkup.workspace, checkup.clock, findings);
  check_executors(config, checkup, findings);
  check_hooks(config, checkup, findings);
  check_sandbox(checkup, findings);
  check_modules(checkup.modules, findings);
  check_rules(checkup, findings);
  return findings;
}

}  // namespace reprise
