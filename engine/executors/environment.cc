#include "engine/executors/policy.h"
#include "engine/executors/task_program.h"
#include "engine/launch.h"

namespace reprise {

namespace {

bool is_ours(std::string_view name) { return name.starts_with("REPRISE_"); }

}  // namespace

std::vector<std::string> work_environment(const Work& work, const Policy& policy,
                                          const ProgramSettings& settings,
                                          const std::map<std::string, std::string>& of_task) {
  std::vector<std::string> variables;
  for (const auto& variable : own_environment()) {
    const auto name = variable.substr(0, variable.find('='));
    if (!is_ours(name) && passes(policy, settings.passed, name)) variables.push_back(variable);
  }
  for (const auto* pairs : {&settings.environment, &of_task}) {
    for (const auto& [name, value] : *pairs) {
      if (!is_ours(name)) set_variable(variables, name, value);
    }
  }
  const std::vector<std::pair<std::string, std::string>> ours = {
      {"REPRISE_HOME", work.home},
      {"REPRISE_RUN", work.run},
      {"REPRISE_EFFECT", work.effect},
      {"REPRISE_ATTEMPT", std::to_string(work.attempt)},
      {"REPRISE_CLAIM", work.token},
      {"REPRISE_TASK_DIR", work.run_dir + "/tasks/" + work.effect},
      {"REPRISE_IDEMPOTENCY_KEY", work.idempotency_key}};
  for (const auto& [name, value] : ours) {
    if (!value.empty()) set_variable(variables, name, value);
  }
  return variables;
}

}  // namespace reprise
