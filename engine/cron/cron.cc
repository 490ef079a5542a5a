// Each field becomes a set of bits. The next minute is found from the largest unit down: a day that
// fits, then an hour of it, then a minute.
#include "engine/cron/cron.h"

#include <array>
#include <bit>
#include <chrono>
#include <string>
#include <vector>

#include "journal/error.h"

namespace reprise {

namespace {

namespace chrono = std::chrono;

constexpr size_t kLongestExpression = 1000;
constexpr size_t kFields = 5;
constexpr int64_t kMinutesOfHour = 60;
constexpr int64_t kMinutesOfDay = 24 * kMinutesOfHour;
constexpr uint64_t kAllHours = (1U << 24U) - 1;

struct FieldSpec {
  std::string_view name;
  unsigned low;
  unsigned high;
  std::string_view words;  ///< names of three letters, one after the other
  unsigned first_word;     ///< what the first of them stands for
};

constexpr std::string_view kMonthNames = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC";
constexpr std::string_view kWeekdays = "SUNMONTUEWEDTHUFRISAT";
constexpr std::array<FieldSpec, kFields> kSpecs = {
    FieldSpec{"minute", 0, 59, {}, 0}, FieldSpec{"hour", 0, 23, {}, 0},
    FieldSpec{"day of month", 1, 31, {}, 0}, FieldSpec{"month", 1, 12, kMonthNames, 1},
    FieldSpec{"day of week", 0, 7, kWeekdays, 0}};

struct Macro {
  std::string_view name;
  std::string_view expression;
};
constexpr std::array kMacros = {Macro{"@hourly", "0 * * * *"},   Macro{"@daily", "0 0 * * *"},
                                Macro{"@midnight", "0 0 * * *"}, Macro{"@weekly", "0 0 * * 0"},
                                Macro{"@monthly", "0 0 1 * *"},  Macro{"@yearly", "0 0 1 1 *"},
                                Macro{"@annually", "0 0 1 1 *"}};

[[noreturn]] void refuse_field(std::string_view field, size_t place, const std::string& message,
                               const std::string& hint = {}) {
  const auto position = std::to_string(place + 1);
  throw Error(Exit::kUsage, "INVALID_CRON",
              "cron expression: " + std::string(field) + ": " + message + " (at character " +
                  position + ")",
              hint.empty() ? "as in \"30 9 * * MON-FRI\": minute, hour, day of month, month, day "
                             "of week"
                           : hint,
              R"({"field":")" + std::string(field) + R"(","position":)" + position + "}");
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
bool is_letter(char c) { return upper(c) >= 'A' && upper(c) <= 'Z'; }

/// One field of the text.
class FieldReader {
 public:
  FieldReader(std::string_view text, size_t begin, size_t end, const FieldSpec& spec)
      : x_text(text), x_place(begin), x_end(end), x_spec(spec) {}

  uint64_t read() {
    uint64_t set = 0;
    do {
      set |= read_part();
    } while (take(','));
    if (x_place < x_end) fail("it should end here");
    return set;
  }

 private:
  uint64_t read_part() {
    const auto begin = x_place;
    unsigned low = x_spec.low;
    unsigned high = x_spec.high;
    bool is_range = take('*');
    if (!is_range) {
      low = high = read_value(false);
      is_range = take('-');
      if (is_range) high = read_value(true);
      if (high < low) {
        x_place = begin;
        fail("a range that goes backwards", "write it as two: 22-23,0-5 instead of 22-5");
      }
    }
    unsigned step = 1;
    if (take('/')) step = read_step(begin, is_range);
    uint64_t set = 0;
    for (unsigned value = low; value <= high; value += step) set |= uint64_t{1} << value;
    return set;
  }

  unsigned read_step(size_t begin, bool is_range) {
    if (!is_range) {
      x_place = begin;
      fail("a step needs a range", "write 5-59/15, or */15");
    }
    const auto place = x_place;
    const auto step = read_number();
    const auto most = x_spec.high - x_spec.low;
    if (step >= 1 && step <= most) return step;
    x_place = place;
    fail("a step is from 1 to " + std::to_string(most));
  }

  unsigned read_value(bool ends_range) {
    const auto place = x_place;
    const bool word = x_place < x_end && is_letter(x_text[x_place]);
    const auto value = word ? read_word(ends_range) : read_number();
    if (value >= x_spec.low && value <= x_spec.high) return value;
    const auto given = std::string(x_text.substr(place, x_place - place));
    x_place = place;
    fail(given + " is not in " + std::to_string(x_spec.low) + "-" + std::to_string(x_spec.high));
  }

  unsigned read_word(bool ends_range) {
    const auto place = x_place;
    std::string word;
    while (x_place < x_end && is_letter(x_text[x_place])) word += upper(x_text[x_place++]);
    const auto found = word.size() == 3 ? x_spec.words.find(word) : std::string_view::npos;
    if (found == std::string_view::npos || found % 3 != 0) {
      x_place = place;
      fail("it has no such name", x_spec.words.empty() ? "" : "names are the first three letters");
    }
    const auto value = x_spec.first_word + static_cast<unsigned>(found / 3);
    const bool sunday = x_spec.high == 7 && value == 0;
    return sunday && ends_range ? 7 : value;
  }

  unsigned read_number() {
    if (x_place >= x_end) fail("something is missing");
    if (!is_digit(x_text[x_place])) fail("a number was expected");
    unsigned value = 0;
    while (x_place < x_end && is_digit(x_text[x_place])) {
      value = value * 10 + static_cast<unsigned>(x_text[x_place++] - '0');
      if (value > 1000) fail("a number that large is none here");
    }
    return value;
  }

  bool take(char c) {
    if (x_place >= x_end || x_text[x_place] != c) return false;
    ++x_place;
    return true;
  }

  [[noreturn]] void fail(const std::string& message, const std::string& hint = {}) const {
    refuse_field(x_spec.name, x_place, message, hint);
  }

  std::string_view x_text;
  size_t x_place;
  size_t x_end;
  const FieldSpec& x_spec;
};

struct Word {
  size_t begin = 0;
  size_t end = 0;
};

std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> words;
  size_t place = 0;
  while ((place = text.find_first_not_of(" \t", place)) != std::string_view::npos) {
    const auto end = std::min(text.find_first_of(" \t", place), text.size());
    words.push_back({place, end});
    place = end;
  }
  return words;
}

std::string_view spelled_out(std::string_view text) {
  const auto words = words_of(text);
  if (words.empty() || text[words[0].begin] != '@') return text;
  std::string name;
  for (const char c : text.substr(words[0].begin, words[0].end - words[0].begin)) {
    name += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  for (const auto& macro : kMacros) {
    if (words.size() == 1 && macro.name == name) return macro.expression;
  }
  refuse_field("nickname", words[0].begin, "there is none of that name",
               "@hourly, @daily, @weekly, @monthly or @yearly");
}

chrono::year_month_day date_of(int64_t day) {
  return chrono::sys_days(chrono::days(static_cast<int>(day)));
}

int64_t day_of(const chrono::year_month_day& date) {
  return chrono::sys_days(date).time_since_epoch().count();
}

bool has(uint64_t set, unsigned value) { return (set >> value & 1U) != 0; }

/// The smallest member from `value` on.
std::optional<unsigned> from(uint64_t set, unsigned value) {
  const auto rest = value > 63 ? 0 : set >> value << value;
  if (rest == 0) return std::nullopt;
  return static_cast<unsigned>(std::countr_zero(rest));
}

}  // namespace

Cron Cron::parse(std::string_view given) {
  if (given.size() > kLongestExpression) {
    refuse_field("minute", kLongestExpression, "an expression has at most 1000 characters");
  }
  const auto text = spelled_out(given);
  const auto words = words_of(text);
  std::array<uint64_t, kFields> sets{};
  for (size_t i = 0; i < words.size() && i < kFields; ++i) {
    sets[i] = FieldReader(text, words[i].begin, words[i].end, kSpecs[i]).read();
  }
  if (words.size() < kFields) {
    refuse_field(kSpecs[words.size()].name, text.size(),
                 "it is missing: there are " + std::to_string(words.size()) + " fields of 5");
  }
  if (words.size() > kFields) {
    refuse_field("day of week", words[kFields].begin, "it is the last field, and more follows",
                 "five fields; the command that is to run is given besides");
  }
  Cron cron;
  cron.x_minutes = sets[0];
  cron.x_hours = sets[1];
  cron.x_days = sets[2];
  cron.x_months = sets[3];
  cron.x_weekdays = (sets[4] | sets[4] >> 7U) & 0x7FU;
  cron.x_any_day = text[words[2].begin] == '*';
  cron.x_any_weekday = text[words[4].begin] == '*';
  if (!cron.can_fit()) {
    refuse_field("day of month", words[2].begin, "none of the months has such a day");
  }
  return cron;
}

bool Cron::can_fit() const { return next_day(0).has_value(); }

bool Cron::names_no_hour() const { return x_hours == kAllHours; }

bool Cron::fits_day(int64_t day) const {
  const auto date = date_of(day);
  const bool by_date = has(x_days, static_cast<unsigned>(date.day()));
  const bool by_weekday = has(x_weekdays, chrono::weekday(chrono::sys_days(date)).c_encoding());
  return x_any_day || x_any_weekday ? by_date && by_weekday : by_date || by_weekday;
}

std::optional<int64_t> Cron::next_day(int64_t day) const {
  const auto last = date_of(day).year() + chrono::years(400);
  for (auto date = date_of(day); date.year() <= last;) {
    if (!has(x_months, static_cast<unsigned>(date.month()))) {
      date = (date.year() / date.month() + chrono::months(1)) / chrono::day(1);
      continue;
    }
    if (fits_day(day_of(date))) return day_of(date);
    date = chrono::sys_days(date) + chrono::days(1);
  }
  return std::nullopt;
}

int64_t Cron::next_after(int64_t minute) const {
  ++minute;
  int64_t day = minute / kMinutesOfDay - (minute % kMinutesOfDay < 0 ? 1 : 0);
  const auto of_day = static_cast<unsigned>(minute - day * kMinutesOfDay);
  if (fits_day(day) && has(x_months, static_cast<unsigned>(date_of(day).month()))) {
    const auto hour = of_day / 60;
    const auto later = has(x_hours, hour) ? from(x_minutes, of_day % 60) : std::nullopt;
    if (later) return day * kMinutesOfDay + kMinutesOfHour * hour + *later;
    const auto next_hour = from(x_hours, hour + 1);
    if (next_hour) return day * kMinutesOfDay + kMinutesOfHour * *next_hour + *from(x_minutes, 0);
  }
  day = next_day(day + 1).value();
  return day * kMinutesOfDay + kMinutesOfHour * *from(x_hours, 0) + *from(x_minutes, 0);
}

}  // namespace reprise
