// The sandbox: what a script's global object holds and lacks.
#pragma once

#include <js/RootingAPI.h>
#include <js/TypeDecls.h>

#include <string_view>

namespace reprise::script {

class Script;

/// A global without Intl, WebAssembly, weak references, shared memory or timers. `script` is what
/// natives get from Script::of; null for realms in which nothing runs. Null with a pending
/// exception.
JSObject* new_global(JSContext* cx, Script* script);

/// Furnishes the current global: Math.random, console, structuredClone and the prelude. Gives the
/// prelude's object with parallel, taskContext, withOptions, breakpointDefinition and sdk.
bool furnish_global(JSContext* cx, std::string_view run_id, std::string_view run_dir,
                    JS::MutableHandleObject prelude);

}  // namespace reprise::script
