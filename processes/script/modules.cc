#include "processes/script/modules.h"

#include <js/Array.h>
#include <js/CallAndConstruct.h>
#include <js/CompilationAndEvaluation.h>
#include <js/ErrorReport.h>
#include <js/Exception.h>
#include <js/Modules.h>
#include <js/Promise.h>
#include <js/PropertyAndElement.h>
#include <js/ScriptPrivate.h>
#include <js/SourceText.h>
#include <js/ValueArray.h>
#include <jsapi.h>
#include <jsfriendapi.h>

#include "processes/script/embedded_js.h"
#include "processes/script/errors.h"
#include "processes/script/script.h"
#include "processes/script/specifiers.h"
#include "processes/script/values.h"

namespace reprise::script {

namespace {

constexpr std::string_view kSdkUrl = "reprise:/internal/sdk.js";
constexpr std::string_view kPathUrl = "reprise:/internal/path.js";

std::string url_of(std::string_view path) { return std::string(kProcessRoot) + std::string(path); }

std::string_view path_of(std::string_view url) {
  return url.starts_with(kProcessRoot) ? url.substr(kProcessRoot.size()) : std::string_view();
}

bool throw_import_error(JSContext* cx, const std::string& url, uint32_t line, uint32_t column,
                        std::string_view message) {
  JS::RootedString file(cx, new_string(cx, url));
  JS::RootedString text(cx, new_string(cx, message));
  JS::RootedString name(cx, JS_NewStringCopyZ(cx, "ImportError"));
  JS::Rooted<mozilla::Maybe<JS::Value>> no_cause(cx, mozilla::Nothing());
  JS::RootedValue error(cx);
  if (!file || !text || !name ||
      !JS::CreateError(cx, JSEXN_SYNTAXERR, nullptr, file, line, column, nullptr, text, no_cause,
                       &error)) {
    return false;
  }
  JS::RootedObject object(cx, &error.toObject());
  if (JS_DefineProperty(cx, object, "name", name, 0)) JS_SetPendingException(cx, error);
  return false;
}

JSObject* resolve_hook(JSContext* cx, JS::Handle<JS::Value> from, JS::Handle<JSObject*> request) {
  std::string specifier = to_utf8(cx, JS::GetModuleRequestSpecifier(cx, request));
  std::string from_url = from.isString() ? to_utf8(cx, from.toString()) : url_of("");
  return Script::of(cx).modules().resolve(cx, from_url, specifier);
}

bool metadata_hook(JSContext* cx, JS::Handle<JS::Value> module, JS::Handle<JSObject*> meta) {
  if (!module.isString()) return true;
  JS::RootedString url(cx, module.toString());
  JS::RootedObject provided(cx, Script::of(cx).modules().provided_object(to_utf8(cx, url)));
  if (provided && !JS_DefineProperty(cx, meta, "provided", provided, 0)) return false;
  return JS_DefineProperty(cx, meta, "url", url, JSPROP_ENUMERATE);
}

bool dynamic_import_hook(JSContext* cx, JS::Handle<JS::Value> from, JS::Handle<JSObject*> request,
                         JS::Handle<JSObject*> promise) {
  JS::RootedObject module(cx, resolve_hook(cx, from, request));
  JS::RootedObject evaluation(cx);
  if (!module || !Script::of(cx).modules().evaluate(cx, module, &evaluation)) {
    if (!JS_IsExceptionPending(cx)) return false;
    evaluation = nullptr;  // the import's promise is rejected with the pending exception
  }
  return JS::FinishDynamicModuleImport(cx, evaluation, from, request, promise);
}

bool require_native(JSContext* cx, unsigned argc, JS::Value* vp) {
  JS::CallArgs args = JS::CallArgsFromVp(argc, vp);
  std::string from = to_utf8(cx, js::GetFunctionNativeReserved(&args.callee(), 0).toString());
  if (!args.get(0).isString()) return throw_type_error(cx, "require needs a string");
  return Script::of(cx).modules().require(cx, from, to_utf8(cx, args[0].toString()), args.rval());
}

// The function that a CommonJS file gets as `require`; it knows its file.
JSObject* new_require(JSContext* cx, std::string_view path) {
  JSFunction* function = js::NewFunctionWithReserved(cx, require_native, 1, 0, "require");
  if (!function) return nullptr;
  JS::RootedObject object(cx, JS_GetFunctionObject(function));
  JSString* text = new_string(cx, path);
  if (!text) return nullptr;
  js::SetFunctionNativeReserved(object, 0, JS::StringValue(text));
  return object;
}

std::string missing_file(std::string_view specifier) {
  return "'" + std::string(specifier) +
         "' is not among the files of the process: it was not found when the run was " +
         "created, or nothing imports it with a literal name";
}

}  // namespace

void set_module_hooks(JSContext* cx) {
  JSRuntime* runtime = JS_GetRuntime(cx);
  JS::SetModuleResolveHook(runtime, resolve_hook);
  JS::SetModuleMetadataHook(runtime, metadata_hook);
  JS::SetModuleDynamicImportHook(runtime, dynamic_import_hook);
}

std::string_view without_bom(std::string_view source) {
  return source.starts_with("\xef\xbb\xbf") ? source.substr(3) : source;
}

std::string_view without_hashbang(std::string_view source) {
  if (!source.starts_with("#!")) return source;
  size_t end = source.find('\n');
  return end == std::string_view::npos ? std::string_view() : source.substr(end);
}

JSFunction* compile_commonjs(JSContext* cx, const std::string& url, std::string_view source) {
  static const char* const kParameters[] = {"exports", "require", "module", "__filename",
                                            "__dirname"};
  std::string_view body = without_hashbang(without_bom(source));
  JS::CompileOptions options(cx);
  options.setFileAndLine(url.c_str(), 1);
  JS::SourceText<mozilla::Utf8Unit> text;
  JS::RootedObjectVector no_scopes(cx);
  if (!text.init(cx, body.data(), body.size(), JS::SourceOwnership::Borrowed)) return nullptr;
  JS::RootedFunction function(
      cx, JS::CompileFunction(cx, no_scopes, options, "", 5, kParameters, text));
  if (!function) return nullptr;
  JSString* name = new_string(cx, url);
  if (!name) return nullptr;
  JS::SetScriptPrivate(JS_GetFunctionScript(cx, function), JS::StringValue(name));
  return function;
}

Modules::Modules(const reprise_script_options& options) {
  for (size_t i = 0; i < options.source_count; ++i) {
    const reprise_source& source = options.sources[i];
    sources_[std::string(source.path.data, source.path.size)] = {
        {source.source.data, source.source.size}, source.format};
  }
}

bool Modules::is_commonjs(const std::string& path) const {
  auto source = sources_.find(path);
  return source != sources_.end() && source->second.format == REPRISE_MODULE_CJS;
}

size_t Modules::source_bytes() const {
  size_t bytes = 0;
  for (const auto& [path, source] : sources_) bytes += source.text.size();
  return bytes;
}

bool Modules::start(JSContext* cx, const std::string& path, JS::MutableHandleObject module,
                    JS::MutableHandleObject evaluation) {
  if (!sources_.contains(path)) return throw_named_error(cx, "ImportError", missing_file(path));
  if (is_commonjs(path)) {
    JS::RootedValue exports(cx);
    if (!run_commonjs(cx, path, &exports)) return false;
    if (!exports.isObject())
      return throw_type_error(cx, path + " exports " + describe(exports) + ", not an object");
    module.set(&exports.toObject());
    return true;
  }
  module.set(get(cx, url_of(path)));
  return module && evaluate(cx, module, evaluation);
}

bool Modules::evaluate(JSContext* cx, JS::HandleObject module, JS::MutableHandleObject evaluation) {
  std::string url = to_utf8(cx, JS::GetModulePrivate(module).toString());
  JS::RootedValue promise(cx);
  if (!check_imports(cx, module, url) || !JS::ModuleInstantiate(cx, module) ||
      !JS::ModuleEvaluate(cx, module, &promise)) {
    return false;
  }
  evaluation.set(&promise.toObject());
  return true;
}

// Errors of the engine's resolve hook have no place; so the graph is walked before it is linked.
bool Modules::check_imports(JSContext* cx, JS::HandleObject module, const std::string& url) {
  if (!checked_.insert(url).second) return true;
  JS::RootedObject requests(cx, JS::GetRequestedModules(cx, module));
  uint32_t count = 0;
  if (!requests || !JS::GetArrayLength(cx, requests, &count)) return false;
  JS::RootedValue request(cx);
  for (uint32_t i = 0; i < count; ++i) {
    if (!JS_GetElement(cx, requests, i, &request)) return false;
    std::string target, problem;
    std::string specifier = to_utf8(cx, JS::GetRequestedModuleSpecifier(cx, request));
    if (!find(url, specifier, target, problem)) {
      uint32_t line = 0, column = 0;
      JS::GetRequestedModuleSourcePos(cx, request, &line, &column);
      checked_.erase(url);
      return throw_import_error(cx, url, line, column, problem);
    }
    JS::RootedObject imported(cx, get(cx, target));
    if (!imported || !check_imports(cx, imported, target)) {
      checked_.erase(url);
      return false;
    }
  }
  return true;
}

bool Modules::find(std::string_view from_url, std::string_view specifier, std::string& url,
                   std::string& problem) {
  if (auto provided = provided_module(specifier)) {
    url = *provided == Provided::kSdk ? kSdkUrl : kPathUrl;
    return true;
  }
  if (!is_relative(specifier)) {
    problem = refusal(specifier);
    return false;
  }
  auto path = resolve_relative(path_of(from_url), specifier);
  if (!path || !sources_.contains(*path)) {
    problem = missing_file(specifier);
    return false;
  }
  url = url_of(*path);
  return true;
}

JSObject* Modules::resolve(JSContext* cx, std::string_view from_url, std::string_view specifier) {
  std::string url, problem;
  if (find(from_url, specifier, url, problem)) return get(cx, url);
  throw_named_error(cx, "ImportError", problem);
  return nullptr;
}

JSObject* Modules::get(JSContext* cx, const std::string& url) {
  if (auto known = modules_.find(url); known != modules_.end()) return known->second;
  if (!url.starts_with(kProcessRoot)) {
    JS::RootedObject object(cx, built_in(cx, url));
    return object ? wrap(cx, url, object) : nullptr;
  }
  std::string path(path_of(url));
  if (!is_commonjs(path)) return compile(cx, url, without_bom(sources_.at(path).text));
  JS::RootedValue exports(cx);
  if (!run_commonjs(cx, path, &exports)) return nullptr;
  JS::RootedObject object(cx, exports.isObject() ? &exports.toObject() : JS_NewPlainObject(cx));
  return object ? wrap(cx, url, object) : nullptr;
}

JSObject* Modules::compile(JSContext* cx, const std::string& url, std::string_view text) {
  JS::CompileOptions options(cx);
  options.setFileAndLine(url.c_str(), 1);
  JS::SourceText<mozilla::Utf8Unit> source;
  if (!source.init(cx, text.data(), text.size(), JS::SourceOwnership::Borrowed)) return nullptr;
  JS::RootedObject module(cx, JS::CompileModule(cx, options, source));
  JS::RootedString name(cx, module ? new_string(cx, url) : nullptr);
  if (!name) return nullptr;
  JS::SetModulePrivate(module, JS::StringValue(name));
  modules_[url] = module;
  return module;
}

// `export {v0 as name}` takes any identifier name, reserved words too; other names only the default
// export has.
JSObject* Modules::wrap(JSContext* cx, const std::string& url, JS::HandleObject object) {
  objects_[url] = object;
  std::string text = "const provided = import.meta.provided; export default provided;\n";
  JS::RootedIdVector ids(cx);
  if (!js::GetPropertyKeys(cx, object, JSITER_OWNONLY, &ids)) return nullptr;
  for (size_t i = 0; i < ids.length(); ++i) {
    if (!ids[i].isString()) continue;
    JS::RootedString name(cx, JS_FORGET_STRING_LINEARNESS(ids[i].toLinearString()));
    bool identifier = false;
    if (!JS_IsIdentifier(cx, name, &identifier)) return nullptr;
    std::string member = to_utf8(cx, name);
    if (!identifier || member == "default") continue;
    std::string variable = "v" + std::to_string(i);
    text += "const " + variable + " = provided." + member + "; export {" + variable + " as " +
            member + "};\n";
  }
  return compile(cx, url, text);
}

JSObject* Modules::provided_object(const std::string& url) const {
  auto object = objects_.find(url);
  return object == objects_.end() ? nullptr : object->second.get();
}

JSObject* Modules::built_in(JSContext* cx, const std::string& url) {
  if (auto known = objects_.find(url); known != objects_.end()) return known->second;
  JS::RootedValue result(cx);
  if (url == kSdkUrl) {
    JS::RootedObject prelude(cx, prelude_);
    if (!JS_CallFunctionName(cx, prelude, "sdk", JS::HandleValueArray::empty(), &result))
      return nullptr;
  } else {
    JS::CompileOptions options(cx);
    options.setFileAndLine("reprise:/internal/path.js", 1);
    JS::SourceText<mozilla::Utf8Unit> source;
    JS::RootedValue function(cx);
    if (!source.init(cx, kPathJs.data(), kPathJs.size(), JS::SourceOwnership::Borrowed) ||
        !JS::Evaluate(cx, options, source, &function) ||
        !JS::Call(cx, JS::UndefinedHandleValue, function, JS::HandleValueArray::empty(), &result)) {
      return nullptr;
    }
  }
  objects_[url] = &result.toObject();
  return &result.toObject();
}

bool Modules::run_commonjs(JSContext* cx, const std::string& path, JS::MutableHandleValue exports) {
  if (auto known = commonjs_.find(path);
      known != commonjs_.end()) {  // a cycle sees what there is so far
    JS::RootedObject module(cx, known->second);
    return JS_GetProperty(cx, module, "exports", exports);
  }
  std::string url = url_of(path);
  JS::RootedFunction function(cx, compile_commonjs(cx, url, sources_.at(path).text));
  JS::RootedObject module(cx, function ? JS_NewPlainObject(cx) : nullptr);
  JS::RootedObject initial(cx, module ? JS_NewPlainObject(cx) : nullptr);
  JS::RootedObject require(cx, initial ? new_require(cx, path) : nullptr);
  JS::RootedString file(cx, require ? new_string(cx, "/" + path) : nullptr);
  size_t slash = path.rfind('/');
  JS::RootedString folder(
      cx, file ? new_string(cx, "/" + (slash == std::string::npos ? "" : path.substr(0, slash)))
               : nullptr);
  if (!folder || !JS_DefineProperty(cx, module, "exports", initial, JSPROP_ENUMERATE)) return false;
  commonjs_[path] = module;
  JS::RootedValueArray<5> arguments(cx);
  arguments[0].setObject(*initial);
  arguments[1].setObject(*require);
  arguments[2].setObject(*module);
  arguments[3].setString(file);
  arguments[4].setString(folder);
  JS::RootedValue ignored(cx);
  if (!JS_CallFunction(cx, initial, function, arguments, &ignored)) {
    commonjs_.erase(path);
    return false;
  }
  return JS_GetProperty(cx, module, "exports", exports);
}

bool Modules::require_path(const std::string& path, std::string& found) const {
  for (const char* suffix : {"", ".js", ".cjs", ".mjs", "/index.js", "/index.cjs"}) {
    found = path + suffix;
    if (sources_.contains(found)) return true;
  }
  return false;
}

bool Modules::require(JSContext* cx, const std::string& from_path, const std::string& specifier,
                      JS::MutableHandleValue out) {
  if (auto provided = provided_module(specifier)) {
    JSObject* object = built_in(cx, std::string(*provided == Provided::kSdk ? kSdkUrl : kPathUrl));
    if (!object) return false;
    out.setObject(*object);
    return true;
  }
  if (!is_relative(specifier)) return throw_named_error(cx, "ImportError", refusal(specifier));
  auto path = resolve_relative(from_path, specifier);
  std::string found;
  if (!path || !require_path(*path, found))
    return throw_named_error(cx, "ImportError", missing_file(specifier));
  if (is_commonjs(found)) return run_commonjs(cx, found, out);
  return throw_named_error(
      cx, "ImportError",
      "'" + specifier + "' is an ES module: use await import('" + specifier + "')");
}

void Modules::trace(JSTracer* tracer) {
  for (Objects* objects : {&modules_, &objects_, &commonjs_}) {
    for (auto& [name, object] : *objects) JS::TraceEdge(tracer, &object, "script module");
  }
  JS::TraceEdge(tracer, &prelude_, "prelude");
}

}  // namespace reprise::script
