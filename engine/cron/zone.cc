// A name is looked for by cctz only when it is a name of the tz database: cctz also takes paths and
// words of its own.
#include "engine/cron/zone.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "engine/cron/zone_module.h"
#include "engine/suggest.h"
#include "journal/error.h"

namespace reprise {

namespace {

namespace fs = std::filesystem;

constexpr size_t kLongestZoneName = 64;
constexpr size_t kMostFiles = 10'000;

bool is_name(const std::string& name) {
  const auto fits = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '+' || c == '-' || c == '/';
  };
  return !name.empty() && name.size() <= kLongestZoneName && name.front() != '/' &&
         std::ranges::all_of(name, fits);
}

std::string database_folder() {
  const char* named = std::getenv("TZDIR");
  return named != nullptr && *named != '\0' ? named : "/usr/share/zoneinfo";
}

/// All names that the system knows: for a suggestion only.
std::vector<std::string> all_names(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  auto entry = fs::recursive_directory_iterator(
      folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && entry != fs::end(entry) && names.size() < kMostFiles; entry.increment(error)) {
    const auto name = entry->path().lexically_relative(folder).string();
    if (name == "posix" || name == "right") entry.disable_recursion_pending();
    if (entry->is_regular_file(error) && is_name(name)) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

/// "berlin" and "Europa/Berlin" are Europe/Berlin.
std::string meant_zone(const std::string& name, const std::vector<std::string>& known) {
  const auto city = lower(name.substr(name.rfind('/') + 1));
  for (const auto& candidate : known) {
    if (lower(candidate) == lower(name)) return candidate;
  }
  for (const auto& candidate : known) {
    if (lower(candidate.substr(candidate.rfind('/') + 1)) == city) return candidate;
  }
  const std::vector<std::string_view> views(known.begin(), known.end());
  return std::string(nearest(name, views));
}

[[noreturn]] void refuse_zone(const std::string& name) {
  const auto folder = database_folder();
  const auto known = all_names(folder);
  const bool printable = is_name(name);
  const auto guess = printable ? meant_zone(name, known) : std::string();
  auto hint = "as in UTC or Europe/Berlin: the files below " + folder + " are their names";
  if (!guess.empty()) hint = "did you mean " + guess + "?";
  if (known.empty()) hint = "there is no tz database in " + folder + ": install the package tzdata";
  throw Error(Exit::kUsage, "UNKNOWN_ZONE",
              printable ? "there is no time zone " + name : "that is no name of a time zone", hint);
}

}  // namespace

ModuleQuery zone_module() {
  return {.file = "libreprise_zones.so",
          .symbol = "reprise_zones_module",
          .abi = REPRISE_ZONES_ABI,
          .what = "time zones",
          .error = "ZONE_MODULE_MISSING",
          .path = {}};
}

ZoneSpans find_zone(const std::string& name) {
  if (name == "UTC") return [](int64_t) { return ZoneSpan{kNeverBefore, kNeverAfter, 0}; };
  if (!is_name(name)) refuse_zone(name);
  const auto* table = reinterpret_cast<const reprise_zone_table*>(open_module(zone_module()));
  const std::shared_ptr<reprise_zone> zone(table->open(name.c_str()), [table](reprise_zone* it) {
    if (it != nullptr) table->close(it);
  });
  if (!zone) refuse_zone(name);
  return [table, zone](int64_t utc_s) {
    const auto span = table->span(zone.get(), utc_s, kNeverAfter);
    return ZoneSpan{span.from_s, span.until_s, span.offset_s};
  };
}

}  // namespace reprise
