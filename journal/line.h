// What records and segment headers have in common: a line that ends with its sum, read from left to
// right.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "journal/hash.h"
#include "journal/ids.h"

namespace reprise {

constexpr std::string_view kSumPrefix = ",\"sum\":\"";
/// `,"sum":"0123456789abcdef"}`: the end of every line, and of nothing else (its place is fixed, it
/// is never searched).
constexpr size_t kSumSize = kSumPrefix.size() + 16 + 2;

/// A place in the journal is recognised by the end of the line before it: its sum and the newline.
constexpr size_t kAnchorSize = kSumSize + 1;

/// The end of a line with this sum.
inline std::string format_sum(uint64_t sum) {
  return std::string(kSumPrefix) + format_hex64(sum) + "\"}";
}

/// Adds the sum and the closing brace; returns the sum.
inline uint64_t seal_line(std::string& line, uint64_t previous_sum) {
  const uint64_t sum = hash64(line, previous_sum);
  line += format_sum(sum);
  return sum;
}

/// Splits a line (without its newline) into what is summed and the sum. False when it does not end
/// with a sum.
inline bool split_line(std::string_view line, std::string_view* body, uint64_t* sum) {
  if (line.size() < kSumSize) return false;
  const std::string_view end = line.substr(line.size() - kSumSize);
  if (!end.starts_with(kSumPrefix) || !end.ends_with("\"}")) return false;
  const std::optional<uint64_t> value = parse_hex64(end.substr(kSumPrefix.size(), 16));
  if (!value) return false;
  *body = line.substr(0, line.size() - kSumSize);
  *sum = *value;
  return true;
}

/// Reads the fixed layout. A method that returns false has consumed nothing.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : x_rest(text) {}

  bool skip(std::string_view text) {
    if (!x_rest.starts_with(text)) return false;
    x_rest.remove_prefix(text.size());
    return true;
  }

  /// As it is written: with no zeros in front.
  bool number(uint64_t* value) {
    if (x_rest.size() > 1 && x_rest[0] == '0' && x_rest[1] >= '0' && x_rest[1] <= '9') return false;
    const char* end = x_rest.data() + x_rest.size();
    const auto [stop, error] = std::from_chars(x_rest.data(), end, *value);
    if (error != std::errc()) return false;
    x_rest.remove_prefix(static_cast<size_t>(stop - x_rest.data()));
    return true;
  }

  bool take(size_t size, std::string_view* text) {
    if (x_rest.size() < size) return false;
    *text = x_rest.substr(0, size);
    x_rest.remove_prefix(size);
    return true;
  }

  /// Up to `end`, which is consumed, too.
  bool until(char end, std::string_view* text) {
    const size_t size = x_rest.find(end);
    if (size == std::string_view::npos) return false;
    *text = x_rest.substr(0, size);
    x_rest.remove_prefix(size + 1);
    return true;
  }

  std::string_view rest() const { return x_rest; }

 private:
  std::string_view x_rest;
};

}  // namespace reprise
