// Fuzzed bytes, taken apart from the front. What is asked for behind the end is 0 or empty, so any
// bytes are an input.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>

namespace reprise::fuzz {

class Input {
 public:
  explicit Input(std::string_view bytes) : x_rest(bytes) {}

  bool at_end() const { return x_rest.empty(); }
  std::string_view rest() const { return x_rest; }

  uint8_t byte() {
    const auto piece = take(1);
    return piece.empty() ? 0 : static_cast<uint8_t>(piece.front());
  }
  std::string_view take(size_t size) {
    const auto piece = x_rest.substr(0, size);
    x_rest.remove_prefix(piece.size());
    return piece;
  }
  /// Up to the mark, which is consumed, too; everything where there is none.
  std::string_view until(std::string_view mark) {
    const auto at = x_rest.find(mark);
    const auto piece = take(at);
    take(mark.size());
    return piece;
  }
  std::string_view line() { return until("\n"); }
  std::string_view word() { return until(" "); }
  /// A word in decimal digits; 0 when it is none.
  uint64_t number() {
    const auto text = word();
    uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  }

 private:
  std::string_view x_rest;
};

}  // namespace reprise::fuzz
