#include "processes/script/script.h"

#include <js/CallAndConstruct.h>
#include <js/Exception.h>
#include <js/GCAPI.h>
#include <js/Modules.h>
#include <js/Promise.h>
#include <js/PropertyAndElement.h>
#include <jsapi.h>
#include <jsfriendapi.h>

#include "processes/script/calls.h"
#include "processes/script/errors.h"
#include "processes/script/realm.h"
#include "processes/script/values.h"

namespace reprise::script {

namespace {

std::string text(reprise_bytes bytes) {
  return bytes.size ? std::string(bytes.data, bytes.size) : std::string();
}
std::string message_json(std::string_view message) {
  std::string out = "{\"message\":";
  append_json_string(out, message);
  return out + "}";
}

}  // namespace

Script::Script(Engine& engine, const reprise_script_options& options)
    : engine_(engine),
      run_id_(text(options.run_id)),
      run_dir_(text(options.run_dir)),
      process_id_(text(options.process_id)),
      export_name_(options.export_name.size ? text(options.export_name) : "process"),
      entry_(text(options.entry)),
      heap_bytes_(options.heap_bytes),
      rules_(options.rules),
      modules_(options),
      builders_(*this, options.random_seed),
      random_(options.random_seed, "") {
  JS_AddExtraGCRootsTracer(engine.cx(), trace, this);
}

Script::~Script() {
  engine_.jobs().clear();
  JS_RemoveExtraGCRootsTracer(engine_.cx(), trace, this);
}

void Script::trace(JSTracer* tracer, void* data) {
  auto& script = *static_cast<Script*>(data);
  script.modules_.trace(tracer);
  script.effects_.trace(tracer);
  script.builders_.trace(tracer);
  script.signals_.trace(tracer);
  for (auto& cancellation : script.cancellations_)
    JS::TraceEdge(tracer, &cancellation.error, "cancellation");
  for (auto& function : script.cleanups_) JS::TraceEdge(tracer, &function, "cleanup");
  for (auto& function : script.prelude_) JS::TraceEdge(tracer, &function, "prelude function");
  for (auto* object :
       {&script.global_, &script.ctx_, &script.process_function_, &script.process_promise_}) {
    JS::TraceEdge(tracer, object, "script");
  }
}

RandomStream& Script::random() {
  RandomStream* builder = builders_.stream();
  return builder ? *builder : random_;
}

bool Script::ended() const {
  if (halt_ || over_) return true;
  if (!process_promise_) return false;
  JS::RootedObject promise(engine_.cx(), process_promise_);
  return JS::GetPromiseState(promise) != JS::PromiseState::Pending;
}

std::string Script::invocation_key(const CommandText& call) const {
  std::string step = call.key;
  if (step.empty()) {
    std::string digits = std::to_string(call.effect);
    step = "S" + std::string(digits.size() < 6 ? 6 - digits.size() : 0, '0') + digits;
  }
  return process_id_ + ":" + step + ":" + call.task;
}

bool Script::call_prelude(JSContext* cx, Prelude function, const JS::HandleValueArray& arguments,
                          JS::MutableHandleValue result) {
  JS::RootedValue callee(cx, JS::ObjectValue(*prelude_[static_cast<size_t>(function)]));
  return JS::Call(cx, JS::UndefinedHandleValue, callee, arguments, result);
}

void Script::add_command(CommandText&& command) {
  size_t bytes = command.bytes();
  effects_.commands().push_back(std::move(command));
  // Commands are not on the engine's heap, so no collection looks at them.
  if (bytes > (size_t{1} << 20) || effects_.commands().size() % 4096 == 0)
    engine_.limits().check_memory();
}

void Script::add_cleanup(JSObject* function) { cleanups_.emplace_back(function); }

void Script::halt(std::string reason, std::string payload) {
  halt_.emplace();
  halt_->kind = REPRISE_HALT;
  halt_->name = std::move(reason);
  halt_->json = std::move(payload);
}

// ---- Loading.

int32_t Script::load(int64_t at_ms, std::string& error) {
  JSContext* cx = engine_.cx();
  engine_.now_ms = at_ms;
  engine_.limits().set_heap(heap_bytes_);
  JS::RootedObject global(cx, new_global(cx, this));
  if (!global) {
    error = message_json("no memory for a script");
    return REPRISE_SCRIPT_BUG;
  }
  global_ = global;
  JSAutoRealm realm(cx, global);
  if (!furnish(cx)) {
    error = message_json("the prelude fails: " + pending_error_json(cx));
    return REPRISE_SCRIPT_BUG;
  }
  engine_.limits().set_source(modules_.source_bytes());
  bool loaded = load_entry(cx, error);
  if (engine_.limits().exceeded()) {
    error = engine_.limits().error_json();
    return REPRISE_SCRIPT_BUDGET;
  }
  engine_.jobs().clear();
  return loaded ? REPRISE_SCRIPT_OK : REPRISE_SCRIPT_ERROR;
}

bool Script::furnish(JSContext* cx) {
  JS::RootedObject prelude(cx);
  if (!furnish_global(cx, run_id_, run_dir_, &prelude)) return false;
  modules_.set_prelude(prelude);
  JS::RootedValue function(cx);
  const char* const names[] = {"taskContext", "withOptions", "definitionOf"};
  for (size_t i = 0; i < std::size(names); ++i) {
    if (!JS_GetProperty(cx, prelude, names[i], &function)) return false;
    prelude_[i] = &function.toObject();
  }
  JS::RootedValue parallel(cx);
  if (!JS_GetProperty(cx, prelude, "parallel", &parallel)) return false;
  JS::RootedObject ctx(cx, new_ctx(cx, run_id_, run_dir_, parallel));
  ctx_ = ctx;
  return ctx;
}

bool Script::load_entry(JSContext* cx, std::string& error) {
  auto pending = [cx, &error] {
    if (JS_IsExceptionPending(cx)) error = pending_error_json(cx);
    return false;
  };
  JS::RootedObject module(cx), evaluation(cx);
  if (!modules_.start(cx, entry_, &module, &evaluation) || !drain(cx)) return pending();
  JS::RootedObject exports(cx, module);
  if (evaluation) {
    switch (JS::GetPromiseState(evaluation)) {
      case JS::PromiseState::Pending:
        error =
            ScriptError{
                "ModuleError",
                entry_ +
                    " never finishes loading: a top-level await waits for something that "
                    "does not come; tasks can only be awaited inside of the process function",
                "",
                entry_,
                1,
                1}
                .json();
        return false;
      case JS::PromiseState::Rejected: {
        JS::RootedValue reason(cx, JS::GetPromiseResult(evaluation));
        error = error_json(cx, reason);
        return false;
      }
      case JS::PromiseState::Fulfilled:
        break;
    }
    exports = JS::GetModuleNamespace(cx, module);
    if (!exports) return pending();
  }
  if (JSObject* promise = engine_.jobs().first_unhandled()) {
    JS::RootedObject rejected(cx, promise);
    JS::RootedValue reason(cx, JS::GetPromiseResult(rejected));
    error = error_json(cx, reason);
    return false;
  }
  return find_process(cx, exports, error) || pending();
}

// module.process ?? module.default, if that is a function. An export that was asked for by another
// name must be there: a typing mistake must not run something else.
bool Script::find_process(JSContext* cx, JS::HandleObject exports, std::string& error) {
  JS::RootedValue found(cx);
  const bool by_default = export_name_ == "process";
  for (const char* name : {export_name_.c_str(), "default"}) {
    if (!JS_GetProperty(cx, exports, name, &found)) return false;
    if (found.isObject() && JS::IsCallable(&found.toObject())) {
      process_function_ = &found.toObject();
      return true;
    }
    if (!by_default || !found.isNullOrUndefined()) break;
  }
  JS::RootedIdVector ids(cx);
  if (!js::GetPropertyKeys(cx, exports, JSITER_OWNONLY, &ids)) return false;
  std::string names;
  for (size_t i = 0; i < ids.length(); ++i) {
    if (!ids[i].isString()) continue;
    JS::RootedString name(cx, JS_FORGET_STRING_LINEARNESS(ids[i].toLinearString()));
    names += (names.empty() ? "" : ", ") + to_utf8(cx, name);
  }
  error = ScriptError{"ExportError",
                      entry_ + " exports no function \"" + export_name_ + "\"; it exports " +
                          (names.empty() ? "nothing" : names) + ". Write: export async function " +
                          export_name_ + "(inputs, ctx) { ... }",
                      "",
                      entry_,
                      1,
                      1}
              .json();
  return false;
}

// ---- Activations.

int32_t Script::apply(const reprise_activation& activation, std::string& error) {
  JSContext* cx = engine_.cx();
  Limits& limits = engine_.limits();
  bool alive = !limits.exceeded();
  if (alive && (over_ || !process_function_)) {
    error = message_json("the process has ended: nothing more can be given to it");
    return REPRISE_SCRIPT_BUG;
  }
  if (alive) {
    engine_.now_ms = activation.at_ms;
    effects_.begin(activation.next_effect);
    JS::RootedObject global(cx, global_);
    JSAutoRealm realm(cx, global);
    alive = give(cx, activation) && drain(cx);
    if (!alive && JS_IsExceptionPending(cx) && !limits.exceeded()) {
      error = message_json("activation " + std::to_string(activation.seq) + ": " +
                           pending_error_json(cx));
      return REPRISE_SCRIPT_BUG;
    }
    if (!limits.exceeded()) conclude(cx);
  }
  if (!limits.exceeded()) return REPRISE_SCRIPT_OK;
  error = limits.error_json();
  return REPRISE_SCRIPT_BUDGET;
}

// The process first, then each builder in turn, until all are idle.
bool Script::drain(JSContext* cx) {
  Jobs& jobs = engine_.jobs();
  do {
    if (!jobs.run(kProcessLane) || !builders_.take_turns(cx)) return false;
    if (jobs.empty() && builders_.any() && !builders_.give_up(cx)) return false;
  } while (!jobs.empty() || builders_.any());
  return true;
}

}  // namespace reprise::script
