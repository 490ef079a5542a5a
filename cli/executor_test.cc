// executor:test: one piece of work outside of any run, by a worker as run:drive would have it done.
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "cli/commands.h"
#include "cli/configured.h"
#include "cli/output.h"
#include "cli/session.h"
#include "cli/streams.h"
#include "cli/text.h"
#include "cli/user_files.h"
#include "engine/executors/match.h"
#include "engine/executors/prompt.h"
#include "engine/executors/worker.h"
#include "journal/error.h"
#include "journal/ids.h"
#include "journal/real_files.h"
#include "journal/value.h"

namespace reprise {
namespace {

constexpr int64_t kWaitMs = 1000;
constexpr size_t kPromptWidth = 400;

// A folder that looks like a run to the executor, gone at the end.
class Scratch {
 public:
  explicit Scratch(const std::string& id) {
    std::error_code ignored;
    x_path = (std::filesystem::temp_directory_path(ignored) / ("reprise-test-" + id)).string();
    x_dir = open_real_dir(x_path, true);
    x_dir->make_dir("tasks/t1");
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(x_path, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::string& path() const { return x_path; }
  Dir& dir() { return *x_dir; }

 private:
  std::string x_path;
  std::unique_ptr<Dir> x_dir;
};

std::string definition_of(const Arguments& arguments, const Session& session) {
  const auto file = arguments.value("--task");
  const auto prompt = arguments.value("--prompt");
  if (file && prompt) {
    throw Error(Exit::kUsage, "INVALID_ARGUMENT", "--task and --prompt exclude each other",
                "a task's file holds its prompt");
  }
  if (file) {
    const auto text = read_user_file(*file, {session.working_dir()}, "--task");
    return parse_value(text, "--task").text;
  }
  if (!prompt) {
    throw Error(Exit::kUsage, "MISSING_ARGUMENT", "there is no task to perform",
                "give one by --task FILE, or a --prompt");
  }
  // Whoever takes prompts takes the first, and a shell the second.
  return print_json({{"kind", "agent"},
                     {"title", "test"},
                     {"agent", {{"prompt", *prompt}}},
                     {"shell", {{"command", *prompt}}}});
}

const ExecutorConfig& find_executor(const Config& config, const std::string& name) {
  for (const ExecutorConfig& executor : config.executors) {
    if (executor.name == name) return executor;
  }
  throw Error(Exit::kNotFound, "EXECUTOR_NOT_FOUND", "there is no executor " + name,
              "reprise executor:list shows those that there are");
}

Work trial_work(const Arguments& arguments, const std::string& definition, const Scratch& scratch) {
  const Document task = Document::parse(definition);
  const auto text = [&](const char* name, const std::string& otherwise) {
    return task.is_object() && task.contains(name) && task[name].is_string()
               ? task[name].get<std::string>()
               : otherwise;
  };
  Work work;
  work.run = "test";
  work.run_dir = scratch.path();
  work.effect = "t1";
  work.idempotency_key = "test/t1";
  work.kind = arguments.value("--kind").value_or(text("kind", "agent"));
  work.task = text("taskId", "test");
  work.label = text("label", text("title", "test"));
  work.agent = agent_name(definition);
  work.definition = definition;
  work.inputs = task.is_object() && task.contains("inputs") ? task["inputs"].dump() : "{}";
  return work;
}

// On a terminal its output is shown while it comes; a signal stops it.
Outcome wait_for_outcome(Workers& workers, uint64_t worker, bool shows) {
  while (true) {
    int signal = 0;
    for (const auto& event : workers.wait(kWaitMs, signal)) {
      if (event.kind == WorkerEvent::Kind::kOutcome) return event.outcome;
      if (event.kind == WorkerEvent::Kind::kOutput && shows) write_err(shown_lines(event.bytes));
    }
    if (signal == SIGINT || signal == SIGTERM) workers.stop(worker);
  }
}

}  // namespace

Reply executor_test(const Arguments& arguments) {
  const Session session(arguments);
  const HomePlace home = session.workspace_to_read().home();
  const Config config = configuration(arguments, home);
  const ExecutorConfig& executor = find_executor(config, arguments.positional("NAME"));
  require_trust(home);
  const auto definition = definition_of(arguments, session);
  Scratch scratch(make_ulid(session.context().clock.now_ms(), session.context().random));
  const Work work = trial_work(arguments, definition, scratch);
  write_new_file(scratch.dir(), "tasks/t1/task.json", definition + "\n", false);

  Workers workers;
  const auto flag = [&arguments](std::string_view name) { return arguments.value(name); };
  const bool shows =
      output_options(flag, false).mode == OutputMode::kText && ::isatty(STDERR_FILENO) == 1;
  const auto outcome =
      wait_for_outcome(workers, workers.start(work, executor, config.policy), shows);

  Reply reply{.document = new_document(), .exit = outcome.ok ? Exit::kOk : Exit::kNo};
  Document& document = reply.document;
  document["executor"] = executor.name;
  document["type"] = executor.type;
  document["status"] = outcome.ok ? "ok" : "error";
  document[outcome.ok ? "value" : "error"] = raw_json(outcome.value);
  document["metadata"] = raw_json(outcome.metadata);
  document["prompt"] = prompt_text(work);
  document["durationMs"] = outcome.finished_at_ms - outcome.started_at_ms;
  return reply;
}

std::string executor_test_text(const Document& document, const Style& style) {
  const std::string status = document["status"];
  std::string text = paint(style, Colour::kBold, shown(document["executor"].get<std::string>())) +
                     "  " + paint(style, status_colour(status), status) + "  after " +
                     std::to_string(document["durationMs"].get<int64_t>()) + " ms\n";
  Table table;
  const auto row = [&table](const char* name, const std::string& value) {
    table.add({{name, Colour::kDim}, {shown(value, kPromptWidth)}});
  };
  row("prompt", document["prompt"]);
  row(status == "ok" ? "value" : "error", json_of(document[status == "ok" ? "value" : "error"]));
  if (!document["metadata"].is_null()) row("metadata", json_of(document["metadata"]));
  return text + table.print(style, "  ");
}

}  // namespace reprise
