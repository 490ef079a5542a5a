// A module is looked for beside the binary (a build folder) and in ../lib/reprise (an
// installation), nowhere else, and taken only when it was built with this binary.
#include "engine/module.h"

#include <dlfcn.h>
#include <unistd.h>

#include <array>

#include "journal/error.h"

namespace reprise {

namespace {

std::string binary_folder() {
  std::array<char, 4096> path{};
  const auto size = readlink("/proc/self/exe", path.data(), path.size());
  const std::string_view file(path.data(), size > 0 ? static_cast<size_t>(size) : 0);
  return std::string(file.substr(0, file.rfind('/')));
}

void* load(const ModuleQuery& query) {
  if (!query.path.empty()) return dlopen(query.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto folder = binary_folder();
  for (const auto& place : {folder + "/", folder + "/../lib/reprise/"}) {
    const auto file = place + std::string(query.file);
    if (access(file.c_str(), F_OK) == 0) return dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  return nullptr;
}

[[noreturn]] void refuse_module(const ModuleQuery& query, const std::string& why) {
  throw Error(Exit::kBug, std::string(query.error),
              std::string(query.what) + " cannot be loaded: " + why,
              std::string(query.file) +
                  " belongs beside the reprise binary or in ../lib/reprise; install both of one "
                  "build");
}

}  // namespace

const reprise_module_header* open_module(const ModuleQuery& query) {
  void* module = load(query);
  if (module == nullptr) {
    const char* why = dlerror();
    refuse_module(query, why != nullptr ? why : "not found");
  }
  const auto entry = reinterpret_cast<reprise_module_fn>(dlsym(module, query.symbol));
  if (entry == nullptr) refuse_module(query, "it is no module of reprise");
  const auto* header = entry();
  if (header->abi != query.abi || as_view(header->build) != REPRISE_VERSION) {
    refuse_module(query, "it was built with reprise " + std::string(as_view(header->build)) +
                             ", this is " REPRISE_VERSION);
  }
  return header;
}

reprise_bytes as_bytes(std::string_view text) { return {text.data(), text.size()}; }

std::string_view as_view(reprise_bytes bytes) { return {bytes.data, bytes.size}; }

}  // namespace reprise
