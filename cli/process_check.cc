// process:check: what is wrong with process files.
#include <map>

#include "cli/commands.h"
#include "cli/process_files.h"
#include "cli/process_flags.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/user_files.h"
#include "engine/check_batch.h"

namespace reprise {
namespace {

using Status = CheckedFile::Status;

std::string_view status_word(Status status) {
  switch (status) {
    case Status::kOk:
      return "ok";
    case Status::kProblem:
      return "problem";
    case Status::kError:
      return "error";
    case Status::kSkipped:
      return "skipped";
  }
  return "";
}

/// How the user would call a file that is not the one that was checked.
std::string shown_path(const std::string& path, const std::string& working_dir) {
  const auto folder = working_dir + "/";
  return path.starts_with(folder) ? path.substr(folder.size()) : path;
}

Document file_document(const ProcessFile& file, const CheckedFile& checked,
                       const std::string& working_dir) {
  Document problems = Document::array();
  for (const auto& problem : checked.problems) {
    const bool own = problem.file == file.path;
    problems.push_back({{"file", own ? file.name : shown_path(problem.file, working_dir)},
                        {"line", problem.line},
                        {"column", problem.column},
                        {"code", problem.code},
                        {"message", problem.message}});
  }
  Document document = {{"file", file.name}, {"status", status_word(checked.status)}};
  if (!checked.inputs.empty()) document["inputs"] = raw_json(checked.inputs);
  document["problems"] = std::move(problems);
  return document;
}

std::string count_of(uint64_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what);
}

}  // namespace

Reply process_check(const Arguments& arguments) {
  const Session session(arguments);
  const auto files = find_process_files(arguments.positionals("FILE|DIR"), session.working_dir());
  std::optional<std::string> inputs;
  if (arguments.has("--inputs")) inputs = read_inputs(arguments, session.working_dir()).text;
  std::vector<FileToCheck> todo;
  for (const auto& file : files) todo.push_back({file.path, file.named});
  const auto checked = check_files(session.context().scripts, todo, read_source_file, inputs);

  Reply reply{.document = new_document()};
  Document list = Document::array();
  std::map<Status, uint64_t> counts;
  for (size_t i = 0; i < files.size(); ++i) {
    ++counts[checked[i].status];
    if (checked[i].status == Status::kSkipped) continue;
    list.push_back(file_document(files[i], checked[i], session.working_dir()));
  }
  reply.document["files"] = std::move(list);
  for (const auto status : {Status::kOk, Status::kProblem, Status::kError, Status::kSkipped}) {
    reply.document["counts"][status_word(status)] = counts[status];
  }
  if (counts[Status::kProblem] + counts[Status::kError] > 0) reply.exit = Exit::kNo;
  return reply;
}

std::string process_check_text(const Document& document, const Style& style) {
  std::string out;
  for (const Document& file : document["files"]) {
    for (const Document& problem : file["problems"]) {
      out += paint(style, Colour::kBold, shown(problem["file"].get<std::string>())) + ":" +
             std::to_string(problem["line"].get<uint64_t>()) + ":" +
             std::to_string(problem["column"].get<uint64_t>()) + ": " +
             shown(problem["message"].get<std::string>()) + "  " +
             paint(style, Colour::kDim, problem["code"].get<std::string>()) + "\n";
    }
    if (!file["problems"].empty()) out += "\n";
  }
  const Document& counts = document["counts"];
  const auto number = [&counts](const char* name) { return counts[name].get<uint64_t>(); };
  out += count_of(number("ok"), "ok");
  if (number("problem") > 0) {
    out += ", " + paint(style, Colour::kRed, count_of(number("problem"), "with problems"));
  }
  if (number("error") > 0) {
    out += ", " + paint(style, Colour::kRed, count_of(number("error"), "could not be judged"));
  }
  if (number("skipped") > 0) out += ", " + count_of(number("skipped"), "export no process");
  return out + "\n";
}

}  // namespace reprise
