#include "cli/user_values.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "cli/arguments.h"
#include "engine/units.h"
#include "journal/clock.h"
#include "journal/error.h"
#include "journal/json_reader.h"

namespace reprise {
namespace {

// What looks like JSON but cannot be kept exactly is refused by parse_value, not taken as a string.
Value pair_value(const std::string& text, const std::string& what) {
  if (nlohmann::json::accept(text)) return parse_value(text, what);
  return parse_value(quote(text), what);
}

/// {a:1} and {"a":1, but not "[draft] say hello".
bool looks_like_json(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return false;
  text = text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
  const bool is_object = text.starts_with('{');
  if (!is_object && !text.starts_with('[')) return false;
  return text.ends_with(is_object ? '}' : ']') || text.substr(1).starts_with('"');
}

std::string raw_name(std::string_view name) { return "\"" + std::string(name) + "\""; }

}  // namespace

int64_t parse_duration_ms(std::string_view text, std::string_view flag) {
  if (const auto ms = parse_duration(text)) return *ms;
  throw invalid_argument(std::string(flag) + " is a duration, not \"" + std::string(text) + "\"",
                         "as 500ms, 30s, 2m or 1h");
}

int64_t parse_time_flag(std::string_view text, std::string_view flag) {
  if (const auto time = parse_time(text)) return *time;
  throw invalid_argument(std::string(flag) + " is a time, not \"" + std::string(text) + "\"",
                         "as 2026-11-21T20:15:02.114Z");
}

std::map<std::string, std::string> parse_pairs(const std::vector<std::string>& words,
                                               std::string_view flag) {
  std::map<std::string, std::string> pairs;
  for (const std::string& word : words) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw invalid_argument(std::string(flag) + " is K=V, not \"" + word + "\"");
    }
    if (!pairs.emplace(word.substr(0, equals), word.substr(equals + 1)).second) {
      throw invalid_argument(std::string(flag) + " " + word.substr(0, equals) + " is given twice");
    }
  }
  return pairs;
}

Value make_inputs(std::string_view document, const std::vector<std::string>& pairs) {
  Value base = parse_value(document.empty() ? "{}" : document, "--inputs");
  if (pairs.empty()) return base;
  if (base.text.front() != '{') {
    throw invalid_argument("--input sets members, but --inputs is no object",
                           "use only one of the two");
  }
  auto members = parse_pairs(pairs, "--input");
  std::string text = "{";
  const auto add = [&text](std::string_view name, std::string_view value) {
    if (text.size() > 1) text += ',';
    text.append(name).append(1, ':').append(value);
  };
  JsonReader reader;
  for (const auto& member : reader.members_of_copy(base.text)) {
    if (!members.contains(unquote(raw_name(member.name)))) add(raw_name(member.name), member.raw);
  }
  for (const auto& [name, value] : members) {
    const Value checked_name = parse_value(quote(name), "--input " + name);
    add(checked_name.text, pair_value(value, "--input " + name).text);
  }
  return parse_value(text + "}", "--input");
}

std::vector<std::string> pair_warnings(const std::vector<std::string>& pairs) {
  std::vector<std::string> warnings;
  for (const auto& pair : pairs) {
    const auto equals = pair.find('=');
    const auto value = std::string_view(pair).substr(equals == std::string::npos ? 0 : equals + 1);
    if (!looks_like_json(value) || nlohmann::json::accept(value)) continue;
    warnings.push_back("input " + pair.substr(0, equals) +
                       " is taken as a string: it looks like JSON, but is none");
  }
  return warnings;
}

}  // namespace reprise
