#include "journal/ids.h"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>

#include "journal/error.h"

namespace reprise {

namespace {

constexpr char kCrockford[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr char kHexDigits[] = "0123456789abcdef";

/// Every record's sum is read as digits, so they are looked up without a branch.
constexpr uint8_t kNoHexDigit = 0x80;
constexpr std::array<uint8_t, 256> kHexValues = [] {
  std::array<uint8_t, 256> values{};
  values.fill(kNoHexDigit);
  for (size_t i = 0; i < 16; i++) {
    values[static_cast<unsigned char>(kHexDigits[i])] = static_cast<uint8_t>(i);
  }
  return values;
}();
constexpr size_t kMaxRunIdSize = 128;
constexpr size_t kMaxEffectDigits = 18;

bool alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/// Writes the lowest `5 * count` bits, most significant first.
void put_base32(char* out, uint64_t bits, int count) {
  for (int i = count - 1; i >= 0; i--, bits >>= 5) out[i] = kCrockford[bits & 31];
}

}  // namespace

uint64_t SystemRandom::next() {
  uint64_t value = 0;
  ssize_t got = 0;
  do {
    got = getrandom(&value, sizeof value, 0);
  } while (got < 0 && errno == EINTR);
  if (got != sizeof value) throw system_error("read", "random bits", errno);
  return value;
}

std::string make_ulid(int64_t now_ms, Random& random) {
  const uint64_t high = random.next() & ((uint64_t{1} << 40) - 1);
  const uint64_t low = random.next() & ((uint64_t{1} << 40) - 1);
  std::string ulid(26, '0');
  put_base32(ulid.data(), static_cast<uint64_t>(now_ms) & ((uint64_t{1} << 48) - 1), 10);
  put_base32(ulid.data() + 10, high, 8);
  put_base32(ulid.data() + 18, low, 8);
  return ulid;
}

bool valid_run_id(std::string_view text) {
  if (text.empty() || text.size() > kMaxRunIdSize || !alphanumeric(text[0])) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return alphanumeric(c) || c == '.' || c == '_' || c == '-'; });
}

std::optional<uint64_t> parse_effect_id(std::string_view text) {
  if (text.size() < 2 || text.size() > kMaxEffectDigits + 1 || text[0] != 't') return std::nullopt;
  text.remove_prefix(1);
  if (text[0] == '0') return std::nullopt;
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string format_effect_id(uint64_t number) { return "t" + std::to_string(number); }

std::string format_hex64(uint64_t value) {
  std::string text(16, '0');
  for (size_t i = 16; i-- > 0; value >>= 4) text[i] = kHexDigits[value & 0xf];
  return text;
}

std::optional<uint64_t> parse_hex64(std::string_view text) {
  if (text.size() != 16) return std::nullopt;
  uint64_t value = 0;
  uint8_t wrong = 0;
  for (const char c : text) {
    const uint8_t digit = kHexValues[static_cast<unsigned char>(c)];
    wrong |= digit & kNoHexDigit;
    value = value << 4 | (digit & 0xf);
  }
  return wrong == 0 ? std::optional<uint64_t>(value) : std::nullopt;
}

}  // namespace reprise
