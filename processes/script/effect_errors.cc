#include "processes/script/effect_errors.h"

#include <js/PropertyAndElement.h>
#include <jsapi.h>

#include <string>

#include "processes/script/errors.h"
#include "processes/script/values.h"

namespace reprise::script {

namespace {

// The posted object; an empty one in place of anything else.
bool parse_object(JSContext* cx, std::string_view json, JS::MutableHandleObject out) {
  JS::RootedValue value(cx);
  if (!parse_json(cx, json.empty() ? "{}" : json, &value)) return false;
  out.set(value.isObject() ? &value.toObject() : JS_NewPlainObject(cx));
  return out;
}

bool copy_member(JSContext* cx, JS::HandleObject from, const char* name, JS::HandleObject to,
                 unsigned attributes) {
  JS::RootedValue value(cx, own_data(cx, from, name));
  return value.isUndefined() || JS_DefineProperty(cx, to, name, value, attributes);
}

bool define_effect_id(JSContext* cx, JS::HandleObject error, uint64_t effect) {
  JS::RootedString id(cx, new_string(cx, "t" + std::to_string(effect)));
  return id && JS_DefineProperty(cx, error, "effectId", id, JSPROP_ENUMERATE);
}

}  // namespace

bool posted_error(JSContext* cx, uint64_t effect, std::string_view json,
                  JS::MutableHandleValue out) {
  JS::RootedObject posted(cx);
  if (!parse_object(cx, json, &posted)) return false;
  JS::RootedValue message(cx, own_data(cx, posted, "message"));
  std::string text = message.isString() ? to_utf8(cx, message.toString()) : "the effect failed";
  JS::RootedObject error(cx, new_error(cx, "Error", text));
  if (!error || !copy_member(cx, posted, "name", error, 0) ||
      !copy_member(cx, posted, "stack", error, 0) ||
      !copy_member(cx, posted, "data", error, JSPROP_ENUMERATE) ||
      !define_effect_id(cx, error, effect)) {
    return false;
  }
  out.setObject(*error);
  return true;
}

bool cancel_error(JSContext* cx, uint64_t effect, std::string_view json,
                  JS::MutableHandleValue out) {
  JS::RootedObject details(cx);
  if (!parse_object(cx, json, &details)) return false;
  JS::RootedValue reason(cx, own_data(cx, details, "reason"));
  std::string text = "t" + std::to_string(effect) + " was cancelled";
  if (reason.isString()) text += ": " + to_utf8(cx, reason.toString());
  JS::RootedObject error(cx, new_error(cx, "EffectCancelledError", text));
  if (!error || !JS_DefineProperty(cx, error, "reason", reason, JSPROP_ENUMERATE) ||
      !define_effect_id(cx, error, effect)) {
    return false;
  }
  out.setObject(*error);
  return true;
}

bool signal_timeout_error(JSContext* cx, const std::string& signal, int64_t timeout_ms,
                          JS::MutableHandleValue out) {
  std::string text = "no signal \"" + signal + "\"";
  text += timeout_ms == 0 ? " is there" : " came within " + std::to_string(timeout_ms) + " ms";
  JS::RootedObject error(cx, new_error(cx, "SignalTimeoutError", text));
  JS::RootedString name(cx, new_string(cx, signal));
  if (!error || !name || !JS_DefineProperty(cx, error, "signal", name, JSPROP_ENUMERATE) ||
      !JS_DefineProperty(cx, error, "timeoutMs", static_cast<double>(timeout_ms),
                         JSPROP_ENUMERATE)) {
    return false;
  }
  out.setObject(*error);
  return true;
}

bool run_cancelled_error(JSContext* cx, std::string_view json, std::string& reason,
                         JS::MutableHandleValue out) {
  JS::RootedObject details(cx);
  if (!parse_object(cx, json, &details)) return false;
  JS::RootedValue given(cx, own_data(cx, details, "reason"));
  if (given.isString()) reason = to_utf8(cx, given.toString());
  std::string text = "the run was cancelled" + (reason.empty() ? "" : ": " + reason);
  JS::RootedObject error(cx, new_error(cx, "RunCancelledError", text));
  if (!error || !JS_DefineProperty(cx, error, "reason", given, JSPROP_ENUMERATE)) return false;
  out.setObject(*error);
  return true;
}

}  // namespace reprise::script
