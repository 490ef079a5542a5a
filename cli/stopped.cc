#include "cli/stopped.h"

#include "engine/run.h"
#include "engine/stop.h"

namespace reprise {

void add_stopped(Document& document, Workspace& workspace, const HomeRun& wanted) {
  const auto run = find_home_run(workspace, wanted);
  if (!run) return;
  const auto rest = rest_of(read_state(*run->dir).state);
  if (!rest) return;
  document["stopped"] = {
      {"runId", run->name}, {"status", rest->status}, {"command", rest->command}};
}

std::string stopped_text(const Document& document, const Style& style) {
  if (!document.contains("stopped")) return {};
  const Document& stopped = document["stopped"];
  const auto text = [&](const char* name) { return shown(stopped[name].get<std::string>()); };
  return paint(style, Colour::kYellow, "the run " + text("runId") + " is " + text("status")) +
         ": nothing happens by itself\n  next  reprise " + text("command") + "\n";
}

}  // namespace reprise
