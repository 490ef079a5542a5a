// What a process says to people: ctx.log and console. Never an effect, and never a failure.
#pragma once

#include <js/RootingAPI.h>
#include <js/TypeDecls.h>
#include <js/Value.h>

namespace reprise::script {

/// ctx.log(text), ctx.log(label, ...anything)
bool ctx_log(JSContext* cx, unsigned argc, JS::Value* vp);

/// console.debug, log, info, warn, error: logs labelled with the level.
bool define_console(JSContext* cx, JS::HandleObject global);

}  // namespace reprise::script
