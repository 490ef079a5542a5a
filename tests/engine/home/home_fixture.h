// A folder with a user's files and a home's, on the real disk.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "engine/home/config.h"
#include "tests/journal/temp_dir.h"

namespace reprise::test {

class HomeFolder {
 public:
  std::string operator/(const std::string& below) const { return x_dir.path() + "/" + below; }
  /// Writes a file, and the folders above it; returns its path.
  std::string write(const std::string& below, const std::string& text) const {
    const std::filesystem::path path = *this / below;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::trunc) << text;
    return path.string();
  }
  std::string read(const std::string& below) const {
    std::ifstream file(*this / below);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  TempDir x_dir;
};

/// Where a configuration is looked for in that folder.
struct TestSources {
  const HomeFolder& folder;
  std::map<std::string, std::string> variables = {};
  std::vector<std::string> set = {};

  Config load() const { return load_config(sources()); }
  ConfigSources sources() const {
    const auto environment = [this](const std::string& name) -> std::optional<std::string> {
      const auto found = variables.find(name);
      return found == variables.end() ? std::nullopt : std::optional(found->second);
    };
    std::vector<std::string> names;
    for (const auto& [name, value] : variables) names.push_back(name);
    return {.user_file = folder / "user.json",
            .home_file = folder / "home/config.json",
            .environment = environment,
            .variables = names,
            .set = set};
  }
};

}  // namespace reprise::test
