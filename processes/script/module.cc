// The module's border: the C table. No exception leaves it (natives and these functions end the
// process on bad_alloc, which is mapped to the memory budget like any crash of the engine).
#include <js/Exception.h>
#include <js/Realm.h>
#include <jsapi.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/process/script_module.h"
#include "processes/script/engine.h"
#include "processes/script/engine_thread.h"
#include "processes/script/errors.h"
#include "processes/script/imports.h"
#include "processes/script/realm.h"
#include "processes/script/script.h"
#include "processes/script/values.h"

struct reprise_script {
  reprise_script(reprise::script::Engine& engine, const reprise_script_options& options)
      : script(engine, options) {}
  reprise::script::Script script;
  std::vector<reprise_command> commands;
  std::string awaited;
};

namespace reprise::script {
namespace {

constexpr uint32_t kInterfaceVersion = 1;

// One engine to a process is SpiderMonkey's rule; all of the module's state hangs here.
struct Module {
  std::unique_ptr<EngineThread> thread;
  std::unique_ptr<Engine> engine;
  std::string error;
  std::vector<Import> imports;
  std::vector<reprise_import> import_views;
  uint64_t destroyed = 0;
};

Module& module() {
  static auto* const kModule = new Module;  // outlives static destructors on purpose
  return *kModule;
}

reprise_bytes bytes(std::string_view text) { return {text.data(), text.size()}; }

int32_t bug(std::string_view message, reprise_bytes* error) {
  std::string& text = module().error;
  text = "{\"message\":";
  append_json_string(text, message);
  text += '}';
  *error = bytes(text);
  return REPRISE_SCRIPT_BUG;
}

int32_t run_on_engine_thread(reprise_bytes cache_dir, reprise_bytes crash_text,
                             reprise_bytes crash_document, void (*fn)(void*), void* argument,
                             reprise_bytes* error) noexcept {
  Module& state = module();
  if (!state.thread) state.thread = std::make_unique<EngineThread>();
  if (!state.thread->stack()) return bug("no thread for the JavaScript engine", error);
  std::string problem;
  state.thread->run([&] {
    if (!state.engine) {
      Engine::Options options{view(cache_dir), view(crash_text), view(crash_document),
                              state.thread->stack()};
      state.engine = Engine::start(options, problem);
    }
    if (state.engine) fn(argument);
  });
  return state.engine ? static_cast<int32_t>(REPRISE_SCRIPT_OK) : bug(problem, error);
}

int32_t imports(const reprise_source* source, reprise_imports* out, reprise_bytes* error) noexcept {
  Module& state = module();
  JSContext* cx = state.engine->cx();
  state.imports.clear();
  state.import_views.clear();
  *out = {nullptr, 0};
  JS::RootedObject global(cx, new_global(cx, nullptr));
  if (!global) return bug("no memory for the imports of a source", error);
  JSAutoRealm realm(cx, global);
  if (!find_imports(cx, std::string(view(source->path)), view(source->source), source->format,
                    state.imports)) {
    if (JS_IsThrowingOutOfMemory(cx)) return bug("no memory for the imports of a source", error);
    if (!JS_IsExceptionPending(cx)) return bug("the source could not be read", error);
    state.error = pending_error_json(cx);
    *error = bytes(state.error);
    return REPRISE_SCRIPT_ERROR;
  }
  for (const Import& found : state.imports) {
    state.import_views.push_back({bytes(found.specifier), bytes(found.message), found.kind,
                                  found.line, found.column, found.dynamic ? 1 : 0});
  }
  *out = {state.import_views.data(), state.import_views.size()};
  return REPRISE_SCRIPT_OK;
}

int32_t load(const reprise_script_options* options, int64_t at_ms, reprise_script** out,
             reprise_bytes* error) noexcept {
  Module& state = module();
  auto script = std::make_unique<reprise_script>(*state.engine, *options);
  *out = nullptr;
  int32_t status = script->script.load(at_ms, state.error);
  if (status == REPRISE_SCRIPT_OK) {
    *out = script.release();
  } else {
    *error = bytes(state.error);
  }
  return status;
}

// A realm is garbage only to a collection, and nothing else asks for one between two scripts.
constexpr uint64_t kScriptsPerCollection = 32;

void destroy(reprise_script* script) noexcept {
  delete script;
  Module& state = module();
  state.engine->limits().release_heap();
  if (++state.destroyed % kScriptsPerCollection == 0) JS_GC(state.engine->cx());
}

reprise_command view_of(const CommandText& command) {
  return {command.kind,
          command.effect,
          command.due_ms,
          bytes(command.task),
          bytes(command.effect_kind),
          bytes(command.label),
          bytes(command.key),
          bytes(command.args),
          bytes(command.definition),
          bytes(command.name),
          bytes(command.json),
          bytes(command.options),
          command.cancelled ? 1 : 0};
}

int32_t apply(reprise_script* script, const reprise_activation* activation, reprise_commands* out,
              reprise_bytes* error) noexcept {
  *out = {nullptr, 0};
  int32_t status = script->script.apply(*activation, module().error);
  if (status != REPRISE_SCRIPT_OK) {
    *error = bytes(module().error);
    return status;
  }
  script->commands.clear();
  for (const CommandText& command : script->script.effects().commands())
    script->commands.push_back(view_of(command));
  *out = {script->commands.data(), script->commands.size()};
  return REPRISE_SCRIPT_OK;
}

void arm(int64_t cpu_ms) noexcept { module().engine->limits().arm(cpu_ms); }

int32_t check(reprise_script*, reprise_bytes* error) noexcept {
  Module& state = module();
  Limits& limits = state.engine->limits();
  limits.check();
  if (!limits.exceeded()) return REPRISE_SCRIPT_OK;
  state.error = limits.error_json();
  *error = bytes(state.error);
  return REPRISE_SCRIPT_BUDGET;
}

// Of the library that is loaded, not of the one that this was built with.
const std::string& engine_name() {
  static const std::string kName = [] {
    std::string_view version = JS_GetImplementationVersion();
    constexpr std::string_view kPrefix = "JavaScript-C";
    if (version.starts_with(kPrefix)) version.remove_prefix(kPrefix.size());
    return "mozjs-" + std::string(version);
  }();
  return kName;
}

reprise_bytes awaited(reprise_script* script) noexcept {
  script->awaited = script->script.signals().awaited_json();
  return bytes(script->awaited);
}

uint64_t highest_effect(reprise_script* script) noexcept {
  return script->script.effects().highest();
}

}  // namespace
}  // namespace reprise::script

extern "C" __attribute__((visibility("default"))) const reprise_module_header*
reprise_script_module(void) {
  using namespace reprise::script;
  static const reprise_script_table kTable = {
      {REPRISE_SCRIPT_ABI, {REPRISE_VERSION, sizeof REPRISE_VERSION - 1}},
      kInterfaceVersion,
      bytes(engine_name()),
      run_on_engine_thread,
      imports,
      load,
      destroy,
      apply,
      arm,
      check,
      awaited,
      highest_effect};
  return &kTable.module;
}
