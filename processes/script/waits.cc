#include "processes/script/waits.h"

#include <js/CallAndConstruct.h>
#include <js/Date.h>
#include <js/Exception.h>
#include <js/Object.h>
#include <js/Promise.h>
#include <js/Proxy.h>
#include <jsapi.h>
#include <jsfriendapi.h>

#include <cmath>

#include "processes/script/asks.h"
#include "processes/script/call_options.h"
#include "processes/script/effect_errors.h"
#include "processes/script/errors.h"
#include "processes/script/script.h"
#include "processes/script/values.h"

namespace reprise::script {

namespace {

std::string sleep_of(int64_t due_ms) {
  return "{\"iso\":\"" + iso_time(due_ms) + "\",\"targetEpochMs\":" + std::to_string(due_ms) + "}";
}

// -1: no timeout.
bool read_timeout(JSContext* cx, JS::HandleValue given, int64_t& timeout_ms) {
  CallOptions options(cx);
  timeout_ms = -1;
  if (!read_options(cx, given, options)) return false;
  if (!options.key.empty() || options.label)
    return throw_type_error(cx, "ctx.signal has no options key and label: it has timeoutMs");
  if (!options.rest) return true;
  if (!only_members(cx, options.rest, "options", {"timeoutMs"})) return false;
  JS::RootedValue value(cx, own_data(cx, options.rest, "timeoutMs"));
  return value.isNull() || read_whole(cx, value, "options.timeoutMs", 0, kLongestMs, timeout_ms);
}

// The sleep that ends a wait, requested together with it. Its promise is the wait's own.
uint64_t request_timer(Script& script, const std::string& signal, int64_t timeout_ms,
                       JS::HandleObject promise) {
  CommandText call;
  call.task = "__sdk.signalTimeout";
  call.effect_kind = "sleep";
  call.label = "signal:" + signal;
  call.due_ms = script.engine().now_ms + timeout_ms;
  append_json_string(call.args = "{\"name\":", signal);
  call.args += ",\"timeoutMs\":" + std::to_string(timeout_ms) + "}";
  call.definition =
      "{\"kind\":\"sleep\",\"sleep\":" + sleep_of(call.due_ms) + ",\"signal\":" + call.args + "}";
  size_t command = script.effects().request(std::move(call), promise);
  return script.effects().commands()[command].effect;
}

}  // namespace

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
  double ms = 0;
  CallOptions options(cx);
  if (!read_time(cx, args.get(0), ms) || !read_options(cx, args.get(1), options)) return false;
  if (!(std::abs(ms) <= kLastTimeMs)) {
    return throw_named_error(
        cx, "InvalidSleepTargetError",
        "ctx.sleepUntil needs an ISO time, milliseconds since 1970 or a Date, not " +
            (args.get(0).isString() ? "\"" + to_utf8(cx, args[0].toString()) + "\""
                                    : describe(args.get(0))));
  }
  auto due = static_cast<int64_t>(std::ceil(ms));
  if (due <= script.engine().now_ms) {
    JSObject* promise = JS::CallOriginalPromiseResolve(cx, JS::UndefinedHandleValue);
    if (!promise) return false;
    args.rval().setObject(*promise);
    return true;
  }
  CommandText call;
  call.task = "__sdk.sleep";
  call.effect_kind = "sleep";
  call.label = "sleep:" + iso_time(due);
  call.key = std::move(options.key);
  call.due_ms = due;
  call.args = sleep_of(due);
  call.definition = "{\"kind\":\"sleep\",\"sleep\":" + call.args + "}";
  std::optional<size_t> command;
  return ask(cx, script, std::move(call), args, command);
}

bool ctx_signal(JSContext* cx, Script& script, const JS::CallArgs& args) {
  std::string name, early;
  int64_t timeout_ms = 0;
  JS::RootedValue value(cx);
  if (!read_name(cx, args.get(0), "ctx.signal needs the name of a signal", name) ||
      !read_timeout(cx, args.get(1), timeout_ms)) {
    return false;
  }
  bool is_there = script.signals().take_early(name, early);
  if (!is_there && timeout_ms == 0) {
    if (signal_timeout_error(cx, name, 0, &value)) JS_SetPendingException(cx, value);
    return false;
  }
  JS::RootedObject promise(cx, JS::NewPromiseObject(cx, nullptr));
  if (!promise) return false;
  args.rval().setObject(*promise);
  if (is_there) return parse_json(cx, early, &value) && JS::ResolvePromise(cx, promise, value);
  uint64_t timer = timeout_ms > 0 ? request_timer(script, name, timeout_ms, promise) : 0;
  script.signals().await(name, promise, timer, timeout_ms);
  return true;
}

}  // namespace reprise::script
