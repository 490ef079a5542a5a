#include "cli/commands.h"
#include "cli/heartbeat/loop.h"
#include "cli/tables.h"

namespace reprise {
namespace {

constexpr Positional kPositionals[] = {
    {"RUN", "the run: its id, a unique prefix of one, a path, or @last"},
    {"EFFECT", "the effect: its id (t3)", true}};
constexpr Flag kKeyFlag = {"--key", "KEY", "name the effect by the key that its author gave it"};

constexpr Flag kListFlags[] = {
    {"--run", "RUN", "only what this run asks"},
    {"--limit", "N", "at most N questions; default 100"},
    {"--after", "RUN/EFFECT", "go on behind this one"},
    {"--all", "", "no limit"},
};
constexpr Example kListExamples[] = {
    {"reprise approval:list", "every question of every run"},
    {"reprise approval:list --run @last --json", "those of the newest run, for a program"},
};
constexpr Exit kListExits[] = {Exit::kNotFound, Exit::kLocked};

constexpr Flag kShowFlags[] = {kKeyFlag};
constexpr Example kShowExamples[] = {
    {"reprise approval:show @last t1", "the question, and who has answered so far"},
    {"reprise approval:show @last t1 --get /approval/digest", "what --expect wants"},
};
constexpr Exit kShowExits[] = {Exit::kNotFound, Exit::kConflict, Exit::kCorrupt};

constexpr Flag kAnswerFlags[] = {
    kKeyFlag,
    {"--by", "NAME", "who answers; default the user"},
    {"--comment", "TEXT", "why; the process sees it as `feedback`"},
    {"--option", "TEXT", "which of the question's options is chosen"},
    {"--response", "TEXT", "an answer in words"},
    {"--expect", "DIGEST", "refuse unless this is still what is asked: see approval:show"},
    {"--iterate", "", "go on with the run at once, as run:iterate does"},
    {"--exit-status", "", "with --iterate: exit as run:iterate --exit-status does"},
    {"--dry-run", "", "check everything, record nothing"},
};
constexpr Example kApproveExamples[] = {
    {"reprise approval:approve @last t1 --comment 'looks good' --iterate", "say yes and go on"}};
constexpr Example kDenyExamples[] = {
    {"reprise approval:deny @last t1 --comment 'not on a Friday'", "say no"}};
constexpr Exit kAnswerExits[] = {Exit::kNo,      Exit::kNotFound, Exit::kConflict,
                                 Exit::kCorrupt, Exit::kDiverged, Exit::kLocked,
                                 Exit::kBudget,  Exit::kForbidden};

constexpr Flag kRetryFlags[] = {
    kKeyFlag,
    {"--by", "NAME", "who does it; default the user"},
    {"--repeat-key", "KEY", "a repeat with this key changes nothing"},
};
constexpr Example kRetryExamples[] = {
    {"reprise approval:retry subconscious t3", "run once more what was approved"}};
constexpr Exit kRetryExits[] = {Exit::kNotFound, Exit::kConflict, Exit::kCorrupt, Exit::kLocked,
                                Exit::kForbidden};

constexpr CommandSpec kApprovalTable[] = {
    {.name = "approval:list",
     .summary = "List what people are asked, over all runs",
     .description =
         "Breakpoints without an answer, and effects that are held until a person lets them go on.",
     .flags = kListFlags,
     .examples = kListExamples,
     .exits = kListExits,
     .stream = "approvals",
     .run = approval_list,
     .text = approval_list_text},
    {.name = "approval:show",
     .summary = "Show one question, and who has answered it",
     .positionals = kPositionals,
     .flags = kShowFlags,
     .examples = kShowExamples,
     .exits = kShowExits,
     .run = approval_show,
     .text = approval_show_text},
    {.name = "approval:approve",
     .summary = "Say yes to a question, or let a held effect go on",
     .description =
         "The same answer again changes nothing; another one is a conflict. Only those whom the "
         "question names may answer it, and nothing that runs inside an executor "
         "($REPRISE_EFFECT is set) may. It does not iterate by itself.",
     .positionals = kPositionals,
     .flags = kAnswerFlags,
     .examples = kApproveExamples,
     .exits = kAnswerExits,
     .writes = true,
     .run = approval_approve,
     .text = approval_answer_text},
    {.name = "approval:deny",
     .summary = "Say no to a question, or give a held effect up",
     .description =
         "One denial is enough, however many must approve. A held effect is resolved with the "
         "error that it failed with.",
     .positionals = kPositionals,
     .flags = kAnswerFlags,
     .examples = kDenyExamples,
     .exits = kAnswerExits,
     .writes = true,
     .run = approval_deny,
     .text = approval_answer_text},
    {.name = "approval:retry",
     .summary = "Run once more what was approved and failed",
     .description =
         "For the cards of a subconscious loop: exactly what was approved is asked for again, with "
         "full permission. One that is not approved, or did not fail, is a conflict.",
     .positionals = kPositionals,
     .flags = kRetryFlags,
     .examples = kRetryExamples,
     .exits = kRetryExits,
     .writes = true,
     .run = approval_retry,
     .text = approval_retry_text},
};

}  // namespace

std::span<const CommandSpec> approval_table() { return kApprovalTable; }

}  // namespace reprise
