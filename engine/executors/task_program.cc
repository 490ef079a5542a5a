#include "engine/executors/task_program.h"

#include <algorithm>
#include <filesystem>

#include "engine/executors/json_fields.h"
#include "engine/executors/policy.h"
#include "engine/executors/sandbox.h"
#include "engine/json_writer.h"
#include "engine/launch.h"
#include "journal/error.h"
#include "journal/real_files.h"

namespace reprise {

namespace {

/// How often work is asked whether it shall stop.
constexpr int64_t kTaskTickMs = 200;

Program prepare(const TaskProgram& program, const ProgramSettings& settings, const Work& work,
                const Policy& policy, const WorkEvents& events) {
  Program prepared;
  prepared.words = program.words;
  prepared.environment = work_environment(work, policy, settings, program.environment);
  prepared.folder =
      resolved_path((std::filesystem::path(settings.folder) / program.folder).string());
  if (program.input) {
    prepared.input = Program::Input::kText;
    prepared.text = *program.input;
  }
  prepared.timeout_ms = attempt_timeout_ms(work, policy, program.timeout_ms, settings.timeout_ms);
  prepared.idle_timeout_ms = settings.idle_timeout_ms;
  prepared.grace_ms = settings.grace_ms;
  prepared.tick_ms = kTaskTickMs;
  prepared.tail_bytes = settings.result_bytes;
  prepared.lifeline = events.stop_descriptor;
  return prepared;
}

}  // namespace

ProgramSettings program_settings(std::string_view executor) {
  const auto json = parse_object(executor);
  ProgramSettings settings;
  settings.folder = text_field(json, "cwd");
  settings.environment = pairs_field(json, "environment");
  settings.passed = texts_field(json, "passEnvironment");
  settings.writable = texts_field(json, "writable");
  settings.timeout_ms = duration_field(json, "timeout");
  settings.idle_timeout_ms = duration_field(json, "idleTimeout");
  settings.grace_ms = duration_field(json, "grace", settings.grace_ms);
  settings.log_bytes = size_field(json, "logBytes", settings.log_bytes);
  settings.result_bytes = size_field(json, "resultBytes", settings.result_bytes);
  return settings;
}

int64_t attempt_timeout_ms(const Work& work, const Policy& policy, int64_t of_task,
                           int64_t of_executor) {
  auto said_ms = of_task != 0 ? of_task : of_executor;
  if (said_ms == 0 && work.timeout_ms == 0) said_ms = policy.timeout_of(work.kind);
  if (work.timeout_ms == 0 || said_ms == 0) return std::max(work.timeout_ms, said_ms);
  return std::min(work.timeout_ms, said_ms);
}

Outcome TaskProgramEnd::with_logs(Outcome outcome) const {
  if (refused) return *refused;
  outcome.stdout_ref = stdout_ref;
  outcome.stderr_ref = stderr_ref;
  if (outcome.metadata.empty()) outcome.metadata = metadata;
  return outcome;
}

TaskProgramEnd run_task_program(const TaskProgram& program, const ProgramSettings& settings,
                                const Work& work, const Policy& policy, const WorkEvents& events) {
  Program prepared = prepare(program, settings, work, policy, events);
  TaskProgramEnd ended;
  ended.terms = {.name = program.name,
                 .timeout_ms = prepared.timeout_ms,
                 .idle_timeout_ms = prepared.idle_timeout_ms};
  if (const auto denial = find_denial(policy, prepared.words, prepared.folder)) {
    ended.refused = denial_outcome(*denial);
    return ended;
  }
  std::error_code ignored;
  if (!std::filesystem::is_directory(prepared.folder, ignored)) {
    ended.refused =
        error_outcome("CommandFailed", program.name + " cannot begin in " + prepared.folder +
                                           ": there is no such folder");
    return ended;
  }
  const auto run = open_real_dir(work.run_dir, false);
  if (run == nullptr) {
    throw Error(Exit::kNotFound, "RUN_NOT_FOUND", "the run's folder " + work.run_dir + " is gone");
  }
  run->make_dir("tasks/" + work.effect);
  ended.refused = enter_sandbox(prepared, work, policy, settings.writable);
  if (ended.refused) return ended;

  TaskLog log(*run, work.effect, work.attempt, settings.log_bytes);
  ended.end = run_program(
      prepared,
      [&](bool is_error, std::string_view bytes) {
        log.write(is_error, bytes);
        if (events.output) events.output(is_error, bytes);
      },
      [&] { return !events.stopped || !events.stopped(); });
  log.close();
  ended.stdout_ref = log.stdout_ref();
  ended.stderr_ref = log.stderr_ref();
  if (!log.problem().empty()) {
    ended.metadata = JsonWriter().text("logProblem", valid_text(log.problem())).done();
  }
  return ended;
}

}  // namespace reprise
