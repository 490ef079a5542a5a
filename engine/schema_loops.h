// Schemas that could be followed for ever: valijson follows them until the stack is used up.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace reprise {

/// Where a schema refers to something outside it, or leads back to itself without having looked at
/// any part of the value: the JSON pointer and what is wrong.
struct BadReference {
  std::string pointer;
  std::string why;
};
std::optional<BadReference> find_bad_reference(const nlohmann::json& schema);

}  // namespace reprise
