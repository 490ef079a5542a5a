// A schema of configuration as the one list of keys: what they are, their defaults, their
// variables, and what is wrong with a value. Mostly schemas/config.schema.json.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

class ConfigSchema {
 public:
  /// `name` is that of one of the program's own schemas.
  explicit ConfigSchema(std::string_view name = "config");

  /// The defaults of all keys, as one document.
  nlohmann::json defaults() const;

  /// Keys whose values are no lists and no objects: "drive.jobs".
  const std::vector<std::string>& scalar_keys() const { return x_scalars; }

  /// The document {"drive":{"jobs":8}} for ("drive.jobs", "8"). Text is taken as JSON where the key
  /// is no text and it reads as JSON. nullopt when there is no such key.
  std::optional<nlohmann::json> document_of(const std::string& key, const std::string& text) const;

  struct Problem {
    std::string pointer;
    std::string why;
    std::string hint;
  };
  /// The first thing that is wrong with a configuration.
  std::optional<Problem> find_problem(const nlohmann::json& config) const;

  /// "did you mean drive.jobs?" or empty.
  std::string near_key(std::string_view key) const;

 private:
  using Json = nlohmann::json;

  const Json& resolve(const Json& node) const;
  const Json& resolve_for(const Json& node, const Json& value) const;
  /// nullptr: none of that name.
  const Json* below(const Json& node, const std::string& name) const;
  Json defaults_of(const Json& node) const;
  void collect_scalars(const Json& node, const std::string& key);
  /// The schema without the sections that a configuration says nothing of: files are short, and a
  /// schema costs by its length.
  Json about(const Json& config) const;
  std::optional<Problem> check(const Json& node, const Json& value, const std::string& at) const;
  std::optional<Problem> check_members(const Json& node, const Json& value,
                                       const std::string& at) const;
  std::string describe(const std::string& pointer, const Json& config) const;

  Json x_root;
  std::vector<std::string> x_scalars;
};

/// "drive.minFreeBytes" is "REPRISE_DRIVE_MIN_FREE_BYTES".
std::string variable_of(std::string_view key);

}  // namespace reprise
