// Raw nodes ride in nlohmann's binary type, which JSON has no use for.
#include "cli/document.h"

#include <algorithm>
#include <charconv>

#include "journal/json_reader.h"
#include "json/scan.h"

namespace reprise {
namespace {

bool needs_no_escape(std::string_view text) {
  for (const char c : text) {
    if (c < 0x20 || c == 0x7f || c == '"' || c == '\\')
      return false;  // also all bytes beyond ASCII
  }
  return true;
}

void print_string(std::string& out, const std::string& text) {
  if (needs_no_escape(text)) {
    out.append(1, '"').append(text).append(1, '"');
  } else {
    out += Document(text).dump(-1, ' ', false, Document::error_handler_t::replace);
  }
}

void print_node(std::string& out, const Document& node) {
  if (is_raw(node)) {
    const auto& bytes = node.get_binary();
    out.append(bytes.begin(), bytes.end());
  } else if (node.is_object()) {
    char separator = '{';
    for (const auto& [name, member] : node.items()) {
      out += separator;
      print_string(out, name);
      out += ':';
      print_node(out, member);
      separator = ',';
    }
    out += node.empty() ? "{}" : "}";
  } else if (node.is_array()) {
    char separator = '[';
    for (const auto& element : node) {
      out += separator;
      print_node(out, element);
      separator = ',';
    }
    out += node.empty() ? "[]" : "]";
  } else if (node.is_string()) {
    print_string(out, node.get_ref<const std::string&>());
  } else {
    out += node.dump();
  }
}

// The first token of "/a~1b/c", unescaped, and what follows it.
std::pair<std::string, std::string_view> split_pointer(std::string_view pointer) {
  const size_t end = std::min(pointer.find('/', 1), pointer.size());
  std::string token;
  for (size_t i = 1; i < end; ++i) {
    token += pointer[i] != '~' ? pointer[i] : pointer[++i] == '0' ? '~' : '/';
  }
  return {token, pointer.substr(end)};
}

const Document* child(const Document& node, const std::string& token) {
  if (node.is_object()) {
    const auto found = node.find(token);
    return found == node.end() ? nullptr : &*found;
  }
  size_t index = 0;
  const char* end = token.data() + token.size();
  const auto [stop, error] = std::from_chars(token.data(), end, index);
  const bool number = error == std::errc() && stop == end && (token == "0" || token[0] != '0');
  return node.is_array() && number && index < node.size() ? &node[index] : nullptr;
}

// The member or the element of this name.
std::optional<std::string_view> child(std::string_view json, const std::string& token) {
  std::optional<std::string_view> found;
  json::members(json, [&](std::string_view name, std::string_view raw) {
    if (unquote('"' + std::string(name) + '"') == token) found = raw;
  });
  size_t index = 0;
  json::elements(json, [&](std::string_view raw) {
    if (std::to_string(index++) == token) found = raw;
  });
  return found;
}

// Values inside raw text keep their literals, so the text itself is searched.
std::optional<std::string> get_inside(const std::string& json, std::string_view pointer) {
  std::string_view value = json;
  while (!pointer.empty()) {
    const auto [token, rest] = split_pointer(pointer);
    const auto next = child(value, token);
    if (!next) return std::nullopt;
    value = *next;
    pointer = rest;
  }
  return value.starts_with('"') ? unquote(value) : std::string(value);
}

}  // namespace

Document new_document() { return {{"schemaVersion", kSchemaVersion}}; }

Document raw_json(std::string_view json) {
  if (json.empty()) return nullptr;
  return Document::binary({json.begin(), json.end()});
}

bool is_raw(const Document& node) { return node.is_binary(); }

std::string json_of(const Document& node) { return print_json(node); }

std::string print_json(const Document& document) {
  std::string out;
  print_node(out, document);
  return out;
}

std::string member_text(const Document& object, const char* name) {
  if (!object.is_object()) return {};
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string member_number(const Document& object, const char* name) {
  if (!object.is_object()) return {};
  const auto found = object.find(name);
  return found != object.end() && found->is_number_integer() ? std::to_string(found->get<int64_t>())
                                                             : std::string();
}

std::optional<std::string> get_pointer(const Document& document, std::string_view pointer) {
  const Document* node = &document;
  while (!pointer.empty() && !is_raw(*node)) {
    const auto [token, rest] = split_pointer(pointer);
    node = child(*node, token);
    if (node == nullptr) return std::nullopt;
    pointer = rest;
  }
  if (is_raw(*node)) return get_inside(print_json(*node), pointer);
  if (node->is_string()) return node->get<std::string>();
  return print_json(*node);
}

bool valid_pointer(std::string_view pointer) {
  if (!pointer.empty() && pointer[0] != '/') return false;
  for (size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] != '~') continue;
    if (i + 1 == pointer.size() || (pointer[i + 1] != '0' && pointer[i + 1] != '1')) return false;
  }
  return true;
}

}  // namespace reprise
