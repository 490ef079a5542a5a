#include "journal/scalar.h"

#include <charconv>
#include <cstdint>
#include <system_error>

namespace reprise {

namespace {

constexpr TokenFault kNoNumber{"this is no number", true};
constexpr TokenFault kBeyondDouble{"the number is beyond what a double holds"};
constexpr TokenFault kInexact{
    "a double does not hold this integer exactly; write it as a string, or with a decimal point if "
    "the nearest double will do"};

bool digit(char c) { return c >= '0' && c <= '9'; }

/// JSON's grammar of numbers. `integer` says whether there is neither a fraction nor an exponent.
bool number_shape(std::string_view literal, bool* integer) {
  size_t at = 0;
  const auto peek = [&] { return at < literal.size() ? literal[at] : '\0'; };
  const auto digits = [&] {
    const size_t begin = at;
    while (digit(peek())) at++;
    return at > begin;
  };
  if (peek() == '-') at++;
  if (peek() == '0') {
    at++;
  } else if (!digits()) {
    return false;
  }
  *integer = true;
  if (peek() == '.') {
    *integer = false;
    at++;
    if (!digits()) return false;
  }
  if (peek() == 'e' || peek() == 'E') {
    *integer = false;
    at++;
    if (peek() == '+' || peek() == '-') at++;
    if (!digits()) return false;
  }
  return at == literal.size();
}

/// A double that is an integer has finitely many digits; they must be the ones that were written.
bool exact(std::string_view literal, double value) {
  char digits[400];  // the largest double has 309
  const auto [end, error] =
      std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed, 0);
  return error == std::errc() &&
         std::string_view(digits, static_cast<size_t>(end - digits)) == literal;
}

bool all_zero(std::string_view literal) {
  for (const char c : literal) {
    if (c == 'e' || c == 'E') break;
    if (c >= '1' && c <= '9') return false;
  }
  return true;
}

}  // namespace

TokenFault append_canonical_number(std::string& out, std::string_view literal) {
  bool integer = false;
  if (!number_shape(literal, &integer)) return kNoNumber;
  double value = 0;
  const char* const literal_end = literal.data() + literal.size();
  const auto [end, error] = std::from_chars(literal.data(), literal_end, value);
  if (error != std::errc() || end != literal_end) return kBeyondDouble;
  if (value == 0 && !all_zero(literal)) return kBeyondDouble;  // too small for one
  if (integer && !exact(literal, value)) return kInexact;

  char shortest[32];
  const auto [stop, failed] = std::to_chars(shortest, shortest + sizeof shortest, value);
  if (failed != std::errc()) return kBeyondDouble;
  out.append(shortest, static_cast<size_t>(stop - shortest));
  return {};
}

}  // namespace reprise
