#include "cli/channel/commands.h"
#include "cli/channel/making.h"
#include "cli/channel/signal_request.h"
#include "cli/creation.h"
#include "cli/tables.h"

namespace reprise {
namespace {

constexpr Positional kNewChannel[] = {
    {"CHANNEL", "the id of the new channel; default a new ULID", true}};

constexpr Flag kChannelCreateFlags[] = {
    {"--name", "TEXT", "what people call it"},
    kPlatformFlag,
    kGuildFlag,
    kDirFlag,
    kParentFlag,
    {"--worktree", "", "its directory is a worktree: its agent is told its parent's, too"},
    {"--owner", "USER", "who may do everything", false, true},
    {"--owner-role", "ROLE", "the same of a role", false, true},
    {"--member", "USER", "who may speak to the agent", false, true},
    {"--member-role", "ROLE", "the same of a role", false, true},
    kSettingFlag,
    kSettingsFlag,
    kLabelFlag,
    kIfAbsentFlag,
    kSimulatedFlag,
    {"--dry-run", "", "check everything, create nothing"},
};
constexpr Flag kChannelListFlags[] = {
    {"--status", "created|ready|waiting|paused|completed|failed|halted|cancelled|damaged",
     "only channels whose run is in this status", false, true},
    {"--parent", "CHANNEL", "only threads of this channel"},
    {"--limit", "N", "at most N channels; default 20"},
    {"--after", "CHANNEL", "go on behind this one"},
    {"--all", "", "no limit"},
};
constexpr Flag kChannelConfigFlags[] = {
    kSettingFlag,   kSettingsFlag, {"--name", "TEXT", "what people call it"}, kDirFlag, kKeyFlag,
    kNoIterateFlag, kDryRunFlag,
};
constexpr Flag kChannelStopFlags[] = {
    {"--hold", "", "and claim nothing more until channel:release"},
    {"--reason", "TEXT", "what the channel is told"},
    kByFlag,
    kKeyFlag,
    kNoIterateFlag,
    kDryRunFlag,
};
constexpr Flag kControlFlags[] = {kByFlag, kKeyFlag, kNoIterateFlag, kDryRunFlag};
constexpr Flag kChannelCloseFlags[] = {
    {"--reason", "TEXT", "recorded"}, kByFlag, kKeyFlag, kNoIterateFlag, kDryRunFlag};
constexpr Flag kChannelDeleteFlags[] = {
    {"--yes", "", "do it; without this it is only said what would be done"},
    kByFlag,
    {"--dry-run", "", "say what would be done, and exit 0"},
};
constexpr Flag kChannelAllowFlags[] = {
    {"--user", "ID", "a user, as the platform calls him", false, true},
    {"--role", "NAME", "a role there", false, true},
    {"--as", "owner|member", "as what; default member"},
    kByFlag,
    kKeyFlag,
    kNoIterateFlag,
    kDryRunFlag,
};
constexpr Flag kChannelDenyFlags[] = {
    kChannelAllowFlags[0], kChannelAllowFlags[1], kByFlag, kKeyFlag, kNoIterateFlag, kDryRunFlag};

constexpr Example kChannelCreateExamples[] = {
    {"reprise channel:create docs --name Docs --dir .", "a channel whose agent works here"},
    {"reprise channel:create general-7 --parent general", "a thread of it"}};
constexpr Example kChannelListExamples[] = {
    {"reprise channel:list", "what every channel does"},
    {"reprise channel:list --parent general --json", "the threads of one"}};
constexpr Example kChannelShowExamples[] = {
    {"reprise channel:show general", "the operator's page"},
    {"reprise channel:show general --get /channel/utilization", "how full its context is"}};
constexpr Example kChannelConfigExamples[] = {
    {"reprise channel:config general", "its own settings"},
    {"reprise channel:config general --setting routing.policy=direct", "always answer"}};
constexpr Example kChannelStopExamples[] = {
    {"reprise channel:stop general", "end the run; the queue goes on"},
    {"reprise channel:stop general --hold", "and let the rest wait"}};
constexpr Example kChannelHoldExamples[] = {
    {"reprise channel:hold general", "let everything wait"}};
constexpr Example kChannelReleaseExamples[] = {{"reprise channel:release general", "go on"}};
constexpr Example kChannelRecoverExamples[] = {
    {"reprise channel:recover general", "its executor is gone for good"}};
constexpr Example kChannelCloseExamples[] = {
    {"reprise channel:close general", "the next message begins a new session"}};
constexpr Example kChannelDeleteExamples[] = {
    {"reprise channel:delete general --dry-run", "what would go"},
    {"reprise channel:delete general --yes", "it and its threads, into the archive"}};
constexpr Example kChannelAllowExamples[] = {
    {"reprise channel:allow general --user anna --as owner", "anna may do everything"}};
constexpr Example kChannelDenyExamples[] = {
    {"reprise channel:deny general --role guests", "they may not any more"}};
constexpr Exit kChannelCreateExits[] = {Exit::kNotFound, Exit::kConflict};

constexpr CommandSpec kChannelTable[] = {
    {.name = "channel:create",
     .summary = "Make a channel",
     .description =
         "A conversation with an agent: messages queue, the agent answers one after the other, "
         "workers and branches work beside it. message:post makes a channel, too, with its first "
         "message.",
     .positionals = kNewChannel,
     .flags = kChannelCreateFlags,
     .examples = kChannelCreateExamples,
     .exits = kChannelCreateExits,
     .writes = true,
     .run = channel_create,
     .text = channel_create_text},
    {.name = "channel:list",
     .summary = "List the channels of the home, the newest first",
     .flags = kChannelListFlags,
     .examples = kChannelListExamples,
     .exits = kIndexExits,
     .stream = "channels",
     .run = channel_list,
     .text = channel_list_text},
    {.name = "channel:show",
     .summary = "Show a channel as its operator sees it",
     .description =
         "How full its context is, who answers what, the queue, workers, branches, the last "
         "decision with its reason, the session, what it cost, and what it waits for, with the "
         "command that answers.",
     .positionals = kChannelPositionals,
     .examples = kChannelShowExamples,
     .exits = kReadExits,
     .run = channel_show,
     .text = channel_show_text},
    {.name = "channel:config",
     .summary = "Show or change how a channel behaves",
     .description =
         "Its own settings are stronger than those of the home. Without flags they are shown.",
     .positionals = kChannelPositionals,
     .flags = kChannelConfigFlags,
     .examples = kChannelConfigExamples,
     .exits = kTellExits,
     .writes = true,
     .run = channel_config,
     .text = channel_config_text},
    {.name = "channel:stop",
     .summary = "End the run of the agent that is under way",
     .description =
         "Its message counts as processed, a late result changes nothing, and the channel says "
         "that it was stopped. The next message in the queue is claimed at once, unless --hold.",
     .positionals = kChannelPositionals,
     .flags = kChannelStopFlags,
     .examples = kChannelStopExamples,
     .exits = kTellExits,
     .writes = true,
     .run = channel_stop,
     .text = channel_stop_text},
    {.name = "channel:hold",
     .summary = "Claim nothing more until channel:release",
     .description = "What is under way goes on, and messages queue.",
     .positionals = kChannelPositionals,
     .flags = kControlFlags,
     .examples = kChannelHoldExamples,
     .exits = kTellExits,
     .writes = true,
     .run = channel_hold,
     .text = channel_hold_text},
    {.name = "channel:release",
     .summary = "Let a held channel go on",
     .positionals = kChannelPositionals,
     .flags = kControlFlags,
     .examples = kChannelReleaseExamples,
     .exits = kTellExits,
     .writes = true,
     .run = channel_release,
     .text = channel_release_text},
    {.name = "channel:recover",
     .summary = "Give up what nobody finishes any more",
     .description =
         "The message that the agent worked on counts as processed, and the channel goes on with "
         "the next. For an executor that is gone for good: one that died on this machine is "
         "noticed by itself, and every run has a deadline.",
     .positionals = kChannelPositionals,
     .flags = kControlFlags,
     .examples = kChannelRecoverExamples,
     .exits = kTellExits,
     .writes = true,
     .run = channel_recover,
     .text = channel_recover_text},
    {.name = "channel:close",
     .summary = "Close the session of the agent",
     .positionals = kChannelPositionals,
     .flags = kChannelCloseFlags,
     .examples = kChannelCloseExamples,
     .exits = kTellExits,
     .writes = true,
     .run = channel_close,
     .text = channel_close_text},
    {.name = "channel:delete",
     .summary = "End a channel and its threads, and archive their runs",
     .description = "Without --yes it prints what would be done and exits 2.",
     .positionals = kChannelPositionals,
     .flags = kChannelDeleteFlags,
     .examples = kChannelDeleteExamples,
     .exits = kTellExits,
     .writes = true,
     .run = channel_delete,
     .text = channel_delete_text},
    {.name = "channel:allow",
     .summary = "Let somebody speak to the agent",
     .description =
         "As long as nobody is allowed, neither here nor in the home, everybody is owner. What was "
         "received before stays as it was decided then.",
     .positionals = kChannelPositionals,
     .flags = kChannelAllowFlags,
     .examples = kChannelAllowExamples,
     .exits = kTellExits,
     .writes = true,
     .run = channel_allow,
     .text = channel_allow_text},
    {.name = "channel:deny",
     .summary = "Take a permission back",
     .positionals = kChannelPositionals,
     .flags = kChannelDenyFlags,
     .examples = kChannelDenyExamples,
     .exits = kTellExits,
     .writes = true,
     .run = channel_deny,
     .text = channel_deny_text},
};

}  // namespace

std::span<const CommandSpec> channel_table() { return kChannelTable; }

}  // namespace reprise
