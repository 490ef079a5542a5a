// What work may do: docs/policy.md. A guard against accidents; the wall is the sandbox.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/executors/executor.h"

namespace reprise {

/// Why work is refused.
struct Denial {
  std::string rule;     ///< "roots", "deniedPrograms" or "permission"
  std::string message;  ///< names the rule and what offends it
};

/// nullopt when it may run. `folder` is absolute, its links resolved.
std::optional<Denial> find_denial(const Policy& policy, const std::vector<std::string>& words,
                                  const std::string& folder);
/// The error "PolicyDenied", which is final.
Outcome denial_outcome(const Denial& denial);

/// Does the variable reach the work, by the policy or by `more`, names as the policy has them?
bool passes(const Policy& policy, const std::vector<std::string>& more, std::string_view variable);

enum class Permission { kNone, kRead, kFull, kUnknown };
/// What the task says ("permission", or "execution.permissions"), else what the policy says of
/// those that say nothing, else full. kUnknown: the task says something else, which is no leave.
Permission permission_of(std::string_view definition, const Policy& policy);

/// Absolute, links resolved as far as it exists, without a slash at its end.
std::string resolved_path(const std::string& path);
/// Is the folder, a resolved path, one of these or below one?
bool is_within(const std::string& folder, const std::vector<std::string>& roots);

}  // namespace reprise
