// run:assign-process: a bare run gets its process, a run with a history other code or newer rules.
#include "cli/run_assign.h"

#include "cli/commands.h"
#include "cli/go_on.h"
#include "cli/plan_document.h"
#include "cli/process_flags.h"
#include "cli/text.h"
#include "cli/user_files.h"
#include "engine/rule_changes.h"

namespace reprise {

namespace {

AssignRequest read_request(const Arguments& arguments, const Session& session) {
  AssignRequest request;
  request.process = choose_process(arguments, session.working_dir());
  const auto rules = arguments.value("--rules");
  request.newest_rules = rules.has_value();
  if (rules && *rules != "newest") {
    throw invalid_argument("--rules " + shown(*rules) + " is not newest",
                           "a run is given the newest rules, or keeps those that it has");
  }
  request.abandon = arguments.has("--abandon");
  request.yes = arguments.has("--yes");
  request.dry_run = arguments.has("--dry-run");
  const bool named = !request.process.entry.empty() || !request.process.built_in.empty();
  if (named || request.newest_rules) return request;
  throw Error(Exit::kUsage, "MISSING_ARGUMENT",
              "run:assign-process needs --entry, --process or --rules",
              "usage: " + usage_line(arguments.command()));
}

Reply assign_to_run(const Arguments& arguments, const Session& session,
                    const AssignRequest& request) {
  const RunHandle run = session.find_run();
  const AssignedProcess assigned =
      assign_process(*run.dir, session.context(), read_source_file, request);
  Reply reply{.document = new_document()};
  reply.document["runId"] = run.name;
  reply.document["runDir"] = run.path;
  add_assigned(reply.document, request, assigned);
  reply.document["dryRun"] = request.dry_run;
  if (assigned.proposed && !assigned.assigned && !request.dry_run) reply.exit = Exit::kUsage;
  reply.warnings = without_meaning(arguments, {"--process-revision"});
  reply.warnings.insert(reply.warnings.end(), assigned.notes.begin(), assigned.notes.end());
  return reply;
}

}  // namespace

void add_assigned(Document& document, const AssignRequest& request,
                  const AssignedProcess& assigned) {
  document["processId"] = assigned.process_id;
  document["entry"] = assigned.entry;
  document["assigned"] = assigned.assigned;
  if (request.newest_rules) {
    document["rules"] = {{"before", assigned.rules_before},
                         {"now", assigned.rules},
                         {"changes", rule_changes(assigned.rules_before, assigned.rules)}};
  }
  if (assigned.plan) document["plan"] = plan_document(*assigned.plan);
}

Reply run_assign_process(const Arguments& arguments) {
  const Session session(arguments);
  const auto request = read_request(arguments, session);
  if (!arguments.positional("RUN").empty()) return assign_to_run(arguments, session, request);
  if (arguments.value("--home") && request.newest_rules) {
    return assign_rules_of_home(session, request);
  }
  throw Error(Exit::kUsage, "MISSING_ARGUMENT", "run:assign-process needs RUN",
              "usage: " + usage_line(arguments.command()) +
                  "; --rules newest with --home DIR and no RUN is for all runs of that home");
}

std::string rules_text(const Document& rules, const Style& style) {
  const auto number = [&](const char* name) {
    const auto one = rules[name].get<uint32_t>();
    return one == 0 ? std::string("none") : std::to_string(one);
  };
  if (rules["before"] == rules["now"]) return "  rules  " + number("now") + "\n";
  std::string out =
      "  rules  " + number("before") + " -> " + paint(style, Colour::kBold, number("now")) + "\n";
  for (const auto& change : rules["changes"])
    out += "    " + shown(change.get<std::string>()) + "\n";
  return out;
}

std::string run_assign_process_text(const Document& document, const Style& style) {
  if (document.contains("runs")) return rules_of_home_text(document, style);
  const std::string id = document["runId"];
  const std::string process = document["entry"];
  const std::string entry = process.empty() ? "no process" : shown(process);
  const bool assigned = document["assigned"];
  const bool planned = document.contains("plan");
  const bool has_rules = document.contains("rules");
  const bool other_rules = has_rules && document["rules"]["before"] != document["rules"]["now"];
  const bool would = !assigned && (planned || other_rules || document["dryRun"]);
  const std::string what = assigned ? paint(style, Colour::kGreen, "assigned ") + entry + " to "
                           : would  ? "would assign " + entry + " to "
                                    : entry + " was assigned before to ";
  std::string out = what + paint(style, Colour::kBold, id) + "\n";
  if (has_rules) out += rules_text(document["rules"], style);
  if (planned) out += plan_text(document["plan"], style);
  if (assigned) return out + go_on_hint(document);
  if (planned || other_rules) out += "  nothing was recorded; --yes does it\n";
  return out;
}

}  // namespace reprise
