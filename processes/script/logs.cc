#include "processes/script/logs.h"

#include <js/CallArgs.h>
#include <js/Exception.h>
#include <js/PropertyAndElement.h>
#include <js/PropertySpec.h>
#include <jsapi.h>

#include <string>

#include "processes/script/script.h"
#include "processes/script/values.h"

namespace reprise::script {

namespace {

// Texts as they are, everything else as JSON.
void append_words(JSContext* cx, const JS::CallArgs& args, unsigned from, std::string& out) {
  for (unsigned i = from; i < args.length(); ++i) {
    if (i > from) out += ' ';
    if (args[i].isString()) {
      out += to_utf8(cx, args[i].toString());
    } else if (args[i].isUndefined()) {
      out += "undefined";
    } else {
      size_t before = out.size();
      if (append_json(cx, args[i], "", KeyOrder::kAsWritten, out)) continue;
      JS_ClearPendingException(cx);
      out.resize(before);
      out += '[' + describe(args[i]) + ']';
    }
  }
}

void add_log(JSContext* cx, std::string label, std::string_view words) {
  CommandText log;
  log.kind = REPRISE_LOG;
  log.name = std::move(label);
  append_json_string(log.json, words);
  Script::of(cx).add_command(std::move(log));
}

enum class Level : uint8_t { kDebug, kInfo, kWarn, kError };

template <Level level>
bool console_log(JSContext* cx, unsigned argc, JS::Value* vp) {
  static constexpr const char* kLabels[] = {"debug", "info", "warn", "error"};
  JS::CallArgs args = JS::CallArgsFromVp(argc, vp);
  std::string words;
  append_words(cx, args, 0, words);
  add_log(cx, kLabels[static_cast<size_t>(level)], words);
  args.rval().setUndefined();
  return true;
}

constexpr JSFunctionSpec kConsoleFunctions[] = {
    JS_FN("debug", console_log<Level::kDebug>, 0, JSPROP_ENUMERATE),
    JS_FN("log", console_log<Level::kInfo>, 0, JSPROP_ENUMERATE),
    JS_FN("info", console_log<Level::kInfo>, 0, JSPROP_ENUMERATE),
    JS_FN("warn", console_log<Level::kWarn>, 0, JSPROP_ENUMERATE),
    JS_FN("error", console_log<Level::kError>, 0, JSPROP_ENUMERATE),
    JS_FS_END};

}  // namespace

bool ctx_log(JSContext* cx, unsigned argc, JS::Value* vp) {
  JS::CallArgs args = JS::CallArgsFromVp(argc, vp);
  bool labelled = args.length() > 1 && args[0].isString();
  std::string words;
  append_words(cx, args, labelled ? 1 : 0, words);
  add_log(cx, labelled ? to_utf8(cx, args[0].toString()) : "", words);
  args.rval().setUndefined();
  return true;
}

bool define_console(JSContext* cx, JS::HandleObject global) {
  JS::RootedObject console(cx, JS_NewPlainObject(cx));
  return console && JS_DefineFunctions(cx, console, kConsoleFunctions) &&
         JS_DefineProperty(cx, global, "console", console, 0);
}

}  // namespace reprise::script
