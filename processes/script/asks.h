// The members of ctx that ask for an effect without a task of the author's.
#pragma once

#include <js/CallArgs.h>
#include <js/TypeDecls.h>

#include <cstddef>
#include <optional>
#include <string>

namespace reprise::script {

class Script;
struct CommandText;

/// Gives the call's promise: the one of the same call before (by key), or that of a new request,
/// whose place among the commands `command` then is. False with a pending exception.
bool ask(JSContext* cx, Script& script, CommandText&& call, const JS::CallArgs& args,
         std::optional<size_t>& command);

/// Reads a text that may not be empty. False with a pending TypeError: `what`, not ...
bool read_name(JSContext* cx, JS::HandleValue given, const char* what, std::string& out);

// Each leaves a promise in args.rval(), or returns false with a pending exception.
bool ctx_breakpoint(JSContext* cx, Script& script, const JS::CallArgs& args);
bool ctx_hook(JSContext* cx, Script& script, const JS::CallArgs& args);
bool ctx_orchestrator_task(JSContext* cx, Script& script, const JS::CallArgs& args);
bool ctx_run(JSContext* cx, Script& script, const JS::CallArgs& args);
bool ctx_memory_recall(JSContext* cx, Script& script, const JS::CallArgs& args);

}  // namespace reprise::script
