// process:test: a process against scripted answers.
#include "cli/commands.h"
#include "cli/process_flags.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/user_files.h"
#include "cli/user_values.h"
#include "engine/trial.h"
#include "journal/clock.h"

namespace reprise {
namespace {

constexpr size_t kTrialValueWidth = 60;

std::string effect_status(const TrialEffect& effect) {
  const auto& status = effect.info.status;
  if (status == "requested") return "open";
  return status.starts_with("resolved_") ? status.substr(status.find('_') + 1) : status;
}

Document trial_effect_document(const TrialEffect& effect) {
  const auto& request = effect.info.request;
  Document document = {{"effectId", format_effect_id(request.id)},
                       {"kind", request.kind},
                       {"taskId", request.task},
                       {"label", request.label}};
  if (!request.key.empty()) document["key"] = request.key;
  document["requestedAt"] = format_time(request.requested_at_ms);
  document["cause"] = effect.cause;
  document["status"] = effect_status(effect);
  if (effect.info.settled_seq) document["settledAt"] = format_time(effect.info.settled_at_ms);
  if (!effect.result.value.empty()) document["value"] = raw_json(effect.result.value);
  if (!effect.result.error.empty()) document["error"] = raw_json(effect.result.error);
  return document;
}

Document trial_document(const Trial& trial) {
  Document document = new_document();
  document["passed"] = trial.failures.empty();
  document["status"] = status_name(trial.state.status());
  document["failures"] = trial.failures;
  document["effects"] = Document::array();
  for (const auto& effect : trial.effects)
    document["effects"].push_back(trial_effect_document(effect));
  document["events"] = Document::array();
  for (const auto& event : trial.events) {
    document["events"].push_back({{"type", event.type}, {"payload", raw_json(event.payload)}});
  }
  document["log"] = Document::array();
  for (const auto& line : trial.log) {
    document["log"].push_back({{"at", format_time(line.at_ms)},
                               {"label", line.label},
                               {"message", raw_json(line.message)}});
  }
  if (!trial.end.output.empty()) document["output"] = raw_json(trial.end.output);
  if (!trial.end.error.empty()) document["error"] = raw_json(trial.end.error);
  if (!trial.end.reason.empty()) document["reason"] = trial.end.reason;
  document["unused"]["answers"] = trial.unused_answers;
  document["unused"]["signals"] = Document::array();
  for (const auto& signal : trial.unsent) document["unused"]["signals"].push_back(signal.name);
  return document;
}

Value choose_inputs(const Arguments& arguments, const TestScript& script,
                    const std::string& working_dir) {
  if (arguments.has("--inputs") || !script.inputs) return read_inputs(arguments, working_dir);
  return make_inputs(script.inputs->text, arguments.values("--input"));
}

std::string shown_member(const Document& node, const char* name) {
  return shown(node[name].get<std::string>());
}

/// What became of an effect, on one line.
std::string trial_outcome(const Document& effect) {
  if (effect["kind"] == "sleep" && effect["status"] == "ok")
    return shown_member(effect, "settledAt");
  for (const char* name : {"value", "error"}) {
    if (effect.contains(name)) return shown(json_of(effect[name]), kTrialValueWidth);
  }
  return {};
}

bool asked_together(const Document& effects, size_t one, size_t other) {
  return one < effects.size() && other < effects.size() &&
         effects[one]["cause"] == effects[other]["cause"];
}

/// Effects that were asked for together are indented below a line that says so.
std::string effects_text(const Document& effects, const Style& style) {
  Table table;
  for (size_t i = 0; i < effects.size(); ++i) {
    const Document& effect = effects[i];
    const bool follows = i > 0 && asked_together(effects, i - 1, i);
    const bool grouped = follows || asked_together(effects, i, i + 1);
    if (grouped && !follows) table.add({{"together", Colour::kDim}});
    const bool ok = effect["status"] == "ok";
    table.add({{(grouped ? "  " : "") + shown_member(effect, "effectId")},
               {shown_member(effect, "kind")},
               {shown_member(effect, "taskId")},
               {shown(effect["label"].get<std::string>(), kTrialValueWidth)},
               {shown_member(effect, "status"), ok ? Colour::kGreen : Colour::kYellow},
               {trial_outcome(effect)}});
  }
  return table.print(style, "  ");
}

}  // namespace

Reply process_test(const Arguments& arguments) {
  const Session session(arguments);
  const std::string& folder = session.working_dir();
  const std::string file = arguments.value("--script").value_or("");
  const auto script =
      parse_test_script(read_user_file(file, {folder}, "--script"), "--script " + file);
  const auto inputs = choose_inputs(arguments, script, folder);
  const auto trial = run_trial(session.context(), read_source_file,
                               choose_entry(arguments.positional("FILE"), folder), inputs, script);
  Reply reply{.document = trial_document(trial)};
  reply.warnings = pair_warnings(arguments.values("--input"));
  if (!trial.failures.empty()) reply.exit = Exit::kNo;
  return reply;
}

std::string process_test_text(const Document& document, const Style& style) {
  std::string out = effects_text(document["effects"], style);
  for (const Document& event : document["events"]) {
    out += "event   " + shown_member(event, "type") + "  " +
           shown(json_of(event["payload"]), kTrialValueWidth) + "\n";
  }
  for (const Document& line : document["log"]) {
    out += "log     " + shown(json_of(line["message"]), kTrialValueWidth) + "\n";
  }
  if (document.contains("output")) out += "output  " + shown(json_of(document["output"])) + "\n";
  if (document.contains("error")) {
    const auto member = [&](const char* name) {
      return shown(get_pointer(document["error"], name).value_or(""));
    };
    out += "error   " + member("/name") + ": " + member("/message") + "\n";
  }
  if (document.contains("reason")) out += "reason  " + shown_member(document, "reason") + "\n";
  const Document& unused = document["unused"];
  if (!unused["answers"].empty()) out += "unused  answers " + print_json(unused["answers"]) + "\n";
  if (!unused["signals"].empty()) out += "unused  signals " + print_json(unused["signals"]) + "\n";
  for (const Document& failure : document["failures"]) {
    out += paint(style, Colour::kRed, "failed  ") + shown(failure.get<std::string>()) + "\n";
  }
  if (document["passed"]) {
    const bool completed = document["status"] == "completed";
    out += paint(style, Colour::kGreen, "passed") + "  " + shown_member(document, "status") +
           (completed ? "\n" : ", as expected\n");
  }
  return out;
}

}  // namespace reprise
