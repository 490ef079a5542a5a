// Embeddings: vectors that lie near each other when texts mean the same. They are told as lists of
// numbers (the event memory.embedded) and kept packed, by direction alone. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

constexpr size_t kLongestVector = 8192;

/// Two hexadecimal digits a dimension. nullopt for what is no direction: no numbers, too many of
/// them, all 0, or one that is not finite.
std::optional<std::string> pack_vector(const std::vector<double>& vector);

/// From 0 (nothing in common) to 1 (the same direction); 0 for vectors of different lengths.
double likeness(std::string_view packed, std::string_view other);

}  // namespace reprise
