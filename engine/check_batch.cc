// The worker takes the files in order and writes one line for each to a pipe. When it is gone
// before it had all of them, the first without a line is to blame, and another worker goes on
// behind it. A worker ends by itself after some hundred files: what the engine keeps of them is
// gone with it.
#include "engine/check_batch.h"

#include <span>

#include "engine/forked.h"
#include "engine/json_writer.h"
#include "journal/error.h"
#include "journal/json_reader.h"

namespace reprise {

namespace {

constexpr size_t kFilesPerWorker = 200;

using Status = CheckedFile::Status;

std::string line_of(const CheckedFile& checked) {
  std::string problems = "[";
  for (const auto& problem : checked.problems) {
    problems += problems.size() > 1 ? "," : "";
    problems += JsonWriter()
                    .text("file", problem.file)
                    .number("line", problem.line)
                    .number("column", problem.column)
                    .text("code", problem.code)
                    .text("message", problem.message)
                    .done();
  }
  return JsonWriter()
             .number("status", static_cast<uint64_t>(checked.status))
             .text("inputs", checked.inputs)
             .raw("problems", problems + "]")
             .done() +
         "\n";
}

CheckedFile checked_of(const Members& line) {
  CheckedFile checked{.status = static_cast<Status>(line.number("status")),
                      .inputs = line.text("inputs"),
                      .problems = {}};
  JsonReader reader;
  for (const auto item : array_elements(line.raw("problems"))) {
    const auto& problem = reader.members_of_copy(item);
    checked.problems.push_back({problem.text("file"), static_cast<uint32_t>(problem.number("line")),
                                static_cast<uint32_t>(problem.number("column")),
                                problem.text("code"), problem.text("message")});
  }
  return checked;
}

CheckedFile not_judged(const FileToCheck& file, const std::string& code,
                       const std::string& message) {
  return {Status::kError, {}, {{file.path, 1, 1, code, message}}};
}

/// After such a file the worker's engine is good for nothing more.
bool ends_worker(const CheckedFile& checked) {
  return checked.status == Status::kError && checked.problems.front().code.starts_with("SCRIPT_");
}

/// What the worker does.
void work(const Tell& tell, ScriptHost scripts, std::span<const FileToCheck> files,
          const SourceReader& read, const std::optional<std::string>& inputs) {
  size_t index = 0;
  bool ready = false;
  try {
    scripts.run([&] {
      const ProcessChecker checker(scripts, read, inputs);
      ready = true;
      for (; index < files.size(); ++index) tell(line_of(checker.check(files[index])));
    });
  } catch (const Error& error) {
    tell(ready ? line_of(not_judged(files[index], error.code(), error.message()))
               : JsonWriter()
                         .text("broken", error.code())
                         .text("message", error.message())
                         .text("hint", error.hint())
                         .done() +
                     "\n");
  }
}

}  // namespace

std::vector<CheckedFile> check_files(const ScriptHost& scripts,
                                     const std::vector<FileToCheck>& files,
                                     const SourceReader& read,
                                     const std::optional<std::string>& inputs) {
  std::vector<CheckedFile> results;
  JsonReader reader;
  while (results.size() < files.size()) {
    const auto todo = std::span(files).subspan(results.size());
    const auto share = todo.first(std::min(todo.size(), kFilesPerWorker));
    const auto text =
        run_forked([&](const Tell& tell) { work(tell, scripts.silent(), share, read, inputs); });
    const size_t before = results.size();
    for (size_t from = 0, end; (end = text.find('\n', from)) != std::string::npos; from = end + 1) {
      const auto& line = reader.members_of_copy(std::string_view(text).substr(from, end - from));
      if (line.has("broken")) {
        throw Error(Exit::kBug, line.text("broken"), line.text("message"), line.text("hint"));
      }
      results.push_back(checked_of(line));
    }
    const bool stopped = results.size() - before < share.size();
    const bool told = results.size() > before && ends_worker(results.back());
    if (stopped && !told) {
      results.push_back(not_judged(files[results.size()], "SCRIPT_BUDGET",
                                   "the process exceeded its budget, or the engine crashed"));
    }
  }
  return results;
}

}  // namespace reprise
