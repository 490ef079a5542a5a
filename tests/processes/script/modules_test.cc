// The module graph: what resolves, what is refused, and what errors say.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/processes/script/harness.h"

using nlohmann::json;
using reprise::test::Lines;
using reprise::test::Script;

namespace {

json error_of(Script& script) {
  std::string status = script.load();
  INFO(status);
  REQUIRE(status.starts_with("ERROR "));
  return json::parse(status.substr(6));
}

const std::string kEmpty = "export const process = async () => null;\n";

}  // namespace

TEST_CASE("relative imports, cycles and re-exports work") {
  Script script;
  script
      .file(
          "main.js",
          "import { a } from './lib/a.js';\nexport * from './lib/p.mjs';\nexport const x = a();\n")
      .file(
          "lib/a.js",
          "import { b } from '../b.js';\nexport const a = () => b + 1;\nexport const name = 'a';\n")
      .file("b.js",
            "import { name } from './lib/a.js';\nexport const b = 1;\nexport const late = () => "
            "name;\n")
      .file("lib/p.mjs",
            "import { x } from '../main.js';\nexport const process = async () => [x, "
            "import.meta.url];\n");
  CHECK(script.start() == Lines{R"(complete [2,"reprise:/process/lib/p.mjs"])"});
}

TEST_CASE("import.meta has the url and nothing else") {
  CHECK(Script("export const process = async () => Object.keys(import.meta);").start() ==
        Lines{R"(complete ["url"])"});
}

TEST_CASE("the built-in module answers to both names and is one module") {
  CHECK(Script("import { defineTask } from 'reprise';\nimport sdk, * as all from "
               "'@a5c-ai/babysitter-sdk';\n"
               "export const process = async () => [defineTask === sdk.defineTask, "
               "Object.keys(all).sort()];")
            .start() == Lines{R"(complete [true,["default","defineTask","globalTaskRegistry"]])"});
}

TEST_CASE("top-level await works, and one that never settles is an error") {
  CHECK(Script("const x = await new Promise((r) => r(5));\nexport const process = async () => x;")
            .start() == Lines{"complete 5"});
  Script stuck("await new Promise(() => {});\n" + kEmpty);
  json error = error_of(stuck);
  CHECK(error["message"].get<std::string>().starts_with("main.js never finishes loading"));
  CHECK(error["file"] == "main.js");
}

TEST_CASE("the entry may be a .cjs file that requires the built-in module, shims and other files") {
  Script script;
  script.entry("main.cjs")
      .file("main.cjs",
            "\xef\xbb\xbf#!/usr/bin/env node\nconst { defineTask } = "
            "require('@a5c-ai/babysitter-sdk');\n"
            "const path = require('path');\nconst { two } = require('./lib/util');\n"
            "const t = defineTask('t', () => ({ kind: 'shell' }));\n"
            "exports.process = async (inputs, ctx) => [await ctx.task(t, {}), two, path.join('a', "
            "'..', 'b'),\n"
            "  __filename, __dirname, typeof module, this === exports];\n")
      .file("lib/util.cjs",
            "const main = require('../main.cjs');\nmodule.exports = { two: 2, seen: "
            "Object.keys(main) };\n");
  CHECK(script.start() == Lines{"request t1 t shell {}"});
  CHECK(script.resolve(1, "1") == Lines{R"(complete [1,2,"b","/main.cjs","/","object",true])"});
}

TEST_CASE("an ES module may import a .cjs file, by name and as default") {
  Script script;
  script
      .file("main.js",
            "import all, { two, default as d } from './x.cjs';\n"
            "export const process = async () => [two, all.two, d === all];")
      .file("x.cjs", "module.exports = { two: 2, 'not-a-name': 1, class: 3 };");
  CHECK(script.start() == Lines{"complete [2,2,true]"});
}

TEST_CASE("require says what it cannot give") {
  Script script;
  script.entry("main.cjs")
      .file(
          "main.cjs",
          "const said = [];\nfor (const name of ['fs', './missing', './esm.js', 5, '../../out'])\n"
          "  try { require(name); } catch (e) { said.push(e.name + ' ' + e.message.slice(0, 30)); "
          "}\n"
          "exports.process = async () => said;")
      .file("esm.js", kEmpty);
  CHECK(
      script.start() ==
      Lines{R"(complete ["ImportError 'fs' is not available to a pro",)"
            R"("ImportError './missing' is not among the f",)"
            R"("ImportError './esm.js' is an ES module: us",)"
            R"("TypeError require needs a string","ImportError '../../out' is not among the f"])"});
}

TEST_CASE("dynamic import stays inside the pinned graph") {
  Script script;
  script
      .file("main.js",
            "export const process = async () => {\n"
            "  const said = [(await import('./' + 'x.js')).x, (await "
            "eval(\"import('./x.js')\")).x];\n"
            "  for (const name of ['./missing.js', 'node:fs', 'lodash', '../../etc/passwd', "
            "'https://x.org/y.js'])\n"
            "    await import(name).catch((e) => said.push(e.name));\n"
            "  await import('./bad.js').catch((e) => said.push(e.name));\n"
            "  await import('./throws.js').catch((e) => said.push(e.message));\n"
            "  await import('./nested.js').catch((e) => said.push(e.message.slice(0, 9)));\n"
            "  return said;\n};")
      .file("x.js", "export const x = 1;")
      .file("bad.js", "export const = 1;")
      .file("throws.js", "throw new Error('at load');")
      .file("nested.js", "import 'node:os';");
  CHECK(
      script.start() ==
      Lines{
          R"(complete [1,1,"ImportError","ImportError","ImportError","ImportError","ImportError",)"
          R"("SyntaxError","at load","'node:os'"])"});
}

TEST_CASE("node:path is there for POSIX with the working directory /") {
  Script script(
      "import path, { join } from 'node:path';\nimport * as p from 'path';\n"
      "export const process = async () => [join('a', '..', '/b/'), path.resolve('x', '../y'), "
      "path.resolve('/a', '/b'),\n"
      "  path.dirname('/a/b.txt'), path.dirname('a'), path.dirname('/'), path.basename('/a/b.txt', "
      "'.txt'),\n"
      "  path.extname('a.b.c'), path.extname('.bashrc'), path.relative('/a/b/c', '/a/d'), "
      "path.normalize('./a//b/../c/'),\n"
      "  path.isAbsolute('/x'), path.sep, path.parse('/h/f.txt'), path.format({ dir: '/h', base: "
      "'f' }),\n"
      "  path.posix === path, p.join === join, path.normalize(''), path.relative('/a', '/a')];");
  CHECK(script.start() ==
        Lines{R"(complete ["b/","/y","/b","/a",".","/","b",".c","","../../d","a/c/",true,"/",)"
              R"({"root":"/","dir":"/h","base":"f.txt","ext":".txt","name":"f"},"/h/f",true,true,)"
              R"(".",""])"});
}

TEST_CASE("a syntax error names file, line and column") {
  Script script;
  script.file("main.js", "import './lib/bad.js';\n" + kEmpty)
      .file("lib/bad.js", "const a = 1;\nconst b = (;\n");
  json error = error_of(script);
  CHECK(error["name"] == "SyntaxError");
  CHECK(error["file"] == "lib/bad.js");
  CHECK(error["line"] == 2);
  CHECK(error["column"] == 12);
}

TEST_CASE("a link error names the importing clause") {
  Script script;
  script.file("main.js", kEmpty + "import { nope } from './x.js';\n")
      .file("x.js", "export const x = 1;");
  json error = error_of(script);
  CHECK(error["name"] == "SyntaxError");
  CHECK(error["message"] == "import not found: nope");
  CHECK(error["file"] == "main.js");
  CHECK(error["line"] == 2);
  CHECK(error["column"] == 10);
}

TEST_CASE("an import that cannot be had names its place and what to do") {
  Script script(kEmpty + "import fs from 'node:fs';\n");
  json error = error_of(script);
  CHECK(error["name"] == "ImportError");
  CHECK(error["message"].get<std::string>().find("do this work in a task") != std::string::npos);
  CHECK(error["file"] == "main.js");
  CHECK(error["line"] == 2);
  CHECK(error["column"] == 16);
}

TEST_CASE("an error while a module is evaluated keeps its place") {
  Script script;
  script.file("main.js", "import './x.js';\n" + kEmpty).file("x.js", "\n  null.boom;\n");
  json error = error_of(script);
  CHECK(error["name"] == "TypeError");
  CHECK(error["file"] == "x.js");
  CHECK(error["line"] == 2);
  CHECK(error["column"] == 3);
}

TEST_CASE("the export is the named one, or process, else a default function") {
  Script named("export const process = async () => 1; export const other = async () => 2;");
  named.export_name("other");
  CHECK(named.start() == Lines{"complete 2"});
  CHECK(Script("export default async function () { return 3; }").start() == Lines{"complete 3"});
}

TEST_CASE("an export that was asked for by name is never replaced by another") {
  Script typing_mistake("export const process = async () => 1; export default async () => 2;");
  typing_mistake.export_name("proces");
  CHECK(error_of(typing_mistake)["name"] == "ExportError");
}

TEST_CASE("a missing export lists what is there") {
  Script script("export const run = 1; export default { process: 1 };");
  json error = error_of(script);
  CHECK(error["name"] == "ExportError");
  CHECK(error["message"] ==
        "main.js exports no function \"process\"; it exports default, run. Write: "
        "export async function process(inputs, ctx) { ... }");
}

TEST_CASE("a missing entry is an error, as is text that is not UTF-8") {
  Script missing(kEmpty);
  missing.entry("other.js");
  CHECK(error_of(missing)["name"] == "ImportError");
  Script binary("export const process = '\xff\xfe';");
  CHECK(error_of(binary)["name"] == "SyntaxError");
}

TEST_CASE("a byte order mark and a hashbang are fine in ES modules") {
  CHECK(Script("\xef\xbb\xbf#!/usr/bin/env node\nexport const process = async () => 1;").start() ==
        Lines{"complete 1"});
}

TEST_CASE("a process may be a plain function, and may throw or return at once") {
  CHECK(Script("export const process = (inputs) => inputs.n + 1;").start(R"({"n":1})") ==
        Lines{"complete 2"});
  CHECK(Script("export const process = () => { throw new Error('now'); };").start() ==
        Lines{"fail Error: now"});
}

TEST_CASE("CommonJS text cannot break out of its function") {
  Script script;
  script.entry("main.cjs").file("main.cjs", "}); globalThis.out = 1; (function () {");
  CHECK(error_of(script)["name"] == "SyntaxError");
}
