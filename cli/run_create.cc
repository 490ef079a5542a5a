// run:create: giving a run its process and what it works on.
#include "cli/commands.h"
#include "cli/creation.h"
#include "cli/process_flags.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/user_files.h"
#include "cli/user_values.h"
#include "engine/create.h"
#include "engine/index/due.h"
#include "engine/input_warnings.h"
#include "engine/limits.h"
#include "engine/put_away.h"

namespace reprise {
namespace {

// What drivers of babysitter say about a run is kept as its labels.
void add_driver_labels(const Arguments& arguments, std::map<std::string, std::string>& labels) {
  for (const char* name : {"prompt", "harness", "process-revision", "session-id"}) {
    const auto value = arguments.value("--" + std::string(name));
    if (value) labels.emplace(name, *value);
  }
}

std::map<std::string, std::string> read_labels(const Arguments& arguments) {
  auto labels = parse_pairs(arguments.values("--label"), "--label");
  add_driver_labels(arguments, labels);
  for (const auto& [name, value] : labels) {
    check_name_length(name, "the name of a label");
    check_name_length(value, "label " + shown(name));
    parse_value(quote(name), "the name of a label");
    parse_value(quote(value), "label " + name);
  }
  return labels;
}

}  // namespace

CreateRequest read_creation(const Arguments& arguments, ProcessChoice process, Value inputs) {
  CreateRequest request;
  request.run_id = arguments.value("--run-id").value_or("");
  request.process = std::move(process);
  request.inputs = std::move(inputs);
  request.labels = read_labels(arguments);
  if (arguments.has("--autodrive")) {
    request.labels.insert_or_assign(std::string(kAutodriveLabel), kAutodriveValue);
  }
  request.request = arguments.value("--request").value_or("");
  request.if_absent = arguments.has("--if-absent");
  request.simulated = arguments.has("--simulated");
  if (arguments.value("--run-id") && !valid_run_id(request.run_id)) {
    throw Error(Exit::kUsage, "INVALID_RUN_ID", "\"" + request.run_id + "\" cannot be a run id",
                "letters, digits, dots, underscores and hyphens, at most 128, the first a letter "
                "or digit");
  }
  if (arguments.has("--now") && !request.simulated) {
    throw Error(Exit::kUsage, "NOT_SIMULATED", "--now is for runs created with --simulated",
                "add --simulated, or leave --now out");
  }
  check_name_length(request.process.process_id, "--process-id");
  parse_value(quote(request.request), "--request");
  request.dry_run = arguments.has("--dry-run");
  return request;
}

CreatedRun create_in(Workspace& workspace, const Session& session, const CreateRequest& request) {
  if (!request.run_id.empty() && is_archived(workspace.runs_path(), request.run_id)) {
    const std::string archive = archive_path(workspace.runs_path());
    throw Error(Exit::kConflict, "RUN_ARCHIVED",
                "a run of this id is in the archive: " + archive + "/" + request.run_id,
                "choose another id; reprise run:status " + request.run_id + " --runs-dir " +
                    shell_word(archive) + " shows that one");
  }
  return create_run(workspace.exists() ? &workspace.runs() : nullptr, workspace.runs_path(),
                    session.context(), read_source_file, request);
}

std::vector<std::string> doubts_of_inputs(const Session& session, const CreateRequest& request,
                                          const std::vector<std::string>& pairs) {
  auto doubts = pair_warnings(pairs);
  if (request.process.entry.empty()) return doubts;
  for (auto& warning : input_warnings(session.context().scripts, read_source_file,
                                      request.process.entry, request.inputs.text)) {
    doubts.push_back(std::move(warning));
  }
  return doubts;
}

Reply run_create(const Arguments& arguments) {
  const Session session(arguments);
  const CreateRequest request =
      read_creation(arguments, choose_process(arguments, session.working_dir()),
                    read_inputs(arguments, session.working_dir()));
  Workspace workspace = session.workspace(!request.dry_run);
  const CreatedRun run = create_in(workspace, session, request);
  Reply reply{.document = new_document()};
  reply.document["runId"] = run.run_id;
  reply.document["runDir"] = run.run_dir;
  reply.document["processId"] = run.process_id;
  if (!run.entry.empty()) reply.document["entry"] = run.entry;
  reply.document["created"] = run.created;
  reply.document["dryRun"] = request.dry_run;
  reply.warnings =
      without_meaning(arguments, {"--state-dir", "--max-iterations", "--non-interactive"});
  for (auto& doubt : doubts_of_inputs(session, request, arguments.values("--input"))) {
    reply.warnings.push_back(std::move(doubt));
  }
  return reply;
}

std::string run_create_text(const Document& document, const Style& style) {
  const std::string id = document["runId"];
  const bool dry_run = document["dryRun"];
  const std::string verb = document["created"] ? "created "
                           : dry_run           ? "would create "
                                               : "exists  ";
  std::string out = paint(style, Colour::kGreen, verb) + paint(style, Colour::kBold, id);
  if (document.contains("entry")) out += "  " + shown(document["entry"].get<std::string>());
  const std::string next = document.contains("entry")
                               ? "run:iterate " + id
                               : "run:assign-process " + id + " --entry FILE";
  out += "\n  in    " + shown(document["runDir"].get<std::string>());
  if (dry_run) return out + "\n";
  return out + "\n  next  reprise " + next + "\n";
}

}  // namespace reprise
