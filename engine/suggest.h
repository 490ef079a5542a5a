// "Did you mean": the nearest of the known words.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace reprise {

/// The known word nearest to `word` when it is near enough to be a slip of the fingers, else empty.
std::string_view nearest(std::string_view word, std::span<const std::string_view> known);

/// "did you mean run:create?" or empty.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

}  // namespace reprise
