// Shell and node tasks as babysitter's processes write them (docs/executors.md, "Shell tasks").
#include "engine/executors/executors.h"
#include "engine/executors/json_fields.h"
#include "engine/executors/outcome.h"
#include "engine/executors/reading.h"
#include "engine/executors/task_program.h"
#include "engine/launch.h"

namespace reprise {

namespace {

/// Of the first of these members that the task gives: milliseconds, or "30s".
int64_t timeout_ms_of_part(const OrderedJson& part) {
  for (const char* name : {"timeoutMs", "timeout"}) {
    if (field(part, name).is_string()) return duration_field(part, name);
    if (const auto timeout_ms = number_field(part, name); timeout_ms != 0) return timeout_ms;
  }
  return 0;
}

/// A member of another type than the task needs: nothing of it is guessed. Empty: none.
std::string misfit(const OrderedJson& part) {
  const auto is = [&part](const char* name, auto fits) {
    const auto& member = field(part, name);
    return member.is_null() || fits(member);
  };
  const auto text = [](const OrderedJson& it) { return it.is_string(); };
  const auto number = [](const OrderedJson& it) { return it.is_number_integer(); };
  for (const char* name : {"timeout", "timeoutMs"}) {
    const auto time = [&](const OrderedJson& it) {
      return it.is_number() || (it.is_string() && duration_field(part, name) > 0);
    };
    if (!is(name, time))
      return std::string(name) + R"( is neither milliseconds nor a text as "30s")";
  }
  if (!is("env", [](const OrderedJson& it) { return it.is_object(); })) return "env is no object";
  if (!is("expectedExitCode", number)) return "expectedExitCode is no whole number";
  if (!is("cwd", text)) return "cwd is no text";
  if (!is("stdin", text)) return "stdin is no text";
  return {};
}

void describe(TaskProgram& program, const OrderedJson& part) {
  program.folder = text_field(part, "cwd");
  program.environment = pairs_field(part, "env");
  program.timeout_ms = timeout_ms_of_part(part);
  const auto& input = field(part, "stdin");
  if (input.is_string()) program.input = input.get<std::string>();
}

/// A line goes to a shell; a command with args, or as a list, is run as it is.
std::optional<TaskProgram> shell_program(const OrderedJson& part, const OrderedJson& settings) {
  TaskProgram program;
  describe(program, part);
  const auto& command = field(part, "command");
  const auto args = texts_field(part, "args");
  if (command.is_string() && field(part, "args").is_null()) {
    auto shell = text_field(settings, "shell");
    if (shell.empty()) shell = find_program("bash", own_environment()).empty() ? "sh" : "bash";
    program.name = "the command";
    program.words = {shell, "-c", command.get<std::string>()};
    return program;
  }
  program.words = texts_field(part, "command");
  program.words.insert(program.words.end(), args.begin(), args.end());
  if (program.words.empty() || program.words.front().empty()) return std::nullopt;
  program.name = program.words.front();
  return program;
}

std::optional<TaskProgram> node_program(const OrderedJson& part, const OrderedJson& settings) {
  const auto entry = text_field(part, "entry");
  if (entry.empty()) return std::nullopt;
  TaskProgram program;
  describe(program, part);
  program.name = "node " + entry;
  program.words = {text_field(settings, "node", "node"), entry};
  for (const auto& argument : texts_field(part, "args")) program.words.push_back(argument);
  return program;
}

}  // namespace

Outcome perform_shell(const Work& work, const ExecutorConfig& executor, const Policy& policy,
                      const WorkEvents& events) {
  const auto task = parse_object(work.definition);
  const auto settings = parse_object(executor.json);
  const bool is_node = field(task, "node").is_object() && !field(task, "shell").is_object();
  const auto& part = field(task, is_node ? "node" : "shell");
  if (const auto wrong = misfit(part); !wrong.empty()) {
    return error_outcome("TaskInvalid", (is_node ? "node." : "shell.") + wrong, {}, true);
  }
  const auto program = is_node ? node_program(part, settings) : shell_program(part, settings);
  if (!program) {
    return error_outcome("TaskUnsupported",
                         "executor " + executor.name +
                             " runs tasks with shell.command or "
                             "node.entry, and this one has neither",
                         {}, true);
  }
  auto ended = run_task_program(*program, program_settings(executor.json), work, policy, events);
  if (ended.refused) return *ended.refused;
  ended.terms.expected_exit_code = static_cast<int>(number_field(part, "expectedExitCode"));
  auto outcome = program_outcome(ended.end, ended.terms);
  if (is_node) take_printed_value(outcome, ended.end);
  return ended.with_logs(std::move(outcome));
}

}  // namespace reprise
