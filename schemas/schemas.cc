#include "schemas/schemas.h"

#include <algorithm>

namespace reprise {

std::string_view find_schema(std::string_view name) {
  const auto found = std::ranges::find(all_schemas(), name, &Schema::name);
  return found == all_schemas().end() ? std::string_view() : found->json;
}

}  // namespace reprise
