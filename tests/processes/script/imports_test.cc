// The imports of a source, found without running it.
#include <catch2/catch.hpp>

#include "tests/processes/script/harness.h"

using reprise::test::Lines;
using reprise::test::module_table;
using reprise::test::on_engine;

namespace {

// "relative ./x.js 1:8" for each, or the status with its error.
Lines imports_of(const std::string& text, int32_t format = REPRISE_MODULE_ESM) {
  const std::string path = "main.js";
  Lines lines;
  on_engine([&] {
    reprise_source source = {{path.data(), path.size()}, {text.data(), text.size()}, format};
    reprise_imports found = {};
    reprise_bytes error = {};
    if (module_table().imports(&source, &found, &error) != REPRISE_SCRIPT_OK) {
      lines.push_back("ERROR " + std::string(error.data, error.size));
      return;
    }
    const char* const kinds[] = {"relative", "provided", "refused"};
    for (size_t i = 0; i < found.count; ++i) {
      const reprise_import& import = found.items[i];
      std::string specifier(import.specifier.data, import.specifier.size);
      lines.push_back((import.dynamic ? "dynamic " : "") + std::string(kinds[import.kind]) + " " +
                      specifier + " " + std::to_string(import.line) + ":" +
                      std::to_string(import.column));
    }
  });
  return lines;
}

std::string refusal_of(const std::string& specifier) {
  const std::string path = "main.js", text = "import '" + specifier + "';";
  std::string message;
  on_engine([&] {
    reprise_source source = {
        {path.data(), path.size()}, {text.data(), text.size()}, REPRISE_MODULE_ESM};
    reprise_imports found = {};
    reprise_bytes error = {};
    module_table().imports(&source, &found, &error);
    if (found.count == 1) message.assign(found.items[0].message.data, found.items[0].message.size);
  });
  return message;
}

}  // namespace

TEST_CASE("static imports are listed with kind and place") {
  CHECK(imports_of("import a from './a.js';\nimport { defineTask } from 'reprise';\n"
                   "export * from '../b.mjs';\n  import 'node:fs';import p from "
                   "'node:path';\nimport '@a5c-ai/babysitter-sdk'\n") ==
        Lines{"relative ./a.js 1:15", "provided reprise 2:28", "relative ../b.mjs 3:15",
              "refused node:fs 4:10", "provided node:path 4:34",
              "provided @a5c-ai/babysitter-sdk 5:8"});
}

TEST_CASE("dynamic imports with a literal are found, others and mentions are not") {
  CHECK(imports_of("// import('./comment.js')\nconst text = \"import('./text.js')\";\nexport const "
                   "f = async (n) => {\n"
                   "  await import('./lazy.js'); await import(n); await import(`./${n}.js`);\n  "
                   "return import ( './two.js' );\n};") ==
        Lines{"dynamic relative ./lazy.js 4:16", "dynamic relative ./two.js 5:19"});
}

TEST_CASE("require with a literal is found in CommonJS, wherever it stands") {
  CHECK(imports_of(
            "#!/usr/bin/env node\nconst a = require('./a'), { b } = "
            "require('@a5c-ai/babysitter-sdk');\n"
            "if (a) { const f = () => require(\"child_process\"); }\nreturn import('./m.mjs');\n",
            REPRISE_MODULE_CJS) ==
        Lines{"dynamic relative ./a 2:19", "dynamic provided @a5c-ai/babysitter-sdk 2:43",
              "dynamic refused child_process 3:34", "dynamic relative ./m.mjs 4:15"});
  CHECK(imports_of("const a = require('./a');", REPRISE_MODULE_CJS) ==
        Lines{"dynamic relative ./a 1:19"});
}

TEST_CASE(
    "a source without imports has none, and one that does not parse is an error with its place") {
  CHECK(imports_of("export const process = 1;") == Lines{});
  CHECK(imports_of("const a = ;")[0] ==
        R"(ERROR {"name":"SyntaxError","message":"expected expression, got ';'","file":"main.js",)"
        R"("line":1,"column":11})");
  CHECK(imports_of("let x = {;", REPRISE_MODULE_CJS)[0].starts_with(
      R"(ERROR {"name":"SyntaxError")"));
}

TEST_CASE("every refusal says what to do instead") {
  struct Row {
    const char* specifier;
    const char* advice;
  };
  for (const Row& row :
       {Row{"node:fs", "do this work in a task"}, Row{"child_process", "do this work in a task"},
        Row{"fs/promises", "do this work in a task"}, Row{"node:crypto", "ctx.random()"},
        Row{"node:timers/promises", "ctx.sleepUntil"}, Row{"lodash", "copy the module beside it"},
        Row{"@scope/pkg", "copy the module beside it"},
        Row{"https://x.org/a.js", "copy the module there"},
        Row{"/abs/a.js", "import it by a relative path"}, Row{"..", "import './name.js'"}}) {
    INFO(row.specifier);
    CHECK(refusal_of(row.specifier).find(row.advice) != std::string::npos);
  }
  CHECK(refusal_of("./a.js").empty());
}
