#include "cli/commands.h"
#include "cli/run_documents.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/value_flags.h"
#include "engine/signal.h"
#include "journal/clock.h"

namespace reprise {

Reply run_signal(const Arguments& arguments) {
  const Session session(arguments);
  const RunHandle run = session.find_run();
  Signal signal;
  signal.name = arguments.positional("NAME");
  signal.key = arguments.value("--key").value_or("");
  signal.dry_run = arguments.has("--dry-run");
  for (const auto& [text, what] :
       {std::pair(signal.name, "NAME"), std::pair(signal.key, "--key")}) {
    parse_value(quote(text), what);
  }
  const auto value = read_value_flags(arguments, {session.working_dir(), run.path});
  signal.value = value ? *value : parse_value("null", "the default value");
  const Signalled sent = send_signal(*run.dir, session.context(), signal);

  Reply reply{.document = run_document(run, sent.state), .warnings = sent.notes};
  reply.document["name"] = signal.name;
  reply.document["recorded"] = sent.recorded;
  reply.document["dryRun"] = signal.dry_run;
  if (sent.seq > 0) reply.document["seq"] = sent.seq;
  reply.document["at"] = format_time(sent.at_ms);
  reply.document["runStatus"] = status_name(sent.state.status());
  return reply;
}

std::string run_signal_text(const Document& document, const Style& style) {
  const bool recorded = document["recorded"];
  const bool dry_run = document["dryRun"];
  return paint(style, Colour::kBold, shown(document["name"].get<std::string>())) + "  " +
         (dry_run    ? "would be recorded"
          : recorded ? "recorded"
                     : "was recorded before; nothing changed") +
         "  " + shown(document["runId"].get<std::string>()) + " is " +
         document["runStatus"].get<std::string>() + "\n";
}

}  // namespace reprise
