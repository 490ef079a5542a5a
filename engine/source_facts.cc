#include "engine/source_facts.h"

#include <algorithm>
#include <optional>
#include <set>

#include "engine/source_walk.h"

namespace reprise {

namespace {

using TokenKind = SourceToken::Kind;

std::optional<std::string> id_of_object(const SourceWalk& walk, size_t open) {
  for (size_t i = open + 1, end = walk.closing(open); i < end; ++i) {
    if (walk.is(i, "{") || walk.is(i, "(") || walk.is(i, "[")) {
      i = walk.closing(i);
    } else if (walk.is(i, "id") && walk.is(i + 1, ":") && walk.at(i + 2).kind == TokenKind::kText) {
      return std::string(walk.at(i + 2).text);
    }
  }
  return std::nullopt;
}

bool is_exported_at(const SourceWalk& walk, size_t i) {
  if (walk.is(i, "*")) return true;
  if (walk.is(i, "{")) {
    for (size_t j = i + 1, end = walk.closing(i); j < end; ++j) {
      if (walk.is(j, "process") && !walk.is(j + 1, "as")) return true;
    }
    return false;
  }
  const bool by_default = walk.is(i, "default");
  if (by_default) ++i;
  if (by_default && walk.is(i, "process")) return true;
  const bool async = walk.is(i, "async");
  if (async) ++i;
  if (by_default && (async || walk.is(i, "function"))) return true;
  const bool declares = walk.is(i, "function") || walk.is(i, "const") || walk.is(i, "let");
  return declares &&
         (walk.is(i + 1, "process") || (walk.is(i + 1, "*") && walk.is(i + 2, "process")));
}

/// The bracket that opens the parameters of the function called `process`, or size().
size_t find_parameters(const SourceWalk& walk) {
  constexpr size_t kFar = 6;  // `process = async function name (`
  for (size_t i = 0; i < walk.size(); ++i) {
    if (!walk.is(i, "process")) continue;
    if (i > 0 && (walk.is(i - 1, "function") || walk.is(i - 1, "*")) && walk.is(i + 1, "(")) {
      return i + 1;
    }
    if (!walk.is(i + 1, "=")) continue;
    for (size_t j = i + 2; j < i + kFar; ++j) {
      if (walk.is(j, "(")) return j;
    }
  }
  return walk.size();
}

/// The first token of the second parameter, or the closing bracket.
size_t second_parameter(const SourceWalk& walk, size_t open, size_t close) {
  for (size_t i = open + 1; i < close; ++i) {
    if (walk.is(i, "{") || walk.is(i, "[") || walk.is(i, "(")) i = walk.closing(i);
    if (walk.is(i, ",")) return i + 1;
  }
  return close;
}

/// The process asks itself whether the member is there.
bool is_guarded(const SourceWalk& walk, size_t object, size_t member) {
  const auto before = walk.at(object - 1).text;
  if (before == "typeof" || before == "!" || walk.is(member - 1, "?.")) return true;
  for (const auto* guard : {"?.", "??", "||", "&&", "?", "=", "=="}) {
    if (walk.is(member + 1, guard)) return true;
  }
  // `if (ctx.x)`
  return before == "(" && walk.is(object - 2, "if") && walk.is(member + 1, ")");
}

/// Where the body ends that begins at `i`: a block, or the expression of an arrow function.
size_t end_of_body(const SourceWalk& walk, size_t i) {
  if (walk.is(i, "{")) return walk.closing(i);
  for (; i < walk.size(); ++i) {
    if (walk.is(i, "(") || walk.is(i, "[") || walk.is(i, "{")) i = walk.closing(i);
    if (walk.is(i, ",") || walk.is(i, ";") || walk.is(i, ")") || walk.is(i, "}")) break;
  }
  return i;
}

/// The end of the inner function whose parameters begin at `i`, if one of them is called `name`:
/// there it means something else. Else `i`.
size_t skip_shadow(const SourceWalk& walk, size_t i, const std::string& name) {
  if (walk.is(i, name) && walk.is(i + 1, "=>")) return end_of_body(walk, i + 2);
  if (!walk.is(i, "(")) return i;
  const size_t close = walk.closing(i);
  const bool arrow = walk.is(close + 1, "=>");
  const bool function = walk.is(i - 1, "function") || walk.is(i - 2, "function");
  if (!arrow && !function) return i;
  for (size_t j = i + 1; j < close; ++j) {
    if (walk.is(j, name)) return end_of_body(walk, close + (arrow ? 2 : 1));
  }
  return i;
}

void add_member(ProcessFunction& found, std::string_view source, const SourceToken& name) {
  const std::string text(name.text);
  if (std::ranges::find(found.members, text, &MemberUse::name) == found.members.end()) {
    found.members.push_back({text, place_at(source, name.offset)});
  }
}

}  // namespace

std::vector<DefinedTask> find_tasks(std::string_view source,
                                    const std::vector<SourceToken>& tokens) {
  std::vector<DefinedTask> found;
  const SourceWalk walk(tokens);
  for (size_t i = 0; i < walk.size(); ++i) {
    if (!walk.is(i, "defineTask") || !walk.is(i + 1, "(")) continue;
    std::optional<std::string> id;
    if (walk.at(i + 2).kind == TokenKind::kText) id = std::string(walk.at(i + 2).text);
    if (walk.is(i + 2, "{")) id = id_of_object(walk, i + 2);
    if (id) found.push_back({*id, place_at(source, walk.at(i).offset)});
  }
  return found;
}

bool exports_process(const std::vector<SourceToken>& tokens) {
  const SourceWalk walk(tokens);
  for (size_t i = 0; i < walk.size(); ++i) {
    if (walk.is(i, "export") && !walk.is(i - 1, ".") && is_exported_at(walk, i + 1)) return true;
    if (!walk.is(i, "exports")) continue;
    const bool member = walk.is(i + 1, ".") && walk.is(i + 2, "process");
    const bool whole = walk.is(i - 1, ".") && walk.is(i - 2, "module") && walk.is(i + 1, "=");
    if (member || whole) return true;
  }
  return false;
}

ProcessFunction find_process_function(std::string_view source,
                                      const std::vector<SourceToken>& tokens) {
  ProcessFunction found;
  const SourceWalk walk(tokens);
  const size_t open = find_parameters(walk);
  if (open == walk.size()) return found;
  found.place = place_at(source, walk.at(open - 1).offset);
  const size_t close = walk.closing(open);
  const size_t second = second_parameter(walk, open, close);
  if (walk.is(second, "{")) {  // (inputs, { task, log })
    for (size_t i = second + 1, end = walk.closing(second); i < end; ++i) {
      const bool begins = walk.is(i - 1, "{") || walk.is(i - 1, ",");
      if (begins && walk.is_word(i) && !walk.is(i + 1, "=")) add_member(found, source, walk.at(i));
    }
    return found;
  }
  if (!walk.is_word(second)) return found;
  found.ctx = walk.at(second).text;
  size_t body = close + 1;
  while (body < walk.size() && !walk.is(body, "{")) ++body;
  std::set<std::string, std::less<>> guarded;
  for (size_t i = body + 1, end = walk.closing(body); i < end; ++i) {
    i = skip_shadow(walk, i, found.ctx);
    const bool access = walk.is(i, found.ctx) && (walk.is(i + 1, ".") || walk.is(i + 1, "?."));
    if (!access || walk.is(i - 1, ".") || !walk.is_word(i + 2)) continue;
    if (is_guarded(walk, i, i + 2)) guarded.emplace(walk.at(i + 2).text);
    add_member(found, source, walk.at(i + 2));
  }
  std::erase_if(found.members, [&](const MemberUse& use) { return guarded.contains(use.name); });
  return found;
}

std::string find_inputs_comment(const std::vector<SourceToken>& tokens) {
  constexpr std::string_view kTag = "@inputs";
  for (const auto& token : tokens) {
    if (token.kind != TokenKind::kComment) continue;
    const auto tag = token.text.find(kTag);
    const auto open = tag == std::string_view::npos ? tag : token.text.find('{', tag);
    if (open == std::string_view::npos) continue;
    if (token.text.find_first_not_of(" \t\r\n*", tag + kTag.size()) != open) continue;
    std::string text;
    bool line_begins = false;
    const auto end = token.text.ends_with("*/") ? token.text.size() - 2 : token.text.size();
    for (const char c : token.text.substr(open, end - open)) {
      const bool star = c == '*' && line_begins;
      if (!star) text += c;
      line_begins = c == '\n' || (line_begins && (c == ' ' || c == '\t' || star));
    }
    return text;
  }
  return {};
}

bool declares_input_schema(const std::vector<SourceToken>& tokens) {
  const SourceWalk walk(tokens);
  for (size_t i = 1; i < walk.size(); ++i) {
    if (!walk.is(i, "inputSchema") || !walk.is(i + 1, "=")) continue;
    for (const auto* before : {"const", "let", "var", "."}) {
      if (walk.is(i - 1, before)) return true;
    }
  }
  return false;
}

}  // namespace reprise
