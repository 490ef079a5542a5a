// The script module (SpiderMonkey), loaded only when a command needs it. The only caller of
// process/script_module.h.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/module.h"
#include "engine/process/script_module.h"

namespace reprise {

/// An import as found in a source file.
struct ScriptImport {
  enum class Kind { kRelative, kProvided, kRefused };
  std::string specifier;
  std::string message;  ///< kRefused: why, and what to do instead
  Kind kind = Kind::kRelative;
  uint32_t line = 0;
  uint32_t column = 0;
  bool dynamic = false;  ///< may be missing
};

class ScriptHost {
 public:
  /// Where things are. `module` empty: beside the binary, or in ../lib/reprise. `cache_dir` empty:
  /// no cache. When the engine crashes, `crash_text` goes to standard error and `crash_document` to
  /// standard output, exit 9.
  struct Options {
    std::string module;
    std::string cache_dir;
    std::string crash_text;
    std::string crash_document;
  };
  explicit ScriptHost(Options options) : x_options(std::move(options)) {}

  /// The same engine for another process, which prints nothing when the engine crashes.
  ScriptHost silent() const {
    return ScriptHost({.module = x_options.module, .cache_dir = x_options.cache_dir});
  }

  /// Loads the module (Error SCRIPT_ENGINE_MISSING, exit 70, when it is absent or of another build)
  /// and runs `work` on the engine's thread. What `work` throws is thrown here.
  void run(const std::function<void()>& work);

  /// Only inside run().
  const reprise_script_table& table() const { return *x_table; }
  /// Error SCRIPT_INVALID (exit 2) with file, line and column when it does not parse.
  std::vector<ScriptImport> imports(std::string_view path, std::string_view source) const;

  /// Throws the Error for a status of the module that is not REPRISE_SCRIPT_OK.
  [[noreturn]] static void fail(int32_t status, reprise_bytes error);

 private:
  void load();

  Options x_options;
  const reprise_script_table* x_table = nullptr;
};

/// REPRISE_MODULE_CJS for .cjs, else REPRISE_MODULE_ESM.
int32_t module_format(std::string_view path);

}  // namespace reprise
