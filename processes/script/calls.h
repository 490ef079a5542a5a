// The natives that a process can call: ctx, Math.random.
#pragma once

#include <js/RootingAPI.h>
#include <js/TypeDecls.h>
#include <js/Value.h>

#include <string_view>

namespace reprise::script {

/// The `ctx` argument of a process. Null with a pending exception.
JSObject* new_ctx(JSContext* cx, std::string_view run_id, std::string_view run_dir,
                  JS::HandleValue parallel);

bool math_random(JSContext* cx, unsigned argc, JS::Value* vp);

}  // namespace reprise::script
