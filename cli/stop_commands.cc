// run:pause, run:resume, run:cancel, run:halt and task:cancel.
#include "cli/commands.h"
#include "cli/iteration.h"
#include "cli/run_documents.h"
#include "cli/session.h"
#include "cli/text.h"
#include "engine/stop.h"
#include "journal/ids.h"
#include "journal/value.h"

namespace reprise {
namespace {

using StopRun = Stopped (*)(Dir& run, const Context& context, const std::string& reason,
                            bool dry_run);

std::string reason_flag(const Arguments& arguments) {
  auto reason = arguments.value("--reason").value_or("");
  parse_value(quote(reason), "--reason");
  return reason;
}

Reply stop_reply(const RunHandle& run, const Stopped& stopped, bool dry_run) {
  Reply reply{.document = run_document(run, stopped.state), .warnings = stopped.notes};
  reply.document["recorded"] = stopped.recorded;
  reply.document["dryRun"] = dry_run;
  reply.document["runStatus"] = status_name(stopped.state.status());
  return reply;
}

Reply stop_run(const Arguments& arguments, StopRun stop) {
  const Session session(arguments);
  const RunHandle run = session.find_run();
  const bool dry_run = arguments.has("--dry-run");
  return stop_reply(run, stop(*run.dir, session.context(), reason_flag(arguments), dry_run),
                    dry_run);
}

std::string outcome_words(const Document& document, const std::string& done) {
  if (document["dryRun"]) return "would be " + done;
  return document["recorded"] ? done : "was " + done + " before; nothing changed";
}

std::string stop_text(const Document& document, const Style& style, const std::string& done) {
  return paint(style, Colour::kBold, shown(document["runId"].get<std::string>())) + "  " +
         outcome_words(document, done) + "\n";
}

}  // namespace

Reply run_halt(const Arguments& arguments) { return stop_run(arguments, halt_run); }

std::string run_halt_text(const Document& document, const Style& style) {
  return stop_text(document, style, "halted");
}

Reply run_pause(const Arguments& arguments) { return stop_run(arguments, pause_run); }

std::string run_pause_text(const Document& document, const Style& style) {
  return stop_text(document, style, "paused");
}

Reply run_resume(const Arguments& arguments) { return stop_run(arguments, resume_run); }

std::string run_resume_text(const Document& document, const Style& style) {
  return stop_text(document, style, "resumed") + iteration_text(document, style);
}

Reply run_cancel(const Arguments& arguments) {
  const Session session(arguments);
  const RunHandle run = session.find_run();
  const bool dry_run = arguments.has("--dry-run");
  const Stopped stopped = cancel_run(*run.dir, session.context(), reason_flag(arguments), dry_run);
  Reply reply = stop_reply(run, stopped, dry_run);
  if (arguments.has("--iterate") && !dry_run) {
    add_iteration(reply, session, run, arguments.has("--exit-status"));
  }
  return reply;
}

std::string run_cancel_text(const Document& document, const Style& style) {
  return stop_text(document, style, "cancelled") + iteration_text(document, style);
}

Reply task_cancel(const Arguments& arguments) {
  const Session session(arguments);
  const auto [run, effect] = session.find_effect("--key");
  const bool dry_run = arguments.has("--dry-run");
  const Stopped stopped =
      cancel_effect(*run.dir, session.context(), effect, reason_flag(arguments), dry_run);
  Reply reply = stop_reply(run, stopped, dry_run);
  if (effect.key.empty()) {
    reply.document["effectId"] = format_effect_id(effect.id);
  } else {
    reply.document["key"] = effect.key;
  }
  reply.document["status"] = "cancelled";
  return reply;
}

std::string task_cancel_text(const Document& document, const Style& style) {
  const std::string name = document.contains("key") ? document["key"] : document["effectId"];
  return paint(style, Colour::kBold, shown(name)) + "  " + outcome_words(document, "cancelled") +
         "  " + shown(document["runId"].get<std::string>()) + " is " +
         document["runStatus"].get<std::string>() + "\n";
}

}  // namespace reprise
