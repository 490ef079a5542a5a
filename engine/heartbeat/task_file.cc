#include "engine/heartbeat/task_file.h"

#include <algorithm>

#include "engine/home/home_file.h"
#include "journal/blobs.h"
#include "journal/error.h"
#include "journal/value.h"

namespace reprise {

namespace {

constexpr const char* kName = "HEARTBEAT.md";
constexpr std::string_view kLineBlanks = " \t\r";

std::string_view without_blanks(std::string_view text) {
  const auto begin = text.find_first_not_of(kLineBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kLineBlanks) - begin + 1);
}

/// The text without <!-- comments -->, but for their line breaks; one that does not end goes on to
/// the end of the file.
std::string without_comment_texts(std::string_view text) {
  std::string out;
  while (true) {
    const auto begin = text.find("<!--");
    out += text.substr(0, begin);
    if (begin == std::string_view::npos) return out;
    const auto end = text.find("-->", begin);
    if (end == std::string_view::npos) return out;
    const auto comment = text.substr(begin, end - begin);
    out.append(static_cast<size_t>(std::ranges::count(comment, '\n')), '\n');
    text.remove_prefix(end + 3);
  }
}

bool is_rule(std::string_view line) {
  return line.size() >= 3 && line.find_first_not_of("-*_=") == std::string_view::npos;
}

/// Without "- ", "* ", "+ " or "12. ".
std::string_view without_mark(std::string_view line) {
  const auto digits = line.find_first_not_of("0123456789");
  const bool numbered = digits != std::string_view::npos && digits > 0 &&
                        (line[digits] == '.' || line[digits] == ')') && digits + 1 < line.size() &&
                        line[digits + 1] == ' ';
  if (numbered) return without_blanks(line.substr(digits + 2));
  const bool listed = line.size() > 1 && (line[0] == '-' || line[0] == '*' || line[0] == '+') &&
                      (line[1] == ' ' || line[1] == '\t');
  return listed ? without_blanks(line.substr(2)) : line;
}

/// Empty: the line is no task.
std::string_view title_in(std::string_view line) {
  line = without_blanks(line);
  if (line.empty() || line.front() == '#' || is_rule(line)) return {};
  line = without_mark(line);
  if (line.starts_with("[x]") || line.starts_with("[X]")) return {};
  if (line.starts_with("[ ]")) line = without_blanks(line.substr(3));
  return line;
}

void add_title(TaskFile& file, std::string_view title, size_t line) {
  const auto where = std::string(kName) + " line " + std::to_string(line);
  if (title.empty() || std::ranges::find(file.titles, title) != file.titles.end()) return;
  if (title.size() > kMostFileTitleBytes) {
    file.notices.push_back(where + " has more than " + std::to_string(kMostFileTitleBytes) +
                           " bytes: it is no task");
  } else if (std::ranges::any_of(title, [](char c) { return c >= 0 && c < ' '; })) {
    file.notices.push_back(where + " holds control characters: it is no task");
  } else if (file.titles.size() == kMostFileTasks) {
    file.notices.push_back(where + ": only the first " + std::to_string(kMostFileTasks) +
                           " tasks are taken");
  } else {
    file.titles.emplace_back(title);
  }
}

bool is_utf8(const std::string& text) {
  try {
    parse_value(quote(text), kName);
  } catch (const Error&) {
    return false;
  }
  return true;
}

}  // namespace

TaskFile parse_task_file(std::string_view text) {
  TaskFile file;
  if (text.size() > kLargestTaskFile) {
    file.notices.push_back(std::string(kName) + " has more than " +
                           std::to_string(kLargestTaskFile / 1024) + " KiB: it is not read");
    return file;
  }
  if (!is_utf8(std::string(text))) {
    file.notices.push_back(std::string(kName) + " is no valid UTF-8: it is not read");
    return file;
  }
  const auto plain = without_comment_texts(text);
  std::string_view rest = plain;
  for (size_t line = 1; !rest.empty(); ++line) {
    const auto end = std::min(rest.find('\n'), rest.size());
    if (file.notices.size() < 10) add_title(file, title_in(rest.substr(0, end)), line);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  file.digest = digest128(text);
  return file;
}

TaskFile read_task_file(const std::string& home) {
  try {
    return parse_task_file(read_home_file(home + "/" + kName).value_or(""));
  } catch (const Error& error) {
    TaskFile file;
    file.notices.push_back(std::string(kName) + " is not read: " + error.message());
    return file;
  }
}

}  // namespace reprise
