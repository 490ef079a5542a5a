// process:check: what is wrong with process files.
#include <map>

#include "cli/commands.h"
#include "cli/process_files.h"
#include "cli/process_flags.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/user_files.h"
#include "engine/against_open.h"
#include "engine/check_batch.h"

namespace reprise {
namespace {

using Status = CheckedFile::Status;

constexpr size_t kDifferenceWidth = 100;

std::string_view check_status_word(Status status) {
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

Document checked_file_document(const ProcessFile& file, const CheckedFile& checked,
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
  Document document = {{"file", file.name}, {"status", check_status_word(checked.status)}};
  if (!checked.inputs.empty()) document["inputs"] = raw_json(checked.inputs);
  document["problems"] = std::move(problems);
  return document;
}

/// One run, with the code of one file.
Document against_document(const std::string& file, const RunHandle& run, const Session& session,
                          const ProcessChoice& code) {
  Document document = {{"file", file}, {"runId", run.name}};
  try {
    const auto against = check_against(*run.dir, session.context(), read_source_file, code);
    document["status"] = against.goes_on ? "goes on" : "diverges";
    if (!against.difference.empty()) document["difference"] = against.difference;
    document["kept"] = against.kept;
    document["new"] = against.added;
    document["notReached"] = against.not_reached;
  } catch (const Error& error) {
    document["status"] = "error";
    document["difference"] = error.message();
  }
  return document;
}

/// Every open run of the home that is of one of the files, with that file's code.
Document against_open(const Session& session, const std::vector<ProcessFile>& files,
                      const std::vector<CheckedFile>& checked) {
  Document list = Document::array();
  auto workspace = session.workspace_to_read();
  if (!workspace.exists()) return list;
  for (const auto& name : workspace.names()) {
    const auto run = workspace.find(name);
    const auto state = read_state(*run.dir).state;
    if (state.end || state.applied == 0) continue;
    for (size_t i = 0; i < files.size(); ++i) {
      if (checked[i].status != Status::kOk) continue;
      if (!runs_program(*run.dir, state, files[i].path)) continue;
      ProcessChoice code;
      code.entry = files[i].path;
      code.process_id = state.process_id;
      list.push_back(against_document(files[i].name, run, session, code));
    }
  }
  return list;
}

std::string against_text(const Document& runs, const Style& style) {
  std::string lines;
  uint64_t going = 0;
  for (const Document& run : runs) {
    const bool goes_on = run["status"] == "goes on";
    going += goes_on ? 1 : 0;
    lines +=
        "  " + paint(style, Colour::kBold, shown(run["runId"].get<std::string>())) + "  " +
        paint(style, goes_on ? Colour::kGreen : Colour::kRed, run["status"].get<std::string>());
    if (run.contains("difference")) {
      lines += "  " + shown(run["difference"].get<std::string>(), kDifferenceWidth);
    }
    lines += "\n";
  }
  return counted(runs.size(), "open run", "open runs") + ", " + counted(going, "goes on", "go on") +
         "\n" + lines;
}

}  // namespace

Reply process_check(const Arguments& arguments) {
  const Session session(arguments);
  const auto files = find_process_files(arguments.positionals("FILE|DIR"), session.working_dir());
  std::optional<std::string> inputs;
  if (arguments.has("--inputs")) inputs = read_inputs(arguments, session.working_dir()).text;
  std::vector<FileToCheck> todo;
  todo.reserve(files.size());
  for (const auto& file : files) todo.push_back({file.path, file.named});
  const auto checked = check_files(session.context().scripts, todo, read_source_file, inputs);

  Reply reply{.document = new_document()};
  Document list = Document::array();
  std::map<Status, uint64_t> counts;
  for (size_t i = 0; i < files.size(); ++i) {
    ++counts[checked[i].status];
    if (checked[i].status == Status::kSkipped) continue;
    list.push_back(checked_file_document(files[i], checked[i], session.working_dir()));
  }
  if (list.empty()) {
    throw Error(Exit::kUsage, "NO_PROCESS_FILES",
                files.empty() ? "there is no .js, .mjs or .cjs file there"
                              : "none of " + counted(files.size(), "file", "files") +
                                    " there exports a process",
                "name a folder that holds processes, or the file itself");
  }
  reply.document["files"] = std::move(list);
  for (const auto status : {Status::kOk, Status::kProblem, Status::kError, Status::kSkipped}) {
    reply.document["counts"][check_status_word(status)] = counts[status];
  }
  if (counts[Status::kProblem] + counts[Status::kError] > 0) reply.exit = Exit::kNo;
  if (arguments.has("--against-open")) {
    reply.document["openRuns"] = against_open(session, files, checked);
    for (const Document& run : reply.document["openRuns"]) {
      if (run["status"] != "goes on") reply.exit = Exit::kNo;
    }
  }
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
  out += std::to_string(number("ok")) + " ok";
  if (number("problem") > 0) {
    out += ", " + paint(style, Colour::kRed, std::to_string(number("problem")) + " with problems");
  }
  if (number("error") > 0) {
    out +=
        ", " + paint(style, Colour::kRed, std::to_string(number("error")) + " could not be judged");
  }
  if (number("skipped") > 0)
    out += ", " + counted(number("skipped"), "exports no process", "export no process");
  out += "\n";
  if (document.contains("openRuns")) out += against_text(document["openRuns"], style);
  return out;
}

}  // namespace reprise
