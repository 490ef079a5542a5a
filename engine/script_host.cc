#include "engine/script_host.h"

#include <exception>

#include "engine/script_hints.h"
#include "journal/error.h"
#include "journal/json_reader.h"

namespace reprise {

namespace {

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

struct CheckJob {
  const std::function<void()>& run;
  std::exception_ptr thrown;
};

/// The border that no exception crosses.
void run_work(void* argument) {
  auto& work = *static_cast<CheckJob*>(argument);
  try {
    work.run();
  } catch (...) {
    work.thrown = std::current_exception();
  }
}

}  // namespace

ModuleQuery script_module() {
  return {.file = "libreprise_script.so",
          .symbol = "reprise_script_module",
          .abi = REPRISE_SCRIPT_ABI,
          .what = "the script engine",
          .error = "SCRIPT_ENGINE_MISSING",
          .path = {}};
}

void ScriptHost::load() {
  if (x_table != nullptr) return;
  auto query = script_module();
  query.path = x_options.module;
  const auto* header = open_module(query);
  x_table = reinterpret_cast<const reprise_script_table*>(header);
}

void ScriptHost::run(const std::function<void()>& work) {
  load();
  CheckJob job{work, nullptr};
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
    throw Error(Exit::kUsage, "SCRIPT_INVALID", script_message(members),
                script_hint(members.text("message"), members.text("file")), details);
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

}  // namespace reprise
