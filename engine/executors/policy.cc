#include "engine/executors/policy.h"

#include <algorithm>
#include <filesystem>

#include "engine/executors/command_words.h"
#include "engine/executors/json_fields.h"
#include "engine/executors/match.h"
#include "engine/executors/outcome.h"
#include "engine/json_writer.h"

namespace reprise {

namespace {

/// Do the wanted words follow the program's name, with nothing between them but options? Whether an
/// option takes a value is its program's secret, so both are tried.
bool follow(const Words& wanted, const Words& command) {
  std::vector<bool> here(command.size() + 2, false);
  here[1] = true;
  for (size_t word = 1; word < wanted.size(); ++word) {
    std::vector<bool> behind(here.size(), false);
    for (size_t i = 1; i < command.size(); ++i) {
      if (!here[i]) continue;
      if (command[i] == wanted[word]) behind[i + 1] = true;
      if (command[i].starts_with('-')) here[i + 1] = here[i + 2] = true;
    }
    here = std::move(behind);
  }
  return std::ranges::find(here, true) != here.end();
}

/// A rule is a program's name, its path, or a name with the words that follow it: "git push".
bool offends(const Words& command, const std::string& rule) {
  const auto parts = commands_in_script(rule);
  const Words wanted = parts.empty() ? Words{} : parts.front();
  if (wanted.empty() || wanted.size() > command.size()) return false;
  const bool path = wanted.front().find('/') != std::string::npos;
  const auto slash = path ? std::string::npos : command.front().rfind('/');
  const auto program = command.front().substr(slash == std::string::npos ? 0 : slash + 1);
  return fits(wanted.front(), program) && follow(wanted, command);
}

}  // namespace

std::string resolved_path(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const auto absolute = path.empty() ? fs::current_path(ignored) : fs::absolute(path, ignored);
  auto resolved = fs::weakly_canonical(absolute, ignored).string();
  while (resolved.size() > 1 && resolved.ends_with('/')) resolved.pop_back();
  return resolved;
}

bool is_within(const std::string& folder, const std::vector<std::string>& roots) {
  return std::ranges::any_of(roots, [&](const std::string& root) {
    const auto resolved = resolved_path(root);
    return resolved == "/" || folder == resolved || folder.starts_with(resolved + "/");
  });
}

std::optional<Denial> find_denial(const Policy& policy, const std::vector<std::string>& words,
                                  const std::string& folder) {
  if (!policy.roots.empty() && !is_within(folder, policy.roots)) {
    return Denial{"roots", "the policy's roots do not hold " + folder};
  }
  if (policy.denied_programs.empty()) return std::nullopt;
  for (const auto& command : commands_in(words)) {
    for (const auto& rule : policy.denied_programs) {
      if (!offends(command, rule)) continue;
      return Denial{"deniedPrograms", "the policy's deniedPrograms hold \"" + rule +
                                          "\", and the command runs " + command.front()};
    }
  }
  return std::nullopt;
}

Outcome denial_outcome(const Denial& denial) {
  return error_outcome("PolicyDenied", denial.message,
                       JsonWriter().text("rule", denial.rule).done(), true);
}

bool passes(const Policy& policy, const std::vector<std::string>& more, std::string_view variable) {
  const auto names = [&](std::string_view name) { return fits(name, variable); };
  return std::ranges::any_of(more, names) || std::ranges::any_of(policy.environment, names);
}

Permission permission_of(std::string_view definition, const Policy& policy) {
  const auto task = parse_object(definition);
  const auto& own = field(task, "permission");
  // babysitter's processes have lists there, which mean nothing to this policy.
  const auto& execution = field(field(task, "execution"), "permissions");
  const auto& asked = own.is_null() && execution.is_string() ? execution : own;
  const OrderedJson said = asked.is_null() ? OrderedJson(policy.permission) : asked;
  if (said == "none") return Permission::kNone;
  if (said == "read") return Permission::kRead;
  const bool is_full = said == "full" || said == OrderedJson("");
  return is_full ? Permission::kFull : Permission::kUnknown;
}

}  // namespace reprise
