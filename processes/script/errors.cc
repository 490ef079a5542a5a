// Facts come from own data properties, the engine's error report and saved frames; none of them
// runs user code. Frames of the module's own JavaScript are left out: they change between versions.
#include "processes/script/errors.h"

#include <js/ErrorReport.h>
#include <js/Exception.h>
#include <js/Object.h>
#include <js/PropertyAndElement.h>
#include <js/Proxy.h>
#include <js/SavedFrameAPI.h>
#include <js/Stack.h>
#include <jsapi.h>

#include "processes/script/values.h"

namespace reprise::script {

namespace {

constexpr int kMaxCauses = 8;

const JSErrorFormatString* format_of(void*, unsigned type) {
  static const JSErrorFormatString kTypeError = {"REPRISE_TYPE", "{0}", 1, JSEXN_TYPEERR};
  static const JSErrorFormatString kError = {"REPRISE_ERROR", "{0}", 1, JSEXN_ERR};
  return type == JSEXN_TYPEERR ? &kTypeError : &kError;
}

std::string text_property(JSContext* cx, JS::HandleObject object, const char* name) {
  JS::RootedValue value(cx, inherited_data(cx, object, name));
  return value.isString() ? to_utf8(cx, value.toString()) : std::string();
}

// "reprise:/process/lib/a.js line 3 > eval" -> "lib/a.js"
std::string pinned_path(std::string_view file) {
  if (!file.starts_with(kProcessRoot)) return std::string(file);
  file.remove_prefix(kProcessRoot.size());
  return std::string(file.substr(0, file.find(" line ")));
}

std::string without_internal_frames(std::string_view stack) {
  std::string out;
  while (!stack.empty()) {
    size_t end = stack.find('\n');
    std::string_view line = stack.substr(0, end == std::string_view::npos ? stack.size() : end + 1);
    if (line.find(kInternalRoot) == std::string_view::npos) out += line;
    stack.remove_prefix(line.size());
  }
  while (!out.empty() && out.back() == '\n') out.pop_back();
  return out;
}

// The innermost frame of the script itself.
bool place_of(JSContext* cx, JS::HandleObject stack, ScriptError& error) {
  JS::RootedObject frame(cx, stack);
  JS::RootedString source(cx);
  while (frame) {
    if (JS::GetSavedFrameSource(cx, nullptr, frame, &source) != JS::SavedFrameResult::Ok)
      return false;
    std::string file = to_utf8(cx, source);
    if (file.starts_with(kProcessRoot)) {
      error.file = pinned_path(file);
      JS::GetSavedFrameLine(cx, nullptr, frame, &error.line);
      JS::GetSavedFrameColumn(cx, nullptr, frame, &error.column);
      return true;
    }
    if (JS::GetSavedFrameParent(cx, nullptr, frame, &frame) != JS::SavedFrameResult::Ok)
      return false;
  }
  return false;
}

void read_report(JSContext* cx, JS::HandleValue thrown, ScriptError& error, bool placed) {
  JS::ExceptionStack as_thrown(cx, thrown, nullptr);
  JS::ErrorReportBuilder builder(cx);
  if (!builder.init(cx, as_thrown, JS::ErrorReportBuilder::NoSideEffects)) {
    JS_ClearPendingException(cx);
    return;
  }
  JSErrorReport* report = builder.report();
  if (error.message.empty() && report->message()) error.message = report->message().c_str();
  if (placed || !report->filename || !std::string_view(report->filename).starts_with(kProcessRoot))
    return;
  error.file = pinned_path(report->filename);
  error.line = report->lineno;
  error.column = report->column + (report->exnType == JSEXN_SYNTAXERR ? 1 : 0);
}

void read_error_object(JSContext* cx, JS::HandleObject object, JS::HandleValue thrown,
                       ScriptError& error) {
  if (std::string name = text_property(cx, object, "name"); !name.empty()) error.name = name;
  error.message = text_property(cx, object, "message");
  JS::RootedObject stack(cx, JS::ExceptionStackOrNull(object));
  bool placed = place_of(cx, stack, error);
  read_report(cx, thrown, error, placed);

  JS::RootedValue own(cx, own_data(cx, object, "stack"));
  if (own.isString()) {
    error.stack = to_utf8(cx, own.toString());
    return;
  }
  JS::RootedString frames(cx);
  if (!stack || !JS::BuildStackString(cx, nullptr, stack, &frames))
    return JS_ClearPendingException(cx);
  std::string text = without_internal_frames(to_utf8(cx, frames));
  if (text.empty()) return;
  error.stack = error.name + ": " + error.message + "\n" + text;
}

// Anything can be thrown. A plain object that looks like an error is taken for one.
void read_other_value(JSContext* cx, JS::HandleValue thrown, ScriptError& error) {
  if (thrown.isString()) {
    error.message = to_utf8(cx, thrown.toString());
    return;
  }
  if (thrown.isObject()) {
    JS::RootedObject object(cx, &thrown.toObject());
    if (std::string name = text_property(cx, object, "name"); !name.empty()) error.name = name;
    error.message = text_property(cx, object, "message");
    if (!error.message.empty()) return;
  }
  std::string json;
  if (append_json(cx, thrown, "", KeyOrder::kAsWritten, json)) {
    error.message = thrown.isUndefined() ? "undefined" : json;
  } else {
    JS_ClearPendingException(cx);
    error.message = describe(thrown);
  }
}

std::string to_json(JSContext* cx, JS::HandleValue thrown, int causes_left) {
  std::string out = facts_of(cx, thrown).json();
  if (!thrown.isObject() || causes_left == 0) return out;
  JS::RootedObject object(cx, &thrown.toObject());
  JS::RootedValue cause(cx, own_data(cx, object, "cause"));
  if (cause.isUndefined()) return out;
  out.pop_back();
  return out + ",\"cause\":" + to_json(cx, cause, causes_left - 1) + "}";
}

}  // namespace

std::string ScriptError::json() const {
  std::string out = "{\"name\":";
  append_json_string(out, name);
  out += ",\"message\":";
  append_json_string(out, message);
  if (!stack.empty()) append_json_string(out += ",\"stack\":", stack);
  if (!file.empty()) {
    append_json_string(out += ",\"file\":", file);
    out += ",\"line\":" + std::to_string(line) + ",\"column\":" + std::to_string(column);
  }
  return out + "}";
}

ScriptError facts_of(JSContext* cx, JS::HandleValue thrown) {
  ScriptError error;
  if (thrown.isObject() && !js::IsProxy(&thrown.toObject())) {
    JS::RootedObject object(cx, &thrown.toObject());
    js::ESClass kind;
    if (JS::GetBuiltinClass(cx, object, &kind) && kind == js::ESClass::Error) {
      read_error_object(cx, object, thrown, error);
      return error;
    }
  }
  read_other_value(cx, thrown, error);
  return error;
}

std::string error_json(JSContext* cx, JS::HandleValue thrown) {
  return to_json(cx, thrown, kMaxCauses);
}

JS::Value take_exception(JSContext* cx) {
  JS::RootedValue thrown(cx);
  if (!JS_GetPendingException(cx, &thrown)) thrown.setUndefined();
  JS_ClearPendingException(cx);
  return thrown;
}

std::string pending_error_json(JSContext* cx) {
  JS::RootedValue thrown(cx, take_exception(cx));
  return error_json(cx, thrown);
}

bool throw_type_error(JSContext* cx, std::string_view message) {
  JS_ReportErrorNumberUTF8(cx, format_of, nullptr, JSEXN_TYPEERR, std::string(message).c_str());
  return false;
}

JSObject* new_error(JSContext* cx, const char* name, std::string_view message) {
  JS_ReportErrorNumberUTF8(cx, format_of, nullptr, JSEXN_ERR, std::string(message).c_str());
  JS::RootedValue thrown(cx, take_exception(cx));
  if (!thrown.isObject()) return nullptr;
  JS::RootedObject error(cx, &thrown.toObject());
  JS::RootedString text(cx, JS_NewStringCopyZ(cx, name));
  if (!text || !JS_DefineProperty(cx, error, "name", text, 0)) return nullptr;
  return error;
}

bool throw_named_error(JSContext* cx, const char* name, std::string_view message) {
  JS::RootedObject error(cx, new_error(cx, name, message));
  if (!error) return false;
  JS::RootedValue value(cx, JS::ObjectValue(*error));
  JS_SetPendingException(cx, value);
  return false;
}

}  // namespace reprise::script
