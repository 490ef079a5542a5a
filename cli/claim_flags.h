// What task:claim and task:exec say of a claim: --lease, --worker, --pid, --wait-for.
#pragma once

#include <cstdint>
#include <optional>

#include "cli/arguments.h"
#include "engine/claim.h"

namespace reprise {

/// Without the effect. Defaults: a lease of ten minutes, the worker USER@HOST, no waiting.
ClaimRequest claim_flags(const Arguments& arguments, const Context& context);

/// --lease: more than nothing. nullopt when it is not given.
std::optional<int64_t> lease_flag(const Arguments& arguments);

}  // namespace reprise
