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

#include <cmath>
#include <optional>

#include "processes/script/errors.h"
#include "processes/script/logs.h"
#include "processes/script/script.h"
#include "processes/script/values.h"

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

// ---- Options of a call.

struct CallOptions {
  explicit CallOptions(JSContext* cx) : object(cx) {}
  JS::RootedObject object;  // null when there are none
  std::string key;
  std::optional<std::string> label;
};

bool read_text(JSContext* cx, JS::HandleObject options, JS::PropertyKey name, const char* what,
               std::optional<std::string>& out) {
  JS::RootedValue value(cx, own_data(cx, options, name));
  if (value.isNullOrUndefined()) return true;
  if (!value.isString())
    return throw_type_error(cx, std::string(what) + " must be a string, not " + describe(value));
  std::string text;
  if (!append_utf8(cx, value.toString(), text))
    return throw_type_error(cx, std::string(what) + " is not Unicode text");
  out = std::move(text);
  return true;
}

bool read_options(JSContext* cx, JS::HandleValue given, CallOptions& options) {
  if (given.isNullOrUndefined()) return true;
  if (!given.isObject() || js::IsProxy(&given.toObject())) {
    return throw_type_error(
        cx, "options must be an object like { key, label }, not " + describe(given));
  }
  options.object = &given.toObject();
  const Names& names = Engine::of(cx).names();
  std::optional<std::string> key;
  if (!read_text(cx, options.object, names.key, "options.key", key) ||
      !read_text(cx, options.object, names.label, "options.label", options.label)) {
    return false;
  }
  if (key && key->empty()) return throw_type_error(cx, "options.key must not be empty");
  if (key) options.key = std::move(*key);
  return true;
}

// Gives the promise of a call with the same key, or numbers this one. `command` is its place if it
// is new.
bool request(JSContext* cx, Script& script, CommandText&& call, JS::MutableHandleObject promise,
             std::optional<size_t>& command) {
  if (!script.effects().find_same(cx, call, promise)) return false;
  if (promise) return true;
  promise.set(JS::NewPromiseObject(cx, nullptr));
  if (!promise) return false;
  command = script.effects().request(std::move(call), promise);
  if (*command % 4096 == 4095) script.engine().limits().check_memory();
  return true;
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
  if (!read_task(cx, args.get(0), call.task, &build) || !read_options(cx, args.get(2), options) ||
      !append_json(cx, args.get(1), "args", KeyOrder::kSorted, call.args)) {
    return false;
  }
  call.key = std::move(options.key);
  call.label = options.label.value_or("");
  JS::RootedObject promise(cx);
  std::optional<size_t> command;
  if (!request(cx, script, std::move(call), &promise, command)) return false;
  args.rval().setObject(*promise);
  if (!command) return true;
  JS::RootedObject task(cx, &args[0].toObject());
  return script.builders().build(
      cx, {task, build, args.get(1), options.object, options.label, *command});
}

// ---- ctx.breakpoint

bool ctx_breakpoint(JSContext* cx, Script& script, const JS::CallArgs& args) {
  CommandText call;
  call.task = "__sdk.breakpoint";
  call.effect_kind = "breakpoint";
  CallOptions options(cx);
  JS::RootedValueArray<2> given(cx);
  given[0].set(args.get(0));
  given[1].set(args.get(1));
  if (given[0].isNullOrUndefined()) {
    JSObject* empty = JS_NewPlainObject(cx);
    if (!empty) return false;
    given[0].setObject(*empty);
  }
  if (!read_options(cx, given[1], options) ||
      !append_json(cx, given[0], "payload", KeyOrder::kSorted, call.args)) {
    return false;
  }
  call.key = std::move(options.key);
  if (!options.label && given[0].isObject()) {
    JS::RootedObject payload(cx, &given[0].toObject());
    JS::RootedValue label(cx, own_data(cx, payload, Engine::of(cx).names().label));
    if (label.isString()) options.label = to_utf8(cx, label.toString());
  }
  call.label = options.label.value_or("breakpoint");
  JS::RootedValue definition(cx);
  if (!script.call_prelude(cx, Prelude::kBreakpointDefinition, given, &definition) ||
      !append_json(cx, definition, "the breakpoint", KeyOrder::kAsWritten, call.definition)) {
    return false;
  }
  JS::RootedObject promise(cx);
  std::optional<size_t> command;
  if (!request(cx, script, std::move(call), &promise, command)) return false;
  args.rval().setObject(*promise);
  return true;
}

// ---- ctx.sleepUntil

// Milliseconds since the epoch of a Date, a number or a text that Date.parse reads.
bool read_time(JSContext* cx, JS::HandleValue given, double& ms) {
  ms = std::nan("");
  if (given.isNumber()) {
    ms = given.toNumber();
  } else if (given.isString()) {
    JS::RootedValue date(cx);
    JS::RootedObject constructor(cx), made(cx);
    if (!JS_GetClassObject(cx, JSProto_Date, &constructor)) return false;
    JS::RootedValue function(cx, JS::ObjectValue(*constructor));
    if (!JS::Construct(cx, function, JS::HandleValueArray(given), &made)) return false;
    if (!js::DateGetMsecSinceEpoch(cx, made, &ms)) return false;
  } else if (given.isObject()) {
    JS::RootedObject object(cx, &given.toObject());
    bool is_date = false;
    if (js::IsProxy(object)) return true;
    if (!JS::ObjectIsDate(cx, object, &is_date)) return false;
    if (is_date && !js::DateGetMsecSinceEpoch(cx, object, &ms)) return false;
  }
  return true;
}

bool ctx_sleep_until(JSContext* cx, Script& script, const JS::CallArgs& args) {
  constexpr double kLastMs = 8.64e15;
  double ms = 0;
  CallOptions options(cx);
  if (!read_time(cx, args.get(0), ms) || !read_options(cx, args.get(1), options)) return false;
  if (!(std::abs(ms) <= kLastMs)) {
    return throw_named_error(
        cx, "InvalidSleepTargetError",
        "ctx.sleepUntil needs an ISO time, milliseconds since 1970 or a Date, not " +
            (args.get(0).isString() ? "\"" + to_utf8(cx, args[0].toString()) + "\""
                                    : describe(args.get(0))));
  }
  auto due = static_cast<int64_t>(std::ceil(ms));
  JS::RootedObject promise(cx);
  if (due <= script.engine().now_ms) {
    promise = JS::CallOriginalPromiseResolve(cx, JS::UndefinedHandleValue);
    if (!promise) return false;
    args.rval().setObject(*promise);
    return true;
  }
  std::string iso = iso_time(due);
  CommandText call;
  call.task = "__sdk.sleep";
  call.effect_kind = "sleep";
  call.label = "sleep:" + iso;
  call.key = std::move(options.key);
  call.due_ms = due;
  call.args = "{\"iso\":\"" + iso + "\",\"targetEpochMs\":" + std::to_string(due) + "}";
  call.definition = "{\"kind\":\"sleep\",\"sleep\":" + call.args + "}";
  std::optional<size_t> command;
  if (!request(cx, script, std::move(call), &promise, command)) return false;
  args.rval().setObject(*promise);
  return true;
}

// ---- ctx.signal, ctx.emit

bool read_name(JSContext* cx, JS::HandleValue given, const char* what, std::string& out) {
  if (given.isString() && append_utf8(cx, given.toString(), out) && !out.empty()) return true;
  return throw_type_error(cx, std::string(what) + ", not " + describe(given));
}

bool ctx_signal(JSContext* cx, Script& script, const JS::CallArgs& args) {
  std::string name;
  if (!read_name(cx, args.get(0), "ctx.signal needs the name of a signal", name)) return false;
  if (!args.get(1).isNullOrUndefined()) {
    return throw_type_error(
        cx, "ctx.signal takes no options yet: race it against ctx.sleepUntil for a timeout");
  }
  JSObject* promise = script.await_signal(cx, name);
  if (!promise) return false;
  args.rval().setObject(*promise);
  return true;
}

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

constexpr JSFunctionSpec kCtxFunctions[] = {
    JS_FN("task", waiting<ctx_task>, 3, JSPROP_ENUMERATE),
    JS_FN("breakpoint", waiting<ctx_breakpoint>, 2, JSPROP_ENUMERATE),
    JS_FN("sleepUntil", waiting<ctx_sleep_until>, 2, JSPROP_ENUMERATE),
    JS_FN("signal", waiting<ctx_signal>, 1, JSPROP_ENUMERATE),
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
  bool made = ctx && define_text("runId", run_id) && define_text("runDir", run_dir) &&
              define_text("artifactsDir", std::string(run_dir) + "/artifacts") &&
              JS_DefineFunctions(cx, ctx, kCtxFunctions) &&
              JS_DefineProperty(cx, ctx, "parallel", parallel, JSPROP_ENUMERATE);
  return made ? ctx.get() : nullptr;
}

}  // namespace reprise::script
