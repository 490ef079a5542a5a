#include "engine/script_host.h"

#include <dlfcn.h>
#include <unistd.h>

#include <array>
#include <exception>

#include "journal/error.h"
#include "journal/json_reader.h"

namespace reprise {

namespace {

constexpr const char* kModuleFile = "libreprise_script.so";

std::string binary_folder() {
  std::array<char, 4096> path{};
  const auto size = readlink("/proc/self/exe", path.data(), path.size());
  const std::string_view file(path.data(), size > 0 ? static_cast<size_t>(size) : 0);
  return std::string(file.substr(0, file.rfind('/')));
}

void* open_module(const std::string& configured) {
  if (!configured.empty()) return dlopen(configured.c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto folder = binary_folder();
  for (const auto& place : {folder + "/", folder + "/../lib/reprise/"}) {
    const auto file = place + kModuleFile;
    if (access(file.c_str(), F_OK) == 0) return dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  return nullptr;
}

[[noreturn]] void refuse_module(const std::string& why) {
  throw Error(
      Exit::kBug, "SCRIPT_ENGINE_MISSING", "the script engine cannot be loaded: " + why,
      std::string(kModuleFile) +
          " belongs beside the reprise binary or in ../lib/reprise; install both of one build");
}

/// "main.js:3:7: SyntaxError: ..." from what the module tells of an error.
std::string script_message(const Members& error) {
  std::string text;
  if (error.has("file")) {
    text += error.text("file");
    if (error.has("line")) text += ":" + std::string(error.raw("line"));
    if (error.has("column")) text += ":" + std::string(error.raw("column"));
    text += ": ";
  }
  if (error.has("name")) text += error.text("name") + ": ";
  return text + error.text("message");
}

struct Work {
  const std::function<void()>& run;
  std::exception_ptr thrown;
};

/// The border that no exception crosses.
void run_work(void* argument) {
  auto& work = *static_cast<Work*>(argument);
  try {
    work.run();
  } catch (...) {
    work.thrown = std::current_exception();
  }
}

}  // namespace

void ScriptHost::load() {
  if (x_table != nullptr) return;
  void* module = open_module(x_options.module);
  if (module == nullptr) {
    const char* why = dlerror();
    refuse_module(why != nullptr ? why : "not found");
  }
  const auto entry =
      reinterpret_cast<reprise_script_module_fn>(dlsym(module, "reprise_script_module"));
  if (entry == nullptr) refuse_module("it is no module of reprise");
  const auto* table = entry();
  if (table->abi != REPRISE_SCRIPT_ABI || as_view(table->build) != REPRISE_VERSION) {
    refuse_module("it was built with reprise " + std::string(as_view(table->build)) +
                  ", this is " REPRISE_VERSION);
  }
  x_table = table;
}

void ScriptHost::run(const std::function<void()>& work) {
  load();
  Work job{work, nullptr};
  reprise_bytes error{};
  const auto status =
      x_table->run_on_engine_thread(as_bytes(x_options.cache_dir), as_bytes(x_options.crash_text),
                                    as_bytes(x_options.crash_document), run_work, &job, &error);
  if (status != REPRISE_SCRIPT_OK) fail(status, error);
  if (job.thrown) std::rethrow_exception(job.thrown);
}

std::vector<ScriptImport> ScriptHost::imports(std::string_view path,
                                              std::string_view source) const {
  const reprise_source file{as_bytes(path), as_bytes(source), module_format(path)};
  reprise_imports found{};
  reprise_bytes error{};
  const auto status = x_table->imports(&file, &found, &error);
  if (status != REPRISE_SCRIPT_OK) fail(status, error);
  std::vector<ScriptImport> list;
  for (size_t i = 0; i < found.count; ++i) {
    const auto& item = found.items[i];
    list.push_back({std::string(as_view(item.specifier)), std::string(as_view(item.message)),
                    static_cast<ScriptImport::Kind>(item.kind), item.line, item.column,
                    item.dynamic != 0});
  }
  return list;
}

void ScriptHost::fail(int32_t status, reprise_bytes error) {
  const std::string details(as_view(error));
  JsonReader reader;
  const auto& members = reader.members_of_copy(details.empty() ? std::string_view("{}") : details);
  if (status == REPRISE_SCRIPT_ERROR) {
    throw Error(Exit::kUsage, "SCRIPT_INVALID", script_message(members), {}, details);
  }
  if (status == REPRISE_SCRIPT_BUDGET) {
    throw Error(Exit::kBudget, "SCRIPT_BUDGET", members.text("message"),
                "nothing was recorded; run:iterate tries again: look for a loop without end, a "
                "growing list or a recursion in the process",
                details);
  }
  throw Error(Exit::kBug, "SCRIPT_ENGINE_FAILED", members.text("message"), {}, details);
}

int32_t module_format(std::string_view path) {
  return path.ends_with(".cjs") ? REPRISE_MODULE_CJS : REPRISE_MODULE_ESM;
}

reprise_bytes as_bytes(std::string_view text) { return {text.data(), text.size()}; }

std::string_view as_view(reprise_bytes bytes) { return {bytes.data, bytes.size}; }

}  // namespace reprise
