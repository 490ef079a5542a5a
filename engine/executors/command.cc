// A program that takes a task and gives a result: how it is told and where in its output things
// stand is configuration, and a preset is such configuration (presets.cc).
#include <algorithm>
#include <cctype>
#include <memory>
#include <string>
#include <vector>

#include "engine/executors/executors.h"
#include "engine/executors/json_fields.h"
#include "engine/executors/outcome.h"
#include "engine/executors/presets.h"
#include "engine/executors/prompt.h"
#include "engine/executors/reading.h"
#include "engine/executors/task_program.h"
#include "engine/json_writer.h"
#include "journal/error.h"
#include "journal/real_files.h"

namespace reprise {

namespace {

/// Output that is longer is no result.
constexpr size_t kResultBytes = size_t{256} << 20U;

/// The prompt, behind what the agent is told with all of its work; a session that goes on has heard
/// that.
std::string told_text(const Work& work) {
  const auto task = parse_object(work.definition);
  const auto& agent = field(task, "agent");
  const auto instructions = text_field(agent, "instructions");
  const bool heard = !text_field(agent, "session").empty() && !flag_field(agent, "fork");
  const auto prompt = prompt_text(work);
  return instructions.empty() || heard ? prompt : instructions + "\n\n" + prompt;
}

/// What it is given on standard input as "task".
std::string task_document(const Work& work) {
  return JsonWriter()
             .text("schemaVersion", "reprise.work.1")
             .text("runId", work.run)
             .text("effectId", work.effect)
             .number("attempt", work.attempt)
             .text("idempotencyKey", work.idempotency_key)
             .text("kind", work.kind)
             .text("taskId", work.task)
             .text("label", work.label)
             .raw("taskDef", work.definition.empty() ? "{}" : work.definition)
             .raw("inputs", work.inputs.empty() ? "null" : work.inputs)
             .text("prompt", told_text(work))
             .done() +
         "\n";
}

/// The prompt as a file of the task's folder, as long as somebody may read it.
class PromptFile {
 public:
  PromptFile(const Work& work, bool wanted)
      : x_run(wanted ? open_real_dir(work.run_dir, false) : nullptr),
        x_name("tasks/" + work.effect + "/prompt.txt") {
    if (x_run == nullptr) return;
    x_run->make_dir("tasks/" + work.effect);
    replace_file(*x_run, x_name, told_text(work), false);
  }
  ~PromptFile() {
    try {
      if (x_run != nullptr) x_run->remove(x_name);
    } catch (const Error&) {
      return;  // it is a file that nothing relies on
    }
  }
  PromptFile(const PromptFile&) = delete;
  PromptFile& operator=(const PromptFile&) = delete;

  std::string path(const Work& work) const { return work.run_dir + "/" + x_name; }

 private:
  std::unique_ptr<Dir> x_run;
  std::string x_name;
};

void replace_all(std::string& text, std::string_view name, const std::string& value) {
  for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at)) {
    text.replace(at, name.size(), value);
    at += value.size();
  }
}

/// Ids come from what others answered: none may pass for an option.
bool is_session_id(std::string_view id) {
  return std::isalnum(static_cast<unsigned char>(id.front())) != 0 && id.size() <= 200 &&
         std::ranges::all_of(id, [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                  std::string_view("._:-").find(c) != std::string_view::npos;
         });
}

/// Names of models come from tasks: none may pass for an option.
bool is_model_name(std::string_view name) {
  return std::isalnum(static_cast<unsigned char>(name.front())) != 0 && name.size() <= 200 &&
         std::ranges::all_of(name, [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                  std::string_view("._:/@+-").find(c) != std::string_view::npos;
         });
}

/// What {model} stands for in a task that names one.
std::vector<std::string> model_words(const OrderedJson& settings, const OrderedJson& agent) {
  const auto model = text_field(agent, "model");
  if (model.empty() || !is_model_name(model)) return {};
  auto words = texts_field(settings, "model");
  for (auto& word : words) replace_all(word, "{model}", model);
  return words;
}

/// What {resume}, {fork} and {plan} stand for in a task whose agent goes on with a session, leaves
/// that session as it is, or only plans. Who cannot fork begins anew.
std::vector<std::string> session_words(const OrderedJson& settings, const OrderedJson& agent,
                                       const std::string& name) {
  const auto session = text_field(agent, "session");
  const bool forks = flag_field(agent, "fork");
  const bool resumes = !session.empty() && (!forks || settings.contains("fork"));
  const bool wanted =
      name == "plan" ? flag_field(agent, "plan") : resumes && (name == "resume" || forks);
  auto words = wanted ? texts_field(settings, name.c_str()) : std::vector<std::string>();
  for (auto& word : words) replace_all(word, "{session}", session);
  return words;
}

/// The executor's words with what they stand for put in.
std::vector<std::string> command_words(const OrderedJson& settings, const Work& work,
                                       const OrderedJson& agent, const std::string& prompt_file) {
  std::vector<std::string> words;
  for (const char* list : {"command", "args"}) {
    for (auto& word : texts_field(settings, list)) {
      if (word == "{model}") {
        const auto more = model_words(settings, agent);
        words.insert(words.end(), more.begin(), more.end());
        continue;
      }
      if (word != "{resume}" && word != "{fork}" && word != "{plan}") {
        words.push_back(std::move(word));
        continue;
      }
      const auto more = session_words(settings, agent, word.substr(1, word.size() - 2));
      words.insert(words.end(), more.begin(), more.end());
    }
  }
  for (auto& word : words) {
    if (word == "{prompt}") {
      word = told_text(work);
      continue;
    }
    replace_all(word, "{promptFile}", prompt_file);
    replace_all(word, "{taskDir}", work.run_dir + "/tasks/" + work.effect);
    replace_all(word, "{taskFile}", work.run_dir + "/tasks/" + work.effect + "/task.json");
    replace_all(word, "{effect}", work.effect);
    replace_all(word, "{run}", work.run);
  }
  return words;
}

bool mentions(const OrderedJson& settings, std::string_view name) {
  for (const char* list : {"command", "args"}) {
    for (const auto& word : texts_field(settings, list)) {
      if (word.find(name) != std::string::npos) return true;
    }
  }
  return false;
}

int64_t timeout_ms_of_agent(const OrderedJson& task) {
  const auto of_agent_ms = number_field(field(task, "agent"), "timeoutMs");
  return of_agent_ms != 0 ? of_agent_ms : number_field(field(task, "node"), "timeoutMs");
}

/// What the program printed, as its executor reads it. Of output that is too long the end was kept:
/// among its lines may be the one that holds the result.
Outcome read_printed(const std::string& executor, const ProgramStream& printed, const Work& work) {
  std::string_view text = printed.tail;
  if (printed.bytes <= text.size()) return read_output(executor, text, work.definition);
  if (text_field(parse_object(executor), "output", "json") != "text") {
    text.remove_prefix(std::min(text.find('\n'), text.size()));
    auto read = read_output(executor, text, work.definition);
    if (read.ok || text_field(parse_object(read.value), "name") == "AgentError") return read;
  }
  return error_outcome("OutputInvalid", "the program printed " + std::to_string(printed.bytes) +
                                            " bytes, and a result has at most " +
                                            std::to_string(kResultBytes) +
                                            " (256 MiB); reprise task:logs " + work.run + " " +
                                            work.effect + " shows how its output begins");
}

/// A program that failed, and may have said why where its reading looks for it.
Outcome failed_outcome(const TaskProgramEnd& ended, const Outcome& read) {
  const bool by_itself = ended.end.timed_out || ended.end.stopped || !ended.end.problem.empty();
  if (by_itself || read.ok || text_field(parse_object(read.value), "name") != "AgentError") {
    return program_outcome(ended.end, ended.terms);
  }
  return read;
}

}  // namespace

Outcome perform_command(const Work& work, const ExecutorConfig& executor, const Policy& policy,
                        const WorkEvents& events) {
  const auto merged = with_preset(executor.json);
  const auto settings = parse_object(merged);
  const PromptFile prompt_file(work, mentions(settings, "{promptFile}"));
  const auto task = parse_object(work.definition);
  const auto& agent = field(task, "agent");
  if (const auto session = text_field(agent, "session");
      !session.empty() && !is_session_id(session)) {
    return error_outcome("TaskInvalid", "the session is no id that a command line may hold", {},
                         true);
  }
  TaskProgram program;
  program.words = command_words(settings, work, agent, prompt_file.path(work));
  if (program.words.empty()) {
    return error_outcome("ExecutorError",
                         "executor " + executor.name + " has no \"command\" and no \"preset\"", {},
                         true);
  }
  program.name = program.words.front();
  program.timeout_ms = timeout_ms_of_agent(task);
  program.folder = text_field(agent, "cwd");
  const auto told = text_field(settings, "stdin", "task");
  if (told == "task") program.input = task_document(work);
  if (told == "prompt") program.input = told_text(work);

  auto limits = program_settings(merged);
  const auto kept = limits.result_bytes;
  limits.result_bytes = kResultBytes;
  auto ended = run_task_program(program, limits, work, policy, events);
  if (ended.refused) return *ended.refused;
  Outcome read = read_printed(merged, ended.end.out, work);
  const bool failed = ended.end.exit_code != 0 || ended.end.timed_out || ended.end.stopped;
  for (auto* stream : {&ended.end.out, &ended.end.err}) {
    if (stream->tail.size() > kept) stream->tail.erase(0, stream->tail.size() - kept);
  }
  if (failed) {
    Outcome outcome = failed_outcome(ended, read);
    outcome.metadata = read.metadata;
    return ended.with_logs(std::move(outcome));
  }
  return ended.with_logs(std::move(read));
}

}  // namespace reprise
