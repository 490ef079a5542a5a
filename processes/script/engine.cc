// The order of calls is the engine's demand: a wrong one crashes instead of failing. Helper
// threads: a pool of one that never runs anything, so that no thread is started and all work
// happens here (a pool of none would leak).
#include "processes/script/engine.h"

#include <js/BuildId.h>
#include <js/CompilationAndEvaluation.h>
#include <js/ContextOptions.h>
#include <js/Date.h>
#include <js/HelperThreadAPI.h>
#include <js/Initialization.h>
#include <js/LocaleSensitive.h>
#include <js/SourceText.h>
#include <js/Stack.h>
#include <js/Transcoding.h>
#include <jsapi.h>
#include <jsfriendapi.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "processes/script/embedded_js.h"
#include "processes/script/modules.h"
#include "processes/script/realm.h"
#include "processes/script/values.h"

namespace reprise::script {

namespace {

bool build_id(JS::BuildIdCharVector* out) {
  const std::string& id = bytecode_id();
  return out->append(id.data(), id.size());
}

double scripts_time(double, JSContext* cx) {
  return static_cast<double>(Engine::of(cx).now_ms) * 1000;
}

void leave_helper_task(JS::DispatchReason) {}

// Static destructors of the engine crash after use; whoever returns from main means to exit.
void leave_at_once(int status, void*) {
  std::fflush(nullptr);
  _exit(status);
}

std::span<const uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

}  // namespace

Engine& Engine::of(JSContext* cx) { return *static_cast<Engine*>(JS_GetContextPrivate(cx)); }

std::unique_ptr<Engine> Engine::start(const Options& options, std::string& error) {
  std::unique_ptr<Engine> engine(new Engine(options.cache_folder));
  if (!engine->init(options, error)) return nullptr;
  return engine;
}

bool Engine::init(const Options& options, std::string& error) {
  setenv("TZ", "UTC", 1);
  setenv("LC_ALL", "C", 1);
  // Or the engine starts a thread to find out when this process began, which nobody asks.
  setenv("MOZ_APP_RESTART", "1", 1);
  const bool started = JS_Init();
  unsetenv("MOZ_APP_RESTART");
  if (!started) {
    error = "the JavaScript engine does not start";
    return false;
  }
  on_exit(leave_at_once, nullptr);
  JS::SetUseFdlibmForSinCosTan(true);
  JS::SetReduceMicrosecondTimePrecisionCallback(scripts_time);
  JS::SetHelperThreadTaskCallback(leave_helper_task, 1, 0);
  JS::SetProcessBuildIdOp(build_id);
  cx_ = JS_NewContext(UINT32_MAX);
  if (!cx_) {
    error = "no memory for the JavaScript engine";
    return false;
  }
  JS_SetContextPrivate(cx_, this);
  JS_SetNativeStackQuota(cx_, kStackQuota);
  jobs_ = std::make_unique<Jobs>(cx_);
  if (!init_self_hosted()) {
    error = "the JavaScript engine's own code does not load";
    return false;
  }
  configure();
  limits_ =
      std::make_unique<Limits>(cx_, options.stack, options.crash_text, options.crash_document);
  if (!self_hosted_.empty()) fill_cache();
  return true;
}

bool Engine::init_self_hosted() {
  Cache::Bytes cached = cache_.self_hosted();
  return JS::InitSelfHostedCode(cx_, JS::SelfHostedCache(cached.data(), cached.size()),
                                keep_self_hosted);
}

bool Engine::keep_self_hosted(JSContext* cx, JS::SelfHostedCache code) {
  Engine::of(cx).self_hosted_.assign(reinterpret_cast<const char*>(code.data()), code.size());
  return true;
}

void Engine::configure() {
  JS_SetDefaultLocale(JS_GetRuntime(cx_), "en-US");
  JS::ContextOptionsRef(cx_).setWasm(false).setAsmJS(false).setAsyncStack(false);
  JS_SetOffthreadIonCompilationEnabled(cx_, false);
  JS_SetParallelParsingEnabled(cx_, false);
  js::SetStackFormat(cx_, js::StackFormat::V8);
  set_module_hooks(cx_);
  auto name = [this](const char* text) {
    return JS::PropertyKey::fromPinnedString(JS_AtomizeAndPinString(cx_, text));
  };
  names_ = {name("build"), name("id"),     name("key"),         name("kind"),
            name("label"), name("labels"), name("title"),       name("timeoutMs"),
            name("retry"), name("onLost"), name("outputSchema")};
}

RefPtr<JS::Stencil> Engine::prelude() {
  if (prelude_) return prelude_;
  if (Cache::Bytes cached = cache_.prelude(); !cached.empty()) {
    JS::Stencil* decoded = nullptr;
    JS::TranscodeRange range(cached.data(), cached.size());
    if (JS::DecodeStencil(cx_, JS::DecodeOptions(), range, &decoded) == JS::TranscodeResult::Ok) {
      prelude_ = already_AddRefed<JS::Stencil>(decoded);
      return prelude_;
    }
  }
  prelude_ = compile_prelude();
  return prelude_;
}

RefPtr<JS::Stencil> Engine::compile_prelude() {
  JS::CompileOptions options(cx_);
  options.setFileAndLine("reprise:/internal/prelude.js", 1).setDiscardSource();
  JS::SourceText<mozilla::Utf8Unit> source;
  if (!source.init(cx_, kPreludeJs.data(), kPreludeJs.size(), JS::SourceOwnership::Borrowed))
    return nullptr;
  return JS::CompileGlobalScriptToStencil(cx_, options, source);
}

// The cache was missing or refused: write both parts anew. A failure only costs the next start some
// milliseconds.
void Engine::fill_cache() {
  JS::RootedObject global(cx_, new_global(cx_, nullptr));
  if (!global) return JS_ClearPendingException(cx_);
  JSAutoRealm realm(cx_, global);
  JS::TranscodeBuffer encoded;
  prelude_ = compile_prelude();
  if (prelude_ && JS::EncodeStencil(cx_, prelude_, encoded) == JS::TranscodeResult::Ok) {
    cache_.save(bytes_of(self_hosted_), {encoded.begin(), encoded.length()});
  }
  JS_ClearPendingException(cx_);
  self_hosted_.clear();
}

}  // namespace reprise::script
