// For reference_test.py: reads lines "EXPRESSION<TAB>ZONE<TAB>SECONDS<TAB>COUNT", and prints for
// each the next occurrences in seconds since 1970, or the code of the refusal.
#include <iostream>
#include <sstream>
#include <string>

#include "engine/cron/timing.h"
#include "journal/error.h"

namespace {

std::string answer(const std::string& line) {
  std::istringstream fields(line);
  std::string expression;
  std::string zone;
  std::string from;
  std::string count;
  std::getline(fields, expression, '\t');
  std::getline(fields, zone, '\t');
  std::getline(fields, from, '\t');
  std::getline(fields, count, '\t');
  std::string out;
  try {
    const auto timing = reprise::Timing::by_cron(expression, zone);
    int64_t at_ms = std::stoll(from) * 1000;
    for (int left = std::stoi(count); left > 0; --left) {
      at_ms = timing.next_after(at_ms).value();
      out += (out.empty() ? "" : " ") + std::to_string(at_ms / 1000);
    }
  } catch (const reprise::Error& error) {
    return error.code();
  }
  return out;
}

}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) std::cout << answer(line) << '\n';
}
