#include "cli/board/commands.h"
#include "cli/channel/signal_request.h"
#include "cli/tables.h"

namespace reprise {
namespace {

constexpr Exit kApproveExits[] = {Exit::kNotFound, Exit::kConflict, Exit::kCorrupt, Exit::kLocked,
                                  Exit::kForbidden};

constexpr Positional kProject[] = {{"PROJECT", "the project: its id"}};
constexpr Positional kLink[] = {{"PROJECT", "the project: its id"},
                                {"CHANNEL", "channels that work for it", false, true}};
constexpr Positional kAdd[] = {{"PROJECT", "the project: its id"},
                               {"TITLE", "what is to be done, in a few words"}};
constexpr Positional kList[] = {{"PROJECT", "only its cards", true}};
constexpr Positional kCard[] = {{"CARD", "the card: its id (card-3)"}};
constexpr Positional kCards[] = {{"CARD", "cards that wait for approval", false, true}};
constexpr Positional kMove[] = {{"CARD", "the card: its id (card-3)"},
                                {"STATUS", "where it goes: ready, in_progress, done, ..."}};

constexpr Flag kPastFlag = {"--past", "", "what the channels proposed before becomes cards, too"};
constexpr Flag kReasonFlag = {"--reason", "TEXT", "why; recorded"};
constexpr Flag kChannelFlag = {"--channel", "CHANNEL",
                               "where a worker does it as soon as it is ready"};
constexpr Flag kAgentFlag = {"--agent", "NAME", "who that worker is to be"};
constexpr Flag kProjectCreateFlags[] = {
    {"--name", "TEXT", "what people call it"},
    {"--description", "TEXT", "what it is about"},
    {"--channel", "CHANNEL", "a channel that works for it", false, true},
    kPastFlag,
    kByFlag,
    kKeyFlag,
};
constexpr Flag kProjectLinkFlags[] = {
    {"--unlink", "", "they work for it no longer"}, kPastFlag, kByFlag, kKeyFlag};
constexpr Flag kBoardAddFlags[] = {
    {"--description", "TEXT", "all there is to know about it"},
    {"--priority", "low|medium|high", "default medium"},
    {"--status", "pending_approval|backlog|ready", "where it begins; default backlog"},
    kChannelFlag,
    kAgentFlag,
    kByFlag,
    kKeyFlag,
};
constexpr Flag kBoardListFlags[] = {
    {"--status", "STATUS", "only cards of this status", false, true},
    {"--all", "", "also what is done or cancelled, from the beginning"},
};
constexpr Flag kMoveFlags[] = {kReasonFlag, kByFlag, kKeyFlag};
constexpr Flag kBoardAssignFlags[] = {
    kChannelFlag, kAgentFlag, {"--nobody", "", "people do it"}, kByFlag, kKeyFlag};
constexpr Flag kBoardApproveFlags[] = {
    {"--ready", "", "they may begin at once; otherwise they go to the backlog"}, kByFlag, kKeyFlag};

constexpr Example kProjectCreateExamples[] = {
    {"reprise project:create site --channel general", "its channel proposes what is to be done"}};
constexpr Example kProjectListExamples[] = {
    {"reprise project:list", "projects, and how many cards of each status"}};
constexpr Example kProjectShowExamples[] = {{"reprise project:show site", "all about one"}};
constexpr Example kProjectLinkExamples[] = {
    {"reprise project:link site general", "todos of its branches become proposals"}};
constexpr Example kBoardAddExamples[] = {
    {"reprise board:add site 'update the changelog' --priority high", "into the backlog"},
    {"reprise board:add site 'fix the login' --status ready", "it may begin"}};
constexpr Example kBoardListExamples[] = {
    {"reprise board:list", "the board, a column for each status"},
    {"reprise board:list site --status ready --json", "what may begin, for a program"}};
constexpr Example kBoardShowExamples[] = {{"reprise board:show card-1", "all about one card"}};
constexpr Example kBoardMoveExamples[] = {
    {"reprise board:move card-1 done --reason 'it is merged'", "it is done"}};
constexpr Example kBoardAssignExamples[] = {
    {"reprise board:assign card-1 --channel general --agent coder", "a worker does it"}};
constexpr Example kBoardApproveExamples[] = {
    {"reprise board:approve card-2 --ready", "let a proposal begin"}};
constexpr Example kBoardRemoveExamples[] = {
    {"reprise board:remove card-1 --reason 'by mistake'", "the journal still holds it"}};

constexpr CommandSpec kBoardTable[] = {
    {.name = "project:create",
     .summary = "Make a project",
     .description = "Its cards are on the board of the home. What branches of its channels find "
                    "to be done becomes proposals there.",
     .positionals = kProject,
     .flags = kProjectCreateFlags,
     .examples = kProjectCreateExamples,
     .exits = kWriteExits,
     .writes = true,
     .run = project_create,
     .text = project_create_text},
    {.name = "project:list",
     .summary = "List the projects",
     .examples = kProjectListExamples,
     .exits = kReadExits,
     .stream = "projects",
     .run = project_list,
     .text = project_list_text},
    {.name = "project:show",
     .summary = "Show one project",
     .positionals = kProject,
     .examples = kProjectShowExamples,
     .exits = kReadExits,
     .run = project_show,
     .text = project_show_text},
    {.name = "project:link",
     .summary = "Let channels work for a project",
     .description = "A channel works for one project. From then on its branches propose cards, "
                    "and its workers can do them.",
     .positionals = kLink,
     .flags = kProjectLinkFlags,
     .examples = kProjectLinkExamples,
     .exits = kWriteExits,
     .writes = true,
     .run = project_link,
     .text = project_link_text},
    {.name = "board:add",
     .summary = "Put a card on the board",
     .description = "Not one that is there already under the same title, unless that is done or "
                    "cancelled. Inside an executor ($REPRISE_EFFECT is set) none that is ready.",
     .positionals = kAdd,
     .flags = kBoardAddFlags,
     .examples = kBoardAddExamples,
     .exits = kApproveExits,
     .writes = true,
     .run = board_add,
     .text = board_card_text},
    {.name = "board:list",
     .summary = "Show the board",
     .positionals = kList,
     .flags = kBoardListFlags,
     .examples = kBoardListExamples,
     .exits = kReadExits,
     .stream = "cards",
     .run = board_list,
     .text = board_list_text},
    {.name = "board:show",
     .summary = "Show one card, and the way it took",
     .positionals = kCard,
     .examples = kBoardShowExamples,
     .exits = kReadExits,
     .run = board_show,
     .text = board_show_text},
    {.name = "board:move",
     .summary = "Move a card",
     .description =
         "As far as the table of docs/board.md has the move. A worker at the card is "
         "ended when the card goes elsewhere. Inside an executor ($REPRISE_EFFECT is set) "
         "no card can be made ready.",
     .positionals = kMove,
     .flags = kMoveFlags,
     .examples = kBoardMoveExamples,
     .exits = kApproveExits,
     .writes = true,
     .run = board_move,
     .text = board_card_text},
    {.name = "board:assign",
     .summary = "Say who does a card",
     .description =
         "A card that is ready begins with it: not inside an executor ($REPRISE_EFFECT is "
         "set).",
     .positionals = kCard,
     .flags = kBoardAssignFlags,
     .examples = kBoardAssignExamples,
     .exits = kApproveExits,
     .writes = true,
     .run = board_assign,
     .text = board_card_text},
    {.name = "board:approve",
     .summary = "Let proposals go further",
     .description = "Inside an executor ($REPRISE_EFFECT is set) nothing can be approved.",
     .positionals = kCards,
     .flags = kBoardApproveFlags,
     .examples = kBoardApproveExamples,
     .exits = kApproveExits,
     .writes = true,
     .stream = "cards",
     .run = board_approve,
     .text = board_approve_text},
    {.name = "board:remove",
     .summary = "Take a card off the board",
     .positionals = kCard,
     .flags = kMoveFlags,
     .examples = kBoardRemoveExamples,
     .exits = kWriteExits,
     .writes = true,
     .run = board_remove,
     .text = board_remove_text},
};

}  // namespace

std::span<const CommandSpec> board_table() { return kBoardTable; }

}  // namespace reprise
