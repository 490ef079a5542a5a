// The natives that a script can call: ctx, console, Math.random; and the errors that effects
// deliver.
#pragma once

#include <js/RootingAPI.h>
#include <js/TypeDecls.h>
#include <js/Value.h>

#include <cstdint>
#include <string_view>

namespace reprise::script {

/// The `ctx` argument of a process. Null with a pending exception.
JSObject* new_ctx(JSContext* cx, std::string_view run_id, std::string_view run_dir,
                  JS::HandleValue parallel);

bool define_console(JSContext* cx, JS::HandleObject global);

bool math_random(JSContext* cx, unsigned argc, JS::Value* vp);

/// What a failed effect throws: an Error with the posted name, message, stack and data, and the
/// effect's id.
bool posted_error(JSContext* cx, uint64_t effect, std::string_view json,
                  JS::MutableHandleValue out);
/// What a cancelled effect throws: EffectCancelledError with effectId and reason.
bool cancel_error(JSContext* cx, uint64_t effect, std::string_view json,
                  JS::MutableHandleValue out);

}  // namespace reprise::script
