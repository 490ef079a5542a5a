#include "cli/channel/commands.h"
#include "cli/channel/making.h"
#include "cli/channel/signal_request.h"
#include "cli/configured.h"
#include "cli/creation.h"
#include "cli/tables.h"

namespace reprise {
namespace {

constexpr Positional kPost[] = {
    {"CHANNEL", "the channel: its whole id, a path, or @last; one that is not there is made"},
    {"TEXT", "what is said; - is standard input", true}};
constexpr Positional kIds[] = {kChannelPositional,
                               {"MSGID", "the id of a message that waits", false, true}};
constexpr Positional kId[] = {kChannelPositional, {"MSGID", "the id of a message that waits"}};

constexpr Flag kMessagePostFlags[] = {
    {"--interrupt", "", "stop what is under way, and answer this first"},
    {"--file", "FILE|-", "what is said, from a file"},
    {"--id", "MSGID", "the platform's id of it: the same again changes nothing; default a new one"},
    {"--author", "ID", "who says it; default the user"},
    {"--author-name", "NAME", "what people call the author; default the id"},
    {"--role", "NAME", "a role of the author's", false, true},
    kPlatformFlag,
    {"--mention", "", "it mentions the agent"},
    {"--reply", "", "it replies to the agent"},
    {"--prefix", "", "it begins with the channel's prefix"},
    {"--context", "",
     "it is none for the agent: kept as context, unless it begins with the prefix"},
    {"--priority", "N", "higher ones are answered first; default 0"},
    {"--delay", "DURATION", "not before so long from now, as 10m"},
    {"--not-before", "TIME", "not before this time"},
    {"--mode", "plan", "let the agent plan, and ask before it acts"},
    {"--attach", "FILE", "a file that goes with it: its path is recorded", false, true},
    {"--drive", "", "perform what the reply needs, and print it"},
    kNoIterateFlag,
    kDryRunFlag,
    kParentFlag,
    {"--name", "TEXT", "what people call a channel that is made"},
    kGuildFlag,
    kDirFlag,
    kSettingFlag,
    kSimulatedFlag,
    kSetFlag,
};
/// Those of message:post but for the first.
constexpr auto kMessageInterruptFlags = std::span(kMessagePostFlags).subspan(1);
constexpr Flag kMessageListFlags[] = {
    {"--limit", "N", "at most N messages; default 50"},
    {"--after", "ROW", "only messages behind this row: the \"cursor\" of a list before"},
    {"--all", "", "from the first one"},
};
constexpr Flag kMessageCancelFlags[] = {kByFlag, kKeyFlag, kNoIterateFlag, kDryRunFlag};
constexpr Flag kMessageReorderFlags[] = {kKeyFlag, kNoIterateFlag, kDryRunFlag};
constexpr Flag kMessageDelayFlags[] = {
    {"--delay", "DURATION", "not before so long from now, as 10m"},
    {"--not-before", "TIME", "not before this time"},
    kKeyFlag,
    kNoIterateFlag,
    kDryRunFlag,
};
constexpr Flag kMessageRouteFlags[] = {
    {"--explain", "TEXT", "what would happen with this message", true}};

constexpr Example kMessagePostExamples[] = {
    {"reprise message:post general 'what is new?'", "queue it, and ask the agent when it is free"},
    {"reprise message:post general 'what is new?' --drive", "and print the reply"},
    {"reprise message:post general --file said.txt --id 1187 --author 42 --mention",
     "as a chat bridge does"}};
constexpr Example kMessageInterruptExamples[] = {
    {"reprise message:interrupt general 'no, the other branch'", "stop the agent and tell it so"}};
constexpr Example kMessageListExamples[] = {
    {"reprise message:list general", "the newest ones"},
    {"reprise message:list general --after 12 --output jsonl",
     "what came since, a message a line"}};
constexpr Example kMessageCancelExamples[] = {
    {"reprise message:cancel general m2", "it is not answered any more"}};
constexpr Example kMessageReorderExamples[] = {
    {"reprise message:reorder general m3 m2", "answer them in this order"}};
constexpr Example kMessageDelayExamples[] = {
    {"reprise message:delay general m2 --delay 1h", "answer it later"}};
constexpr Example kMessageRouteExamples[] = {
    {"reprise message:route general --explain 'fix the build'",
     "answer, branch or worker, and why"}};
constexpr Exit kMessagePostExits[] = {Exit::kNo,           Exit::kNotFound, Exit::kConflict,
                                      Exit::kCorrupt,      Exit::kLocked,   Exit::kWaitsForInput,
                                      Exit::kWaitsForTime, Exit::kForbidden};

constexpr CommandSpec kMessageTable[] = {
    {.name = "message:post",
     .summary = "Say something in a channel",
     .description =
         "It is appended, and the channel goes on at once. What comes from the command line counts "
         "as a direct message to the agent unless --mention, --reply, --prefix or --context say "
         "otherwise. A channel that does not exist comes into being with its first message for the "
         "agent; with --parent it is a thread. --drive exits as run:drive does when there is no "
         "reply (10, too, when SIGINT, SIGTERM or SIGHUP ended it: the message is kept, the work "
         "pending), and with 1 when the agent failed or was stopped.",
     .positionals = kPost,
     .flags = kMessagePostFlags,
     .examples = kMessagePostExamples,
     .exits = kMessagePostExits,
     .writes = true,
     .run = message_post,
     .text = message_post_text},
    {.name = "message:interrupt",
     .summary = "Stop the agent, and say what it answers first",
     .description = "message:post --interrupt, in a channel that exists. What waits in the queue "
                    "stays there.",
     .positionals = kPost,
     .flags = kMessageInterruptFlags,
     .examples = kMessageInterruptExamples,
     .exits = kMessagePostExits,
     .writes = true,
     .run = message_interrupt,
     .text = message_post_text},
    {.name = "message:list",
     .summary = "List what was said in a channel",
     .description =
         "The newest ones, or those behind a row, with what the agent has said so far of the reply "
         "that it works on.",
     .positionals = kChannelPositionals,
     .flags = kMessageListFlags,
     .examples = kMessageListExamples,
     .exits = kReadExits,
     .stream = "messages",
     .run = message_list,
     .text = message_list_text},
    {.name = "message:cancel",
     .summary = "Take messages out of the queue",
     .description =
         "The agent neither answers nor reads them. The one that it works on is stopped by "
         "channel:stop.",
     .positionals = kIds,
     .flags = kMessageCancelFlags,
     .examples = kMessageCancelExamples,
     .exits = kTellExits,
     .writes = true,
     .run = message_cancel,
     .text = message_cancel_text},
    {.name = "message:reorder",
     .summary = "Say which messages are answered first",
     .description = "They get the priorities n to 1, in this order.",
     .positionals = kIds,
     .flags = kMessageReorderFlags,
     .examples = kMessageReorderExamples,
     .exits = kTellExits,
     .writes = true,
     .run = message_reorder,
     .text = message_reorder_text},
    {.name = "message:delay",
     .summary = "Let a message wait",
     .positionals = kId,
     .flags = kMessageDelayFlags,
     .examples = kMessageDelayExamples,
     .exits = kTellExits,
     .writes = true,
     .run = message_delay,
     .text = message_delay_text},
    {.name = "message:route",
     .summary = "Explain what would happen with a message",
     .description = "Nothing is posted.",
     .positionals = kChannelPositionals,
     .flags = kMessageRouteFlags,
     .examples = kMessageRouteExamples,
     .exits = kReadExits,
     .run = message_route,
     .text = message_route_text},
};

}  // namespace

std::span<const CommandSpec> message_table() { return kMessageTable; }

}  // namespace reprise
