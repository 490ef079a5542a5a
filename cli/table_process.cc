#include "cli/commands.h"
#include "cli/tables.h"

namespace reprise {
namespace {

constexpr Positional kProcessCheckPositionals[] = {
    {"FILE|DIR", "process files, or folders to look for them in", false, true}};
constexpr Flag kProcessCheckFlags[] = {
    {"--inputs", "FILE|-", "run every file with this JSON document instead of made-up inputs"},
    {"--against-open", "", "give each file the history of its open runs: which would go on?"},
};
constexpr Example kProcessCheckExamples[] = {
    {"reprise process:check notes.js", "is this process fit to run?"},
    {"reprise process:check . --output jsonl | jq -r .status", "a whole library, file by file"},
    {"reprise process:check notes.js --against-open", "may it replace the code of running runs?"},
};
constexpr Exit kProcessCheckExits[] = {Exit::kNo, Exit::kNotFound};

constexpr Positional kProcessTestPositionals[] = {
    {"FILE", "the process, as path/to/file.js or path/to/file.js#export"}};
constexpr Flag kProcessTestFlags[] = {
    {"--script", "FILE|-", "what the outside world answers: see reprise schema answers", true},
    {"--input", "K=V", "one member of the inputs; V is JSON if it reads as JSON, else a string",
     false, true},
    {"--inputs", "FILE|-", "the inputs as one JSON document, instead of the script's"},
};
constexpr Example kProcessTestExamples[] = {
    {"reprise process:test notes.js --script answers.json", "does it end as expected?"}};
constexpr Exit kProcessTestExits[] = {Exit::kNo, Exit::kNotFound, Exit::kBudget};

constexpr CommandSpec kProcessTable[] = {
    {.name = "process:check",
     .summary = "Say what is wrong with process files",
     .description =
         "Each file is loaded in the sandbox and run to its first effects, with inputs made up "
         "from its @inputs comment or its inputSchema, else {}. In folders, files that export no "
         "process, node_modules and folders that begin with a dot are passed over. Exit 1 when a "
         "file has a problem or could not be judged, or an open run would diverge. An open run is "
         "a "
         "file's when it was made from that path, or has its process id.",
     .positionals = kProcessCheckPositionals,
     .flags = kProcessCheckFlags,
     .examples = kProcessCheckExamples,
     .exits = kProcessCheckExits,
     .stream = "files",
     .run = process_check,
     .text = process_check_text},
    {.name = "process:test",
     .summary = "Run a process in memory against scripted answers",
     .description =
         "The real engine, files in memory and a clock that moves when nothing else is left to "
         "do. It prints the effects in the order of their requests and the output. Exit 1 when an "
         "effect has no answer, or the run does not end as the script expects (completed, if it "
         "does not say).",
     .positionals = kProcessTestPositionals,
     .flags = kProcessTestFlags,
     .examples = kProcessTestExamples,
     .exits = kProcessTestExits,
     .stream = "effects",
     .run = process_test,
     .text = process_test_text},
};

}  // namespace

std::span<const CommandSpec> process_table() { return kProcessTable; }

}  // namespace reprise
