#include "cli/commands.h"
#include "cli/heartbeat/loop.h"
#include "cli/tables.h"

namespace reprise {
namespace {

constexpr Flag kApprovalListFlags[] = {
    {"--run", "RUN", "only what this run asks"},
    {"--limit", "N", "at most N questions; default 100"},
    {"--after", "RUN/EFFECT", "go on behind this one"},
    {"--all", "", "no limit"},
};
constexpr Example kApprovalListExamples[] = {
    {"reprise approval:list", "every question of every run"},
    {"reprise approval:list --run @last --json", "those of the newest run, for a program"},
};

constexpr Flag kApprovalShowFlags[] = {kEffectKeyFlag};
constexpr Example kApprovalShowExamples[] = {
    {"reprise approval:show @last t1", "the question, and who has answered so far"},
    {"reprise approval:show @last t1 --get /approval/digest", "what --expect wants"},
};
constexpr Exit kApprovalShowExits[] = {Exit::kNotFound, Exit::kConflict, Exit::kCorrupt};

constexpr Flag kAnswerFlags[] = {
    kEffectKeyFlag,
    {"--by", "NAME", "who answers; default the user"},
    {"--comment", "TEXT", "why; the process sees it as `feedback`"},
    {"--option", "TEXT", "which of the question's options is chosen"},
    {"--response", "TEXT", "an answer in words"},
    {"--expect", "DIGEST", "refuse unless this is still what is asked: see approval:show"},
    {"--iterate", "", "go on with the run at once, as run:iterate does"},
    {"--exit-status", "", "with --iterate: exit as run:iterate --exit-status does"},
    kDryRunFlag,
};
constexpr Example kApprovalApproveExamples[] = {
    {"reprise approval:approve @last t1 --comment 'looks good' --iterate", "say yes and go on"}};
constexpr Example kApprovalDenyExamples[] = {
    {"reprise approval:deny @last t1 --comment 'not on a Friday'", "say no"}};
constexpr Exit kAnswerExits[] = {Exit::kNo,      Exit::kNotFound, Exit::kConflict,
                                 Exit::kCorrupt, Exit::kDiverged, Exit::kLocked,
                                 Exit::kBudget,  Exit::kForbidden};

constexpr Flag kApprovalRetryFlags[] = {
    kEffectKeyFlag,
    {"--by", "NAME", "who does it; default the user"},
    {"--repeat-key", "KEY", "a repeat with this key changes nothing"},
};
constexpr Example kApprovalRetryExamples[] = {
    {"reprise approval:retry subconscious t3", "run once more what was approved"}};
constexpr Exit kApprovalRetryExits[] = {Exit::kNotFound, Exit::kConflict, Exit::kCorrupt,
                                        Exit::kLocked, Exit::kForbidden};

constexpr CommandSpec kApprovalTable[] = {
    {.name = "approval:list",
     .summary = "List what people are asked, over all runs",
     .description =
         "Breakpoints without an answer, and effects that are held until a person lets them go on.",
     .flags = kApprovalListFlags,
     .examples = kApprovalListExamples,
     .exits = kIndexExits,
     .stream = "approvals",
     .run = approval_list,
     .text = approval_list_text},
    {.name = "approval:show",
     .summary = "Show one question, and who has answered it",
     .positionals = kEffectPositionals,
     .flags = kApprovalShowFlags,
     .examples = kApprovalShowExamples,
     .exits = kApprovalShowExits,
     .run = approval_show,
     .text = approval_show_text},
    {.name = "approval:approve",
     .summary = "Say yes to a question, or let a held effect go on",
     .description =
         "The same answer again changes nothing; another one is a conflict. Only those whom the "
         "question names may answer it, and nothing that runs inside an executor "
         "($REPRISE_EFFECT is set) may. It does not iterate by itself.",
     .positionals = kEffectPositionals,
     .flags = kAnswerFlags,
     .examples = kApprovalApproveExamples,
     .exits = kAnswerExits,
     .writes = true,
     .run = approval_approve,
     .text = approval_answer_text},
    {.name = "approval:deny",
     .summary = "Say no to a question, or give a held effect up",
     .description =
         "One denial is enough, however many must approve. A held effect is resolved with the "
         "error that it failed with.",
     .positionals = kEffectPositionals,
     .flags = kAnswerFlags,
     .examples = kApprovalDenyExamples,
     .exits = kAnswerExits,
     .writes = true,
     .run = approval_deny,
     .text = approval_answer_text},
    {.name = "approval:retry",
     .summary = "Run once more what was approved and failed",
     .description =
         "For the cards of a subconscious loop: exactly what was approved is asked for again, with "
         "full permission. One that is not approved, or did not fail, is a conflict.",
     .positionals = kEffectPositionals,
     .flags = kApprovalRetryFlags,
     .examples = kApprovalRetryExamples,
     .exits = kApprovalRetryExits,
     .writes = true,
     .run = approval_retry,
     .text = approval_retry_text},
};

}  // namespace

std::span<const CommandSpec> approval_table() { return kApprovalTable; }

}  // namespace reprise
