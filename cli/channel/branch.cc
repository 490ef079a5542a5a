// branch:list, show, spawn; artifact:list, show.
#include <filesystem>

#include "cli/channel/commands.h"
#include "cli/channel/making.h"
#include "cli/channel/parts.h"
#include "cli/channel/signal_request.h"
#include "cli/text.h"
#include "journal/real_files.h"

namespace reprise {
namespace {

constexpr size_t kPreviewWidth = 72;

std::string branches_text(const Document& document, const Style& style) {
  Table table;
  for (const Document& branch : document["branches"]) {
    const std::string state = member_text(branch, "state");
    table.add({{shown(member_text(branch, "branchId")), Colour::kBold},
               {shown(state), status_colour(state)},
               {shown(member_text(branch, "workerId"))},
               {shown(member_text(branch, "prompt"), kPreviewWidth)}});
  }
  return table.empty() ? "  no branches\n" : table.print(style, "  ");
}

/// All of it or nothing.
void write_content(const std::string& name, const Session& session, const std::string& content) {
  const auto path = (std::filesystem::path(session.working_dir()) / name).lexically_normal();
  const auto folder = open_real_dir(path.parent_path().string(), false);
  if (!folder) {
    throw Error(Exit::kNotFound, "NO_SUCH_FOLDER",
                "--file: there is no folder " + path.parent_path().string(), "make it first");
  }
  replace_file(*folder, path.filename().string(), content, true);
}

}  // namespace

Reply branch_list(const Arguments& arguments) { return list_parts(arguments, "branches"); }

std::string branch_list_text(const Document& document, const Style& style) {
  return branches_text(document, style);
}

Reply branch_show(const Arguments& arguments) {
  return show_part(arguments, {"branch", "BRANCH"}, Past::kPresent);
}

std::string branch_show_text(const Document& document, const Style& style) {
  return part_text(document["branch"], style, "branchId");
}

Reply branch_spawn(const Arguments& arguments) {
  const Session session(arguments);
  const RunHandle run = find_channel(session, arguments);
  SignalRequest request{.signal = "branch.spawn"};
  request.value["prompt"] = checked_text(arguments.positional("PROMPT"), "PROMPT");
  for (const auto& tool : arguments.values("--tool")) {
    request.value["tools"].push_back(checked_text(tool, "--tool"));
  }
  if (const auto dir = arguments.value("--dir")) {
    request.value["workingDirectory"] = folder_flag(*dir, session);
  }
  request.question = {{"ask", "branches"}};
  request.answer = "branches";
  return tell_channel(arguments, session, run, request);
}

std::string branch_spawn_text(const Document& document, const Style& style) {
  return told_text(document, style, "given a branch") + branches_text(document, style) +
         pending_text(document, style);
}

Reply artifact_list(const Arguments& arguments) { return list_parts(arguments, "artifacts"); }

std::string artifact_list_text(const Document& document, const Style& style) {
  Table table;
  for (const Document& artifact : document["artifacts"]) {
    table.add({{shown(member_text(artifact, "artifactId")), Colour::kBold},
               {shown(member_text(artifact, "kind"))},
               {shown(member_text(artifact, "workerId"))},
               {shown(member_text(artifact, "title"))},
               {shown(member_text(artifact, "preview"), kPreviewWidth)}});
  }
  return table.empty() ? "  no artifacts\n" : table.print(style, "  ");
}

// The state of a channel holds previews; the content stands in the journal.
Reply artifact_show(const Arguments& arguments) {
  Reply reply = show_part(arguments, {"artifact", "ARTIFACT"}, Past::kWhole);
  const auto file = arguments.value("--file");
  if (!file) return reply;
  const Session session(arguments);
  const std::string content = member_text(reply.document["artifact"], "content");
  write_content(*file, session, content);
  reply.document["artifact"].erase("content");
  reply.document["file"] = *file;
  return reply;
}

std::string artifact_show_text(const Document& document, const Style& style) {
  const Document& artifact = document["artifact"];
  std::string out = part_text(artifact, style, "artifactId");
  if (document.contains("file")) {
    return out + "  written to " + shown(document["file"].get<std::string>()) + "\n";
  }
  return out + "\n" + shown_lines(member_text(artifact, "content")) + "\n";
}

}  // namespace reprise
