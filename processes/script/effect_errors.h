// What an effect that failed or was cancelled throws into the process.
#pragma once

#include <js/RootingAPI.h>
#include <js/TypeDecls.h>
#include <js/Value.h>

#include <cstdint>
#include <string_view>

namespace reprise::script {

/// An Error with the posted name, message, stack and data, and the effect's id. `json` is
/// {"name"?,"message"?,"stack"?,"data"?}.
bool posted_error(JSContext* cx, uint64_t effect, std::string_view json,
                  JS::MutableHandleValue out);

/// EffectCancelledError with effectId and reason. `json` is {"reason"?}.
bool cancel_error(JSContext* cx, uint64_t effect, std::string_view json,
                  JS::MutableHandleValue out);

}  // namespace reprise::script
