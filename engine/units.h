// Durations and sizes as people write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace reprise {

/// "500ms", "30s", "2m", "1h" in milliseconds; nullopt for anything else.
std::optional<int64_t> parse_duration(std::string_view text);

/// "4096", "64KiB", "256MiB", "2GiB" in bytes; nullopt for anything else.
std::optional<uint64_t> parse_size(std::string_view text);

}  // namespace reprise
