// Each line is a document. A rule fits one that has certain values, or each element of a list in
// it, and says where kind, text, tool and input stand: a JSON pointer, or the text itself. The
// first rule that fits decides.
#include "engine/executors/turn_reader.h"

#include <algorithm>

#include "engine/executors/outcome.h"

namespace reprise {

namespace {

constexpr size_t kLongestTurnLine = size_t{8} << 20U;
constexpr size_t kMostTurns = 200;
constexpr size_t kLongestText = size_t{16} << 10U;

/// A text, or a list of parts of which some are text.
std::string text_of_found(const OrderedJson& found) {
  if (found.is_string()) return found.get<std::string>();
  if (!found.is_array()) return found.is_null() ? std::string() : json_text(found);
  std::string text;
  for (const auto& part : found) {
    const auto piece = part.is_string() ? part.get<std::string>() : text_field(part, "text");
    if (!piece.empty()) text.append(text.empty() ? "" : "\n").append(piece);
  }
  return text;
}

OrderedJson value_at(const OrderedJson& item, const std::string& place) {
  return place.starts_with('/') ? at_pointer(item, place) : OrderedJson(place);
}

std::string cut_text(std::string text) {
  if (text.size() <= kLongestText) return text;
  text.resize(kLongestText);
  return valid_text(text) + "...";
}

}  // namespace

bool TurnReader::feed(std::string_view bytes) {
  if (!x_rules.is_array()) return false;
  const auto before = x_turns.empty() ? OrderedJson() : x_turns.back();
  const auto count = x_turns.size();
  for (auto end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
    x_line += bytes.substr(0, end);
    if (!x_too_long) take_line(x_line);
    x_line.clear();
    x_too_long = false;
    bytes.remove_prefix(end + 1);
  }
  x_too_long = x_too_long || x_line.size() + bytes.size() > kLongestTurnLine;
  if (x_too_long) {
    x_line.clear();
  } else {
    x_line += bytes;
  }
  return x_turns.size() != count || (!x_turns.empty() && x_turns.back() != before);
}

void TurnReader::take_line(std::string_view line) {
  const auto document = OrderedJson::parse(line, nullptr, false);
  if (!document.is_object()) return;
  for (const auto& rule : x_rules) {
    if (!has_values(document, field(rule, "where"))) continue;
    const auto list = text_field(rule, "each");
    if (list.empty()) return take_item(document, document);
    for (const auto& item : at_pointer(document, list)) take_item(document, item);
    return;
  }
}

void TurnReader::take_item(const OrderedJson& document, const OrderedJson& item) {
  for (const auto& rule : x_rules) {
    if (!has_values(document, field(rule, "where")) || !has_values(item, field(rule, "if"))) {
      continue;
    }
    OrderedJson turn = {{"kind", text_field(rule, "kind")}};
    for (const char* name : {"text", "tool", "id"}) {
      const auto place = text_field(rule, name);
      if (place.empty()) continue;
      const auto text = cut_text(text_of_found(value_at(item, place)));
      if (!text.empty()) turn[name] = text;
    }
    const auto place = text_field(rule, "input");
    if (const auto input = value_at(item, place); !place.empty() && !input.is_null()) {
      const auto text = json_text(input);
      turn["input"] = text.size() <= kLongestText ? input : OrderedJson(cut_text(text));
    }
    if (x_turns.size() == kMostTurns) x_turns.erase(x_turns.begin());
    x_turns.push_back(std::move(turn));
    return;
  }
}

const OrderedJson* TurnReader::last_use(const std::string& tool) const {
  const auto found = std::find_if(x_turns.rbegin(), x_turns.rend(), [&](const OrderedJson& turn) {
    return text_field(turn, "kind") == "tool_use" && text_field(turn, "tool") == tool;
  });
  return found == x_turns.rend() ? nullptr : &field(*found, "input");
}

}  // namespace reprise
