#include "engine/script_hints.h"

#include <algorithm>
#include <array>

#include "engine/suggest.h"

namespace reprise {

namespace {

constexpr std::string_view kWork =
    "a process does no work itself: do it in a task, defineTask(id, args => ({ kind: 'shell', "
    "shell: { command } })), then await ctx.task(...)";
constexpr std::string_view kTimers =
    "there are no timers: await ctx.sleepUntil(ctx.now().getTime() + ms)";
constexpr std::string_view kEnvironment =
    "a process has no environment and no arguments: give it what it needs as inputs";
constexpr std::string_view kModules =
    "a process is an ES module: import ... from './file.js'; what is no relative file, 'reprise' "
    "or "
    "'node:path' is for a task to use";
constexpr std::string_view kTypes =
    "a process is JavaScript: if this is TypeScript, compile it first (tsc, esbuild)";
constexpr std::string_view kJson =
    "JSON is no module: write export default { ... } in a .js file, or give it as inputs";
constexpr std::string_view kCrypto = "write ctx.uuid() or ctx.random(), which replay alike";
constexpr std::string_view kLocale =
    "it differs between machines: docs/determinism.md says what stands instead";

struct Missing {
  std::string_view name;
  std::string_view instead;
};
constexpr std::array<Missing, 20> kMissing = {{
    {"fetch", kWork},
    {"XMLHttpRequest", kWork},
    {"WebSocket", kWork},
    {"Buffer", kWork},
    {"Deno", kWork},
    {"Bun", kWork},
    {"setTimeout", kTimers},
    {"setInterval", kTimers},
    {"setImmediate", kTimers},
    {"clearTimeout", kTimers},
    {"clearInterval", kTimers},
    {"require", kModules},
    {"module", kModules},
    {"exports", kModules},
    {"__dirname", kModules},
    {"__filename", kModules},
    {"crypto", kCrypto},
    {"Intl", kLocale},
    {"WebAssembly", kLocale},
    {"SharedArrayBuffer", kLocale},
}};

std::string of_import(std::string_view name) {
  constexpr std::array<std::string_view, 2> kBuiltIn = {"defineTask", "globalTaskRegistry"};
  const auto meant = did_you_mean(name, kBuiltIn);
  return meant.empty() ? "the module that it is imported from exports no such name" : meant;
}

}  // namespace

std::string script_hint(std::string_view message, std::string_view file) {
  constexpr std::string_view kNotDefined = " is not defined";
  constexpr std::string_view kImport = "import not found: ";
  if (message.ends_with(kNotDefined)) {
    const auto name = message.substr(0, message.size() - kNotDefined.size());
    const auto* missing = std::ranges::find(kMissing, name, &Missing::name);
    return missing == kMissing.end() ? std::string() : std::string(missing->instead);
  }
  if (message.starts_with(kImport)) return of_import(message.substr(kImport.size()));
  const bool of_process =
      message.starts_with("process.") || message.starts_with("globalThis.process");
  if (of_process && (message.ends_with(" is undefined") || message.ends_with(" not a function"))) {
    return std::string(kEnvironment);
  }
  if (file.ends_with(".json") || message.starts_with("import assertions") ||
      message == "unexpected token: keyword 'with'") {
    return std::string(kJson);
  }
  for (const auto* type : {"interface is a reserved identifier", "enum is a reserved identifier",
                           "missing ) after formal parameters"}) {
    if (message == type) return std::string(kTypes);
  }
  return {};
}

}  // namespace reprise
