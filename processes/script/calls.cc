// Calls that wait return promises, and reject them instead of throwing, so that a wrong call reads
// the same to `await` as a failed effect. After the process's end they return promises that never
// settle, and record nothing.
#include "processes/script/calls.h"

#include <js/CallAndConstruct.h>
#include <js/Class.h>
#include <js/Date.h>
#include <js/Exception.h>
#include <js/Object.h>
#include <js/Promise.h>
#include <js/PropertyAndElement.h>
#include <js/PropertySpec.h>
#include <js/Proxy.h>
#include <jsapi.h>
#include <jsfriendapi.h>

#include <optional>

#include "processes/script/asks.h"
#include "processes/script/call_options.h"
#include "processes/script/errors.h"
#include "processes/script/logs.h"
#include "processes/script/memory_save.h"
#include "processes/script/script.h"
#include "processes/script/values.h"
#include "processes/script/waits.h"

namespace reprise::script {

namespace {

using Body = bool (*)(JSContext* cx, Script& script, const JS::CallArgs& args);

// A native whose errors are rejections.
template <Body body>
bool waiting(JSContext* cx, unsigned argc, JS::Value* vp) {
  JS::CallArgs args = JS::CallArgsFromVp(argc, vp);
  Script& script = Script::of(cx);
  JSObject* promise = nullptr;
  if (script.ended()) {
    promise = JS::NewPromiseObject(cx, nullptr);
  } else {
    if (script.engine().jobs().lane() != kProcessLane) {
      throw_type_error(cx,
                       "a task builder cannot ask for effects: call ctx.task and its like in the "
                       "process itself");
    } else if (body(cx, script, args)) {
      return true;
    }
    if (!JS_IsExceptionPending(cx)) return false;  // terminated
    JS::RootedValue reason(cx, take_exception(cx));
    promise = JS::CallOriginalPromiseReject(cx, reason);
  }
  if (!promise) return false;
  args.rval().setObject(*promise);
  return true;
}

template <Body body>
bool immediate(JSContext* cx, unsigned argc, JS::Value* vp) {
  return body(cx, Script::of(cx), JS::CallArgsFromVp(argc, vp));
}

// ---- ctx.task

bool read_task(JSContext* cx, JS::HandleValue given, std::string& id,
               JS::MutableHandleValue build) {
  const Names& names = Engine::of(cx).names();
  if (!given.isObject() || js::IsProxy(&given.toObject())) {
    return throw_type_error(
        cx,
        "ctx.task needs a task made by defineTask as its first argument, not " + describe(given));
  }
  JS::RootedObject task(cx, &given.toObject());
  JS::RootedValue name(cx, inherited_data(cx, task, names.id));
  build.set(inherited_data(cx, task, names.build));
  bool callable = build.isObject() && JS::IsCallable(&build.toObject());
  if (name.isString() && callable) {
    if (append_utf8(cx, name.toString(), id) && !id.empty()) return true;
    return throw_type_error(cx, "the task's id is empty or not Unicode text");
  }
  return throw_type_error(
      cx,
      "ctx.task needs a task made by defineTask as its first argument, not an object whose id is " +
          describe(name) + " and whose build is " + describe(build));
}

bool ctx_task(JSContext* cx, Script& script, const JS::CallArgs& args) {
  CommandText call;
  JS::RootedValue build(cx);
  CallOptions options(cx);
  std::string checked;  // the definition that the builder returns has the last word
  if (!read_task(cx, args.get(0), call.task, &build) || !read_options(cx, args.get(2), options) ||
      !read_task_options(cx, options.rest, "options", OptionsOf::kCall, checked) ||
      !append_json(cx, args.get(1), "args", KeyOrder::kSorted, call.args)) {
    return false;
  }
  call.key = std::move(options.key);
  call.label = options.label.value_or("");
  std::optional<size_t> command;
  if (!ask(cx, script, std::move(call), args, command)) return false;
  if (!command) return true;
  JS::RootedObject task(cx, &args[0].toObject());
  return script.builders().build(cx,
                                 {task, build, args.get(1), options.rest, options.label, *command});
}

// ---- ctx.emit

bool ctx_emit(JSContext* cx, Script& script, const JS::CallArgs& args) {
  args.rval().setUndefined();
  if (script.ended()) return true;
  if (script.engine().jobs().lane() != kProcessLane) {
    return throw_type_error(
        cx, "a task builder cannot emit events: call ctx.emit in the process itself");
  }
  CommandText event;
  event.kind = REPRISE_EMIT;
  if (!read_name(cx, args.get(0), "ctx.emit needs the type of an event", event.name) ||
      !append_json(cx, args.get(1), "payload", KeyOrder::kAsWritten, event.json)) {
    return false;
  }
  script.add_command(std::move(event));
  return true;
}

// ---- Time and chance

bool ctx_now(JSContext* cx, Script& script, const JS::CallArgs& args) {
  JSObject* date = JS::NewDateObject(cx, JS::TimeClip(static_cast<double>(script.engine().now_ms)));
  if (!date) return false;
  args.rval().setObject(*date);
  return true;
}

bool ctx_random(JSContext*, Script& script, const JS::CallArgs& args) {
  args.rval().setDouble(script.random().next_double());
  return true;
}

bool ctx_uuid(JSContext* cx, Script& script, const JS::CallArgs& args) {
  JSString* text = new_string(cx, script.random().next_uuid());
  if (!text) return false;
  args.rval().setString(text);
  return true;
}

// ---- Ends

bool ctx_on_cleanup(JSContext* cx, Script& script, const JS::CallArgs& args) {
  if (!args.get(0).isObject() || !JS::IsCallable(&args[0].toObject())) {
    return throw_type_error(cx, "ctx.onCleanup needs a function, not " + describe(args.get(0)));
  }
  if (!script.ended()) script.add_cleanup(&args[0].toObject());
  args.rval().setUndefined();
  return true;
}

// Nothing of the script runs after this: returning false without an exception cannot be caught.
bool ctx_halt(JSContext* cx, Script& script, const JS::CallArgs& args) {
  args.rval().setUndefined();
  if (script.ended()) return true;
  if (script.engine().jobs().lane() != kProcessLane) {
    return throw_type_error(
        cx, "a task builder cannot halt the process: call ctx.halt in the process itself");
  }
  std::string reason, payload;
  if (!args.get(0).isNullOrUndefined() &&
      !read_name(cx, args.get(0), "ctx.halt needs the reason, a string", reason)) {
    return false;
  }
  if (!args.get(1).isUndefined() &&
      !append_json(cx, args.get(1), "payload", KeyOrder::kAsWritten, payload)) {
    return false;
  }
  script.halt(std::move(reason), std::move(payload));
  return false;
}

constexpr JSFunctionSpec kMemoryFunctions[] = {
    JS_FN("recall", waiting<ctx_memory_recall>, 2, JSPROP_ENUMERATE),
    JS_FN("save", immediate<ctx_memory_save>, 2, JSPROP_ENUMERATE), JS_FS_END};

constexpr JSFunctionSpec kCtxFunctions[] = {
    JS_FN("task", waiting<ctx_task>, 3, JSPROP_ENUMERATE),
    JS_FN("breakpoint", waiting<ctx_breakpoint>, 2, JSPROP_ENUMERATE),
    JS_FN("sleepUntil", waiting<ctx_sleep_until>, 2, JSPROP_ENUMERATE),
    JS_FN("signal", waiting<ctx_signal>, 2, JSPROP_ENUMERATE),
    JS_FN("run", waiting<ctx_run>, 3, JSPROP_ENUMERATE),
    JS_FN("hook", waiting<ctx_hook>, 3, JSPROP_ENUMERATE),
    JS_FN("orchestratorTask", waiting<ctx_orchestrator_task>, 2, JSPROP_ENUMERATE),
    JS_FN("emit", immediate<ctx_emit>, 2, JSPROP_ENUMERATE),
    JS_FN("now", immediate<ctx_now>, 0, JSPROP_ENUMERATE),
    JS_FN("random", immediate<ctx_random>, 0, JSPROP_ENUMERATE),
    JS_FN("uuid", immediate<ctx_uuid>, 0, JSPROP_ENUMERATE),
    JS_FN("log", ctx_log, 2, JSPROP_ENUMERATE),
    JS_FN("onCleanup", immediate<ctx_on_cleanup>, 1, JSPROP_ENUMERATE),
    JS_FN("halt", immediate<ctx_halt>, 2, JSPROP_ENUMERATE),
    JS_FS_END};

}  // namespace

bool math_random(JSContext* cx, unsigned argc, JS::Value* vp) {
  return immediate<ctx_random>(cx, argc, vp);
}

JSObject* new_ctx(JSContext* cx, std::string_view run_id, std::string_view run_dir,
                  JS::HandleValue parallel) {
  JS::RootedObject ctx(cx, JS_NewPlainObject(cx));
  auto define_text = [cx, &ctx](const char* name, std::string_view utf8) {
    JS::RootedString text(cx, new_string(cx, utf8));
    return text && JS_DefineProperty(cx, ctx, name, text, JSPROP_ENUMERATE);
  };
  JS::RootedObject memory(cx, JS_NewPlainObject(cx));
  bool made = ctx && memory && JS_DefineFunctions(cx, memory, kMemoryFunctions) &&
              JS_DefineProperty(cx, ctx, "memory", memory, JSPROP_ENUMERATE) &&
              define_text("runId", run_id) && define_text("runDir", run_dir) &&
              define_text("artifactsDir", std::string(run_dir) + "/artifacts") &&
              JS_DefineFunctions(cx, ctx, kCtxFunctions) &&
              JS_DefineProperty(cx, ctx, "parallel", parallel, JSPROP_ENUMERATE);
  return made ? ctx.get() : nullptr;
}

}  // namespace reprise::script
