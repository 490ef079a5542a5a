// run:drive and run:start.
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <memory>

#include "cli/ask_people.h"
#include "cli/commands.h"
#include "cli/configured.h"
#include "cli/creation.h"
#include "cli/drive_document.h"
#include "cli/drive_lines.h"
#include "cli/iteration.h"
#include "cli/live_view.h"
#include "cli/output.h"
#include "cli/process_flags.h"
#include "cli/run_documents.h"
#include "cli/session.h"
#include "cli/streams.h"
#include "cli/user_files.h"
#include "cli/user_values.h"
#include "engine/approval.h"
#include "engine/drive/real_performers.h"
#include "engine/drive/work.h"

namespace reprise {
namespace {

constexpr uint64_t kMostJobs = 256;

/// Asks on the terminal between what another listener says; keeps what processes log.
class Listener final : public DriveListener {
 public:
  Listener(const Session& session, std::string runs_path, std::unique_ptr<DriveListener> inner,
           bool interactive, Style style)
      : x_session(session), x_runs_path(std::move(runs_path)), x_inner(std::move(inner)) {
    if (interactive) x_ask.emplace(session, style);
  }

  void started(const DriveWork& work) override { x_inner->started(work); }
  void output(const DriveWork& work, bool is_error, std::string_view bytes) override {
    x_inner->output(work, is_error, bytes);
  }
  void progress(const DriveWork& work, std::string_view json) override {
    x_inner->progress(work, json);
  }
  void finished(const DriveWork& work, const Post& post, const Posted& posted) override {
    x_inner->finished(work, post, posted);
  }
  void dropped(const DriveWork& work, const std::string& why) override {
    x_inner->dropped(work, why);
  }
  void expired(const DriveWork& work, int64_t at_ms) override { x_inner->expired(work, at_ms); }
  void stopping(const std::string& run, size_t running) override {
    x_inner->stopping(run, running);
  }
  void logged(const std::string& run, const std::vector<LogLine>& lines) override {
    x_session.workspace().append_log(x_runs_path + "/" + run, lines);
    x_inner->logged(run, lines);
  }
  void noted(const std::string& run, const std::string& note) override {
    x_inner->noted(run, note);
  }
  bool idle(std::span<const DrivenRun> runs) override {
    if (x_ask && x_ask->look(runs)) return true;
    return x_inner->idle(runs);
  }

 private:
  const Session& x_session;
  std::string x_runs_path;
  std::unique_ptr<DriveListener> x_inner;
  std::optional<AskPeople> x_ask;
};

std::unique_ptr<DriveListener> make_listener(const Arguments& arguments, const Session& session,
                                             const std::string& runs_path) {
  const auto flag = [&arguments](std::string_view name) { return arguments.value(name); };
  const OutputOptions options = output_options(flag, colour_terminal());
  const bool interactive = arguments.has("--interactive");
  std::unique_ptr<DriveListener> inner = std::make_unique<SilentDrive>();
  if (options.pointer || options.mode == OutputMode::kNone) {
    // One value, or nothing, at the end.
  } else if (options.mode != OutputMode::kText) {
    inner = std::make_unique<JsonDriveLines>();
  } else if (draws_on_terminal() && !interactive) {
    inner = std::make_unique<LiveDrive>(options.style, session.context().clock);
  } else {
    inner = std::make_unique<TextDriveLines>(options.style);
  }
  return std::make_unique<Listener>(session, runs_path, std::move(inner), interactive,
                                    options.style);
}

DriveRequest read_drive_request(const Arguments& arguments, const Session& session,
                                const Config& config) {
  DriveRequest request;
  const auto& author = session.context().author;
  request.pid = static_cast<uint64_t>(::getpid());
  request.worker = "run:drive " + author.user + "@" + author.host;
  request.jobs = std::max<uint64_t>(arguments.count("--jobs").value_or(config.jobs), 1);
  if (request.jobs > kMostJobs) {
    throw Error(Exit::kUsage, "INVALID_ARGUMENT", "--jobs is at most " + std::to_string(kMostJobs),
                {});
  }
  if (config.lease_ms > 0) request.lease_ms = config.lease_ms;
  request.min_free_bytes = config.min_free_bytes;
  if (const auto wait = arguments.value("--wait")) {
    request.wait_ms = parse_duration_ms(*wait, "--wait");
  }
  if (const auto seconds = arguments.count("--max-seconds")) {
    using Time = std::chrono::steady_clock;
    request.enough = [until = Time::now() + std::chrono::seconds(*seconds)](const RunState&) {
      return Time::now() >= until;
    };
  }
  if (arguments.has("--interactive") &&
      (::isatty(STDIN_FILENO) != 1 || ::isatty(STDOUT_FILENO) != 1)) {
    throw Error(Exit::kUsage, "INVALID_ARGUMENT", "--interactive needs a terminal",
                "answer with reprise approval:approve instead");
  }
  return request;
}

// What is not performed; nullptr: it is.
const char* awaited_party(const OpenEffect& effect) {
  if (asks_people(effect)) return "people";
  if (effect.kind == kSleepKind) return "time";
  return is_engines_kind(effect.kind) ? "run" : nullptr;
}

// What would be performed, and by whom.
Reply plan_drive(const Session& session, const RunHandle& run, const Performers& performers) {
  const RunState state = read_state(*run.dir).state;
  JsonReader reader;
  Reply reply{.document = run_document(run, state)};
  reply.document["event"] = "plan";
  reply.document["status"] = status_name(state.status());
  Document& plan = reply.document["plan"] = Document::array();
  for (const auto& [id, effect] : state.open) {
    Document item = effect_identity(state, effect);
    add_standing(item, effect, session.context().clock.now_ms(), session.context().host);
    const Work work = work_of(session.workspace().home_of(run).path, state, effect,
                              load_request(*run.dir, effect.place, reader));
    const auto* executor = performers.choose(work);
    item["executor"] = executor == nullptr ? Document(nullptr) : Document(executor->name);
    if (const char* waits = awaited_party(effect)) item["waitsFor"] = waits;
    add_question(item, *run.dir, effect, reader);
    plan.push_back(std::move(item));
  }
  return reply;
}

Reply drive_run(const Arguments& arguments, const Session& session, const RunHandle& run,
                const Config& config, Performers& performers, DriveRequest request) {
  request.run = run.name;
  const HomePlace home = session.workspace().home_of(run);
  request.home = home.path;
  const Neighbours neighbours(run);
  DriveEnd end;
  {
    const auto listener = make_listener(arguments, session, neighbours.folder().path);
    end = drive(neighbours.folder(), session.context(), performers, *listener, request);
  }
  Reply reply{.document =
                  end.failure ? new_document() : drive_document(run, neighbours.folder(), end)};
  if (end.failure && end.unstored.empty()) throw Error(*end.failure);
  reply.warnings = config.warnings;
  reply.exit = end.failure ? end.failure->exit() : drive_exit(end);
  warn_of_space(reply, end, request.min_free_bytes);
  if (end.failure) {
    reply.document["event"] = "failed";
    reply.document["runId"] = run.name;
    reply.document["error"] = {{"code", end.failure->code()}, {"message", end.failure->message()}};
    reply.warnings.push_back(end.failure->message());
  }
  if (!end.unstored.empty()) spool_results(reply.document, session, home.path, end);
  return reply;
}

}  // namespace

Reply run_drive(const Arguments& arguments) {
  const Session session(arguments);
  const RunHandle run = session.find_run();
  const HomePlace home = session.workspace().home_of(run);
  const Config config = configuration(arguments, home);
  RealPerformers performers(config);
  if (arguments.has("--dry-run")) return plan_drive(session, run, performers);
  const DriveRequest request = read_drive_request(arguments, session, config);
  require_trust(home);
  return drive_run(arguments, session, run, config, performers, request);
}

Reply run_start(const Arguments& arguments) {
  const Session session(arguments);
  ProcessChoice choice = choose_entry(arguments.positional("PROCESS"), session.working_dir());
  choice.process_id = arguments.value("--process-id").value_or("");
  const auto file = arguments.value("--inputs");
  const std::string document =
      file ? read_user_file(*file, {session.working_dir()}, "--inputs") : std::string();
  const CreateRequest request = read_creation(arguments, std::move(choice),
                                              make_inputs(document, arguments.positionals("K=V")));
  Workspace workspace = session.workspace(!request.dry_run);
  const Config config = configuration(arguments, workspace.home());
  RealPerformers performers(config);
  const DriveRequest drive = read_drive_request(arguments, session, config);
  if (!request.dry_run) require_trust(workspace.home());
  const CreatedRun created = create_in(workspace, session, request);
  auto warnings = doubts_of_inputs(session, request, arguments.positionals("K=V"));
  if (request.dry_run) {
    Reply reply{.document = new_document()};
    reply.document["event"] = "plan";
    reply.document["runId"] = created.run_id;
    reply.document["runDir"] = created.run_dir;
    reply.document["processId"] = created.process_id;
    reply.warnings = std::move(warnings);
    return reply;
  }
  // Now, not when hours of work are done.
  for (const auto& warning : warnings) write_err("reprise: warning: " + shown(warning) + "\n");
  return drive_run(arguments, session, workspace.find(created.run_id), config, performers, drive);
}

}  // namespace reprise
