#include "cli/heartbeat/beat_document.h"

#include <unistd.h>

#include "cli/heartbeat/commands.h"
#include "cli/text.h"
#include "journal/clock.h"

namespace reprise {
namespace {

Document head_of(const Workspace& workspace, int64_t now_ms, bool dry_run) {
  Document document = new_document();
  document["home"] = workspace.home_path();
  document["at"] = format_time(now_ms);
  document["dryRun"] = dry_run;
  for (const char* list : {"chores", "runs", "driven", "driving", "locked", "errors"}) {
    document[list] = Document::array();
  }
  return document;
}

Document chore_document(const std::string& chore, const Due& due) {
  Document item = {{"chore", chore}, {"key", due.key}, {"what", due.what}};
  if (!due.run.empty()) item["runId"] = due.run;
  return item;
}

Document error_document(const BeatError& error) {
  Document item = {{"part", error.part}};
  if (!error.name.empty()) item["name"] = error.name;
  item["code"] = error.code;
  item["message"] = error.message;
  return item;
}

std::string text(const Document& item, const char* name) {
  return shown(item.value(name, std::string()));
}

std::string why_text(const std::string& why) {
  if (why == "time") return "its time has come";
  if (why == "begins") return "it begins";
  if (why == "relatives") return "for other runs";
  return "it has news";
}

void add_beat_rows(Table& table, const Document& document, bool dry_run) {
  for (const Document& chore : document["chores"]) {
    table.add({{text(chore, "chore"), Colour::kBold}, {text(chore, "what")}});
  }
  for (const Document& run : document["runs"]) {
    std::string what = why_text(run["why"]);
    if (!dry_run) what = text(run, "status");
    table.add({{text(run, "runId"), Colour::kBold}, {what}});
  }
  for (const Document& run : document["driven"]) {
    std::string what = "to be driven";
    if (!dry_run) {
      what = "driven, " + counted(run["performed"].get<uint64_t>(), "result", "results") + ", " +
             text(run, "status");
    }
    table.add({{text(run, "runId"), Colour::kBold}, {what}});
  }
  for (const Document& run : document["driving"]) {
    table.add({{shown(run.get<std::string>()), Colour::kBold}, {"is being driven"}});
  }
  for (const Document& run : document["locked"]) {
    table.add({{shown(run.get<std::string>()), Colour::kBold}, {"is being written: left alone"}});
  }
}

}  // namespace

Document quiet_document(const Workspace& workspace, const Context& context) {
  Document document = head_of(workspace, context.clock.now_ms(), false);
  document["more"] = false;
  document["quiet"] = true;
  return document;
}

Document beat_document(const BeatHome& home, const BeatDone& done) {
  Document document = head_of(home.workspace, home.now_ms, false);
  for (const auto& [chore, due] : done.chores) {
    document["chores"].push_back(chore_document(chore, due));
  }
  for (const auto& run : done.runs) {
    document["runs"].push_back({{"runId", run.run},
                                {"why", why_name(run.why)},
                                {"times", run.times},
                                {"status", run.status}});
  }
  for (const auto& run : done.driven) {
    document["driven"].push_back(
        {{"runId", run.run}, {"performed", run.performed}, {"status", run.status}});
  }
  for (const auto& run : done.driving) document["driving"].push_back(run);
  for (const auto& run : done.locked) document["locked"].push_back(run);
  for (const auto& error : done.errors) document["errors"].push_back(error_document(error));
  document["more"] = done.more;
  document["quiet"] = done.quiet();
  return document;
}

Document beat_plan(BeatHome& home, std::span<const std::unique_ptr<Chore>> chores, BeatRuns& runs,
                   const std::vector<Drivable>* drivable, uint64_t max_runs) {
  Document document = head_of(home.workspace, home.now_ms, true);
  for (const auto& chore : chores) {
    try {
      for (const auto& due : chore->due(home)) {
        document["chores"].push_back(chore_document(std::string(chore->name()), due));
      }
    } catch (const Error& error) {
      document["errors"].push_back(
          error_document({std::string(chore->name()), {}, error.code(), error.message()}));
    }
  }
  const auto due = runs.due(max_runs + 1);
  for (const auto& run : due) {
    if (document["runs"].size() == max_runs) break;
    document["runs"].push_back(
        {{"runId", run.name}, {"why", why_name(run.why)}, {"since", format_time(run.since_ms)}});
  }
  if (drivable != nullptr) {
    for (const auto& run : *drivable) {
      document["driven"].push_back({{"runId", run.run}, {"effects", run.work.size()}});
    }
  }
  document["more"] = due.size() > max_runs;
  document["quiet"] = document["chores"].empty() && document["runs"].empty() &&
                      document["driven"].empty() && document["errors"].empty();
  return document;
}

std::string heartbeat_text(const Document& document, const Style& style) {
  if (document.contains("beats")) return {};
  if (document["quiet"]) return ::isatty(STDOUT_FILENO) == 1 ? "nothing is due\n" : "";
  const bool dry_run = document["dryRun"];
  Table table;
  add_beat_rows(table, document, dry_run);
  std::string out = table.print(style);
  if (document["more"]) out += "more is due: the next beat goes on\n";
  return out;
}

}  // namespace reprise
