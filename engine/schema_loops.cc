// A schema and those that judge the same value as it does (references, allOf, not, ...) are a
// graph. It must have no circle.
#include "engine/schema_loops.h"

#include <array>
#include <set>

namespace reprise {

namespace {

using Json = nlohmann::json;

class ReferenceSearch {
 public:
  explicit ReferenceSearch(const Json& root) : x_root(root) {}

  /// All schemas in the document, and whatever looks like one.
  std::optional<BadReference> search(const Json& part, const std::string& pointer) {
    if (auto bad = follow(part, pointer)) return bad;
    if (!part.is_structured()) return std::nullopt;
    for (const auto& [name, below] : part.items()) {
      if (auto bad = search(below, pointer + "/" + name)) return bad;
    }
    return std::nullopt;
  }

 private:
  /// What judges the same value.
  std::optional<BadReference> follow(const Json& schema, const std::string& pointer) {
    if (!schema.is_object() || x_done.contains(&schema)) return std::nullopt;
    if (!x_path.insert(&schema).second) return BadReference{pointer, "it leads back to itself"};
    auto bad = follow_parts(schema, pointer);
    x_path.erase(&schema);
    x_done.insert(&schema);
    return bad;
  }

  std::optional<BadReference> follow_parts(const Json& schema, const std::string& pointer) {
    if (schema.contains("$ref")) return follow_reference(schema["$ref"], pointer + "/$ref");
    constexpr std::array<const char*, 4> kOne = {"not", "if", "then", "else"};
    for (const auto* name : kOne) {
      if (!schema.contains(name)) continue;
      if (auto bad = follow(schema[name], pointer + "/" + name)) return bad;
    }
    constexpr std::array<const char*, 4> kSeveral = {"allOf", "anyOf", "oneOf", "dependencies"};
    for (const auto* name : kSeveral) {
      if (!schema.contains(name)) continue;
      for (const auto& [key, part] : schema[name].items()) {
        if (auto bad = follow(part, pointer + "/" + name + "/" + key)) return bad;
      }
    }
    return std::nullopt;
  }

  std::optional<BadReference> follow_reference(const Json& reference, const std::string& pointer) {
    const auto text = reference.is_string() ? reference.get<std::string>() : std::string();
    if (text != "#" && !text.starts_with("#/")) {
      return BadReference{pointer, "a reference is \"#\" or begins with \"#/\""};
    }
    try {
      return follow(x_root.at(Json::json_pointer(text.substr(1))), pointer);
    } catch (const Json::exception&) {
      return BadReference{pointer, text + " refers to nothing"};
    }
  }

  const Json& x_root;
  std::set<const Json*> x_path;
  std::set<const Json*> x_done;
};

}  // namespace

std::optional<BadReference> find_bad_reference(const Json& schema) {
  return ReferenceSearch(schema).search(schema, {});
}

}  // namespace reprise
