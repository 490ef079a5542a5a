// The JavaScript engine of the process: one context on one thread, started once, never torn down (a
// process that used it leaves by _exit). Scripts are realms in it.
#pragma once

#include <js/Id.h>
#include <js/Initialization.h>
#include <js/experimental/JSStencil.h>
#include <mozilla/RefPtr.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "processes/script/cache.h"
#include "processes/script/jobs.h"
#include "processes/script/limits.h"

namespace reprise::script {

/// Property names that are looked up for every effect.
struct Names {
  JS::PropertyKey build, id, key, kind, label, labels, title;
  JS::PropertyKey timeout_ms, retry, on_lost, output_schema;
};

class Engine {
 public:
  struct Options {
    std::string_view cache_folder;
    std::string_view crash_text;
    std::string_view crash_document;
    const char* stack = nullptr;  ///< of the calling thread, kStackBytes
  };

  /// Starts it on the calling thread. Null with what failed in `error`.
  static std::unique_ptr<Engine> start(const Options& options, std::string& error);
  static Engine& of(JSContext* cx);

  JSContext* cx() const { return cx_; }
  Jobs& jobs() { return *jobs_; }
  Limits& limits() { return *limits_; }
  const Names& names() const { return names_; }

  /// The time that scripts see.
  int64_t now_ms = 0;

  /// The prelude, from the cache or compiled. Null with a pending exception.
  RefPtr<JS::Stencil> prelude();

 private:
  explicit Engine(std::string_view cache_folder) : cache_(cache_folder) {}
  bool init(const Options& options, std::string& error);
  bool init_self_hosted();
  static bool keep_self_hosted(JSContext* cx, JS::SelfHostedCache code);
  void configure();
  RefPtr<JS::Stencil> compile_prelude();
  void fill_cache();

  JSContext* cx_ = nullptr;
  Cache cache_;
  std::string self_hosted_;  // when it was not cached
  std::unique_ptr<Jobs> jobs_;
  std::unique_ptr<Limits> limits_;
  RefPtr<JS::Stencil> prelude_;
  Names names_ = {};
};

}  // namespace reprise::script
