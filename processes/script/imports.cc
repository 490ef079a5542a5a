// Static imports are the engine's own list. import('...') and require('...') with a literal come
// from the syntax tree (Reflect.parse), which is made only for texts that mention them at all.
#include "processes/script/imports.h"

#include <js/Array.h>
#include <js/CompilationAndEvaluation.h>
#include <js/GlobalObject.h>
#include <js/Modules.h>
#include <js/PropertyAndElement.h>
#include <js/SourceText.h>
#include <js/ValueArray.h>
#include <jsapi.h>
#include <jsfriendapi.h>

#include "engine/process/script_module.h"
#include "processes/script/errors.h"
#include "processes/script/modules.h"
#include "processes/script/specifiers.h"
#include "processes/script/values.h"

namespace reprise::script {

namespace {

Import classify(std::string specifier, uint32_t line, uint32_t column, bool dynamic) {
  Import found{std::move(specifier), "", REPRISE_IMPORT_RELATIVE, line, column, dynamic};
  if (provided_module(found.specifier)) {
    found.kind = REPRISE_IMPORT_PROVIDED;
  } else if (!is_relative(found.specifier)) {
    found.kind = REPRISE_IMPORT_REFUSED;
    found.message = refusal(found.specifier);
  }
  return found;
}

bool find_static(JSContext* cx, const std::string& url, std::string_view text,
                 std::vector<Import>& out) {
  JS::CompileOptions options(cx);
  options.setFileAndLine(url.c_str(), 1);
  JS::SourceText<mozilla::Utf8Unit> source;
  if (!source.init(cx, text.data(), text.size(), JS::SourceOwnership::Borrowed)) return false;
  JS::RootedObject module(cx, JS::CompileModule(cx, options, source));
  JS::RootedObject requests(cx, module ? JS::GetRequestedModules(cx, module) : nullptr);
  uint32_t count = 0;
  if (!requests || !JS::GetArrayLength(cx, requests, &count)) return false;
  JS::RootedValue request(cx);
  for (uint32_t i = 0; i < count; ++i) {
    if (!JS_GetElement(cx, requests, i, &request)) return false;
    uint32_t line = 0, column = 0;
    JS::GetRequestedModuleSourcePos(cx, request, &line, &column);
    out.push_back(classify(to_utf8(cx, JS::GetRequestedModuleSpecifier(cx, request)), line,
                           column + 1, false));
  }
  return true;
}

// Visits the tree; gives [specifier, line, column, ...]. Lines are 1-based, columns 0-based.
constexpr std::string_view kVisitor = R"js((function (source, target) {
  const found = [];
  const literal = (node) => node && node.type === 'Literal' && typeof node.value === 'string';
  const calls = (node, name) => node.type === 'CallExpression' &&
    node.callee.type === 'Identifier' && node.callee.name === name;
  const visit = (node) => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (node === null || typeof node !== 'object' || typeof node.type !== 'string') return;
    const argument = node.type === 'CallImport' ? node.arguments?.[0] ?? node.arg
      : calls(node, 'require') ? node.arguments[0] : null;
    if (literal(argument)) {
      const { line, column } = argument.loc.start;
      found.push(argument.value, line, column);
    }
    for (const name of Object.keys(node)) if (name !== 'loc' && name !== 'type') visit(node[name]);
  };
  visit(Reflect.parse(source, { target }));
  return found;
}))js";

// import( and, in CommonJS, require; in comments and texts, too, which only costs time.
bool mentions_dynamic(std::string_view text, bool commonjs) {
  if (commonjs && text.find("require") != std::string_view::npos) return true;
  for (size_t at = text.find("import"); at != std::string_view::npos;
       at = text.find("import", at)) {
    at = text.find_first_not_of(" \t\r\n", at + std::string_view("import").size());
    if (at != std::string_view::npos && (text[at] == '(' || text[at] == '/')) return true;
  }
  return false;
}

bool find_dynamic(JSContext* cx, std::string_view text, bool commonjs, std::vector<Import>& out) {
  JS::RootedObject global(cx, JS::CurrentGlobalOrNull(cx));
  JS::RootedValue visitor(cx), result(cx);
  JS::CompileOptions options(cx);
  options.setFileAndLine("reprise:/internal/imports.js", 1);
  JS::SourceText<mozilla::Utf8Unit> source;
  if (!JS_InitReflectParse(cx, global) ||
      !source.init(cx, kVisitor.data(), kVisitor.size(), JS::SourceOwnership::Borrowed) ||
      !JS::Evaluate(cx, options, source, &visitor)) {
    return false;
  }
  // A CommonJS file is the body of a function; the opening must not add a line.
  constexpr std::string_view kOpening = "(function(){";
  std::string whole =
      commonjs ? std::string(kOpening).append(text).append("\n})") : std::string(text);
  JS::RootedString program(cx, new_string(cx, whole));
  JS::RootedString target(cx, JS_NewStringCopyZ(cx, commonjs ? "script" : "module"));
  if (!program || !target) return false;
  JS::RootedValueArray<2> arguments(cx);
  arguments[0].setString(program);
  arguments[1].setString(target);
  if (!JS_CallFunctionValue(cx, nullptr, visitor, arguments, &result)) return false;
  JS::RootedObject found(cx, &result.toObject());
  JS::RootedValue specifier(cx), line(cx), column(cx);
  uint32_t count = 0;
  if (!JS::GetArrayLength(cx, found, &count)) return false;
  for (uint32_t i = 0; i + 2 < count; i += 3) {
    if (!JS_GetElement(cx, found, i, &specifier) || !JS_GetElement(cx, found, i + 1, &line) ||
        !JS_GetElement(cx, found, i + 2, &column)) {
      return false;
    }
    auto row = static_cast<uint32_t>(line.toNumber());
    auto place = static_cast<uint32_t>(column.toNumber());
    if (commonjs && row == 1) place -= static_cast<uint32_t>(kOpening.size());
    out.push_back(classify(to_utf8(cx, specifier.toString()), row, place + 1, true));
  }
  return true;
}

}  // namespace

bool find_imports(JSContext* cx, const std::string& path, std::string_view source, int32_t format,
                  std::vector<Import>& out) {
  std::string url = std::string(kProcessRoot) + path;
  std::string_view text = without_bom(source);
  bool commonjs = format == REPRISE_MODULE_CJS;
  if (commonjs) {
    if (!compile_commonjs(cx, url, text)) return false;
  } else if (!find_static(cx, url, text, out)) {
    return false;
  }
  std::string_view body = without_hashbang(text);
  return !mentions_dynamic(body, commonjs) || find_dynamic(cx, body, commonjs, out);
}

}  // namespace reprise::script
