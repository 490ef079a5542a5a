// A process in a few words, for tests of what a run is asked to take back.
#pragma once

#include <string>

namespace reprise::test {

/// A script with this body: call(label, options) asks for an agent's work, ctx.task(shell, {}) for
/// a command in a shell.
inline std::string script(const std::string& body) {
  return "import { defineTask } from 'reprise';\n"
         "const step = defineTask('step', () => ({ kind: 'agent' }));\n"
         "const shell = defineTask('shell', () => ({ kind: 'shell', shell: { command: 'x' } }));\n"
         "export async function process(inputs, ctx) {"
         "const call = (label, options) => ctx.task(step, {}, { label, ...options });" +
         body + "}";
}

/// The same, but for call(label, args); ctx.task(other, {}) asks an agent for something else.
inline std::string script_with_args(const std::string& body) {
  return "import { defineTask } from 'reprise';\n"
         "const step = defineTask('step', () => ({ kind: 'agent' }));\n"
         "const other = defineTask('other', () => ({ kind: 'agent' }));\n"
         "export async function process(inputs, ctx) {"
         "const call = (label, args) => ctx.task(step, args ?? {}, { label });" +
         body + "}";
}

}  // namespace reprise::test
