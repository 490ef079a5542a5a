// JavaScript, or what calls itself so, read without running it: by the tokens of engine/source_*.h,
// and by the module that finds the imports to be pinned.
#include <algorithm>
#include <array>

#include "engine/script_host.h"
#include "engine/source_facts.h"
#include "engine/source_tokens.h"
#include "journal/error.h"
#include "tests/fuzz/target.h"

namespace reprise::fuzz {

namespace {

constexpr std::array<std::string_view, 30> kWords = {"export ",
                                                     "async ",
                                                     "function ",
                                                     "process(",
                                                     "inputs, ctx) {",
                                                     "ctx.",
                                                     "if (ctx.x)",
                                                     "ctx.x?.()",
                                                     "ctx.x ?? y",
                                                     "defineTask('a', ",
                                                     "defineTask({ id: 'a' })",
                                                     "import { a } from './a.js';\n",
                                                     "import('./b.js')",
                                                     "require('./c')",
                                                     "import 'node:fs';",
                                                     "`${",
                                                     "`",
                                                     "'",
                                                     "\"",
                                                     "\\",
                                                     "/*",
                                                     "*/",
                                                     "//",
                                                     "/[/]/g",
                                                     "@inputs { a: string }",
                                                     "\r\n",
                                                     "\xe2\x80\xa8",
                                                     "\xff",
                                                     "export * from './d.mjs';",
                                                     "\\u{61}"};

void check_place(std::string_view source, const SourcePlace& place) {
  const auto lines = static_cast<size_t>(std::count(source.begin(), source.end(), '\n')) + 1;
  expect(place.line >= 1 && place.line <= lines && place.column >= 1 &&
             place.column <= source.size() + 1,
         "a place lies in the source");
}

void check_tokens(std::string_view source, const std::vector<SourceToken>& tokens) {
  size_t before = 0;
  for (const auto& token : tokens) {
    expect(token.offset >= before && token.offset <= source.size(), "tokens follow each other");
    expect(token.text.empty() ||
               (token.text.data() >= source.data() + token.offset &&
                token.text.data() + token.text.size() <= source.data() + source.size()),
           "a token's text stands in the source, at its place");
    before = token.offset;
  }
}

void check_facts(std::string_view source, const std::vector<SourceToken>& tokens) {
  for (const auto& task : find_tasks(source, tokens)) check_place(source, task.place);
  exports_process(tokens);
  declares_input_schema(tokens);
  find_inputs_comment(tokens);
  const auto function = find_process_function(source, tokens);
  check_place(source, function.place);
  for (const auto& member : function.members) {
    check_place(source, member.place);
    expect(source.find(member.name) != std::string_view::npos, "a member is named in the source");
  }
}

/// Found, or refused in words.
void check_imports(std::string_view source, const char* path, Subject subject) {
  ScriptHost host({.module = REPRISE_TEST_MODULE});
  std::vector<ScriptImport> imports;
  try {
    host.run([&] { imports = host.imports(path, source); });
  } catch (const Error& error) {
    expect(error.code() == "SCRIPT_INVALID", "a source is wrong, and nothing else");
    return;
  }
  using Kind = ScriptImport::Kind;
  for (const auto& import : imports) {
    check_place(source, {import.line, import.column});
    const bool explained = subject == Subject::kReal && !import.message.empty();
    expect((import.kind == Kind::kRefused) == explained, "what is refused is explained");
  }
}

void check(std::string_view source, Subject subject) {
  const auto tokens = read_tokens(source);
  check_tokens(source, tokens);
  check_facts(source, tokens);
  check_imports(source, "main.js", subject);
  check_imports(source, "main.cjs", subject);
}

}  // namespace

const Target kTarget{"sources", kWords, check};

}  // namespace reprise::fuzz
