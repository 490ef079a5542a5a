#include "cli/commands.h"
#include "cli/tables.h"

namespace reprise {
namespace {

constexpr Positional kCheckPositionals[] = {
    {"FILE|DIR", "process files, or folders to look for them in", false, true}};
constexpr Flag kCheckFlags[] = {
    {"--inputs", "FILE|-", "run every file with this JSON document instead of made-up inputs"},
};
constexpr Example kCheckExamples[] = {
    {"reprise process:check notes.js", "is this process fit to run?"},
    {"reprise process:check . --json | jq -r '.files[] | select(.status != \"ok\") | .file'",
     "the files of a library that are not"},
};
constexpr Exit kCheckExits[] = {Exit::kNo, Exit::kNotFound};

constexpr CommandSpec kProcessTable[] = {
    {.name = "process:check",
     .summary = "Say what is wrong with process files, without making a run",
     .description =
         "Each file is loaded in the sandbox and run to its first effects, with inputs made up "
         "from its @inputs comment or its inputSchema, else {}. In folders, files that export no "
         "process, node_modules and folders that begin with a dot are passed over. Exit 1 when a "
         "file has a problem or could not be judged.",
     .positionals = kCheckPositionals,
     .flags = kCheckFlags,
     .examples = kCheckExamples,
     .exits = kCheckExits,
     .writes = false,
     .stream = "files",
     .run = process_check,
     .text = process_check_text},
};

}  // namespace

std::span<const CommandSpec> process_table() { return kProcessTable; }

}  // namespace reprise
