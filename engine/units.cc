// A whole number of at most 32 bits and a unit: no product of the two overflows.
#include "engine/units.h"

#include <charconv>
#include <span>
#include <utility>

namespace reprise {

namespace {

using Unit = std::pair<std::string_view, uint64_t>;

constexpr Unit kDurations[] = {{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}};
constexpr Unit kSizes[] = {
    {"", 1}, {"KiB", 1ULL << 10U}, {"MiB", 1ULL << 20U}, {"GiB", 1ULL << 30U}};

std::optional<uint64_t> parse_with_unit(std::string_view text, std::span<const Unit> units) {
  uint32_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc()) return std::nullopt;
  const std::string_view rest(stop, static_cast<size_t>(end - stop));
  for (const auto& [unit, factor] : units) {
    if (rest == unit) return number * factor;
  }
  return std::nullopt;
}

}  // namespace

std::optional<int64_t> parse_duration(std::string_view text) {
  const auto ms = parse_with_unit(text, kDurations);
  if (!ms) return std::nullopt;
  return static_cast<int64_t>(*ms);
}

std::optional<uint64_t> parse_size(std::string_view text) { return parse_with_unit(text, kSizes); }

}  // namespace reprise
