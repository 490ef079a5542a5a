// Values across the border between JavaScript and C++. Nothing here runs user code: proxies,
// getters and toJSON are errors that name the place, never calls.
#pragma once

#include <js/RootingAPI.h>
#include <js/TypeDecls.h>
#include <js/Value.h>

#include <string>
#include <string_view>

namespace reprise::script {

enum class KeyOrder {
  kAsWritten,  ///< as JSON.stringify
  kSorted,     ///< members sorted by their UTF-8 bytes, at every depth: the text is the value's
               ///< identity
};

/// Appends the JSON text of a value as JSON.stringify would write it: undefined members and
/// functions dropped (null in arrays and at the top), NaN and infinities null, dates ISO text.
/// False with a pending TypeError that starts with `what` and the path ("args.items[3]") for what
/// has no faithful JSON: proxies, getters, toJSON, BigInt, cycles, Map, Set, promises, lone
/// surrogates, depth over 512, more than 64 MiB.
bool append_json(JSContext* cx, JS::HandleValue value, std::string_view what, KeyOrder order,
                 std::string& out);

/// Parses UTF-8 JSON text. False with a pending SyntaxError.
bool parse_json(JSContext* cx, std::string_view json, JS::MutableHandleValue out);

/// Appends text as a JSON string literal. `utf8` must be valid UTF-8.
void append_json_string(std::string& out, std::string_view utf8);

/// Appends a number as JavaScript prints it; what JSON cannot hold as null.
void append_json_number(std::string& out, double number);

/// Appends a string as UTF-8. False, without an exception, when it holds a lone surrogate (U+FFFD
/// is put there); false with an exception when memory ran out.
bool append_utf8(JSContext* cx, JSString* string, std::string& out);

/// append_utf8 that does not mind surrogates: for messages.
std::string to_utf8(JSContext* cx, JSString* string);

JSString* new_string(JSContext* cx, std::string_view utf8);

/// An own data property's value; undefined when there is none, when it is an accessor, or when the
/// object is a proxy.
JS::Value own_data(JSContext* cx, JS::HandleObject object, JS::PropertyKey name);
JS::Value own_data(JSContext* cx, JS::HandleObject object, const char* name);
/// The same, looking up the prototype chain until a proxy.
JS::Value inherited_data(JSContext* cx, JS::HandleObject object, JS::PropertyKey name);
JS::Value inherited_data(JSContext* cx, JS::HandleObject object, const char* name);

/// "2026-11-21T20:15:02.114Z", as Date.prototype.toISOString.
std::string iso_time(int64_t epoch_ms);

/// How to say what somebody passed: "undefined", "a string", "an object", "a function".
std::string describe(JS::HandleValue value);

}  // namespace reprise::script
