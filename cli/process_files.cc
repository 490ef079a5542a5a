#include "cli/process_files.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "journal/error.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

bool is_source(const fs::path& path) {
  const auto extension = path.extension();
  return extension == ".js" || extension == ".mjs" || extension == ".cjs";
}

class Search {
 public:
  void add(const std::string& name, const fs::path& path, bool named) {
    const auto [known, is_new] = x_places.emplace(path.string(), x_files.size());
    if (is_new) x_files.push_back({name, path.string(), named});
    if (named) x_files[known->second].named = true;
  }

  void walk(const std::string& name, const fs::path& folder) {
    std::vector<fs::directory_entry> entries;
    std::error_code failed;
    for (fs::directory_iterator i(folder, failed), end; !failed && i != end; i.increment(failed)) {
      entries.push_back(*i);
    }
    if (failed) throw system_error("read", folder.string(), failed.value());
    std::ranges::sort(entries, {}, [](const auto& entry) { return entry.path(); });
    for (const auto& entry : entries) {
      const auto file = entry.path().filename().string();
      const auto below = name + (name.empty() || name.ends_with('/') ? "" : "/") + file;
      if (entry.is_symlink(failed)) continue;
      if (entry.is_directory(failed)) {
        if (file != "node_modules" && !file.starts_with('.')) walk(below, entry.path());
      } else if (entry.is_regular_file(failed) && is_source(entry.path())) {
        add(below, entry.path(), false);
      }
    }
  }

  std::vector<ProcessFile> files() && { return std::move(x_files); }

 private:
  std::vector<ProcessFile> x_files;
  std::map<std::string, size_t> x_places;
};

}  // namespace

std::vector<ProcessFile> find_process_files(const std::vector<std::string>& words,
                                            const std::string& working_dir) {
  Search search;
  for (const auto& word : words) {
    const auto path = (fs::path(working_dir) / word).lexically_normal();
    std::error_code failed;
    const auto status = fs::status(path, failed);
    if (!fs::exists(status)) {
      throw Error(Exit::kNotFound, "FILE_NOT_FOUND", "there is no file " + path.string());
    }
    if (fs::is_directory(status)) {
      search.walk(word == "." ? "" : word, path);
    } else {
      search.add(word, path, true);
    }
  }
  return std::move(search).files();
}

}  // namespace reprise
