#include "tests/fuzz/sealed.h"

#include "journal/line.h"
#include "tests/fuzz/input.h"

namespace reprise::fuzz {

namespace {

constexpr std::string_view kHeader = "{\"format\"";

/// The 16 digits and the quote that a header's body ends with.
constexpr size_t kPreviousSize = 17;

}  // namespace

std::string sealed_line(std::string_view line, uint64_t previous, uint64_t* sum) {
  std::string text(line.size() < kSumSize ? line : line.substr(0, line.size() - kSumSize));
  if (text.starts_with(kHeader) && text.size() > kPreviousSize) {
    const auto told = std::string_view(text).substr(text.size() - kPreviousSize, 16);
    previous = parse_hex64(told).value_or(previous);
  }
  *sum = seal_line(text, previous);
  return text;
}

std::string sealed_lines(std::string_view lines) {
  std::string text;
  uint64_t previous = 0;
  for (Input input(lines); !input.at_end();) {
    const auto rest = input.rest();
    const auto line = input.line();
    text += sealed_line(line, previous, &previous);
    if (line.size() < rest.size()) text += '\n';
  }
  return text;
}

}  // namespace reprise::fuzz
