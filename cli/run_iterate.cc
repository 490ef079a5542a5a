#include "cli/commands.h"
#include "cli/go_on.h"
#include "cli/iteration.h"
#include "cli/left_open.h"
#include "cli/next_steps.h"
#include "cli/run_documents.h"
#include "cli/session.h"
#include "cli/text.h"
#include "engine/script_hints.h"

namespace reprise {
namespace {

constexpr size_t kLogWidth = 200;
constexpr size_t kActionTitleWidth = 200;

std::string member_as_text(const Document& document, const char* name) {
  return document.contains(name) ? get_pointer(document[name], "").value_or("") : std::string();
}

// A question says more than "breakpoint".
std::string action_title(const Document& action) {
  std::string label = member_as_text(action, "label");
  if (action["kind"] != "breakpoint" || label != "breakpoint") return label;
  return get_pointer(action, "/inputs/question").value_or(label);
}

Table next_actions_table(const Document& actions) {
  Table table;
  for (const Document& action : actions) {
    table.add({{member_as_text(action, "effectId"), Colour::kBold},
               {shown(member_as_text(action, "kind"))},
               {shown(member_as_text(action, "taskId"))},
               {shown(action_title(action), kActionTitleWidth)},
               {member_as_text(action, "childRunId"), Colour::kBold}});
  }
  return table;
}

Document children_document(const std::vector<IteratedChild>& children) {
  Document list = Document::array();
  for (const auto& [id, iteration] : children) {
    list.push_back({{"runId", id},
                    {"status", status_name(iteration.state.status())},
                    {"applied", iteration.activations}});
  }
  return list;
}

// Whether it names those who may answer, as engine/approval.cc reads it.
bool asks_some(const Document& question) {
  for (const char* place : {"/taskDef/breakpoint/approvers", "/inputs/approvers"}) {
    if (get_pointer(question, place)) return true;
  }
  return false;
}

// What a person would type next.
std::string step_after_iteration(const Document& document, const std::string& status,
                                 const std::string& id) {
  if (status == "completed") return "  next  reprise run:output " + id + "\n";
  if (status == "failed") {
    return document.contains("failedBy") ? failed_step(document, id)
                                         : "  next  reprise run:status " + id + "\n";
  }
  if (status == "paused") return "  next  reprise run:resume " + id + "\n";
  if (status != "waiting") return {};
  for (const Document& action : document["nextActions"]) {
    if (action["kind"] == "sleep") continue;
    if (action.contains("childRunId")) {
      return "  next  reprise run:iterate " + id + " --children\n";
    }
    const std::string effect = id + " " + action["effectId"].get<std::string>();
    if (action["kind"] == "breakpoint") {
      return approval_step(effect, asks_some(action) ? " --by NAME" : "");
    }
    if (document.value("goOn", std::string()) == "run:drive") {
      return "  next  reprise run:drive " + id + "\n        reprise task:show " + effect + "\n";
    }
    return "  next  reprise task:show " + effect + "\n        reprise task:post " + effect +
           " --status ok --value FILE\n";
  }
  if (document.contains("held")) {
    return approval_step(id + " " + document["held"].front().get<std::string>());
  }
  if (document.contains("awaits")) {
    return signal_step(id, {}, document["awaits"].front());
  }
  if (!document.contains("until")) {
    return signal_step(id, document["metadata"]["processId"], {});
  }
  return "  next  reprise run:iterate " + id + "    when it is time\n";
}

}  // namespace

Reply run_iterate(const Arguments& arguments) {
  const Session session(arguments);
  const RunHandle run = session.find_run();
  std::vector<std::string> notes;
  std::vector<IteratedChild> children;
  if (arguments.has("--children")) children = iterate_children(session, run, notes);
  const Iteration iteration = iterate_run(session, run);
  Reply reply{.document = iteration_document(run, iteration), .warnings = std::move(notes)};
  if (arguments.has("--children")) reply.document["children"] = children_document(children);
  GoOn(session).add(reply.document, run, iteration.state);
  if (const auto number = arguments.count("--iteration")) reply.document["iteration"] = *number;
  reply.exit = status_exit(iteration.state, arguments.has("--exit-status"), iteration.at_ms);
  reply.warnings.insert(reply.warnings.end(), iteration.notes.begin(), iteration.notes.end());
  return reply;
}

std::string run_iterate_text(const Document& document, const Style& style) {
  const std::string status = document["status"];
  const std::string id = document["metadata"]["runId"];
  std::string out;
  if (document.contains("log")) {
    for (const Document& line : document["log"]) {
      const std::string label = shown(member_as_text(line, "label"), kLogWidth);
      out += paint(style, Colour::kDim, label.empty() ? "log" : label) + ": " +
             shown(member_as_text(line, "message"), kLogWidth) + "\n";
    }
  }
  out += headline(style, id, status, document["reason"].get<std::string>());
  out += next_actions_table(document["nextActions"]).print(style, "  ");
  constexpr std::string_view kFailed = "process-error: ";
  const std::string reason = document["reason"];
  if (status == "failed" && reason.starts_with(kFailed)) {
    const auto hint = script_hint(std::string_view(reason).substr(kFailed.size()));
    if (!hint.empty()) out += "  hint  " + hint + "\n";
  }
  if (document.contains("abandoned")) {
    out += "  left  " + effects_left_open(document["abandoned"]) + "\n";
  }
  if (document.contains("until")) out += "  until " + member_as_text(document, "until") + "\n";
  return out + step_after_iteration(document, status, id);
}

}  // namespace reprise
