// The walk looks at own property descriptors only, so it cannot meet user code; it stops at
// anything whose JSON text would need some (or would silently lose data).
#include "processes/script/values.h"

#include <js/Array.h>
#include <js/CallAndConstruct.h>
#include <js/Class.h>
#include <js/Date.h>
#include <js/Interrupt.h>
#include <js/JSON.h>
#include <js/Object.h>
#include <js/Promise.h>
#include <js/PropertyAndElement.h>
#include <js/PropertyDescriptor.h>
#include <js/Proxy.h>
#include <js/Realm.h>
#include <jsapi.h>
#include <jsfriendapi.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "processes/script/errors.h"
#include "processes/script/text.h"

namespace reprise::script {

namespace {

constexpr unsigned kMaxDepth = 512;
constexpr size_t kMaxBytes = size_t{64} << 20;

class Walk {
 public:
  Walk(JSContext* cx, std::string_view what, KeyOrder order, std::string& out)
      : cx_(cx),
        what_(what),
        sorted_(order == KeyOrder::kSorted),
        out_(out),
        limit_(out.size() + kMaxBytes) {}

  bool top(JS::HandleValue value) {
    if (!has_json(value)) {
      out_ += "null";
      return true;
    }
    return write(value, nullptr);
  }

 private:
  // One level of the path from the top to the current value; lives on the C++ stack.
  struct Step {
    const Step* up;
    JS::HandleObject container;
    JS::HandleId id;
    unsigned depth;
  };

  static bool has_json(JS::HandleValue value) {
    if (value.isUndefined() || value.isSymbol()) return false;
    return !value.isObject() || !JS::IsCallable(&value.toObject());
  }

  bool write(JS::HandleValue value, const Step* at) {
    if (value.isString()) return string(value.toString(), at);
    if (value.isInt32()) {
      append_integer(out_, value.toInt32());
    } else if (value.isDouble()) {
      append_json_number(out_, value.toDouble());
    } else if (value.isBoolean()) {
      out_ += value.toBoolean() ? "true" : "false";
    } else if (value.isNull()) {
      out_ += "null";
    } else if (value.isBigInt()) {
      return fail(at, "is a BigInt: write it as a string, or as a Number if it is small enough");
    } else {
      JS::RootedObject object(cx_, &value.toObject());
      return this->object(object, at);
    }
    return true;
  }

  bool string(JSString* value, const Step* at) {
    if (JS_GetStringLength(value) > kMaxBytes) return too_large();
    JS::RootedString rooted(cx_, value);
    JSLinearString* linear = JS_EnsureLinearString(cx_, rooted);
    if (!linear) return false;
    if (append_json_string(linear, out_)) return out_.size() <= limit_ || too_large();
    return fail(
        at, "is text with half of a surrogate pair: it is not Unicode and cannot be written down");
  }

  bool object(JS::HandleObject object, const Step* at) {
    if (js::IsProxy(object)) return fail(at, "is a Proxy: pass a plain copy, { ...value }");
    if ((at ? at->depth : 0) >= kMaxDepth) return fail(at, "is nested deeper than 512 levels");
    for (const Step* step = at; step; step = step->up) {
      if (step->container == object) return fail(at, "contains itself (a cycle)");
    }
    js::ESClass kind;
    if (!JS::GetBuiltinClass(cx_, object, &kind)) return false;
    switch (kind) {
      case js::ESClass::Object:
        return no_to_json(object, at) && members(object, at);
      case js::ESClass::Array:
        return elements(object, at);
      case js::ESClass::Date:
        return date(object);
      case js::ESClass::Number:
      case js::ESClass::String:
      case js::ESClass::Boolean:
      case js::ESClass::BigInt:
        return fail(at, kBoxed);
      case js::ESClass::Map:
        return fail(at, "is a Map: use Object.fromEntries(map) or [...map]");
      case js::ESClass::Set:
        return fail(at, "is a Set: use [...set]");
      case js::ESClass::Promise:
        return fail(at, "is a Promise: await it first");
      default:
        return no_to_json(object, at) && members(object, at);
    }
  }

  // Instances of classes may bring a toJSON; Object.prototype's own is nobody's business and is
  // ignored.
  bool no_to_json(JS::HandleObject object, const Step* at) {
    JS::RootedObject proto(cx_);
    if (!JS_GetPrototype(cx_, object, &proto)) return false;
    while (proto && proto != JS::GetRealmObjectPrototype(cx_) && !js::IsProxy(proto)) {
      JS::RootedValue method(cx_, own_data(cx_, proto, "toJSON"));
      if (method.isObject() && JS::IsCallable(&method.toObject())) return fail(at, kToJson);
      if (!JS_GetPrototype(cx_, proto, &proto)) return false;
    }
    return true;
  }

  bool date(JS::HandleObject object) {
    double ms = 0;
    if (!js::DateGetMsecSinceEpoch(cx_, object, &ms)) return false;
    if (std::isnan(ms)) {
      out_ += "null";
    } else {
      out_ += '"' + iso_time(static_cast<int64_t>(ms)) + '"';
    }
    return true;
  }

  bool elements(JS::HandleObject array, const Step* at) {
    uint32_t length = 0;
    if (!JS::GetArrayLength(cx_, array, &length)) return false;
    JS::RootedId id(cx_);
    JS::RootedValue value(cx_);
    out_ += '[';
    for (uint32_t i = 0; i < length; ++i) {
      if (i > 0) out_ += ',';
      if (!JS_IndexToId(cx_, i, &id)) return false;
      Step step{at, array, id, at ? at->depth + 1 : 1};
      if (!data_property(step, &value)) return false;
      if (!has_json(value)) {
        out_ += "null";
      } else if (!write(value, &step)) {
        return false;
      }
      if ((i & 0xfff) == 0xfff && !breathe()) return false;
    }
    out_ += ']';
    return true;
  }

  bool members(JS::HandleObject object, const Step* at) {
    JS::RootedIdVector ids(cx_);
    if (!js::GetPropertyKeys(cx_, object, JSITER_OWNONLY, &ids)) return false;
    std::vector<Member> names(ids.length());
    for (size_t i = 0; i < ids.length(); ++i) {
      names[i].index = i;
      if (!literal(ids[i], names[i].literal))
        return fail(at, "has a member name that is not Unicode text");
    }
    if (sorted_) std::sort(names.begin(), names.end());
    JS::RootedValue value(cx_);
    out_ += '{';
    bool first = true;
    for (const Member& name : names) {
      Step step{at, object, ids[name.index], at ? at->depth + 1 : 1};
      if (!data_property(step, &value)) return false;
      if (!has_json(value)) {
        if (name.literal == "\"toJSON\"" && value.isObject()) return fail(at, kToJson);
        continue;
      }
      if (!first) out_ += ',';
      first = false;
      out_ += name.literal;
      out_ += ':';
      if (!write(value, &step)) return false;
    }
    out_ += '}';
    return out_.size() <= limit_ || too_large();
  }

  struct Member {
    std::string literal;  // with quotes and escapes
    size_t index = 0;
    // By the UTF-8 bytes of the name. Escapes are decoded for the rare names that have any.
    bool operator<(const Member& other) const { return unescaped() < other.unescaped(); }
    std::string unescaped() const { return unescape_json_string(literal); }
  };

  bool literal(JS::HandleId id, std::string& out) {
    if (!id.isInt()) return append_json_string(id.toLinearString(), out);
    out += '"';
    append_integer(out, id.toInt());
    out += '"';
    return true;
  }

  bool data_property(const Step& step, JS::MutableHandleValue value) {
    JS::Rooted<mozilla::Maybe<JS::PropertyDescriptor>> found(cx_);
    if (!JS_GetOwnPropertyDescriptorById(cx_, step.container, step.id, &found)) return false;
    value.setUndefined();
    if (found.isNothing()) return true;
    if (found->isAccessorDescriptor()) {
      return fail(&step, "is a getter: pass its value");
    }
    if (found->hasValue()) value.set(found->value());
    return true;
  }

  // Long walks must stay under the budget, too.
  bool breathe() { return (out_.size() <= limit_ || too_large()) && JS_CheckForInterrupt(cx_); }
  bool too_large() {
    return fail(nullptr, "is larger than 64 MiB: keep it in a file and pass its name");
  }

  bool fail(const Step* at, std::string_view reason) {
    std::string message(what_);
    append_path(at, message);
    message += ' ';
    message += reason;
    return throw_type_error(cx_, message);
  }

  void append_path(const Step* at, std::string& out) {
    if (!at) return;
    append_path(at->up, out);
    if (at->id.isInt()) {
      out += '[' + std::to_string(at->id.toInt()) + ']';
    } else {
      out += '.' + to_utf8(cx_, JS::RootedString(
                                    cx_, JS_FORGET_STRING_LINEARNESS(at->id.toLinearString())));
    }
  }

  static constexpr std::string_view kBoxed =
      "is a boxed primitive (new Number, new String, new Boolean): pass the plain value";
  static constexpr std::string_view kToJson =
      "has a toJSON method, which is not called here: pass the plain data that it returns";

  JSContext* cx_;
  std::string_view what_;
  bool sorted_;
  std::string& out_;
  size_t limit_;
};

JS::Value data_of(JSContext* cx, JS::HandleObject object, JS::PropertyKey name, bool* found) {
  *found = false;
  JS::Rooted<mozilla::Maybe<JS::PropertyDescriptor>> descriptor(cx);
  JS::RootedId id(cx, name);
  if (!JS_GetOwnPropertyDescriptorById(cx, object, id, &descriptor)) {
    JS_ClearPendingException(cx);
    return JS::UndefinedValue();
  }
  *found = descriptor.isSome();
  return descriptor.isSome() && descriptor->hasValue() ? JS::Value(descriptor->value())
                                                       : JS::UndefinedValue();
}

JS::PropertyKey pinned_name(JSContext* cx, const char* name) {
  JSString* atom = JS_AtomizeAndPinString(cx, name);
  return atom ? JS::PropertyKey::fromPinnedString(atom) : JS::PropertyKey::Void();
}

}  // namespace

bool append_json(JSContext* cx, JS::HandleValue value, std::string_view what, KeyOrder order,
                 std::string& out) {
  return Walk(cx, what, order, out).top(value);
}

bool parse_json(JSContext* cx, std::string_view json, JS::MutableHandleValue out) {
  JS::RootedString text(cx, new_string(cx, json));
  return text && JS_ParseJSON(cx, text, out);
}

bool append_utf8(JSContext* cx, JSString* string, std::string& out) {
  JS::RootedString rooted(cx, string);
  JSLinearString* linear = JS_EnsureLinearString(cx, rooted);
  return linear && append_utf8(linear, out);
}

std::string to_utf8(JSContext* cx, JSString* string) {
  std::string out;
  if (string && !append_utf8(cx, string, out)) JS_ClearPendingException(cx);
  return out;
}

JSString* new_string(JSContext* cx, std::string_view utf8) {
  return JS_NewStringCopyUTF8N(cx, JS::UTF8Chars(utf8.data(), utf8.size()));
}

JS::Value own_data(JSContext* cx, JS::HandleObject object, JS::PropertyKey name) {
  bool found = false;
  return js::IsProxy(object) ? JS::UndefinedValue() : data_of(cx, object, name, &found);
}

JS::Value own_data(JSContext* cx, JS::HandleObject object, const char* name) {
  return own_data(cx, object, pinned_name(cx, name));
}

JS::Value inherited_data(JSContext* cx, JS::HandleObject object, const char* name) {
  return inherited_data(cx, object, pinned_name(cx, name));
}

JS::Value inherited_data(JSContext* cx, JS::HandleObject object, JS::PropertyKey name) {
  JS::RootedObject at(cx, object);
  while (at && !js::IsProxy(at)) {
    bool found = false;
    JS::Value value = data_of(cx, at, name, &found);
    if (found) return value;
    if (!JS_GetPrototype(cx, at, &at)) {
      JS_ClearPendingException(cx);
      break;
    }
  }
  return JS::UndefinedValue();
}

std::string describe(JS::HandleValue value) {
  if (value.isUndefined()) return "undefined";
  if (value.isNull()) return "null";
  if (value.isString()) return "a string";
  if (value.isNumber()) return "a number";
  if (value.isBoolean()) return "a boolean";
  if (value.isSymbol()) return "a symbol";
  if (value.isBigInt()) return "a BigInt";
  return JS::IsCallable(&value.toObject()) ? "a function" : "an object";
}

}  // namespace reprise::script
