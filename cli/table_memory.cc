#include "cli/commands.h"
#include "cli/tables.h"

namespace reprise {
namespace {

constexpr Flag kScopeFlag = {"--scope", "SCOPE", "global, project:ID, channel:ID or agent:ID",
                             false, true};
constexpr Flag kKindFlag = {"--kind", "KIND", "only of this kind", false, true};
constexpr Flag kClassFlag = {"--class", "CLASS", "only of this class", false, true};

constexpr Positional kMemorySavePositionals[] = {
    {"NOTE", "what is to be remembered; - reads it from standard input", true}};
constexpr Flag kMemorySaveFlags[] = {
    {"--summary", "TEXT", "the same in short"},
    {"--kind", "KIND",
     "identity, goal, decision, todo, preference, fact, event or observation; default by its "
     "words"},
    {"--class", "CLASS", "episodic, semantic, procedural or bulletin; default by its kind"},
    {"--scope", "SCOPE", "whose it is: global (default), project:ID, channel:ID or agent:ID"},
    {"--source", "TYPE:ID", "where it comes from, as run:web or person:anna"},
    {"--importance", "SHARE", "from 0 to 1; default 0.5; fades from day to day"},
    {"--confidence", "SHARE", "from 0 to 1; default 0.7"},
    {"--expires", "TIME|DURATION", "or never; default by its class"},
    {"--metadata", "JSON", "an object of your own"},
    {"--id", "MEMORY", "change this memory instead: what is given is replaced"},
    kRepeatFlag,
};
constexpr Example kMemorySaveExamples[] = {
    {"reprise memory:save 'Anna prefers short answers' --scope channel:web", "a preference"},
    {"uname -sr | reprise memory:save - --kind fact", "whatever a command prints"},
};

constexpr Positional kMemoryRecallPositionals[] = {{"QUERY", "the words to look for", false, true}};
constexpr Flag kMemoryRecallFlags[] = {
    {"--limit", "N", "at most N memories, 100 at the most; default 8"},
    {"--vector", "FILE", "the embedding of QUERY, a JSON list of numbers; - is stdin"},
    kScopeFlag,
    kKindFlag,
    kClassFlag,
    {"--explain", "", "show the parts of each score"},
    {"--no-record", "", "leave no trace of the recall: it does not keep memories from fading"},
    kRepeatFlag,
};
constexpr Example kMemoryRecallExamples[] = {
    {"reprise memory:recall what does anna like --explain", "the best first, with their scores"},
};

constexpr Flag kMemoryListFlags[] = {
    kScopeFlag,
    kKindFlag,
    kClassFlag,
    {"--hidden", "", "also what is forgotten, expired or superseded"},
    {"--limit", "N", "at most N memories; default 50"},
    {"--after", "MEMORY", "go on behind this memory: the \"next\" of the list before"},
    {"--all", "", "no limit"},
};
constexpr Example kMemoryListExamples[] = {
    {"reprise memory:list --kind decision", "what was decided, the newest first"},
};

constexpr Positional kMemoryShowPositionals[] = {{"MEMORY", "the memory's id"}};
constexpr Positional kMemoryForgetPositionals[] = {{"MEMORY", "ids of memories", false, true}};
constexpr Positional kMemoryLinkPositionals[] = {{"FROM", "the id of a memory"},
                                                 {"TO", "the id of another one"}};
constexpr Flag kMemoryLinkFlags[] = {
    {"--relation", "supports|contradicts|depends_on|about|derived_from|supersedes",
     "what FROM is to TO; default about"},
    {"--weight", "SHARE", "how strongly, from 0 to 1; default 1"},
    {"--provenance", "TEXT", "who says so"},
};
constexpr Flag kMemoryForgetFlags[] = {{"--reason", "TEXT", "why; recorded"}};
constexpr Flag kMemoryExportFlags[] = {kScopeFlag, kKindFlag, kClassFlag};
constexpr Example kMemoryExportExamples[] = {
    {"reprise memory:export > memories.json", "a file that memory:import takes"},
};
constexpr Positional kMemoryImportPositionals[] = {
    {"FILE", "what memory:export wrote; - is standard input"}};
constexpr Flag kMemoryImportFlags[] = {{"--dry-run", "", "say what would be new, record nothing"}};
constexpr Example kMemoryShowExamples[] = {{"reprise memory:show m3", "a memory and its links"}};
constexpr Example kMemoryLinkExamples[] = {
    {"reprise memory:link m5 m3 --relation supersedes", "m3 is no answer any more"}};
constexpr Example kMemoryForgetExamples[] = {
    {"reprise memory:forget m3 --reason 'it was a test'", "it is found no more"}};
constexpr Example kMemoryImportExamples[] = {
    {"reprise memory:import memories.json --dry-run", "how many are new?"}};

constexpr CommandSpec kMemoryTable[] = {
    {.name = "memory:save",
     .summary = "Remember something",
     .description =
         "What is saved is a domain event of the run \"memory\", which is made when it is first "
         "needed. With --id an existing memory is changed.",
     .positionals = kMemorySavePositionals,
     .flags = kMemorySaveFlags,
     .examples = kMemorySaveExamples,
     .exits = kWriteExits,
     .writes = true,
     .run = memory_save,
     .text = memory_save_text},
    {.name = "memory:recall",
     .summary = "Find what fits, the best first",
     .description =
         "Any text is a query, nothing in it is syntax. What was asked and found is recorded, and "
         "keeps the found memories from fading.",
     .positionals = kMemoryRecallPositionals,
     .flags = kMemoryRecallFlags,
     .examples = kMemoryRecallExamples,
     .exits = kWriteExits,
     .writes = true,
     .stream = "memories",
     .run = memory_recall,
     .text = memory_recall_text},
    {.name = "memory:list",
     .summary = "List what is remembered, the newest first",
     .flags = kMemoryListFlags,
     .examples = kMemoryListExamples,
     .exits = kIndexExits,
     .stream = "memories",
     .run = memory_list,
     .text = memory_list_text},
    {.name = "memory:show",
     .summary = "Show a memory and its links",
     .positionals = kMemoryShowPositionals,
     .examples = kMemoryShowExamples,
     .exits = kIndexExits,
     .run = memory_show,
     .text = memory_show_text},
    {.name = "memory:link",
     .summary = "Say how two memories belong together",
     .description = "A memory that a live one supersedes is found no more; the new one is, by its "
                    "words. A newer link that supersedes the other way round takes the older one "
                    "back. Linking them so again changes nothing.",
     .positionals = kMemoryLinkPositionals,
     .flags = kMemoryLinkFlags,
     .examples = kMemoryLinkExamples,
     .exits = kWriteExits,
     .writes = true,
     .run = memory_link,
     .text = memory_link_text},
    {.name = "memory:forget",
     .summary = "Let memories be found no more",
     .description = "The journal still holds them. Forgetting one again changes nothing.",
     .positionals = kMemoryForgetPositionals,
     .flags = kMemoryForgetFlags,
     .examples = kMemoryForgetExamples,
     .exits = kWriteExits,
     .writes = true,
     .stream = "memories",
     .run = memory_forget,
     .text = memory_forget_text},
    {.name = "memory:export",
     .summary = "Print all live memories and their links as one document",
     .flags = kMemoryExportFlags,
     .examples = kMemoryExportExamples,
     .exits = kIndexExits,
     .run = memory_export,
     .text = memory_export_text},
    {.name = "memory:import",
     .summary = "Take over what memory:export wrote",
     .description =
         "A memory that is here under the same id with the same note is left alone; others get "
         "ids made of what they say, so that importing a file again changes nothing.",
     .positionals = kMemoryImportPositionals,
     .flags = kMemoryImportFlags,
     .examples = kMemoryImportExamples,
     .exits = kWriteExits,
     .writes = true,
     .run = memory_import,
     .text = memory_import_text},
};

}  // namespace

std::span<const CommandSpec> memory_table() { return kMemoryTable; }

}  // namespace reprise
