// What waits that fail throw into the process.
#pragma once

#include <js/RootingAPI.h>
#include <js/TypeDecls.h>
#include <js/Value.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace reprise::script {

/// An Error with the posted name, message, stack and data, and the effect's id. `json` is
/// {"name"?,"message"?,"stack"?,"data"?}.
bool posted_error(JSContext* cx, uint64_t effect, std::string_view json,
                  JS::MutableHandleValue out);

/// EffectCancelledError with effectId and reason. `json` is {"reason"?}.
bool cancel_error(JSContext* cx, uint64_t effect, std::string_view json,
                  JS::MutableHandleValue out);

/// SignalTimeoutError with signal and timeoutMs.
bool signal_timeout_error(JSContext* cx, const std::string& signal, int64_t timeout_ms,
                          JS::MutableHandleValue out);

/// RunCancelledError with reason. `json` is {"reason"?}; `reason` is its text.
bool run_cancelled_error(JSContext* cx, std::string_view json, std::string& reason,
                         JS::MutableHandleValue out);

}  // namespace reprise::script
