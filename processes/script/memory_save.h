// ctx.memory.save(note, options): tells that something is to be remembered.
#pragma once

#include <js/CallArgs.h>
#include <js/TypeDecls.h>

namespace reprise::script {

class Script;

/// Leaves the memory's id in args.rval(), or returns false with a pending exception.
bool ctx_memory_save(JSContext* cx, Script& script, const JS::CallArgs& args);

}  // namespace reprise::script
