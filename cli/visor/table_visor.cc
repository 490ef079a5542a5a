#include "cli/configured.h"
#include "cli/tables.h"
#include "cli/visor/commands.h"

namespace reprise {
namespace {

constexpr Flag kVisorStatusFlags[] = {kSetFlag};
constexpr Flag kBulletinListFlags[] = {
    {"--limit", "N", "at most N bulletins; default 20"},
    {"--after", "CURSOR", "go on behind this one: the \"next\" of the list before"},
    {"--all", "", "no limit"},
};
constexpr Positional kBulletin[] = {{"BULLETIN", "its id; default the newest", true}};

constexpr Example kVisorStatusExamples[] = {
    {"reprise visor:status", "what it watches, what it told, what it would tell next"}};
constexpr Example kBulletinShowExamples[] = {
    {"reprise bulletin:show", "what every prompt is told"}};
constexpr Example kBulletinListExamples[] = {
    {"reprise bulletin:list --limit 5", "the newest five"}};

constexpr CommandSpec kVisorTable[] = {
    {.name = "visor:status",
     .summary = "Show what the visor watches and what it told",
     .description = "Looks at the home as the next heartbeat will, and changes nothing.",
     .flags = kVisorStatusFlags,
     .examples = kVisorStatusExamples,
     .exits = kIndexExits,
     .run = visor_status,
     .text = visor_status_text},
    {.name = "bulletin:show",
     .summary = "Show the newest bulletin, or another one",
     .description = "A bulletin says in a few words what goes on in the home; prompts of agents "
                    "carry the newest.",
     .positionals = kBulletin,
     .examples = kBulletinShowExamples,
     .exits = kIndexExits,
     .run = bulletin_show,
     .text = bulletin_show_text},
    {.name = "bulletin:list",
     .summary = "List the bulletins of the home, the newest first",
     .flags = kBulletinListFlags,
     .examples = kBulletinListExamples,
     .exits = kIndexExits,
     .stream = "bulletins",
     .run = bulletin_list,
     .text = bulletin_list_text},
};

}  // namespace

std::span<const CommandSpec> visor_table() { return kVisorTable; }

}  // namespace reprise
