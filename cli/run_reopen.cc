// run:retry and run:rewind: going on from an earlier point.
#include <filesystem>

#include "cli/commands.h"
#include "cli/go_on.h"
#include "cli/plan_document.h"
#include "cli/process_flags.h"
#include "cli/run_documents.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/user_files.h"
#include "engine/children.h"
#include "engine/identity.h"
#include "engine/rewind.h"
#include "engine/run.h"
#include "journal/ids.h"
#include "journal/real_files.h"
#include "journal/value.h"

namespace reprise {
namespace {

EffectSelector read_before(const std::string& text) {
  if (const auto id = parse_effect_id(text)) return {.id = *id, .key = {}};
  return {.id = 0, .key = text};
}

RewindRequest read_rewind_request(const Arguments& arguments, const Session& session) {
  RewindRequest request;
  const auto before = arguments.value("--before");
  const auto to = arguments.count("--to");
  if (before.has_value() == to.has_value()) {
    throw Error(Exit::kUsage, "MISSING_ARGUMENT", "run:rewind needs one of --before and --to",
                "--before t3 goes back to before t3 was asked for; --to SEQ to before that record "
                "was given to the process (reprise run:events RUN shows them)");
  }
  if (before) request.before = read_before(*before);
  request.to = to.value_or(0);
  request.reason = arguments.value("--reason").value_or("");
  parse_value(quote(request.reason), "--reason");
  for (const auto& dropped : arguments.values("--drop")) {
    if (dropped.empty() || dropped.find_first_not_of("0123456789") != std::string::npos ||
        dropped.size() > 18) {
      throw Error(Exit::kUsage, "INVALID_ARGUMENT", "--drop " + dropped + " is no record",
                  "give the seq of a signal: reprise run:events RUN --filter-type "
                  "SIGNAL_RECEIVED");
    }
    request.dropped.push_back(std::stoull(dropped));
  }
  const auto process = choose_process(arguments, session.working_dir());
  if (!process.entry.empty() || !process.built_in.empty()) request.process = process;
  request.yes = arguments.has("--yes");
  request.dry_run = arguments.has("--dry-run");
  return request;
}

Document rewind_document(const RewindPlan& plan) {
  Document document = {{"activation", plan.activation},
                       {"voidedRequests", items_document(plan.requests)},
                       {"voidedEvents", items_document(plan.events)},
                       {"voidedAssignments", plan.assignments},
                       {"keptSignals", plan.kept_signals},
                       {"keptResults", plan.kept_results}};
  if (!plan.end.empty()) document["voidedEnd"] = plan.end;
  if (plan.kept_cancel != 0) document["keptCancel"] = plan.kept_cancel;
  if (plan.code) document["code"] = plan_document(*plan.code);
  return document;
}

/// A run that failed with its child would fail with it again, at once.
void refuse_failed_child(const RunHandle& run, const RunState& state, uint64_t effect) {
  const auto child = child_run_id(run.name, effect);
  const auto dir =
      open_real_dir(std::filesystem::path(run.path).replace_filename(child).string(), false);
  if (!dir) return;
  const auto made = read_state(*dir).state;
  const auto& end = made.end;
  if (!is_child_of(made, state, effect) || !end || end->type == RecordType::kRunCompleted) return;
  const auto id = format_effect_id(effect);
  const bool failed = end->type == RecordType::kRunFailed;
  throw Error(Exit::kConflict, "CHILD_ENDED",
              id + " is the run " + child + ", which " + (failed ? "failed: " : "ended: ") +
                  run.name + " would end the same way again",
              failed ? "first: reprise run:retry " + child
                     : "go back to before it: reprise run:rewind " + run.name + " --before " + id +
                           " --dry-run");
}

bool cannot_be_unsent(const Document& plan) {
  if (!plan["voidedEvents"].empty()) return true;
  for (const auto& item : plan["voidedRequests"]) {
    if (item.contains("settled") || item.contains("claimed")) return true;
  }
  return false;
}

}  // namespace

Reply run_retry(const Arguments& arguments) {
  const Session session(arguments);
  const RunHandle run = session.find_run();
  const bool dry_run = arguments.has("--dry-run");
  Reopened reopened = retry_run(*run.dir, session.context(), true);
  refuse_failed_child(run, reopened.state, reopened.effect);
  if (!dry_run) reopened = retry_run(*run.dir, session.context(), false);
  Reply reply{.document = run_document(run, reopened.state), .warnings = reopened.notes};
  reply.document["recorded"] = reopened.recorded;
  reply.document["dryRun"] = dry_run;
  reply.document["effectId"] = format_effect_id(reopened.effect);
  reply.document["attempt"] = reopened.attempt;
  reply.document["runStatus"] = status_name(reopened.state.status());
  if (!dry_run) GoOn(session).add(reply.document, run, reopened.state);
  return reply;
}

std::string run_retry_text(const Document& document, const Style& style) {
  const std::string id = shown(document["runId"].get<std::string>());
  const std::string effect = document["effectId"];
  return paint(style, Colour::kBold, id) + "  " +
         (document["recorded"] ? "is open again"
          : document["dryRun"] ? "would be open again"
                               : "was open again before") +
         ": " + effect + " waits for attempt " +
         std::to_string(document["attempt"].get<uint64_t>()) + "\n" +
         (document["dryRun"] ? std::string() : go_on_hint(document));
}

Reply run_rewind(const Arguments& arguments) {
  const Session session(arguments);
  const RewindRequest request = read_rewind_request(arguments, session);
  const RunHandle run = session.find_run();
  const Rewound rewound = rewind_run(*run.dir, session.context(), read_source_file, request);
  Reply reply{.document = run_document(run, rewound.state), .warnings = rewound.notes};
  reply.document["recorded"] = rewound.recorded;
  reply.document["dryRun"] = request.dry_run;
  reply.document["plan"] = rewind_document(rewound.plan);
  reply.document["runStatus"] = status_name(rewound.state.status());
  reply.document["repeated"] = rewound.repeated;
  GoOn(session).add(reply.document, run, rewound.state);
  const bool done = rewound.recorded || rewound.repeated;
  if (!done && !request.dry_run) reply.exit = Exit::kUsage;
  return reply;
}

std::string run_rewind_text(const Document& document, const Style& style) {
  const std::string id = shown(document["runId"].get<std::string>());
  const auto& plan = document["plan"];
  const bool recorded = document["recorded"];
  if (document["repeated"]) {
    return paint(style, Colour::kBold, id) + "  stands there already; nothing changed\n" +
           go_on_hint(document);
  }
  std::string out = paint(style, Colour::kBold, id) + "  " +
                    (recorded ? paint(style, Colour::kGreen, "goes on") : "would go on") +
                    " from record " + std::to_string(plan["activation"].get<uint64_t>()) + "\n";
  out += items_text(plan["voidedRequests"], "requests that are void", style);
  out += items_text(plan["voidedEvents"], "events that are void", style);
  if (plan.contains("voidedEnd")) {
    out += "  the end is taken back: " + plan["voidedEnd"].get<std::string>() + "\n";
  }
  for (const auto& assignment : plan["voidedAssignments"]) {
    out += "  the code that record " + std::to_string(assignment.get<uint64_t>()) +
           " assigned is taken back\n";
  }
  out += "  " + counted(plan["keptSignals"].get<uint64_t>(), "signal", "signals") + " and " +
         counted(plan["keptResults"].get<uint64_t>(), "result", "results") +
         " from there on stay\n";
  if (plan.contains("keptCancel")) {
    out += "  " +
           paint(style, Colour::kYellow,
                 "run:cancel stays and will be given again; --drop " +
                     std::to_string(plan["keptCancel"].get<uint64_t>()) + " takes it back") +
           "\n";
  }
  if (cannot_be_unsent(plan)) {
    out +=
        "  " + paint(style, Colour::kYellow, "what was performed or seen cannot be unsent") + "\n";
  }
  if (plan.contains("code")) out += plan_text(plan["code"], style);
  if (recorded) return out + go_on_hint(document);
  return out + "  nothing was recorded; --yes does it\n";
}

}  // namespace reprise
