// task:exec: one effect from a CI job or a shell: wait for it, claim it, run a command, post what
// came of it.
#include <unistd.h>

#include <algorithm>

#include "cli/claim_flags.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/run_documents.h"
#include "cli/session.h"
#include "cli/streams.h"
#include "cli/user_values.h"
#include "engine/executors/outcome.h"
#include "engine/launch.h"
#include "engine/lease.h"
#include "engine/post.h"
#include "engine/program.h"
#include "engine/task_log.h"
#include "journal/clock.h"
#include "journal/ids.h"

namespace reprise {
namespace {

std::vector<std::string> environment_of(const Workspace& workspace, const RunHandle& run,
                                        const Claimed& claimed) {
  const auto id = format_effect_id(claimed.effect.id);
  auto environment = own_environment();
  set_variable(environment, "REPRISE_RUN", run.name);
  set_variable(environment, "REPRISE_EFFECT", id);
  set_variable(environment, "REPRISE_ATTEMPT", std::to_string(claimed.effect.attempt));
  set_variable(environment, "REPRISE_CLAIM", claimed.effect.claim->token);
  set_variable(environment, "REPRISE_TASK_DIR", run.path + "/tasks/" + id);
  set_variable(environment, "REPRISE_IDEMPOTENCY_KEY", claimed.state.run_id + "/" + id);
  const std::string& runs = workspace.runs_path();
  if (runs.ends_with("/runs")) {
    set_variable(environment, "REPRISE_HOME", runs.substr(0, runs.size() - 5));
  }
  return environment;
}

// Keeps the claim while the command runs. False when it was lost.
bool keep_claim(const Session& session, Dir& run, const LeaseRequest& lease) {
  try {
    extend_claim(run, session.context(), lease, 0);
  } catch (const Error& error) {
    // What else fails may work the next time, and the lease goes on meanwhile.
    return error.exit() != Exit::kConflict;
  }
  return true;
}

Post post_of(const Claimed& claimed, const Program& program, const ProgramEnd& end,
             const TaskLog& log) {
  Post post;
  post.effect.id = claimed.effect.id;
  post.token = claimed.effect.claim->token;
  const auto outcome =
      program_outcome(end, {.name = program.words.front(), .timeout_ms = program.timeout_ms});
  post.ok = outcome.ok;
  post.value = post.ok ? parse_value(outcome.value, "the command's outcome")
                       : parse_error_value(outcome.value, "the command's outcome");
  post.stdout_ref = log.stdout_ref();
  post.stderr_ref = log.stderr_ref();
  return post;
}

Program program_of(const Arguments& arguments) {
  Program program{
      .words = arguments.program(), .input = Program::Input::kOwn, .forwards_signals = true};
  if (program.words.empty()) {
    throw Error(Exit::kUsage, "MISSING_ARGUMENT", "task:exec needs a command behind --",
                "as in: reprise task:exec @last --key build -- make all");
  }
  if (const auto timeout = arguments.value("--timeout")) {
    program.timeout_ms = parse_duration_ms(*timeout, "--timeout");
  }
  return program;
}

}  // namespace

Reply task_exec(const Arguments& arguments) {
  const Session session(arguments);
  Program program = program_of(arguments);
  const auto named = session.find_effect("--key");
  Dir& run = *named.run.dir;
  ClaimRequest request = claim_flags(arguments, session.context());
  request.effect = named.effect;
  request.pid = static_cast<uint64_t>(::getpid());
  const Claimed claimed = claim_effect(run, session.context(), request);

  program.environment = environment_of(session.workspace(), named.run, claimed);
  program.tick_ms = std::max<int64_t>(request.lease_ms / 3, 1);
  const LeaseRequest lease{.effect = {.id = claimed.effect.id, .key = {}},
                           .token = claimed.effect.claim->token};
  const auto flag = [&arguments](std::string_view name) { return arguments.value(name); };
  const bool text = output_options(flag, false).mode == OutputMode::kText;
  const auto started_at = session.context().clock.now_ms();
  TaskLog log(run, format_effect_id(claimed.effect.id), claimed.effect.attempt, kTaskLogBytes);
  const ProgramEnd end = run_program(
      program,
      [&](bool is_error, std::string_view bytes) {
        log.write(is_error, bytes);
        if (text && !is_error) {
          write_out(bytes);
        } else {
          write_err(bytes);
        }
      },
      [&] { return keep_claim(session, run, lease); });
  if (end.stopped) {
    throw Error(Exit::kConflict, "CLAIM_STALE",
                "the claim of " + format_effect_id(claimed.effect.id) +
                    " was lost while the command ran; it was stopped, and nothing was posted",
                "reprise task:show " + named.run.name + " " + format_effect_id(claimed.effect.id) +
                    " shows who has it now");
  }
  if (!end.problem.empty()) write_err("reprise: " + end.problem + "\n");
  log.close();
  Post post = post_of(claimed, program, end, log);
  post.started_at = format_time(started_at);
  post.finished_at = format_time(session.context().clock.now_ms());
  const Posted posted = post_result(run, session.context(), post);

  Reply reply{.document = run_document(named.run, posted.state),
              .exit = static_cast<Exit>(end.exit_code),
              .warnings = posted.notes};
  if (end.timed_out && end.exit_code == 0) reply.exit = Exit::kNo;
  Document& document = reply.document;
  document["effectId"] = format_effect_id(posted.effect.id);
  document["attempt"] = posted.effect.attempt;
  document["status"] = post.ok ? "ok" : "error";
  document["exitCode"] = end.exit_code;
  document["stdoutRef"] = posted.stdout_ref;
  document["stderrRef"] = posted.stderr_ref;
  document["recorded"] = posted.recorded;
  if (posted.late) document["late"] = true;
  document["runStatus"] = status_name(posted.state.status());
  for (const bool is_error : {false, true}) {
    if (log.whole(is_error)) continue;
    reply.warnings.push_back(std::string("only the first 16 MiB of the command's ") +
                             (is_error ? "stderr" : "stdout") + " are kept");
  }
  if (!log.problem().empty()) {
    reply.warnings.push_back("the command's logs are not kept: " + log.problem());
  }
  return reply;
}

// What the command wrote is all that standard output holds.
std::string task_exec_text(const Document&, const Style&) { return {}; }

}  // namespace reprise
