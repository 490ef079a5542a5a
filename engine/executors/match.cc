#include "engine/executors/match.h"

#include <algorithm>

#include "engine/executors/json_fields.h"

namespace reprise {

namespace {

bool suits(const std::string& pattern, const std::string& text) {
  return pattern.empty() || fits(pattern, text);
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
  for (const auto& rule : config.match) {
    if (!suits(rule.kind, work.kind) || !suits(rule.task, work.task) ||
        !suits(rule.label, work.label) || !suits(rule.agent, work.agent)) {
      continue;
    }
    const auto found = std::ranges::find(config.executors, rule.executor, &ExecutorConfig::name);
    if (found != config.executors.end()) return &*found;
  }
  return nullptr;
}

std::string agent_name(std::string_view definition) {
  const auto task = parse_object(definition);
  const auto agent = text_field(field(task, "agent"), "name");
  return agent.empty() ? text_field(field(task, "skill"), "name") : agent;
}

}  // namespace reprise
