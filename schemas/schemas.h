// The JSON Schemas of everything that a user reads or writes, compiled in. The files lie beside
// this one.
#pragma once

#include <span>
#include <string_view>

namespace reprise {

struct Schema {
  std::string_view name;  ///< "run", "EFFECT_RESOLVED", "run:iterate"
  std::string_view json;
};

std::span<const Schema> all_schemas();
/// Empty when there is none of that name.
std::string_view find_schema(std::string_view name);

}  // namespace reprise
