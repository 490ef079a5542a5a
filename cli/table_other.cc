#include "cli/commands.h"
#include "cli/tables.h"

namespace reprise {
namespace {

constexpr Positional kSchemaPositionals[] = {
    {"NAME",
     "a command (run:iterate), a record type (EFFECT_RESOLVED), what a channel's effect holds or "
     "returns (model-inputs, model-result), record, run, task or error",
     true}};
constexpr Example kSchemaExamples[] = {
    {"reprise schema", "the names of all schemas"},
    {"reprise schema run:iterate", "what run:iterate --json prints"},
};
constexpr Exit kSchemaExits[] = {Exit::kNotFound};

constexpr Positional kCompletionPositionals[] = {{"SHELL", "bash, zsh or fish"}};
constexpr Example kCompletionExamples[] = {
    {"reprise completion bash", "what ~/.local/share/bash-completion/completions/reprise holds"},
};

constexpr Positional kHelpPositionals[] = {
    {"COMMAND", "run:create, or the noun run alone", true},
    {"VERB", "create, when COMMAND is a noun", true},
};
constexpr Flag kHelpFlags[] = {{"--markdown", "", "the whole reference, as in docs/cli.md"},
                               {"--man", "", "the same as a manual page"}};
constexpr Example kHelpExamples[] = {{"reprise help run create", "all about run:create"}};

constexpr CommandSpec kOtherTable[] = {
    {.name = "schema",
     .summary = "Print the JSON Schema of a document, a record or a file of a run",
     .description = "Without a NAME it lists the names.",
     .positionals = kSchemaPositionals,
     .examples = kSchemaExamples,
     .exits = kSchemaExits,
     .run = show_schema,
     .text = schema_text},
    {.name = "completion",
     .summary = "Print a script that completes command lines in a shell",
     .positionals = kCompletionPositionals,
     .examples = kCompletionExamples,
     .run = show_completion,
     .text = completion_text},
    {.name = "version", .summary = "Print the version", .run = show_version, .text = version_text},
    {.name = "help",
     .summary = "Explain a command, or list all of them",
     .positionals = kHelpPositionals,
     .flags = kHelpFlags,
     .examples = kHelpExamples,
     .run = show_help,
     .text = help_text},
};

}  // namespace

std::span<const CommandSpec> other_table() { return kOtherTable; }

}  // namespace reprise
