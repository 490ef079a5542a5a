#include "engine/identity.h"

#include "journal/hash.h"
#include "journal/ids.h"

namespace reprise {

std::string derived_identity(std::string_view run_id, std::string_view seed) {
  std::string text = "reprise.identity:";
  return digest128(text.append(run_id).append(1, ':').append(seed));
}

std::string with_identity(std::string name, std::string_view identity) {
  if (identity.empty()) return name;
  return name.append(1, '/').append(identity);
}

std::string idempotency_key(const RunState& run, uint64_t effect) {
  return with_identity(run.run_id + "/" + format_effect_id(effect), run.identity);
}

bool is_child_of(const RunState& run, const RunState& parent, uint64_t effect) {
  return run.parent == parent.run_id && run.parent_effect == effect &&
         run.parent_identity == parent.identity;
}

}  // namespace reprise
