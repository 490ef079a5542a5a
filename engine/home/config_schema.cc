// The walk below finds what people do wrong most (a misspelt key, a value of the wrong kind or not
// of those allowed) and says so in words; valijson judges the rest.
#include "engine/home/config_schema.h"

#include <algorithm>

#include "engine/schema.h"
#include "engine/suggest.h"
#include "engine/text.h"
#include "journal/nesting.h"
#include "journal/value.h"
#include "schemas/schemas.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

bool is_of_type(const std::string& type, const Json& value) {
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  return type == (value.is_number() ? "number" : value.type_name());
}

std::vector<std::string> types_of(const Json& node) {
  if (!node.contains("type")) return {};
  const Json& type = node["type"];
  if (type.is_string()) return {type.get<std::string>()};
  return type.get<std::vector<std::string>>();
}

std::string nearest_of(std::string_view word, const std::vector<std::string>& known) {
  return did_you_mean(word, std::vector<std::string_view>(known.begin(), known.end()));
}

std::vector<std::string> names_of(const Json& object) {
  std::vector<std::string> names;
  for (const auto& member : object.items()) names.push_back(member.key());
  return names;
}

/// What names of members must match, of objects whose members are called as one likes: there is one
/// pattern at most.
std::string name_pattern_of(const Json& node) {
  if (node.contains("patternProperties")) return node["patternProperties"].begin().key();
  return node.value(Json::json_pointer("/propertyNames/pattern"), std::string());
}

/// Judges the names of an object's members: a pattern takes longer to make than to match.
class NameJudge {
 public:
  NameJudge(const Json& node, const Json& value) {
    const auto pattern = value.empty() ? std::string() : name_pattern_of(node);
    if (!pattern.empty()) x_matches = matcher(pattern);
  }
  bool takes(const std::string& name) const { return !x_matches || x_matches(name); }

 private:
  Matcher x_matches;
};

/// A part of a schema that stands for an object of this "type".
bool is_meant_for(const Json& part, const Json& value) {
  const Json::json_pointer type("/if/properties/type/const");
  return part.contains(type) && value.is_object() && value.contains("type") &&
         part[type] == value["type"];
}

}  // namespace

ConfigSchema::ConfigSchema(std::string_view name) : x_root(Json::parse(find_schema(name))) {
  collect_scalars(x_root, "");
}

Json ConfigSchema::defaults() const { return defaults_of(x_root); }

const Json& ConfigSchema::resolve(const Json& node) const {
  if (!node.contains("$ref")) return node;
  return x_root.at(Json::json_pointer(node["$ref"].get<std::string>().substr(1)));
}

const Json& ConfigSchema::resolve_for(const Json& node, const Json& value) const {
  const Json& resolved = resolve(node);
  if (!resolved.contains("allOf")) return resolved;
  for (const Json& part : resolved["allOf"]) {
    if (is_meant_for(part, value)) return resolve(part["then"]);
  }
  return resolved;
}

const Json* ConfigSchema::below(const Json& node, const std::string& name) const {
  if (node.contains("properties") && node["properties"].contains(name)) {
    return &node["properties"][name];
  }
  if (node.contains("patternProperties")) return &*node["patternProperties"].begin();
  const auto rest = node.find("additionalProperties");
  return rest != node.end() && rest->is_object() ? &*rest : nullptr;
}

Json ConfigSchema::defaults_of(const Json& node) const {
  if (node.contains("default")) return node["default"];
  Json values = Json::object();
  if (!node.contains("properties")) return values;
  for (const auto& [name, part] : node["properties"].items()) {
    Json value = defaults_of(part);
    if (!value.is_object() || !value.empty()) values[name] = std::move(value);
  }
  return values;
}

void ConfigSchema::collect_scalars(const Json& node, const std::string& key) {
  for (const auto& [name, part] : node["properties"].items()) {
    const auto below_key = key.empty() ? name : key + "." + name;
    const Json& type = resolve(part)["type"];
    if (type == "object" && part.contains("properties")) collect_scalars(part, below_key);
    const bool named = name != "$schema" && name != "*";
    if (named && type != "object" && type != "array") x_scalars.push_back(below_key);
  }
}

std::optional<Json> ConfigSchema::document_of(const std::string& key,
                                              const std::string& text) const {
  const Json* node = &x_root;
  Json::json_pointer pointer;
  for (size_t begin = 0; begin <= key.size();) {
    const auto end = std::min(key.find('.', begin), key.size());
    const auto name = key.substr(begin, end - begin);
    node = below(resolve(*node), name);
    if (node == nullptr) return std::nullopt;
    pointer.push_back(name);
    begin = end + 1;
  }
  const bool is_text = types_of(resolve(*node)) == std::vector<std::string>{"string"};
  Json document = Json::object();
  if (is_text || nesting_depth(text) > kMaxValueDepth || !Json::accept(text)) {
    document[pointer] = text;
  } else {
    document[pointer] = Json::parse(text);
  }
  return document;
}

std::optional<ConfigSchema::Problem> ConfigSchema::find_problem(const Json& config) const {
  if (auto problem = check(x_root, config, "")) return problem;
  auto violation = judge(about(config), config);
  if (!violation) return std::nullopt;
  if (violation->why.find("regex") != std::string::npos) violation->why = "it is not written so";
  return Problem{violation->pointer, violation->why, describe(violation->pointer, config)};
}

Json ConfigSchema::about(const Json& config) const {
  Json part = Json::object();
  for (const auto& [name, value] : x_root.items()) {
    if (name != "properties") part[name] = value;
  }
  Json& properties = part["properties"] = Json::object();
  for (const auto& [name, value] : x_root["properties"].items()) {
    if (config.contains(name)) properties[name] = value;
  }
  return part;
}

std::optional<ConfigSchema::Problem> ConfigSchema::check(const Json& node, const Json& value,
                                                         const std::string& at) const {
  const Json& schema = resolve_for(node, value);
  const auto types = types_of(schema);
  const auto fits = [&](const std::string& type) { return is_of_type(type, value); };
  if (!types.empty() && std::ranges::none_of(types, fits)) {
    return Problem{at, "it should be " + joined(types, " or ") + ", not " + value.type_name(),
                   node.value("description", schema.value("description", std::string()))};
  }
  if (schema.contains("enum") && value.is_string()) {
    const auto allowed = schema["enum"].get<std::vector<std::string>>();
    const auto word = value.get<std::string>();
    if (std::ranges::find(allowed, word) == allowed.end()) {
      return Problem{at, "it is one of " + joined(allowed, ", ") + ", not \"" + word + "\"",
                     nearest_of(word, allowed)};
    }
  }
  if (value.is_object()) return check_members(schema, value, at);
  if (!value.is_array() || !schema.contains("items")) return std::nullopt;
  for (size_t i = 0; i < value.size(); ++i) {
    if (auto problem = check(schema["items"], value[i], at + "/" + std::to_string(i))) {
      return problem;
    }
  }
  return std::nullopt;
}

std::optional<ConfigSchema::Problem> ConfigSchema::check_members(const Json& node,
                                                                 const Json& value,
                                                                 const std::string& at) const {
  const NameJudge names(node, value);
  for (const auto& [name, part] : value.items()) {
    Json::json_pointer pointer(at);
    pointer.push_back(name);
    if (!names.takes(name)) {
      return Problem{pointer.to_string(), "\"" + name + "\" is no name for it",
                     node.value("description", std::string())};
    }
    if (const Json* schema = below(node, name)) {
      if (auto problem = check(*schema, part, pointer.to_string())) return problem;
    } else if (node.contains("additionalProperties")) {
      const auto known = names_of(node["properties"]);
      const auto meant = nearest_of(name, known);
      return Problem{pointer.to_string(), "there is no such key",
                     meant.empty() ? "here stand " + joined(known, ", ") : meant};
    }
  }
  return std::nullopt;
}

std::string ConfigSchema::describe(const std::string& pointer, const Json& config) const {
  const Json* node = &x_root;
  const Json* value = &config;
  Json::json_pointer rest(pointer);
  std::vector<std::string> names;
  for (; !rest.empty(); rest.pop_back()) names.push_back(rest.back());
  for (const auto& name : std::vector<std::string>(names.rbegin(), names.rend())) {
    const Json& schema = resolve_for(*node, *value);
    const Json* next =
        value->is_array() && schema.contains("items") ? &schema["items"] : below(schema, name);
    if (next == nullptr) return {};
    value = value->is_array() ? &value->at(std::stoul(name)) : &value->at(name);
    node = next;
  }
  return node->value("description", resolve_for(*node, *value).value("description", std::string()));
}

std::string ConfigSchema::near_key(std::string_view key) const {
  return nearest_of(key, x_scalars);
}

std::string variable_of(std::string_view key) {
  std::string name = "REPRISE_";
  for (const char c : key) {
    if (c >= 'A' && c <= 'Z') name += '_';
    name += c == '.' ? '_' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return name;
}

}  // namespace reprise
