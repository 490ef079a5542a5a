// Members are taken by their property descriptors, once, into a copy: what is read later (by the
// prelude, too) cannot have changed and holds no getters. The copy is walked like any value that
// crosses the border, so all that lies below it is plain data as well.
#include "processes/script/call_options.h"

#include <js/Array.h>
#include <js/PropertyAndElement.h>
#include <js/PropertyDescriptor.h>
#include <js/Proxy.h>
#include <jsapi.h>
#include <jsfriendapi.h>

#include <algorithm>
#include <cmath>

#include "processes/script/engine.h"
#include "processes/script/errors.h"
#include "processes/script/values.h"

namespace reprise::script {

namespace {

std::string name_of(JSContext* cx, JS::HandleId id) {
  if (id.isInt()) return std::to_string(id.toInt());
  JS::RootedString name(cx, JS_FORGET_STRING_LINEARNESS(id.toLinearString()));
  return to_utf8(cx, name);
}

bool read_text(JSContext* cx, JS::HandleValue value, const char* what,
               std::optional<std::string>& out) {
  if (value.isNullOrUndefined()) return true;
  if (!value.isString())
    return throw_type_error(cx, std::string(what) + " must be a string, not " + describe(value));
  std::string text;
  if (!append_utf8(cx, value.toString(), text))
    return throw_type_error(cx, std::string(what) + " is not Unicode text");
  out = std::move(text);
  return true;
}

bool take_option(JSContext* cx, JS::HandleObject given, JS::HandleId id, CallOptions& options,
                 std::optional<std::string>& key) {
  const Names& names = Engine::of(cx).names();
  JS::Rooted<mozilla::Maybe<JS::PropertyDescriptor>> found(cx);
  if (!JS_GetOwnPropertyDescriptorById(cx, given, id, &found)) return false;
  if (found.isNothing()) return true;
  if (found->isAccessorDescriptor()) {
    return throw_type_error(cx, "options." + name_of(cx, id) + " is a getter: pass its value");
  }
  JS::RootedValue value(cx, found->value());
  if (id.get() == names.key) return read_text(cx, value, "options.key", key);
  if (id.get() == names.label) return read_text(cx, value, "options.label", options.label);
  if (value.isUndefined()) return true;
  if (!options.rest) options.rest = JS_NewObjectWithGivenProto(cx, nullptr, nullptr);
  return options.rest && JS_DefinePropertyById(cx, options.rest, id, value, JSPROP_ENUMERATE);
}

// ---- Task options

// Where a member is read from, for errors.
struct Source {
  JSContext* cx;
  std::string what;
  OptionsOf kind;

  std::string member(const char* name) const { return what + "." + name; }
  bool absent(JS::HandleValue value) const {
    return value.isNullOrUndefined() || (kind == OptionsOf::kDefinition && value.isFalse());
  }
};

// One of a few words; `out` stays when there is none.
bool read_word(const Source& from, JS::HandleValue value, const char* name,
               std::initializer_list<std::string_view> words, std::string& out) {
  if (from.absent(value)) return true;
  if (value.isString()) {
    std::string text = to_utf8(from.cx, value.toString());
    if (std::find(words.begin(), words.end(), text) != words.end()) {
      out = std::move(text);
      return true;
    }
  }
  std::string known;
  for (std::string_view word : words)
    known += (known.empty() ? "'" : ", '") + std::string(word) + "'";
  return throw_type_error(
      from.cx, from.member(name) + " must be one of " + known + ", not " + shown(from.cx, value));
}

// Appends `,"nonRetryable":[...]` when there are any.
bool append_names(const Source& from, JS::HandleValue value, std::string& out) {
  if (from.absent(value)) return true;
  const std::string what = from.member("nonRetryable");
  bool is_array = false;
  if (!JS::IsArrayObject(from.cx, value, &is_array)) return false;
  if (!is_array)
    return throw_type_error(
        from.cx, what + " must be an array of names of errors, not " + shown(from.cx, value));
  JS::RootedObject list(from.cx, &value.toObject());
  uint32_t length = 0;
  if (!JS::GetArrayLength(from.cx, list, &length)) return false;
  std::string names;
  for (uint32_t i = 0; i < length; ++i) {
    JS::RootedValue name(from.cx,
                         own_data(from.cx, list, JS::PropertyKey::Int(static_cast<int32_t>(i))));
    if (!name.isString() || JS_GetStringLength(name.toString()) == 0) {
      return throw_type_error(from.cx, what + "[" + std::to_string(i) +
                                           "] must be the name of an error, not " +
                                           shown(from.cx, name));
    }
    append_json_string(names += names.empty() ? "" : ",", to_utf8(from.cx, name.toString()));
  }
  if (!names.empty()) out += ",\"nonRetryable\":[" + names + "]";
  return true;
}

bool read_factor(const Source& from, JS::HandleValue value, double& factor) {
  if (from.absent(value)) return true;
  factor = value.isNumber() ? value.toNumber() : 0;
  return (std::isfinite(factor) && factor >= 1) ||
         throw_type_error(from.cx, from.member("factor") + " must be a number of at least 1, not " +
                                       shown(from.cx, value));
}

bool append_retry(const Source& from, JS::HandleValue value, std::string& out) {
  JSContext* cx = from.cx;
  bool is_array = false;
  if (!JS::IsArrayObject(cx, value, &is_array)) return false;
  if (!value.isObject() || is_array) {
    return throw_type_error(
        cx, from.what + " must be an object like { maxAttempts: 3 }, not " + shown(cx, value));
  }
  JS::RootedObject retry(cx, &value.toObject());
  if (!only_members(
          cx, retry, from.what,
          {"maxAttempts", "backoffMs", "factor", "maxBackoffMs", "nonRetryable", "onExhausted"})) {
    return false;
  }
  constexpr int64_t kMostAttempts = 1'000'000;
  int64_t attempts = 3, backoff = 1000;
  double factor = 2;
  JS::RootedValue member(cx);
  auto whole = [&](const char* name, int64_t least, int64_t most, int64_t& number) {
    member = own_data(cx, retry, name);
    return from.absent(member) || read_whole(cx, member, from.member(name), least, most, number);
  };
  if (!whole("maxAttempts", 1, kMostAttempts, attempts) ||
      !whole("backoffMs", 0, kLongestMs, backoff)) {
    return false;
  }
  int64_t longest = std::min(100 * backoff, kLongestMs);
  if (!whole("maxBackoffMs", 0, kLongestMs, longest)) return false;
  member = own_data(cx, retry, "factor");
  if (!read_factor(from, member, factor)) return false;
  out += "{\"maxAttempts\":" + std::to_string(attempts) +
         ",\"backoffMs\":" + std::to_string(backoff) + ",\"factor\":";
  append_json_number(out, factor);
  out += ",\"maxBackoffMs\":" + std::to_string(longest);
  member = own_data(cx, retry, "nonRetryable");
  std::string exhausted = "fail";
  if (!append_names(from, member, out)) return false;
  member = own_data(cx, retry, "onExhausted");
  if (!read_word(from, member, "onExhausted", {"fail", "ask"}, exhausted)) return false;
  out += ",\"onExhausted\":\"" + exhausted + "\"}";
  return true;
}

}  // namespace

bool read_options(JSContext* cx, JS::HandleValue given, CallOptions& options) {
  if (given.isNullOrUndefined()) return true;
  if (!given.isObject() || js::IsProxy(&given.toObject())) {
    return throw_type_error(
        cx, "options must be an object like { key, label }, not " + describe(given));
  }
  JS::RootedObject object(cx, &given.toObject());
  JS::RootedIdVector ids(cx);
  if (!js::GetPropertyKeys(cx, object, JSITER_OWNONLY, &ids)) return false;
  std::optional<std::string> key;
  for (size_t i = 0; i < ids.length(); ++i) {
    if (!take_option(cx, object, ids[i], options, key)) return false;
  }
  if (key && key->empty()) return throw_type_error(cx, "options.key must not be empty");
  if (key) options.key = std::move(*key);
  if (!options.rest) return true;
  std::string plain;
  JS::RootedValue rest(cx, JS::ObjectValue(*options.rest));
  return append_json(cx, rest, "options", KeyOrder::kAsWritten, plain);
}

bool read_task_options(JSContext* cx, JS::HandleObject from, std::string_view what, OptionsOf kind,
                       std::string& out) {
  out.clear();
  if (!from) return true;
  const Names& names = Engine::of(cx).names();
  const Source source{cx, std::string(what), kind};
  JS::RootedValue value(cx, own_data(cx, from, names.timeout_ms));
  if (!source.absent(value)) {
    int64_t timeout = 0;
    if (!read_whole(cx, value, source.member("timeoutMs"), 0, kLongestMs, timeout)) return false;
    if (timeout > 0) add_member(out, "\"timeoutMs\":" + std::to_string(timeout));
  }
  value = own_data(cx, from, names.retry);
  if (!source.absent(value)) {
    std::string retry = "\"retry\":";
    if (!append_retry({cx, source.member("retry"), kind}, value, retry)) return false;
    add_member(out, retry);
  }
  std::string on_lost;
  value = own_data(cx, from, names.on_lost);
  if (!read_word(source, value, "onLost", {"retry", "ask", "fail"}, on_lost)) return false;
  if (!on_lost.empty()) add_member(out, "\"onLost\":\"" + on_lost + "\"");
  value = own_data(cx, from, names.output_schema);
  if (value.isNullOrUndefined() || value.isFalse()) return true;
  bool is_array = false;
  if (!JS::IsArrayObject(cx, value, &is_array)) return false;
  if (is_array || !(value.isObject() || value.isTrue())) {
    return throw_type_error(cx, source.member("outputSchema") +
                                    " must be a JSON Schema, an object or a boolean, not " +
                                    (is_array ? "an array" : shown(cx, value)));
  }
  add_member(out, "\"outputSchema\":true");
  return true;
}

void add_member(std::string& object, std::string_view member) {
  if (object.empty()) object = "{}";
  object.pop_back();
  if (object.size() > 1) object += ',';
  object.append(member).append(1, '}');
}

bool only_members(JSContext* cx, JS::HandleObject object, const std::string& what,
                  std::initializer_list<std::string_view> names) {
  JS::RootedIdVector ids(cx);
  if (!js::GetPropertyKeys(cx, object, JSITER_OWNONLY, &ids)) return false;
  for (size_t i = 0; i < ids.length(); ++i) {
    std::string name = name_of(cx, ids[i]);
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    std::string known;
    for (std::string_view each : names) known += (known.empty() ? "" : ", ") + std::string(each);
    return throw_type_error(cx, what + " has no member \"" + name + "\": it has " + known);
  }
  return true;
}

bool read_whole(JSContext* cx, JS::HandleValue value, const std::string& what, int64_t least,
                int64_t most, int64_t& out) {
  double number = value.isNumber() ? value.toNumber() : std::nan("");
  if (number >= static_cast<double>(least) && number <= static_cast<double>(most) &&
      std::trunc(number) == number) {
    out = static_cast<int64_t>(number);
    return true;
  }
  return throw_type_error(cx, what + " must be a whole number from " + std::to_string(least) +
                                  " to " + std::to_string(most) + ", not " + shown(cx, value));
}

std::string shown(JSContext* cx, JS::HandleValue value) {
  constexpr size_t kShort = 60;
  if (value.isNumber()) {
    if (!std::isfinite(value.toNumber())) return std::isnan(value.toNumber()) ? "NaN" : "infinity";
    std::string text;
    append_json_number(text, value.toNumber());
    return text;
  }
  if (value.isBoolean()) return value.toBoolean() ? "true" : "false";
  if (value.isString() && JS_GetStringLength(value.toString()) <= kShort)
    return "\"" + to_utf8(cx, value.toString()) + "\"";
  return describe(value);
}

}  // namespace reprise::script
