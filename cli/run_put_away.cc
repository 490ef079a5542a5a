// run:archive and run:delete.
#include <filesystem>

#include "cli/commands.h"
#include "cli/iteration.h"
#include "cli/session.h"
#include "cli/text.h"
#include "engine/put_away.h"

namespace reprise {
namespace {

struct Chosen {
  std::string runs_path;
  std::vector<PutAwayRun> plan;
};

// All are looked at before the first is touched: one that must stay stops the command.
std::vector<Chosen> choose(const Session& session, const std::vector<std::string>& selectors) {
  std::vector<Chosen> chosen;
  for (const std::string& selector : selectors) {
    const RunHandle run = session.workspace().find(selector);
    const Neighbours neighbours(run);
    chosen.push_back({neighbours.folder().path,
                      plan_put_away(neighbours.folder().runs, run.name, session.context())});
  }
  return chosen;
}

Document put_away_document(const std::vector<Chosen>& chosen) {
  Document runs = Document::array();
  for (const auto& [path, plan] : chosen) {
    for (const PutAwayRun& run : plan) {
      runs.push_back({{"runId", run.name},
                      {"runDir", path + "/" + run.name},
                      {"status", run.status ? status_name(*run.status) : "damaged"},
                      {"records", run.records},
                      {"pending", run.open}});
    }
  }
  return runs;
}

std::string runs_text(const Document& document, const Style& style) {
  Table table;
  for (const Document& run : document["runs"]) {
    const std::string status = run["status"];
    table.add({{shown(run["runId"].get<std::string>()), Colour::kBold},
               {status, status_colour(status)},
               {counted(run["records"].get<uint64_t>(), "record", "records")}});
  }
  return table.print(style, "  ");
}

}  // namespace

Reply run_archive(const Arguments& arguments) {
  const Session session(arguments);
  const auto chosen = choose(session, arguments.positionals("RUN"));
  const bool dry_run = arguments.has("--dry-run");
  Reply reply{.document = new_document()};
  reply.document["archived"] = !dry_run;
  reply.document["dryRun"] = dry_run;
  reply.document["archive"] = archive_path(chosen.front().runs_path);
  reply.document["runs"] = put_away_document(chosen);
  if (dry_run) return reply;
  for (const auto& [path, plan] : chosen) archive_runs(path, plan, session.context());
  return reply;
}

std::string run_archive_text(const Document& document, const Style& style) {
  const std::string archive = shown(document["archive"].get<std::string>());
  return std::string(document["archived"] ? "moved" : "would be moved") + " to " + archive + "\n" +
         runs_text(document, style) + "  next  reprise run:list --runs-dir " + shell_word(archive) +
         "\n";
}

Reply run_delete(const Arguments& arguments) {
  const Session session(arguments);
  const auto chosen = choose(session, arguments.positionals("RUN"));
  const bool dry_run = arguments.has("--dry-run");
  const bool yes = arguments.has("--yes") && !dry_run;
  Reply reply{.document = new_document()};
  reply.document["deleted"] = yes;
  reply.document["dryRun"] = dry_run;
  reply.document["runs"] = put_away_document(chosen);
  if (!yes && !dry_run) reply.exit = Exit::kUsage;
  if (!yes) return reply;
  for (const auto& [path, plan] : chosen) delete_runs(path, plan, session.context());
  return reply;
}

std::string run_delete_text(const Document& document, const Style& style) {
  const bool deleted = document["deleted"];
  std::string out = deleted ? "deleted\n" : "would be deleted, with all that is recorded\n";
  out += runs_text(document, style);
  if (deleted || document["dryRun"]) return out;
  return out + "  nothing was done: --yes deletes them; run:archive keeps them out of the way\n";
}

}  // namespace reprise
