// The module graph of one script: pinned files (ES modules and CommonJS), the built-in module and
// the shims.
//
// ES modules are the engine's. Anything that is only an object here (a built-in module, the exports
// of a .cjs file) is imported through a small generated module that re-exports its members.
#pragma once

#include <js/RootingAPI.h>
#include <js/TracingAPI.h>
#include <js/TypeDecls.h>
#include <js/Value.h>

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "engine/process/script_module.h"

namespace reprise::script {

class Modules {
 public:
  explicit Modules(const reprise_script_options& options);

  /// `prelude` has the built-in module.
  void set_prelude(JSObject* prelude) { prelude_ = prelude; }

  /// Compiles, links and starts the entry. `module` is the module record, and `evaluation` its
  /// promise, which may still be pending; for CommonJS `module` is its exports and `evaluation`
  /// null. False with a pending exception.
  bool start(JSContext* cx, const std::string& path, JS::MutableHandleObject module,
             JS::MutableHandleObject evaluation);
  bool is_commonjs(const std::string& path) const;
  /// Of all files together.
  size_t source_bytes() const;

  // For the hooks and natives of modules.cc.
  JSObject* resolve(JSContext* cx, std::string_view from_url, std::string_view specifier);
  bool evaluate(JSContext* cx, JS::HandleObject module, JS::MutableHandleObject evaluation);
  bool require(JSContext* cx, const std::string& from_path, const std::string& specifier,
               JS::MutableHandleValue out);
  JSObject* provided_object(const std::string& url) const;

  void trace(JSTracer* tracer);

 private:
  struct Source {
    std::string text;
    int32_t format;
  };
  // Traced by hand: see trace().
  using Objects = std::map<std::string, JS::Heap<JSObject*>, std::less<>>;

  bool find(std::string_view from_url, std::string_view specifier, std::string& url,
            std::string& problem);
  JSObject* get(JSContext* cx, const std::string& url);
  JSObject* compile(JSContext* cx, const std::string& url, std::string_view text);
  JSObject* wrap(JSContext* cx, const std::string& url, JS::HandleObject object);
  JSObject* built_in(JSContext* cx, const std::string& url);
  bool run_commonjs(JSContext* cx, const std::string& path, JS::MutableHandleValue exports);
  bool check_imports(JSContext* cx, JS::HandleObject module, const std::string& url);
  bool require_path(const std::string& path, std::string& found) const;

  std::map<std::string, Source, std::less<>> sources_;
  Objects modules_;                // module records by URL
  Objects objects_;                // what generated modules re-export, by URL
  Objects commonjs_;               // the `module` objects of .cjs files, by path
  std::set<std::string> checked_;  // modules whose imports are known to be there
  JS::Heap<JSObject*> prelude_;
};

void set_module_hooks(JSContext* cx);

/// The text that the compiler gets: without a byte order mark.
std::string_view without_bom(std::string_view source);
/// A function body cannot begin with "#!": that line is left empty.
std::string_view without_hashbang(std::string_view source);

/// Compiles CommonJS text as the function that Node makes of it. Null with a pending SyntaxError.
JSFunction* compile_commonjs(JSContext* cx, const std::string& url, std::string_view source);

}  // namespace reprise::script
