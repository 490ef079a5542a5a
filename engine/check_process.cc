// The text tells what a run would only show later or never (two tasks of one id, a member that ctx
// has not); the rest is found by running the file. What the engine says of an error is turned into
// a word for it by its message: the messages are this program's own, but for that of a call of
// nothing.
#include "engine/check_process.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "engine/sample_inputs.h"
#include "engine/schema.h"
#include "engine/script_hints.h"
#include "engine/script_machine.h"
#include "engine/shape_faults.h"
#include "engine/source_calls.h"
#include "engine/source_facts.h"
#include "engine/task_options.h"
#include "journal/error.h"
#include "journal/json_reader.h"
#include "journal/value.h"

namespace reprise {

namespace {

constexpr int64_t kSomeTimeMs = 1'767'225'600'000;  // 2026-01-01: the same answer every day

std::vector<std::string> ctx_members(const ScriptHost& host) {
  const PinnedSource probe{"members.js",
                           "export function process(inputs, ctx) { return Object.keys(ctx); }"};
  std::vector<std::string> names;
  const auto output = script_output(host, {probe}, probe.path, kCheckBudgetMs);
  for (const auto name : array_elements(output.value())) names.push_back(unquote(name));
  std::ranges::sort(names);
  return names;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// One file under judgement.
class Judgement {
 public:
  Judgement(const ScriptHost& host, const FileToCheck& file,
            const std::vector<std::string>& members)
      : x_host(host), x_file(file), x_members(members) {}

  CheckedFile judge(const SourceReader& read, const std::optional<std::string>& inputs) {
    const auto text = read(x_file.path);
    if (!text) return unreadable("there is no such file");
    const auto tokens = read_tokens(*text);
    if (!x_file.named && !exports_process(tokens)) return {.status = CheckedFile::Status::kSkipped};
    x_function = find_process_function(*text, tokens);
    if (!pin(read)) return done();
    look_at_texts();
    if (!x_importable) return done();
    choose_inputs(tokens, inputs);
    run();
    return done();
  }

  CheckedFile unreadable(const std::string& why) {
    add({}, "FILE_UNREADABLE", why);
    x_result.status = CheckedFile::Status::kError;
    return std::move(x_result);
  }

 private:
  CheckedFile done() {
    if (!x_result.problems.empty()) x_result.status = CheckedFile::Status::kProblem;
    if (x_skipped) return {.status = CheckedFile::Status::kSkipped};
    return std::move(x_result);
  }

  void add(const SourcePlace& place, const std::string& code, const std::string& message,
           const std::string& file = {}) {
    x_result.problems.push_back(
        {file.empty() ? x_file.path : file, place.line, place.column, code, message});
  }

  /// From a document of the module or of an import: {"name"?,"message","file"?,"line"?,"column"?}.
  void add_error(const Members& error, const std::string& code, const std::string& message) {
    const auto file = error.text("file");
    if (file.empty()) return add(x_function.place, code, message);
    const SourcePlace place{static_cast<uint32_t>(error.number("line")),
                            static_cast<uint32_t>(error.number("column"))};
    add(place, code, message, file.starts_with('/') ? file : below_root(file));
  }

  static std::string said(const Members& error) {
    const auto name = error.text("name");
    const auto message = error.text("message");
    const auto hint = script_hint(message, error.text("file"));
    return (name.empty() ? "" : name + ": ") + message + (hint.empty() ? "" : "; " + hint);
  }

  bool pin(const SourceReader& read) {
    const auto refuse = [&](const Error& error) {
      JsonReader reader;
      const auto& details = reader.members_of_copy(error.details());
      add_error(details, error.code(), said(details));
      x_importable = false;
    };
    try {
      x_program = pin_program(x_host, x_file.path, read, refuse);
      return true;
    } catch (const Error& error) {
      if (error.exit() != Exit::kUsage || error.details().empty()) throw;
      JsonReader reader;
      const auto& details = reader.members_of_copy(error.details());
      add_error(details, "SYNTAX_ERROR", said(details));
      return false;
    }
  }

  void look_at_texts() {
    for (const auto& source : x_program.sources) {
      const auto tokens = read_tokens(source.text);
      for (const auto& fault : find_call_faults(source.text, tokens, x_function.ctx)) {
        add_once(fault.place, fault, below_root(source.path));
      }
      for (const auto& task : find_tasks(source.text, tokens)) {
        const auto [first, is_new] = x_tasks.emplace(task.id, std::pair(source.path, task.place));
        if (is_new) continue;
        const auto& [other, place] = first->second;
        const auto where =
            (other == source.path ? "line " : other + ":") + std::to_string(place.line);
        add(task.place, "DUPLICATE_TASK_ID",
            "two tasks have the id \"" + task.id + "\": the other is at " + where,
            below_root(source.path));
      }
    }
    for (const auto& use : x_function.members) {
      if (std::ranges::find(x_members, use.name) == x_members.end()) {
        add(use.place, "UNKNOWN_CTX_MEMBER", no_member(use.name));
      }
    }
  }

  void add_once(const SourcePlace& place, const ShapeFault& fault, const std::string& file) {
    const auto same = [&](const CheckProblem& known) { return known.message == fault.message; };
    if (std::ranges::none_of(x_result.problems, same)) add(place, fault.code, fault.message, file);
  }

  /// What a builder put together may stand nowhere in the text.
  void look_at_request(const Command& request) {
    const auto definition = shape_of_json(request.definition);
    const auto task = x_tasks.find(request.task);
    const bool known = task != x_tasks.end();
    const auto place = known ? task->second.second : x_function.place;
    const auto file = known ? below_root(task->second.first) : x_file.path;
    for (const auto& fault : request_faults(request.task, definition)) add_once(place, fault, file);
    if (!parse_task_options(request.options).has_schema) return;
    try {
      check_output(request.definition, "null", "task " + request.task);
    } catch (const Error& error) {
      if (error.code() == "SCHEMA_INVALID") add(place, error.code(), error.message(), file);
    }
  }

  /// It ended before anything could have come of what it asks for.
  void look_at_end(const std::vector<Command>& commands) {
    const auto unawaited =
        static_cast<size_t>(std::ranges::count(commands, Command::Kind::kRequest, &Command::kind));
    const auto told = [](const CheckProblem& known) { return known.code == "MISSING_AWAIT"; };
    if (unawaited == 0 || std::ranges::any_of(x_result.problems, told)) return;
    add(x_function.place, "MISSING_AWAIT",
        "it completes at once and does not wait for what it asks for (" +
            std::to_string(unawaited) + (unawaited == 1 ? " effect" : " effects") +
            "): is an await missing?");
  }

  std::string below_root(const std::string& path) const {
    return (std::filesystem::path(x_program.root) / path).string();
  }

  std::string no_member(const std::string& name) const {
    return "ctx has no member \"" + name + "\"; it has " + joined(x_members);
  }

  void choose_inputs(const std::vector<SourceToken>& tokens,
                     const std::optional<std::string>& given) {
    x_result.inputs = "{}";
    if (given) {
      x_inputs_given = true;
      x_result.inputs = *given;
      return;
    }
    auto sample = sample_of_type(find_inputs_comment(tokens));
    if (sample) x_inputs_from = " made from @inputs";
    if (!sample && declares_input_schema(tokens)) {
      try {
        sample = sample_of_schema(x_host, x_program, kCheckBudgetMs);
      } catch (const Error& error) {
        if (error.exit() != Exit::kUsage) throw;  // what does not load is told by run()
      }
      if (sample) x_inputs_from = " made from inputSchema";
    }
    if (!sample) return;
    try {
      x_result.inputs = parse_value(*sample, "the inputs").text;
    } catch (const Error&) {
      x_inputs_from.clear();  // a member twice, a number that no double holds
    }
  }

  void run() {
    const auto id = std::filesystem::path(x_file.path).stem().string();
    try {
      ScriptMachine machine(x_host, identity_without_run(id, x_program.entry), x_program.sources,
                            kSomeTimeMs, 0, kCheckBudgetMs);
      machine.begin_live();
      const Activation start{.kind = Activation::Kind::kStart,
                             .seq = 1,
                             .at_ms = kSomeTimeMs,
                             .rules = kNewestRules,
                             .inputs = x_result.inputs};
      const auto commands = machine.advance(start, 1);
      for (const auto& command : commands) {
        if (command.kind == Command::Kind::kRequest) look_at_request(command);
      }
      if (commands.empty()) return;
      if (commands.back().kind == Command::Kind::kComplete) look_at_end(commands);
      if (commands.back().kind != Command::Kind::kFail) return;
      JsonReader reader;
      judge_failure(reader.members_of_copy(commands.back().json));
    } catch (const Error& error) {
      if (error.code() != "SCRIPT_INVALID") throw;
      JsonReader reader;
      judge_load(reader.members_of_copy(error.details()));
    }
  }

  void judge_load(const Members& error) {
    const auto name = error.text("name");
    x_result.inputs.clear();
    if (name == "ExportError") {
      x_skipped = !x_file.named;
      return add_error(error, "NO_PROCESS", error.text("message"));
    }
    add_error(error, name == "SyntaxError" ? "SYNTAX_ERROR" : "LOAD_FAILED", said(error));
  }

  void judge_failure(const Members& error) {
    const auto name = error.text("name");
    const auto message = error.text("message");
    if (message.find("`kind`") != std::string::npos) return add_without_kind(error, message);
    if (message.starts_with("ctx.task needs a task"))
      return add_error(error, "NOT_A_TASK", message);
    if (name == "ProcessStalled") return add_error(error, "STALLED", message);
    if (name == "TypeError") {
      if (const auto member = called_member(message); !member.empty()) {
        const auto text = no_member(member);
        const auto same = [&](const CheckProblem& problem) { return problem.message == text; };
        if (std::ranges::none_of(x_result.problems, same)) {
          add_error(error, "UNKNOWN_CTX_MEMBER", text);
        }
        return;
      }
      if (!x_inputs_given && speaks_of_nothing(message) && script_hint(message).empty()) {
        return add_error(error, "INPUTS_NEEDED",
                         "with the inputs " + x_result.inputs + x_inputs_from + ", " + said(error) +
                             ": describe them with @inputs or --inputs");
      }
    }
    const auto inputs =
        x_inputs_given ? "" : " (with the inputs " + x_result.inputs + x_inputs_from + ")";
    // What is no Error has neither place nor stack.
    const auto place = name == "Error" && !error.has("stack") && !error.has("file")
                           ? "; it throws a value that is no Error: `throw new Error(...)` tells "
                             "where it comes from"
                           : "";
    add_error(error, "PROCESS_THROWS", said(error) + inputs + place);
  }

  /// The task itself is wrong, not the place that asked for it.
  void add_without_kind(const Members& error, const std::string& message) {
    for (const auto& [id, where] : x_tasks) {
      if (message.find(" task " + id + " ") == std::string::npos) continue;
      return add(where.second, "MISSING_KIND", message, below_root(where.first));
    }
    add_error(error, "MISSING_KIND", message);
  }

  /// "ctx.agent is not a function" -> "agent", when ctx has none.
  std::string called_member(const std::string& message) const {
    const auto end = message.find(" is not a function");
    const auto object = x_function.ctx + ".";
    if (end == std::string::npos || !message.starts_with(object)) return {};
    auto member = message.substr(object.size(), end - object.size());
    return std::ranges::find(x_members, member) == x_members.end() ? member : std::string();
  }

  static bool speaks_of_nothing(const std::string& message) {
    for (const auto* word : {"undefined", "null", "is not iterable"}) {
      if (message.find(word) != std::string::npos) return true;
    }
    return false;
  }

  const ScriptHost& x_host;
  const FileToCheck& x_file;
  const std::vector<std::string>& x_members;
  CheckedFile x_result;
  ProcessFunction x_function;
  PinnedProgram x_program;
  std::map<std::string, std::pair<std::string, SourcePlace>> x_tasks;  ///< path below the root
  bool x_importable = true;
  bool x_inputs_given = false;
  bool x_skipped = false;
  std::string x_inputs_from;
};

}  // namespace

ProcessChecker::ProcessChecker(const ScriptHost& host, SourceReader read,
                               std::optional<std::string> inputs)
    : x_host(host),
      x_read(std::move(read)),
      x_inputs(std::move(inputs)),
      x_members(ctx_members(host)) {}

CheckedFile ProcessChecker::check(const FileToCheck& file) const {
  Judgement judgement(x_host, file, x_members);
  try {
    auto result = judgement.judge(x_read, x_inputs);
    x_host.table().arm(0);
    return result;
  } catch (const Error& error) {
    if (error.exit() == Exit::kBudget || error.exit() == Exit::kBug) throw;
    return judgement.unreadable(error.message());
  }
}

}  // namespace reprise
