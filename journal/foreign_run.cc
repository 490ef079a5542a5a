#include "journal/foreign_run.h"

#include <algorithm>
#include <optional>
#include <string>

#include "journal/ids.h"
#include "journal/json_reader.h"
#include "journal/segment.h"

namespace reprise {

namespace {

/// run.json of babysitter's is a few hundred bytes.
constexpr uint64_t kLargestRunFile = uint64_t{1} << 20U;

/// "000001.01JD3Y8Z6Q0000000000000000.json"
bool is_foreign_record(std::string_view name) {
  constexpr size_t kNumber = 6;
  constexpr size_t kUlid = 26;
  constexpr std::string_view kEnding = ".json";
  if (name.size() != kNumber + 1 + kUlid + kEnding.size() || !name.ends_with(kEnding)) return false;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_ulid = [&](char c) { return is_digit(c) || (c >= 'A' && c <= 'Z'); };
  return std::ranges::all_of(name.substr(0, kNumber), is_digit) && name[kNumber] == '.' &&
         std::ranges::all_of(name.substr(kNumber + 1, kUlid), is_ulid);
}

bool is_foreign_run_file(Dir& folder) {
  try {
    const auto file = folder.open("run.json", Access::kRead);
    const auto size = file ? file->stat().size : 0;
    if (size == 0 || size > kLargestRunFile) return false;
    std::string text(size, '\0');
    text.resize(file->read_at(0, text.data(), size));
    JsonReader reader;
    const auto& run = reader.members_of_copy(text);
    return run.has("layoutVersion") && !run.has("schemaVersion");
  } catch (const Error&) {
    return false;  // damaged, or planted: nobody can tell whose it is
  }
}

}  // namespace

bool is_foreign_run(Dir& folder) {
  if (folder.stat(segment_path(1))) return false;
  if (!list_segments(folder).empty()) return false;
  const auto names = folder.list("journal");
  return std::ranges::any_of(names, is_foreign_record) || is_foreign_run_file(folder);
}

Error foreign_run_error(const Dir& folder) {
  return {Exit::kNotFound, std::string(kForeignRun),
          "a run of babysitter's, which reprise neither reads nor changes: " + folder.path(),
          "babysitter finishes it: babysitter run:iterate " + folder.path() +
              "; reprise run:create makes a new run, of the same process"};
}

void refuse_foreign_run(Dir& folder) {
  if (is_foreign_run(folder)) throw foreign_run_error(folder);
}

}  // namespace reprise
