#include "processes/script/realm.h"

#include <js/Array.h>
#include <js/CallAndConstruct.h>
#include <js/CompilationAndEvaluation.h>
#include <js/GlobalObject.h>
#include <js/Object.h>
#include <js/PropertyAndElement.h>
#include <js/PropertySpec.h>
#include <js/Realm.h>
#include <js/RealmOptions.h>
#include <js/StructuredClone.h>
#include <js/ValueArray.h>
#include <js/experimental/JSStencil.h>
#include <jsapi.h>
#include <jsfriendapi.h>

#include "processes/script/calls.h"
#include "processes/script/engine.h"
#include "processes/script/logs.h"
#include "processes/script/script.h"
#include "processes/script/values.h"

namespace reprise::script {

namespace {

constexpr uint32_t kScriptSlot = 0;  // of the JSCLASS_GLOBAL_APPLICATION_SLOTS that are ours

bool is_intl(JS::PropertyKey id) {
  return id.isString() && JS_LinearStringEqualsLiteral(id.toLinearString(), "Intl");
}

// Standard classes appear when they are first used; Intl, whose answers depend on the version of
// its data, never does.
bool resolve(JSContext* cx, JS::HandleObject global, JS::HandleId id, bool* resolved) {
  *resolved = false;
  return is_intl(id) || JS_ResolveStandardClass(cx, global, id, resolved);
}

bool enumerate(JSContext* cx, JS::HandleObject global, JS::MutableHandleIdVector ids,
               bool enumerable_only) {
  if (!JS_NewEnumerateStandardClasses(cx, global, ids, enumerable_only)) return false;
  for (size_t i = 0; i < ids.length(); ++i) {
    if (is_intl(ids[i])) {
      ids.erase(ids.begin() + i);
      break;
    }
  }
  return true;
}

const JSClassOps kGlobalOps = {nullptr, nullptr,
                               nullptr, enumerate,
                               resolve, JS_MayResolveStandardClass,
                               nullptr, nullptr,
                               nullptr, JS_GlobalObjectTraceHook};
const JSClass kGlobalClass = {"global", JSCLASS_GLOBAL_FLAGS, &kGlobalOps, nullptr, nullptr,
                              nullptr};

bool structured_clone(JSContext* cx, unsigned argc, JS::Value* vp) {
  JS::CallArgs args = JS::CallArgsFromVp(argc, vp);
  return JS_StructuredClone(cx, args.get(0), args.rval(), nullptr, nullptr);
}

bool define_text(JSContext* cx, JS::HandleObject object, const char* name, std::string_view utf8) {
  JS::RootedString text(cx, new_string(cx, utf8));
  return text && JS_DefineProperty(cx, object, name, text, JSPROP_ENUMERATE | JSPROP_READONLY);
}

bool define_natives(JSContext* cx, JS::HandleObject global) {
  JS::RootedValue math(cx);
  if (!JS_GetProperty(cx, global, "Math", &math)) return false;
  JS::RootedObject math_object(cx, &math.toObject());
  return JS_DefineFunction(cx, math_object, "random", math_random, 0, 0) &&
         define_console(cx, global) &&
         JS_DefineFunction(cx, global, "structuredClone", structured_clone, 1, 0);
}

}  // namespace

Script& Script::of(JSContext* cx) {
  return *static_cast<Script*>(
      JS::GetReservedSlot(JS::CurrentGlobalOrNull(cx), kScriptSlot).toPrivate());
}

JSObject* new_global(JSContext* cx, Script* script) {
  JS::RealmOptions options;
  options.creationOptions().setSharedMemoryAndAtomicsEnabled(false);
  JS::RootedObject global(
      cx, JS_NewGlobalObject(cx, &kGlobalClass, nullptr, JS::DontFireOnNewGlobalHook, options));
  if (!global) return nullptr;
  JS::SetReservedSlot(global, kScriptSlot, JS::PrivateValue(script));
  JSAutoRealm realm(cx, global);
  JS_FireOnNewGlobalObject(cx, global);
  return global;
}

bool furnish_global(JSContext* cx, std::string_view run_id, std::string_view run_dir,
                    JS::MutableHandleObject prelude) {
  JS::RootedObject global(cx, JS::CurrentGlobalOrNull(cx));
  JS::RootedObject host(cx, JS_NewPlainObject(cx));
  if (!host || !define_text(cx, host, "runId", run_id) ||
      !define_text(cx, host, "runDir", run_dir) || !define_natives(cx, global)) {
    return false;
  }
  RefPtr<JS::Stencil> stencil = Engine::of(cx).prelude();
  if (!stencil) return false;
  JS::RootedScript script(cx, JS::InstantiateGlobalStencil(cx, JS::InstantiateOptions(), stencil));
  JS::RootedValue result(cx);
  if (!script || !JS_ExecuteScript(cx, script, &result)) return false;
  JS::RootedObject parts(cx, &result.toObject());
  JS::RootedValue argument(cx, JS::ObjectValue(*host));
  JS::RootedValue part(cx);
  uint32_t count = 0;
  if (!JS::GetArrayLength(cx, parts, &count)) return false;
  for (uint32_t i = 0; i < count; ++i) {
    if (!JS_GetElement(cx, parts, i, &part) ||
        !JS::Call(cx, JS::UndefinedHandleValue, part, JS::HandleValueArray(argument), &result)) {
      return false;
    }
  }
  prelude.set(host);
  return true;
}

}  // namespace reprise::script
