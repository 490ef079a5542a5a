// The members of ctx that wait for time and for signals.
#pragma once

#include <js/CallArgs.h>
#include <js/TypeDecls.h>
#include <js/Value.h>

namespace reprise::script {

class Script;

/// The last millisecond since 1970 that a Date can hold.
inline constexpr double kLastTimeMs = 8.64e15;

/// Milliseconds since 1970 of a Date, a number or a text that Date.parse reads; NaN for anything
/// else. False when memory ran out.
bool read_time(JSContext* cx, JS::HandleValue given, double& ms);

// Each leaves a promise in args.rval(), or returns false with a pending exception.
bool ctx_sleep_until(JSContext* cx, Script& script, const JS::CallArgs& args);
bool ctx_signal(JSContext* cx, Script& script, const JS::CallArgs& args);

}  // namespace reprise::script
