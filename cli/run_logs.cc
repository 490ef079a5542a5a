// run:logs: what processes printed with ctx.log and console.log, as the home keeps it.
#include "cli/commands.h"
#include "cli/run_documents.h"
#include "cli/session.h"
#include "cli/text.h"
#include "journal/clock.h"

namespace reprise {
namespace {

constexpr uint64_t kRunLogsLimit = 1000;

}  // namespace

Reply run_logs(const Arguments& arguments) {
  const Session session(arguments);
  const RunHandle run = session.find_run();
  uint64_t limit = arguments.count("--limit").value_or(kRunLogsLimit);
  if (arguments.has("--all")) limit = UINT64_MAX;

  Reply reply{.document = run_document(run, read_state(*run.dir).state)};
  Document& lines = reply.document["lines"] = Document::array();
  const auto all = session.workspace().read_log(run.path);
  const size_t count = std::min<size_t>(all.size(), limit);
  for (size_t i = all.size() - count; i < all.size(); ++i) {
    lines.push_back({{"at", format_time(all[i].at_ms)}, {"label", all[i].label}});
    lines.back()["message"] = raw_json(all[i].message);
  }
  if (count < all.size()) reply.document["leftOut"] = all.size() - count;
  return reply;
}

std::string run_logs_text(const Document& document, const Style& style) {
  std::string out;
  if (document.contains("leftOut")) {
    out += paint(style, Colour::kDim,
                 counted(document["leftOut"].get<uint64_t>(), "earlier line", "earlier lines") +
                     ": --all") +
           "\n";
  }
  for (const Document& line : document["lines"]) {
    const std::string label = line["label"];
    const auto text = get_pointer(line, "/message").value_or("");
    out += paint(style, Colour::kDim, line["at"].get<std::string>()) + "  " +
           (label.empty() ? "" : paint(style, Colour::kDim, shown(label)) + ": ") + shown(text) +
           "\n";
  }
  return out.empty() ? "nothing was logged\n" : out;
}

}  // namespace reprise
