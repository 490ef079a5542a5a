// simdjson finds the structure and checks UTF-8; every token is then checked here, because what a
// value may be is stricter than JSON. Both forms are written in the same pass: the text in the
// order given, the canonical form with the members of each object put in order when the object
// ends.
#include "journal/value.h"

#include <simdjson.h>

#include <algorithm>
#include <vector>

#include "journal/error.h"
#include "journal/hash.h"
#include "journal/scalar.h"

namespace reprise {

namespace {

namespace ondemand = simdjson::ondemand;

/// Where a fault is: its line and column, counted in bytes from 1.
std::pair<size_t, size_t> line_and_column(std::string_view json, size_t offset) {
  const std::string_view before = json.substr(0, offset);
  const size_t line = 1 + static_cast<size_t>(std::count(before.begin(), before.end(), '\n'));
  const size_t newline = before.rfind('\n');
  return {line, newline == std::string_view::npos ? offset + 1 : offset - newline};
}

size_t first_invalid_utf8(std::string_view json) {
  size_t at = 0;
  while (at < json.size()) {
    const auto lead = static_cast<unsigned char>(json[at]);
    const size_t size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    const std::string_view character = json.substr(at, size);
    if (!simdjson::validate_utf8(character.data(), character.size())) break;
    at += size;
  }
  return at;
}

std::string_view without_space_behind(std::string_view text) {
  const size_t last = text.find_last_not_of(" \t\r\n");
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

class ValueReader {
 public:
  ValueReader(std::string_view json, std::string_view what) : x_what(what), x_padded(json) {}

  Value read() {
    ondemand::parser parser;
    ondemand::document document;
    const simdjson::error_code error = parser.iterate(x_padded).get(document);
    if (error != simdjson::SUCCESS) unreadable(error);
    x_document = &document;
    read_node(document, 0);
    check_end();
    return std::move(x_value);
  }

 private:
  struct Member {
    std::string key;
    size_t begin;  ///< of `"key":value` in the canonical text
    size_t end;
  };

  void check_end();
  template <class Node>
  void read_node(Node& node, int depth);
  void read_array(ondemand::array array, int depth);
  void read_object(ondemand::object object, int depth);
  void read_string_token(size_t begin, size_t end);
  void read_plain_token(std::string_view token, size_t begin);
  std::string read_key(const char* behind_quote);
  void sort_members(size_t begin, std::vector<Member>& members);

  template <class T>
  T checked(simdjson::simdjson_result<T> result) {
    T value;
    const simdjson::error_code error = std::move(result).get(value);
    if (error != simdjson::SUCCESS) structure_error(error);
    return value;
  }
  std::string_view json() const { return x_padded; }
  size_t offset_of(const char* place) const { return static_cast<size_t>(place - x_padded.data()); }

  [[noreturn]] void unreadable(simdjson::error_code error) const;
  [[noreturn]] void structure_error(simdjson::error_code error) const;
  [[noreturn]] void syntax_error(size_t offset, std::string_view reason) const;
  [[noreturn]] void refuse(std::string_view reason) const;
  [[noreturn]] void fail(const TokenFault& fault, size_t offset) const {
    if (fault.syntax) syntax_error(offset, fault.reason);
    refuse(fault.reason);
  }

  std::string_view x_what;
  simdjson::padded_string x_padded;
  ondemand::document* x_document = nullptr;
  size_t x_end = 0;                 ///< behind the last token read
  std::vector<std::string> x_path;  ///< keys and indexes down to the node
  std::string x_scratch;
  Value x_value;
};

void ValueReader::check_end() {
  const char first = x_value.text.front();
  if (first == '[' || first == '{') {
    const char* more = nullptr;
    if (x_document->current_location().get(more) != simdjson::SUCCESS) return;
    x_end = offset_of(more);
  } else if (x_end == without_space_behind(json()).size()) {
    return;  // simdjson does not count a scalar that was read as its token
  }
  syntax_error(x_end, "there is more after the value");
}

/// `Node` is the document or a value in it: simdjson tells them apart.
template <class Node>
void ValueReader::read_node(Node& node, int depth) {
  const ondemand::json_type type = checked(node.type());
  if (type == ondemand::json_type::array || type == ondemand::json_type::object) {
    if (depth == kMaxValueDepth) {
      refuse("the value is nested deeper than " + std::to_string(kMaxValueDepth) + " levels");
    }
    if (type == ondemand::json_type::array) {
      read_array(checked(node.get_array()), depth + 1);
    } else {
      read_object(checked(node.get_object()), depth + 1);
    }
    return;
  }
  const simdjson::simdjson_result<std::string_view> raw = node.raw_json_token();
  const std::string_view token = without_space_behind(checked(raw));
  const size_t begin = offset_of(token.data());
  x_end = begin + token.size();
  if (type == ondemand::json_type::string) {
    read_string_token(begin, x_end);
    // Reading its token leaves a string unconsumed, and skipping it later simdjson would take a
    // colon with it.
    checked(node.get_raw_json_string());
  } else {
    read_plain_token(token, begin);
  }
}

void ValueReader::read_array(ondemand::array array, int depth) {
  x_value.text += '[';
  x_value.canonical += '[';
  size_t index = 0;
  for (auto element : array) {
    if (index != 0) {
      x_value.text += ',';
      x_value.canonical += ',';
    }
    x_path.push_back(std::to_string(index++));
    ondemand::value value = checked(element);
    read_node(value, depth);
    x_path.pop_back();
  }
  x_value.text += ']';
  x_value.canonical += ']';
}

void ValueReader::read_object(ondemand::object object, int depth) {
  x_value.text += '{';
  x_value.canonical += '{';
  const size_t begin = x_value.canonical.size();
  std::vector<Member> members;
  for (auto result : object) {
    ondemand::field field = checked(std::move(result));
    if (!members.empty()) {
      x_value.text += ',';
      x_value.canonical += ',';
    }
    const size_t member_begin = x_value.canonical.size();
    std::string key = read_key(field.key().raw());
    x_path.push_back(key);
    read_node(field.value(), depth);
    x_path.pop_back();
    members.push_back({std::move(key), member_begin, x_value.canonical.size()});
  }
  sort_members(begin, members);
  x_value.text += '}';
  x_value.canonical += '}';
}

std::string ValueReader::read_key(const char* behind_quote) {
  const size_t begin = offset_of(behind_quote) - 1;
  std::string key;
  if (const TokenFault fault = read_string(json(), begin, &x_end, &key)) fail(fault, x_end);
  x_value.text.append(json(), begin, x_end - begin);
  x_value.text += ':';
  append_quoted(x_value.canonical, key);
  x_value.canonical += ':';
  return key;
}

void ValueReader::read_string_token(size_t begin, size_t end) {
  size_t stop = 0;
  if (const TokenFault fault = read_string(json(), begin, &stop, &x_scratch)) fail(fault, stop);
  if (stop != end) syntax_error(stop, "a comma or the end is missing after a string");
  x_value.text.append(json(), begin, end - begin);
  append_quoted(x_value.canonical, x_scratch);
}

void ValueReader::read_plain_token(std::string_view token, size_t begin) {
  if (token == "true" || token == "false" || token == "null") {
    x_value.canonical += token;
  } else if (token.front() == '-' || (token.front() >= '0' && token.front() <= '9')) {
    if (const auto fault = append_canonical_number(x_value.canonical, token)) fail(fault, begin);
  } else {
    syntax_error(begin, "this is neither a value nor true, false or null");
  }
  x_value.text += token;
}

/// Puts the members that stand in the canonical text from `begin` in the order of their keys.
void ValueReader::sort_members(size_t begin, std::vector<Member>& members) {
  const auto by_key = [](const Member& a, const Member& b) { return a.key < b.key; };
  const bool sorted = std::is_sorted(members.begin(), members.end(), by_key);
  if (!sorted) std::stable_sort(members.begin(), members.end(), by_key);
  for (size_t i = 1; i < members.size(); i++) {
    if (members[i].key != members[i - 1].key) continue;
    x_path.push_back(members[i].key);
    refuse("an object has two members of this name");
  }
  if (sorted) return;
  std::string ordered;
  ordered.reserve(x_value.canonical.size() - begin);
  for (const Member& member : members) {
    if (!ordered.empty()) ordered += ',';
    ordered.append(x_value.canonical, member.begin, member.end - member.begin);
  }
  x_value.canonical.replace(begin, std::string::npos, ordered);
}

/// simdjson refused the text as a whole and does not say where.
void ValueReader::unreadable(simdjson::error_code error) const {
  if (error == simdjson::UTF8_ERROR) {
    syntax_error(first_invalid_utf8(json()), "the text is not valid UTF-8");
  }
  std::string text;
  for (size_t at = json().find('"'); at < json().size(); at = json().find('"', at)) {
    const TokenFault fault = read_string(json(), at, &at, &text);
    if (fault && fault.syntax) syntax_error(at, fault.reason);
    if (fault) break;
  }
  if (without_space_behind(json()).empty()) syntax_error(0, "the text is empty");
  structure_error(error);
}

void ValueReader::structure_error(simdjson::error_code error) const {
  const size_t end = without_space_behind(json()).size();
  if (error == simdjson::INCOMPLETE_ARRAY_OR_OBJECT) {
    syntax_error(end, "the text does not end with the bracket that closes it");
  }
  const char* place = nullptr;
  const bool known =
      x_document != nullptr && x_document->current_location().get(place) == simdjson::SUCCESS;
  syntax_error(known ? std::min(end, offset_of(place)) : end, "the JSON is malformed here");
}

void ValueReader::syntax_error(size_t offset, std::string_view reason) const {
  const auto [line, column] = line_and_column(json(), offset);
  const std::string l = std::to_string(line);
  const std::string c = std::to_string(column);
  throw Error(Exit::kUsage, "INVALID_JSON",
              std::string(x_what) + ": line " + l + ", column " + c + ": " + std::string(reason),
              "", "{\"line\":" + l + ",\"column\":" + c + '}');
}

void ValueReader::refuse(std::string_view reason) const {
  std::string pointer;
  for (const std::string& part : x_path) {
    pointer += '/';
    for (const char c : part) {
      if (c == '~') {
        pointer += "~0";
      } else if (c == '/') {
        pointer += "~1";
      } else {
        pointer += c;
      }
    }
  }
  const std::string quoted = quote(pointer);
  throw Error(Exit::kUsage, "INVALID_JSON",
              std::string(x_what) + ": at " + quoted + ": " + std::string(reason), "",
              "{\"pointer\":" + quoted + '}');
}

}  // namespace

Value parse_value(std::string_view json, std::string_view what) {
  return ValueReader(json, what).read();
}

std::string value_digest(std::string_view canonical) { return hash128_hex(canonical); }

}  // namespace reprise
