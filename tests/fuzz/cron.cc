// Cron expressions: what is taken has a next time that fits it, and each that fits is found; what
// is refused is refused with a place in the text.
#include "engine/cron/cron.h"

#include <array>
#include <cstdint>
#include <string>

#include "journal/error.h"
#include "tests/fuzz/target.h"

namespace reprise::fuzz {

namespace {

constexpr std::array<std::string_view, 20> kWords = {
    "* * * * *", "*/15", "1-5", "MON-FRI", "sun", "JAN", "@daily", "@reboot", "0 0 29 2 *", "7",
    "59",        "23",   "31",  "12",      ",",   "-",   "/",      " ",       "\t",         "30 2"};

/// 2026-01-01T00:00.
constexpr int64_t kBegin = 29'453'760;
constexpr int kTimes = 50;

void check_refusal(std::string_view text, const Error& error) {
  expect(error.exit() == Exit::kUsage && error.code() == "INVALID_CRON", "a refusal is one");
  const auto& details = error.details();
  const auto place = details.find("\"position\":");
  expect(place != std::string::npos, "a refusal tells its place");
  const auto position = std::stoull(details.substr(place + 11));
  expect(position >= 1 && position <= text.size() + 1, "the place lies in the text");
}

void check(std::string_view text, Subject subject) {
  try {
    const auto cron = Cron::parse(text);
    auto last = kBegin;
    for (int i = 0; i < kTimes; ++i) {
      const auto next = cron.next_after(last);
      expect(next > last, "the next time is a later one");
      // From just before it, and from half-way, it is the next one, too.
      const auto skip = subject == Subject::kBroken ? 1 : 0;
      expect(cron.next_after(next - 1 + skip) == next, "nothing is between a time and the next");
      expect(cron.next_after(last + (next - last) / 2) >= next || (next - last) < 2,
             "nothing is between them");
      last = next;
    }
  } catch (const Error& error) {
    check_refusal(text, error);
  }
}

}  // namespace

const Target kTarget{"cron", kWords, check};

}  // namespace reprise::fuzz
