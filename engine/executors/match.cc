#include "engine/executors/match.h"

#include <algorithm>

#include "engine/agents/agent_work.h"
#include "engine/executors/json_fields.h"
#include "journal/error.h"

namespace reprise {

namespace {

bool fits_pattern(const std::string& pattern, const std::string& text) {
  return pattern.empty() || fits(pattern, text);
}

/// The executor of the first rule that fits; with `names_agent` only of those that name an agent.
const ExecutorConfig* first_rule(const Config& config, const Work& work, bool names_agent) {
  for (const auto& rule : config.match) {
    if (names_agent && rule.agent.empty()) continue;
    if (!fits_pattern(rule.kind, work.kind) || !fits_pattern(rule.task, work.task) ||
        !fits_pattern(rule.label, work.label) || !fits_pattern(rule.agent, work.agent)) {
      continue;
    }
    const auto found = std::ranges::find(config.executors, rule.executor, &ExecutorConfig::name);
    if (found != config.executors.end()) return &*found;
  }
  return nullptr;
}

/// One whose configuration cannot be read is none here: its work fails when it is begun, and says
/// why.
std::optional<AgentConfig> readable_agent(const Work& work) {
  try {
    return agent_of(work);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

bool fits(std::string_view pattern, std::string_view text) {
  const auto star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  // Between two stars the first place will do: whatever follows fits there as well as later.
  auto rest = text.substr(star);
  pattern.remove_prefix(star + 1);
  for (auto next = pattern.find('*'); next != std::string_view::npos; next = pattern.find('*')) {
    const auto found = rest.find(pattern.substr(0, next));
    if (found == std::string_view::npos) return false;
    rest.remove_prefix(found + next);
    pattern.remove_prefix(next + 1);
  }
  return rest.size() >= pattern.size() && rest.ends_with(pattern);
}

const ExecutorConfig* choose_executor(const Config& config, const Work& work) {
  if (work.kind == "breakpoint" || work.kind == "sleep" || work.kind == "run") return nullptr;
  if (const auto agent = readable_agent(work)) {
    if (const auto* named = first_rule(config, work, true)) return named;
    const auto* own = executor_of(config, *agent);
    if (own != nullptr || !agent->executor.empty()) return own;
  }
  return first_rule(config, work, false);
}

bool has_executor(const Config& config, std::string_view kind, std::string_view task) {
  Work work;
  work.kind = kind;
  work.task = task;
  return choose_executor(config, work) != nullptr;
}

std::string agent_name(std::string_view definition) {
  const auto task = parse_object(definition);
  const auto agent = text_field(field(task, "agent"), "name");
  return agent.empty() ? text_field(field(task, "skill"), "name") : agent;
}

}  // namespace reprise
