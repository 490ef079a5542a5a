#include "cli/channel/signal_request.h"

#include "cli/iteration.h"
#include "cli/run_documents.h"
#include "cli/text.h"
#include "engine/family.h"
#include "engine/tell.h"
#include "journal/clock.h"

namespace reprise {
namespace {

constexpr size_t kPendingLabelWidth = 60;

Signal requested_signal(const Arguments& arguments, const SignalRequest& request) {
  Signal signal;
  signal.name = request.signal;
  signal.key = request.key.empty() ? arguments.value("--key").value_or("") : request.key;
  checked_text(signal.key, "--key");
  signal.value = parse_value(print_json(request.value), request.signal);
  return signal;
}

void add_outcome(Reply& reply, const SignalRequest& request, const RunState& state, int64_t at_ms,
                 const std::string& answer) {
  reply.document["runStatus"] = status_name(state.status());
  reply.document["pending"] = pending_effects(state, at_ms);
  if (request.answer.empty()) return;
  Document& told = reply.document[request.answer] = Document::parse(answer);
  write_times(told);
  mark_running(told, state);
}

Reply judge(const Session& session, const RunHandle& run, const SignalRequest& request,
            const Signal& signal, const std::string& question) {
  check_signals(*run.dir, session.context(), {signal});
  const RunState state = read_state(*run.dir).state;
  Reply reply{.document = run_document(run, state)};
  const int64_t now_ms = session.context().clock.now_ms();
  reply.document["recorded"] = false;
  reply.document["dryRun"] = true;
  reply.document["at"] = format_time(now_ms);
  const auto answer = question.empty() ? "null" : ask(*run.dir, session.context(), question);
  add_outcome(reply, request, state, now_ms, answer);
  return reply;
}

}  // namespace

std::string by_flag(const Arguments& arguments, const Session& session) {
  return checked_text(arguments.value("--by").value_or(session.context().author.user), "--by");
}

std::string checked_text(std::string text, std::string_view what) {
  parse_value(quote(text), what);
  return text;
}

Reply tell_channel(const Arguments& arguments, const Session& session, const RunHandle& run,
                   const SignalRequest& request) {
  const Signal signal = requested_signal(arguments, request);
  const std::string question = request.question.is_null() ? "" : print_json(request.question);
  if (arguments.has("--dry-run")) return judge(session, run, request, signal, question);
  const Neighbours neighbours(run);
  const Told told =
      tell_among(neighbours.folder(), run.name, *run.dir, session.context(), {signal},
                 arguments.has("--no-iterate") ? After::kNothing : After::kIterate, question);
  const RunState& state = told.iteration.state;
  const Signalled& sent = told.signals.front();
  Reply reply{.document = run_document(run, state), .warnings = told.iteration.notes};
  reply.document["recorded"] = sent.recorded;
  reply.document["dryRun"] = false;
  if (sent.seq > 0) reply.document["seq"] = sent.seq;
  reply.document["at"] = format_time(sent.at_ms);
  add_outcome(reply, request, state, told.iteration.at_ms, told.answer);
  return reply;
}

std::string told_text(const Document& document, const Style& style, const std::string& what) {
  const bool dry_run = document["dryRun"];
  const bool recorded = document["recorded"];
  std::string out = paint(style, Colour::kBold, shown(document["runId"].get<std::string>())) + "  ";
  if (dry_run) return out + "would be " + what + "\n";
  out += recorded ? what : what + " before; nothing changed";
  out += "\n";
  const bool ready = document["runStatus"] == "ready";
  return ready ? out + "  next  reprise run:iterate " +
                     shown(document["runId"].get<std::string>()) + "\n"
               : out;
}

std::string pending_text(const Document& document, const Style& style) {
  Table table;
  std::string hints;
  const std::string run = shown(document["runId"].get<std::string>());
  for (const Document& effect : document["pending"]) {
    const std::string kind = effect["kind"];
    const std::string id = effect["effectId"];
    std::string standing;
    if (effect.contains("claim")) standing = "by " + shown(member_text(effect["claim"], "worker"));
    if (effect.contains("until")) standing = "until " + effect["until"].get<std::string>();
    table.add({{id, Colour::kBold},
               {shown(kind)},
               {shown(effect["label"].get<std::string>(), kPendingLabelWidth)},
               {standing, Colour::kDim}});
    if (kind == "breakpoint") hints += "  answer  reprise approval:show " + run + " " + id + "\n";
  }
  return table.print(style, "  ") + hints;
}

}  // namespace reprise
