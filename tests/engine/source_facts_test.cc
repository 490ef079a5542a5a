#include "engine/source_facts.h"

#include <catch2/catch.hpp>

using namespace reprise;

namespace {

bool exports(std::string_view source) { return exports_process(read_tokens(source)); }

/// "id@line:column ..."
std::string tasks(std::string_view source) {
  std::string out;
  for (const auto& task : find_tasks(source, read_tokens(source))) {
    out += (out.empty() ? "" : " ") + task.id + "@" + std::to_string(task.place.line) + ":" +
           std::to_string(task.place.column);
  }
  return out;
}

std::string member_uses(std::string_view source) {
  std::string out;
  for (const auto& use : find_process_function(source, read_tokens(source)).members) {
    out += (out.empty() ? "" : " ") + use.name + "@" + std::to_string(use.place.line);
  }
  return out;
}

std::string inputs(std::string_view source) { return find_inputs_comment(read_tokens(source)); }

}  // namespace

TEST_CASE("Every way to export a process is recognised") {
  for (const auto* source :
       {"export async function process(inputs, ctx) {}", "export function process() {}",
        "export const process = async () => {};", "const run = 1; export { run as process };",
        "export { process } from './x.js';", "export * from './x.js';",
        "export default async (inputs, ctx) => {}", "export default function () {}",
        "exports.process = async () => {};", "module.exports = { process };",
        "export function* process() {}"}) {
    INFO(source);
    CHECK(exports(source));
  }
}

TEST_CASE("What only looks like the export of a process is none") {
  for (const auto* source :
       {"// export function process() {}", "const a = 'export function process() {}';",
        "export const processed = 1;", "export { process as other };",
        "export default { process: 1 };", "export default defineConfig({});",
        "/* export * from './x.js' */", "function process() {}", ""}) {
    INFO(source);
    CHECK_FALSE(exports(source));
  }
}

TEST_CASE("Tasks are found with their places, not in comments and texts") {
  CHECK(tasks("const a = defineTask('one', f);\n  defineTask(\n'two')") == "one@1:11 two@2:3");
  CHECK(tasks("defineTask({ io: { id: 'inner' }, id: 'outer' })") == "outer@1:1");
  CHECK(tasks("// defineTask('a')\n'defineTask(\"b\")'; `defineTask('c')`") == "");
  CHECK(tasks("const é = defineTask('x')") == "x@1:11");
  CHECK(tasks("defineTask(`${area}-x`, f)") == "");
}

TEST_CASE("Texts, templates and regular expressions do not hide what follows them") {
  for (const auto* before :
       {"const a = 'it\\'s';", "const a = `x ${ { b: `y ${c}` } } z`;", "a = b / c / d;",
        "if (/[/'\"]/.test(a)) return /x\\/'/;", "const a = 'open\n", "x = `${a}/${b}`;"}) {
    INFO(before);
    CHECK(tasks(std::string(before) + "\ndefineTask('x')").starts_with("x@"));
  }
}

TEST_CASE("Members of ctx are what the process takes from its second parameter") {
  CHECK(
      member_uses("export async function process(inputs, ctx) {\n ctx.task(x);\n ctx.agent();\n}\n"
                  "function other(ctx) { ctx.more(); }") == "task@2 agent@3");
  CHECK(member_uses("const process = async ({ a, b }, c) => { c.agent(); ctx.x(); a.c.y(); }") ==
        "agent@1");
  CHECK(member_uses("export async function process(inputs, { task, log: l }) {}") ==
        "task@1 log@1");
  CHECK(member_uses("async function process(i, ctx) { `${ctx.inside()}`; }") == "inside@1");
  CHECK(member_uses("export function process() {}") == "");
}

TEST_CASE("An inner function's own ctx is not the process's") {
  for (const auto* inner : {"f((args, ctx) => ({ x: ctx.effectId }));", "f(ctx => ctx.y, 1);",
                            "f(function (ctx) { return ctx.y; });", "f((a, ctx) => ctx.y);",
                            "function g(a, ctx) { ctx.y(); }"}) {
    INFO(inner);
    const auto body = std::string(inner) + "\nctx.agent(); }";
    CHECK(member_uses("async function process(i, ctx) {" + body) == "agent@2");
  }
}

TEST_CASE("A member that the process asks about first is left out") {
  for (const auto* use : {"if (ctx.x) ctx.x();", "ctx.x?.()", "ctx?.x()", "a = ctx.x ?? 1",
                          "typeof ctx.x", "ctx.x && ctx.x()", "!ctx.x", "ctx.x = 1"}) {
    INFO(use);
    CHECK(member_uses("async function process(i, ctx) {" + std::string(use) + "}") == "");
  }
}

TEST_CASE("The inputs are the type behind the tag of a comment") {
  CHECK(inputs("/**\n * @process a\n * @inputs { a: string }\n */") == "{ a: string }\n ");
  CHECK(inputs("/**\n * @inputs {\n *   a: string,\n * }\n */") == "{\n    a: string,\n  }\n ");
  CHECK(inputs("// @inputs { b: number }") == "{ b: number }");
  CHECK(inputs("/** @inputs nothing, really {} */") == "");
  CHECK(inputs("const a = '@inputs { a }';") == "");
}

TEST_CASE("A declared inputSchema is noticed, a task's is not") {
  CHECK(declares_input_schema(read_tokens("export const inputSchema = {};")));
  CHECK(declares_input_schema(read_tokens("process.inputSchema = {};")));
  CHECK_FALSE(declares_input_schema(read_tokens("defineTask('x', f, { inputSchema: {} });")));
}

TEST_CASE("Places count lines and characters from one") {
  CHECK(place_at("ab\ncd", 0).line == 1);
  CHECK(place_at("ab\ncd", 4).line == 2);
  CHECK(place_at("ab\ncd", 4).column == 2);
  CHECK(place_at("é=x", 3).column == 3);
}

TEST_CASE("Tokens of any text end") {
  for (const auto* source :
       {"'", "`", "`${", "/*", "/", "//", "`${`", "\\", "'\\", "a`${}", "}`"}) {
    CHECK(read_tokens(source).size() < 10);
  }
}
