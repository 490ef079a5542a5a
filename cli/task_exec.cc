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
#include "engine/drive/work.h"
#include "engine/end_signals.h"
#include "engine/executors/outcome.h"
#include "engine/executors/reading.h"
#include "engine/guard.h"
#include "engine/identity.h"
#include "engine/launch.h"
#include "engine/lease.h"
#include "engine/post.h"
#include "engine/program.h"
#include "engine/task_files.h"
#include "engine/task_log.h"
#include "engine/task_options.h"
#include "journal/clock.h"
#include "journal/ids.h"

namespace reprise {
namespace {

constexpr int64_t kShortestLeaseMs = 1000;
/// Of a result that the command prints.
constexpr size_t kPrintedBytes = size_t{256} << 10U;

std::vector<std::string> environment_of(const Workspace& workspace, const RunHandle& run,
                                        const Claimed& claimed) {
  const auto id = format_effect_id(claimed.effect.id);
  auto environment = own_environment();
  set_variable(environment, "REPRISE_RUN", run.name);
  set_variable(environment, "REPRISE_EFFECT", id);
  set_variable(environment, "REPRISE_ATTEMPT", std::to_string(claimed.effect.attempt));
  set_variable(environment, "REPRISE_CLAIM", claimed.effect.claim->token);
  set_variable(environment, "REPRISE_TASK_DIR", run.path + "/tasks/" + id);
  set_variable(environment, "REPRISE_IDEMPOTENCY_KEY",
               idempotency_key(claimed.state, claimed.effect.id));
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

// As run:drive does: of shell work the outcome is the result, of other work what it printed, where
// the task says what its result looks like.
bool prints_result(const OpenEffect& effect) {
  return effect.kind != "shell" && parse_task_options(effect.options).has_schema;
}

Post post_of_program(const Claimed& claimed, const Program& program, const ProgramEnd& end,
                     const TaskLog& log) {
  auto outcome =
      program_outcome(end, {.name = program.words.front(), .timeout_ms = program.timeout_ms});
  if (prints_result(claimed.effect)) take_printed_value(outcome, end);
  outcome.stdout_ref = log.stdout_ref();
  outcome.stderr_ref = log.stderr_ref();
  return post_of(claimed.effect, claimed.effect.claim->token, outcome);
}

Error interrupted(const std::string& message, const std::string& hint) {
  return {Exit::kWaitsForInput, "INTERRUPTED", message, hint};
}

/// This command goes on in a process that the guard, as which it was started, keeps an eye on.
struct Guarded {
  pid_t guard = ::getpid();
  Descriptor lifeline = go_on_guarded();
};

/// The machine, on which nobody waits any longer when a signal ends this command.
class HostToEnd final : public Host {
 public:
  HostToEnd(Host& host, EndSignals& signals, const Descriptor& lifeline)
      : x_host(host), x_signals(signals), x_lifeline(lifeline) {}

  std::string name() override { return x_host.name(); }
  std::string boot() override { return x_host.boot(); }
  std::optional<uint64_t> start_time(uint64_t pid) override { return x_host.start_time(pid); }
  bool has_ended(uint64_t pid, uint64_t start_time) override {
    return x_host.has_ended(pid, start_time);
  }
  void pause(int64_t ms) override {
    if (!x_signals.pause(ms) && !guard_has_ended(x_lifeline)) return;
    throw interrupted("a signal ended the waiting", "nothing was claimed, and nothing run");
  }

 private:
  Host& x_host;
  EndSignals& x_signals;
  const Descriptor& x_lifeline;
};

Claimed claim(const Arguments& arguments, const Session& session,
              const Session::RunAndEffect& named, const Guarded& guarded, EndSignals& signals) {
  HostToEnd host(session.context().host, signals, guarded.lifeline);
  const Context& outer = session.context();
  const Context context{.clock = outer.clock,
                        .random = outer.random,
                        .scripts = outer.scripts,
                        .host = host,
                        .built_ins = outer.built_ins,
                        .author = outer.author,
                        .lock_timeout_ms = outer.lock_timeout_ms,
                        .force = outer.force,
                        .changes = outer.changes,
                        .memory = outer.memory};
  ClaimRequest request = claim_flags(arguments, context);
  if (request.lease_ms < kShortestLeaseMs) {
    throw Error(Exit::kUsage, "INVALID_ARGUMENT",
                "--lease is 1s or more: each third of it a record renews the claim", {});
  }
  request.effect = named.effect;
  request.pid = static_cast<uint64_t>(guarded.guard);
  return claim_effect(*named.run.dir, context, request);
}

Program program_to_run(const Arguments& arguments) {
  Program program{.words = arguments.program(),
                  .input = Program::Input::kOwn,
                  .signals = Program::Signals::kEndProgram};
  if (program.words.empty()) {
    throw Error(Exit::kUsage, "MISSING_ARGUMENT", "task:exec needs a command behind --",
                "as in: reprise task:exec @last --key build -- make all");
  }
  if (const auto timeout = arguments.value("--timeout")) {
    program.timeout_ms = parse_duration_ms(*timeout, "--timeout");
  }
  return program;
}

/// What is to be known of the command's logs.
void warn_of(const TaskLog& log, Reply& reply) {
  for (const bool is_error : {false, true}) {
    if (log.whole(is_error)) continue;
    reply.warnings.push_back(std::string("only the first 16 MiB of the command's ") +
                             (is_error ? "stderr" : "stdout") + " are kept");
  }
  if (!log.problem().empty()) {
    reply.warnings.push_back("the command's logs are not kept: " + log.problem());
  }
}

Document end_document(const RunHandle& run, const RunState& state, const OpenEffect& effect,
                      const ProgramEnd& end) {
  Document document = run_document(run, state);
  document["effectId"] = format_effect_id(effect.id);
  document["attempt"] = effect.attempt;
  document["exitCode"] = end.exit_code;
  return document;
}

/// As run:drive does when it is stopped: the effect is pending again, in the same attempt.
Reply give_back(const Session& session, const RunHandle& run, const Claimed& claimed,
                const LeaseRequest& lease, const ProgramEnd& end, const TaskLog& log) {
  const std::string id = format_effect_id(claimed.effect.id);
  const std::string signal = end_signal_name(end.signal);
  RunState state = claimed.state;
  Reply reply{.exit = Exit::kWaitsForInput};
  try {
    state = release_claim(*run.dir, session.context(), lease).state;
    reply.warnings.push_back(signal + " ended the command; nothing was posted, and " + id +
                             " can be taken again, in the same attempt");
  } catch (const Error& error) {
    reply.warnings.push_back(signal + " ended the command; nothing was posted, and the claim of " +
                             id + " was not given back: " + error.message());
  }
  reply.document = end_document(run, state, claimed.effect, end);
  reply.document["status"] = "interrupted";
  reply.document["stoppedBy"] = signal;
  reply.document["stdoutRef"] = log.stdout_ref();
  reply.document["stderrRef"] = log.stderr_ref();
  reply.document["recorded"] = false;
  reply.document["runStatus"] = status_name(state.status());
  return reply;
}

Reply post_program_end(const Session& session, const RunHandle& run, const Post& post,
                       const ProgramEnd& end) {
  const Posted posted = post_result(*run.dir, session.context(), post);
  Reply reply{.document = end_document(run, posted.state, posted.effect, end),
              .exit = static_cast<Exit>(end.exit_code),
              .warnings = posted.notes};
  if (end.timed_out && end.exit_code == 0) reply.exit = Exit::kNo;
  reply.document["status"] = post.ok ? "ok" : "error";
  reply.document["stdoutRef"] = posted.stdout_ref;
  reply.document["stderrRef"] = posted.stderr_ref;
  reply.document["recorded"] = posted.recorded;
  if (posted.late) reply.document["late"] = true;
  reply.document["runStatus"] = status_name(posted.state.status());
  return reply;
}

/// What is not what the task asks for is no result, but an error of this attempt.
Reply post_judged(const Session& session, const RunHandle& run, Post post, const ProgramEnd& end) {
  try {
    return post_program_end(session, run, post, end);
  } catch (const Error& error) {
    if (error.code() != "OUTPUT_INVALID" && error.code() != "SCHEMA_INVALID") throw;
    auto reply = post_program_end(session, run, post_of_violation(std::move(post), error), end);
    reply.warnings.push_back("an error was posted, for " + error.message());
    if (reply.exit == Exit::kOk) reply.exit = Exit::kNo;
    return reply;
  }
}

/// Refused before the command runs, as its result would be. What no result could be judged by is
/// the effect's error at once.
std::optional<Reply> judge_before(const Session& session, const RunHandle& run,
                                  const Claimed& claimed, const LeaseRequest& lease) {
  JsonReader reader;
  const auto& effect = claimed.effect;
  const auto definition = load_request(*run.dir, effect.place, reader).definition;
  Post post{.effect = lease.effect, .ok = false, .token = lease.token};
  if (const auto refusal = bad_schema(effect, definition)) {
    return post_judged(session, run, post_of_violation(std::move(post), *refusal),
                       {.exit_code = 1});
  }
  if (effect.kind != "breakpoint") return std::nullopt;
  post.value = parse_error_value("a rehearsal", "an error");
  post.inside_executor = !environment("REPRISE_EFFECT").empty();
  post.dry_run = true;
  try {
    post_result(*run.dir, session.context(), post);
  } catch (const Error&) {
    release_claim(*run.dir, session.context(), lease);
    throw;
  }
  return std::nullopt;
}

[[noreturn]] void refuse_lost(const RunHandle& run, const std::string& id) {
  throw Error(Exit::kConflict, "CLAIM_STALE",
              "the claim of " + id +
                  " was lost while the command ran; it was stopped, and nothing was posted",
              "reprise task:show " + run.name + " " + id + " shows who has it now");
}

}  // namespace

Reply task_exec(const Arguments& arguments) {
  const Guarded guarded;
  const Session session(arguments);
  Program program = program_to_run(arguments);
  const auto named = session.find_effect("--key");
  Dir& run = *named.run.dir;
  EndSignals signals;
  const Claimed claimed = claim(arguments, session, named, guarded, signals);
  const std::string id = format_effect_id(claimed.effect.id);

  program.environment = environment_of(session.workspace(), named.run, claimed);
  program.tick_ms = std::max<int64_t>(claimed.effect.claim->lease_ms / 3, 1);
  const LeaseRequest lease{.effect = {.id = claimed.effect.id, .key = {}},
                           .token = claimed.effect.claim->token};
  if (auto reply = judge_before(session, named.run, claimed, lease)) return std::move(*reply);
  if (prints_result(claimed.effect)) program.tail_bytes = kPrintedBytes;
  program.lifeline = guarded.lifeline.get();
  const auto flag = [&arguments](std::string_view name) { return arguments.value(name); };
  const bool text = output_options(flag, false).mode == OutputMode::kText;
  const auto started_at = session.context().clock.now_ms();
  TaskLog log(run, id, claimed.effect.attempt, kTaskLogBytes);
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
  if (end.stopped && end.signal == 0 && guard_has_ended(guarded.lifeline)) {
    throw interrupted("task:exec was killed; the command was ended, and nothing was posted", {});
  }
  if (end.stopped && end.signal == 0) refuse_lost(named.run, id);
  if (!end.problem.empty()) write_err("reprise: " + end.problem + "\n");
  log.close();
  Reply reply;
  if (end.signal != 0) {
    reply = give_back(session, named.run, claimed, lease, end, log);
  } else {
    Post post = post_of_program(claimed, program, end, log);
    post.started_at = format_time(started_at);
    post.finished_at = format_time(session.context().clock.now_ms());
    reply = post_judged(session, named.run, std::move(post), end);
  }
  signals.forget();
  warn_of(log, reply);
  return reply;
}

// What the command wrote is all that standard output holds.
std::string task_exec_text(const Document&, const Style&) { return {}; }

}  // namespace reprise
