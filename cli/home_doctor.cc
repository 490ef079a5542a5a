// doctor: what is wrong with a home, and how to mend it.
#include "cli/commands.h"
#include "cli/configured.h"
#include "cli/session.h"
#include "cli/text.h"
#include "engine/cron/zone.h"
#include "engine/home/doctor.h"
#include "engine/http/http_client.h"
#include "engine/index/queries.h"

namespace reprise {
namespace {

constexpr uint64_t kMostDamaged = 100;
constexpr uint64_t kMostBehind = 100;

const char* health_word(Health health) {
  switch (health) {
    case Health::kOk:
      return "ok";
    case Health::kWarning:
      return "warning";
    case Health::kProblem:
      return "problem";
  }
  return "";
}

Colour colour_of(const std::string& level) {
  if (level == "ok") return Colour::kGreen;
  return level == "warning" ? Colour::kYellow : Colour::kRed;
}

Document finding_document(const Finding& finding) {
  Document document = {
      {"check", finding.check}, {"level", health_word(finding.health)}, {"what", finding.what}};
  if (!finding.remedy.empty()) document["remedy"] = finding.remedy;
  return document;
}

/// Runs that cannot be read, as the index knows them. Without an index the doctor has other things
/// to say.
void add_unreadable_runs(const Session& session, Checkup& checkup) {
  if (!checkup.workspace.exists()) return;
  try {
    auto index = session.index(checkup.workspace);
    const RunFilter filter{.statuses = {"damaged"}, .limit = kMostDamaged};
    const auto page = index.ask([&](Database& database) { return list_runs(database, filter); });
    for (const RunRow& run : page->rows) checkup.damaged.emplace(run.name, run.message);
    auto counts = index.ask([](Database& database) { return count_runs(database); });
    checkup.foreign = counts["foreign"];
  } catch (const Error&) {
    return;
  }
}

/// Likewise.
void add_behind(Checkup& checkup, const Session& session) {
  if (!checkup.workspace.exists()) return;
  try {
    auto index = session.index(checkup.workspace);
    const RunFilter filter{.rules_below = kNewestRules, .limit = kMostBehind};
    const auto page = index.ask([&](Database& database) { return list_runs(database, filter); });
    for (const RunRow& run : page->rows) checkup.behind.push_back(run.name);
    checkup.more_behind = page->more;
  } catch (const Error&) {
    return;
  }
}

}  // namespace

Reply doctor(const Arguments& arguments) {
  const Session session(arguments);
  Workspace workspace = session.workspace();
  Clock& clock = session.context().clock;
  const TrustStore trust(state_folder());
  const ModuleQuery modules[] = {script_module(), sqlite_module(), http_module(), zone_module()};
  Reply reply{.document = new_document()};
  reply.document["home"] = workspace.home_path();
  Document fixed = Document::array();
  if (arguments.has("--fix")) fixed = remove_leftovers(workspace, clock);

  Checkup checkup{.workspace = workspace,
                  .sources = config_sources(arguments, workspace.home()),
                  .trust = trust,
                  .clock = clock,
                  .search_path = environment("PATH"),
                  .modules = modules};
  add_unreadable_runs(session, checkup);
  add_behind(checkup, session);
  reply.document["ok"] = true;
  reply.document["findings"] = Document::array();
  for (const Finding& finding : examine_home(checkup)) {
    reply.document["findings"].push_back(finding_document(finding));
    if (finding.health != Health::kProblem) continue;
    reply.document["ok"] = false;
    reply.exit = Exit::kNo;
  }
  if (arguments.has("--fix")) reply.document["fixed"] = std::move(fixed);
  return reply;
}

std::string doctor_text(const Document& document, const Style& style) {
  std::string out;
  for (const Document& finding : document["findings"]) {
    const std::string level = finding["level"];
    Table table;
    table.add({{level, colour_of(level)},
               {finding["check"].get<std::string>(), Colour::kBold},
               {shown(finding["what"].get<std::string>())}});
    out += table.print(style);
    if (finding.contains("remedy")) {
      out += "  " + shown(finding["remedy"].get<std::string>()) + "\n";
    }
  }
  if (document.contains("fixed")) {
    for (const Document& name : document["fixed"]) {
      out += "removed " + shown(name.get<std::string>()) + "\n";
    }
  }
  return out;
}

}  // namespace reprise
