#include "cli/commands.h"
#include "cli/run_documents.h"
#include "cli/session.h"
#include "cli/text.h"

namespace reprise {
namespace {

constexpr size_t kLogWidth = 200;

std::string text_of(const Document& document, const char* name) {
  return document.contains(name) ? get_pointer(document[name], "").value_or("") : std::string();
}

Table next_actions_table(const Document& actions) {
  Table table;
  for (const Document& action : actions) {
    table.add({{text_of(action, "effectId"), Colour::kBold},
               {shown(text_of(action, "kind"))},
               {shown(text_of(action, "taskId"))},
               {shown(text_of(action, "label"))}});
  }
  return table;
}

}  // namespace

Reply run_iterate(const Arguments& arguments) {
  const Session session(arguments);
  const RunHandle run = session.find_run();
  const Iteration iteration = iterate(*run.dir, session.context());
  if (!iteration.log.empty()) session.workspace().append_log(run.name, iteration.log);
  Reply reply{.document = iteration_document(run, iteration)};
  if (const auto number = arguments.count("--iteration")) reply.document["iteration"] = *number;
  reply.exit = status_exit(iteration.state, arguments.has("--exit-status"));
  reply.warnings = iteration.notes;
  return reply;
}

std::string run_iterate_text(const Document& document, const Style& style) {
  const std::string status = document["status"];
  const std::string id = document["metadata"]["runId"];
  std::string out;
  if (document.contains("log")) {
    for (const Document& line : document["log"]) {
      const std::string label = shown(text_of(line, "label"), kLogWidth);
      out += paint(style, Colour::kDim, label.empty() ? "log" : label) + ": " +
             shown(text_of(line, "message"), kLogWidth) + "\n";
    }
  }
  out += paint(style, Colour::kBold, shown(id)) + "  " +
         paint(style, status_colour(status), status) + "  " +
         shown(document["reason"].get<std::string>()) + "\n";
  out += next_actions_table(document["nextActions"]).print(style, "  ");
  if (document.contains("until")) out += "  until " + text_of(document, "until") + "\n";
  if (status == "completed") out += "  next  reprise run:output " + id + "\n";
  if (status == "waiting" && !document["nextActions"].empty()) {
    const std::string effect = document["nextActions"][0]["effectId"];
    out += "  next  reprise task:show " + id + " " + effect + ", then task:post with its result\n";
  }
  return out;
}

}  // namespace reprise
