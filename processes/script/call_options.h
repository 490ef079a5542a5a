// The options that calls of ctx take: the author's key and label, and what is asked for besides
// the work (timeouts, retries, a schema). Reading them runs no user code.
#pragma once

#include <js/RootingAPI.h>
#include <js/TypeDecls.h>
#include <js/Value.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace reprise::script {

struct CallOptions {
  explicit CallOptions(JSContext* cx) : rest(cx) {}
  std::string key;  ///< empty: none
  std::optional<std::string> label;
  JS::RootedObject
      rest;  ///< a copy of all other members, without a prototype; null when there are none
};

/// Reads the options of a call; undefined and null are none. False with a pending TypeError for
/// anything that is no object of plain data, for an empty key, and for texts that are none.
bool read_options(JSContext* cx, JS::HandleValue given, CallOptions& options);

/// Who wrote the task options: the options of a call, or a definition as built, in which false
/// stands for nothing, too.
enum class OptionsOf : uint8_t { kCall, kDefinition };

/// Reads timeoutMs, retry, onLost and outputSchema off `from`, which must be plain data (see
/// append_json), into `out`: the normal form of engine/task_options.h, empty when there are none.
/// `from` may be null. False with a pending TypeError that names the member, below `what`.
bool read_task_options(JSContext* cx, JS::HandleObject from, std::string_view what, OptionsOf kind,
                       std::string& out);

/// Adds a member ("\"a\":1") to the text of a JSON object; an empty text is an empty object.
void add_member(std::string& object, std::string_view member);

/// False with a pending TypeError when the object has other members than these.
bool only_members(JSContext* cx, JS::HandleObject object, const std::string& what,
                  std::initializer_list<std::string_view> names);

/// Reads a whole number. False with a pending TypeError for anything else.
bool read_whole(JSContext* cx, JS::HandleValue value, const std::string& what, int64_t least,
                int64_t most, int64_t& out);

/// The longest time in options: a hundred years.
inline constexpr int64_t kLongestMs = 3'155'760'000'000;

/// How to say what somebody passed, with its value if it is short: "2.5", "\"soon\"", "an object".
std::string shown(JSContext* cx, JS::HandleValue value);

}  // namespace reprise::script
