// The type language is TypeScript's for data, as far as comments use it. What is unknown becomes a
// text; an array of nobody knows what stays empty.
#include "engine/sample_inputs.h"

#include <algorithm>
#include <vector>

#include "engine/script_machine.h"
#include "engine/source_tokens.h"
#include "journal/value.h"

namespace reprise {

namespace {

using TokenKind = SourceToken::Kind;
constexpr int kDeepest = 32;

class TypeReader {
 public:
  explicit TypeReader(std::string_view type) : x_tokens(read_tokens(type)) {
    std::erase_if(x_tokens, [](const auto& token) { return token.kind == TokenKind::kComment; });
  }

  std::optional<std::string> sample() {
    auto value = type(0);
    return x_failed ? std::nullopt : std::optional(std::move(value));
  }

 private:
  std::string_view peek() const {
    return x_at < x_tokens.size() ? x_tokens[x_at].text : std::string_view();
  }
  bool take(std::string_view mark) {
    const bool there =
        x_at < x_tokens.size() && x_tokens[x_at].kind != TokenKind::kText && peek() == mark;
    if (there) ++x_at;
    return there;
  }
  std::string fail() {
    x_failed = true;
    return {};
  }

  /// One of several: the first is the sample.
  std::string type(int depth) {
    take("|");
    auto first = with_brackets(depth);
    while (take("|")) with_brackets(depth);
    return first;
  }

  std::string with_brackets(int depth) {
    auto value = single(depth);
    while (take("[")) {
      if (!take("]")) return fail();
      value.insert(0, "[").append("]");
    }
    return value;
  }

  std::string single(int depth) {
    if (depth > kDeepest || x_at >= x_tokens.size()) return fail();
    if (take("{")) return object(depth + 1);
    if (take("[")) return tuple(depth + 1);
    if (take("(")) {
      auto inner = type(depth + 1);
      return take(")") ? inner : fail();
    }
    const auto& token = x_tokens[x_at];
    if (token.kind == TokenKind::kText) return literal();
    const bool negative = take("-");
    if (x_at >= x_tokens.size() || x_tokens[x_at].kind != TokenKind::kWord) return fail();
    const std::string name(x_tokens[x_at++].text);
    if (name[0] >= '0' && name[0] <= '9') return number(name, negative);
    return named(name, depth);
  }

  std::string literal() {
    const auto text = x_tokens[x_at++].text;
    return text.find('\\') == std::string_view::npos ? quote(text) : quote("text");
  }

  static std::string number(const std::string& digits, bool negative) {
    const bool plain = std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
    if (!plain || digits.size() > 15 || (digits.size() > 1 && digits[0] == '0')) return "1";
    return (negative ? "-" : "") + digits;
  }

  std::string named(const std::string& name, int depth) {
    std::vector<std::string> arguments;
    if (take("<")) {
      do arguments.push_back(type(depth + 1));
      while (take(","));
      if (!take(">")) return fail();
    }
    if (name == "number" || name == "integer" || name == "int" || name == "Number") return "1";
    if (name == "boolean" || name == "bool" || name == "Boolean" || name == "true") return "true";
    if (name == "false" || name == "null") return name;
    if (name == "array" || name == "Array" || name == "ReadonlyArray" || name == "Set") {
      return arguments.empty() ? "[]" : "[" + arguments.front() + "]";
    }
    if (name == "object" || name == "Object" || name == "Record" || name == "Map") return "{}";
    if ((name == "Partial" || name == "Readonly") && !arguments.empty()) return arguments.front();
    return quote("text");
  }

  std::string tuple(int depth) {
    std::string items;
    while (!take("]")) {
      if (x_failed || x_at >= x_tokens.size()) return fail();
      items += (items.empty() ? "" : ",") + type(depth);
      take(",");
    }
    return "[" + items + "]";
  }

  /// Members end with a comma, a semicolon or nothing; one without a type is a text.
  std::string object(int depth) {
    std::string members;
    while (!take("}")) {
      if (x_failed || x_at >= x_tokens.size()) return fail();
      if (take(",") || take(";")) continue;
      if (take("[")) {  // [name: string]: type
        while (x_at < x_tokens.size() && !take("]")) ++x_at;
        if (!take(":")) return fail();
        type(depth);
        continue;
      }
      if (take(".")) continue;  // "..."
      if (x_tokens[x_at].kind == TokenKind::kMark) return fail();
      const std::string name(x_tokens[x_at++].text);
      const bool optional = take("?");
      const auto value = take(":") ? type(depth) : quote("text");
      if (take("=")) type(depth);
      if (optional || name.find('\\') != std::string::npos) continue;
      members += (members.empty() ? "" : ",") + quote(name) + ":" + value;
    }
    return "{" + members + "}";
  }

  std::vector<SourceToken> x_tokens;
  size_t x_at = 0;
  bool x_failed = false;
};

constexpr std::string_view kSampler = R"js(
const sample = (schema, depth) => {
  if (schema === null || typeof schema !== 'object' || depth > 16) return 'text';
  if ('const' in schema) return schema.const;
  if ('default' in schema) return schema.default;
  for (const list of [schema.examples, schema.enum]) if (list?.length > 0) return list[0];
  for (const list of [schema.oneOf, schema.anyOf, schema.allOf]) {
    if (list?.length > 0) return sample(list[0], depth + 1);
  }
  const type = [schema.type].flat()[0] ?? (schema.properties ? 'object' : 'string');
  const member = (name) => [name, sample(schema.properties?.[name], depth + 1)];
  switch (type) {
    case 'object': return Object.fromEntries((schema.required ?? []).map(member));
    case 'array': return schema.items ? [sample(schema.items, depth + 1)] : [];
    case 'number': case 'integer': return schema.minimum ?? 1;
    case 'boolean': return true;
    case 'null': return null;
    default: return 'text';
  }
};
export function process() {
  const schema = entry.inputSchema ?? entry.process?.inputSchema;
  return schema ? { sample: sample(schema, 0) } : {};
}
)js";

}  // namespace

std::optional<std::string> sample_of_type(std::string_view type) {
  return TypeReader(type).sample();
}

std::optional<std::string> sample_of_schema(const ScriptHost& host, const PinnedProgram& program,
                                            int64_t budget_ms) {
  auto sources = program.sources;
  sources.push_back({"reprise-inputs.mjs", "import * as entry from " + quote("./" + program.entry) +
                                               ";" + std::string(kSampler)});
  const auto output = script_output(host, sources, sources.back().path, budget_ms);
  if (!output) return std::nullopt;
  JsonReader reader;
  const std::string sample(reader.members_of_copy(*output).raw("sample"));
  return sample.empty() ? std::nullopt : std::optional(sample);
}

}  // namespace reprise
