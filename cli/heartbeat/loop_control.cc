// heartbeat:pause, resume, abandon; approval:retry.
#include <cstdlib>

#include "cli/heartbeat/loop.h"
#include "cli/heartbeat/loop_home.h"
#include "cli/iteration.h"
#include "cli/run_documents.h"
#include "cli/text.h"
#include "engine/family.h"
#include "engine/inspect.h"
#include "journal/ids.h"

namespace reprise {
namespace {

Document with_person(const Arguments& arguments, const Session& session) {
  Document value = {{"by", person_of(arguments, session)}};
  if (const auto reason = arguments.value("--reason")) {
    parse_value(quote(*reason), "--reason");
    value["reason"] = *reason;
  }
  return value;
}

/// Pausing makes the loop when there is none: it then begins paused.
Reply set_paused(const Arguments& arguments, bool paused) {
  const Session session(arguments);
  LoopHome home(arguments, session, paused);
  const Document before = home.ask({{"ask", "status"}});
  const bool was = before.is_object() && before.contains("paused");
  Reply reply{.document = new_document()};
  reply.document["runId"] = home.run_name();
  reply.document["recorded"] = was != paused;
  reply.document["paused"] = paused;
  if (was == paused) return reply;
  const Document told = home.tell(paused ? "heartbeat.pause" : "heartbeat.resume",
                                  with_person(arguments, session), {{"ask", "status"}});
  const Document& status = told["answer"];
  if (status.contains("paused")) reply.document["reason"] = status["paused"]["reason"];
  return reply;
}

std::string run_bold(const Document& document, const Style& style) {
  return paint(style, Colour::kBold, shown(document["runId"].get<std::string>())) + "  ";
}

std::string paused_text(const Document& document, const Style& style, const std::string& what) {
  const bool recorded = document["recorded"];
  return run_bold(document, style) + what + (recorded ? "" : " before; nothing changed") + "\n";
}

}  // namespace

Reply heartbeat_pause(const Arguments& arguments) { return set_paused(arguments, true); }
Reply heartbeat_resume(const Arguments& arguments) { return set_paused(arguments, false); }

std::string heartbeat_pause_text(const Document& document, const Style& style) {
  return paused_text(document, style, "paused");
}

std::string heartbeat_resume_text(const Document& document, const Style& style) {
  return paused_text(document, style, "not paused");
}

Reply heartbeat_abandon(const Arguments& arguments) {
  const Session session(arguments);
  LoopHome home(arguments, session, false);
  const std::string id = arguments.positional("TASK");
  parse_value(quote(id), "TASK");
  if (!home.find()) {
    throw Error(Exit::kNotFound, "TASK_NOT_FOUND", "there is no task \"" + shown(id, 80) + "\"",
                "the home has no loop yet");
  }
  Document value = with_person(arguments, session);
  value["taskId"] = id;
  Reply reply{.document = home.tell("heartbeat.abandon", value, nullptr)};
  reply.document["taskId"] = id;
  return reply;
}

std::string heartbeat_abandon_text(const Document& document, const Style& style) {
  return run_bold(document, style) + shown(document["taskId"].get<std::string>()) +
         " may be due again: its unresolved work is given up\n";
}

Reply approval_retry(const Arguments& arguments) {
  const Session session(arguments);
  const auto [run, effect] = session.find_effect("--key");
  const char* inside = std::getenv("REPRISE_EFFECT");
  if (inside != nullptr && *inside != '\0') {
    throw Error(Exit::kForbidden, "NOT_PERMITTED",
                "$REPRISE_EFFECT says that this command runs inside an executor",
                "somebody else tries again what was approved");
  }
  const auto state = read_state(*run.dir).state;
  if (state.process_id != kSubconsciousProcess) {
    throw Error(Exit::kConflict, "NO_CARD",
                run.name + " is no subconscious loop: it has no cards to try again",
                "a failed run is opened again by reprise run:retry");
  }
  const auto number = find_effect(*run.dir, effect).request.id;
  const Document value = {{"effect", number}, {"by", person_of(arguments, session)}};
  const Neighbours neighbours(run);
  const Document question = {{"ask", "card"}, {"effect", number}};
  const Signal signal{.name = "approval.retry",
                      .value = parse_value(print_json(value), "approval.retry"),
                      .key = arguments.value("--repeat-key").value_or("")};
  const auto told = tell_among(neighbours.folder(), run.name, *run.dir, session.context(), {signal},
                               After::kIterate, print_json(question));
  Reply reply{.document = run_document(run, told.iteration.state),
              .warnings = told.iteration.notes};
  reply.document["effectId"] = format_effect_id(number);
  reply.document["recorded"] = told.signals.front().recorded;
  const auto card = Document::parse(told.answer);
  for (const char* name : {"cardId", "action", "runs"}) reply.document[name] = card[name];
  return reply;
}

std::string approval_retry_text(const Document& document, const Style& style) {
  return paint(style, Colour::kBold, document["effectId"].get<std::string>()) +
         "  is tried again, time " + std::to_string(document["runs"].get<uint64_t>()) + "\n";
}

}  // namespace reprise
