#include "engine/executors/backoff.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "journal/clock.h"
#include "journal/hash.h"

namespace reprise {

namespace {

/// Longer ones are not waited for anyway; bounded, so that sums do not overflow.
constexpr int64_t kLongestSeconds = int64_t{366} * 24 * 3600;

/// "Sun, 06 Nov 1994 08:49:37 GMT" as "1994-11-06T08:49:37Z". The two obsolete forms of RFC 9110
/// are not read.
std::optional<std::string> iso_of_http_date(std::string_view text) {
  constexpr std::string_view kForm = "Www, DD Mmm YYYY hh:mm:ss GMT";
  constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  if (text.size() != kForm.size() || !text.ends_with(" GMT")) return std::nullopt;
  const auto* month = std::ranges::find(kMonths, text.substr(8, 3));
  if (month == kMonths.end()) return std::nullopt;
  const auto number = month - kMonths.begin() + 1;
  const auto part = [&](size_t at, size_t size) { return std::string(text.substr(at, size)); };
  return part(12, 4) + (number < 10 ? "-0" : "-") + std::to_string(number) + "-" + part(5, 2) +
         "T" + part(17, 8) + "Z";
}

}  // namespace

int64_t backoff_ms(const Backoff& backoff, uint32_t done, std::string_view seed) {
  int64_t pause = std::min(backoff.first_ms, backoff.longest_ms);
  for (uint32_t i = 1; i < done && pause < backoff.longest_ms; ++i) {
    pause = pause > backoff.longest_ms / 2 ? backoff.longest_ms : pause * 2;
  }
  const auto chance = static_cast<double>(hash64(seed, done) % 1000) / 1000;
  const int64_t quarter = pause / 4;
  return pause - static_cast<int64_t>(static_cast<double>(quarter) * chance);
}

std::optional<int64_t> parse_retry_after(std::string_view text, int64_t now_ms) {
  int64_t seconds = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (fault == std::errc::result_out_of_range) return kLongestSeconds * 1000;
  if (fault == std::errc() && end == text.data() + text.size()) {
    if (seconds < 0) return std::nullopt;
    return std::min(seconds, kLongestSeconds) * 1000;
  }
  const auto iso = iso_of_http_date(text);
  const auto date = iso ? parse_time(*iso) : std::nullopt;
  if (!date) return std::nullopt;
  return std::clamp<int64_t>(*date - now_ms, 0, kLongestSeconds * 1000);
}

}  // namespace reprise
