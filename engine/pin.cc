#include "engine/pin.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "engine/json_writer.h"

namespace reprise {

namespace {

namespace fs = std::filesystem;

Error import_refusal(const std::string& code, const std::string& file, const ScriptImport& import,
                     const std::string& why, const std::string& hint) {
  const auto message = "cannot import \"" + import.specifier + "\": " + why;
  const auto where = file + ":" + std::to_string(import.line) + ":" + std::to_string(import.column);
  return {Exit::kUsage, code, where + ": " + message, hint,
          JsonWriter()
              .text("message", message)
              .text("file", file)
              .number("line", import.line)
              .number("column", import.column)
              .done()};
}

class Pinning {
 public:
  Pinning(const ScriptHost& host, const SourceReader& read, const ImportRefusal& refuse)
      : x_host(host), x_read(read), x_refuse(refuse) {}

  void add(const std::string& file, std::string text) {
    const auto imports = x_host.imports(file, text);
    x_files.emplace(file, std::move(text));
    for (const auto& import : imports) follow(file, import);
  }

  PinnedProgram program(const std::string& entry) && {
    PinnedProgram program;
    fs::path root = fs::path(entry).parent_path();
    for (const auto& [file, text] : x_files) root = common_folder(root, fs::path(file));
    program.root = root.string();
    program.entry = fs::path(entry).lexically_relative(root).string();
    for (auto& [file, text] : x_files) {
      program.sources.push_back(
          {fs::path(file).lexically_relative(root).string(), std::move(text)});
    }
    return program;
  }

 private:
  static fs::path common_folder(fs::path folder, const fs::path& file) {
    while (folder != folder.root_path()) {
      const auto relative = file.lexically_relative(folder);
      if (!relative.empty() && *relative.begin() != "..") break;
      folder = folder.parent_path();
    }
    return folder;
  }

  void follow(const std::string& file, const ScriptImport& import) {
    if (import.kind == ScriptImport::Kind::kProvided) return;
    if (import.kind == ScriptImport::Kind::kRefused) {
      if (import.dynamic) return;  // fails when it is reached
      return x_refuse(import_refusal(
          "IMPORT_REFUSED", file, import, import.message,
          "a process only decides; let a task do the outside work, its result comes back "
          "as a value"));
    }
    const auto target =
        (fs::path(file).parent_path() / import.specifier).lexically_normal().string();
    // require() may leave the extension out.
    const std::array<std::string_view, 4> suffixes = {"", ".js", ".cjs", "/index.js"};
    const size_t tries = file.ends_with(".cjs") ? suffixes.size() : 1;
    for (size_t i = 0; i < tries; ++i) {
      const auto candidate = target + std::string(suffixes[i]);
      if (x_files.contains(candidate)) return;
      if (auto text = x_read(candidate)) return add(candidate, std::move(*text));
    }
    if (import.dynamic) return;
    x_refuse(import_refusal("IMPORT_NOT_FOUND", file, import, "there is no file " + target, {}));
  }

  const ScriptHost& x_host;
  const SourceReader& x_read;
  const ImportRefusal& x_refuse;
  std::map<std::string, std::string> x_files;
};

}  // namespace

PinnedProgram pin_program(const ScriptHost& host, const std::string& entry,
                          const SourceReader& read) {
  return pin_program(host, entry, read, [](const Error& error) { throw error; });
}

PinnedProgram pin_program(const ScriptHost& host, const std::string& entry,
                          const SourceReader& read, const ImportRefusal& refuse) {
  auto text = read(entry);
  if (!text) {
    throw Error(Exit::kNotFound, "ENTRY_NOT_FOUND", "there is no file " + entry,
                "a process is a file, as path/to/file.js or path/to/file.js#export; a built-in one "
                "is builtin:NAME, as builtin:checklist");
  }
  Pinning pinning(host, read, refuse);
  pinning.add(entry, std::move(*text));
  return std::move(pinning).program(entry);
}

}  // namespace reprise
