// Errors, in and out: what a script threw as facts and as JSON, and how natives throw.
#pragma once

#include <js/RootingAPI.h>
#include <js/TypeDecls.h>
#include <js/Value.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace reprise::script {

/// Where scripts see their own files, and where the module's own code lies (never shown in what is
/// recorded).
inline constexpr std::string_view kProcessRoot = "reprise:/process/";
inline constexpr std::string_view kInternalRoot = "reprise:/internal/";

/// An error without a JavaScript value: of the graph, of the process's shape.
struct ScriptError {
  std::string name = "Error";
  std::string message;
  std::string stack;
  std::string file;  ///< path below the pinned root; empty when unknown
  uint32_t line = 0;
  uint32_t column = 0;

  /// {"name","message","stack"?,"file"?,"line"?,"column"?}
  std::string json() const;
};

/// What is known of a thrown value, read without running user code.
ScriptError facts_of(JSContext* cx, JS::HandleValue thrown);
/// facts_of as JSON, with the chain of causes.
std::string error_json(JSContext* cx, JS::HandleValue thrown);
/// error_json of the pending exception, which is cleared. There must be one.
std::string pending_error_json(JSContext* cx);
/// The pending exception, which is cleared.
JS::Value take_exception(JSContext* cx);

/// Both throw and return false, so that a native can return them.
bool throw_type_error(JSContext* cx, std::string_view message);
bool throw_named_error(JSContext* cx, const char* name, std::string_view message);

/// A new Error object with a name of its own; null when memory ran out.
JSObject* new_error(JSContext* cx, const char* name, std::string_view message);

}  // namespace reprise::script
