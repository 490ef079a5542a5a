#include "engine/home/config_paths.h"

#include <filesystem>

namespace reprise {

namespace {

using Json = nlohmann::json;

void resolve(Json& value, const std::string& folder) {
  const auto path = value.get<std::string>();
  if (path.starts_with('/') || path == "~" || path.starts_with("~/")) return;
  value = (std::filesystem::path(folder) / path).lexically_normal().string();
}

void resolve_program(Json& word, const std::string& folder) {
  if (word.get_ref<const std::string&>().find('/') != std::string::npos) resolve(word, folder);
}

void resolve_member(Json& object, const char* name, const std::string& folder,
                    void (*with)(Json&, const std::string&)) {
  const auto found = object.find(name);
  if (found != object.end() && found->is_string()) with(*found, folder);
}

/// {"command":[WORDS]} of an executor, a secret or a hook; {"file":PATH}.
void resolve_source(Json& object, const std::string& folder) {
  resolve_member(object, "file", folder, resolve);
  const auto command = object.find("command");
  if (command != object.end() && command->is_array()) resolve_program(command->front(), folder);
}

void resolve_executor(Json& executor, const std::string& folder) {
  for (const char* path : {"cwd", "caFile"}) resolve_member(executor, path, folder, resolve);
  for (const char* program : {"shell", "node"})
    resolve_member(executor, program, folder, resolve_program);
  resolve_source(executor, folder);
  if (executor.contains("writable")) {
    for (auto& path : executor["writable"]) resolve(path, folder);
  }
  if (executor.contains("apiKey")) resolve_source(executor["apiKey"], folder);
  if (!executor.contains("headers")) return;
  for (auto& header : executor["headers"]) {
    if (header.is_object()) resolve_source(header, folder);
  }
}

}  // namespace

void resolve_paths(Json& config, const std::string& folder) {
  if (config.contains("executors")) {
    for (auto& executor : config["executors"]) resolve_executor(executor, folder);
  }
  if (config.contains("hooks")) {
    for (auto& hook : config["hooks"]) resolve_source(hook, folder);
  }
}

}  // namespace reprise
