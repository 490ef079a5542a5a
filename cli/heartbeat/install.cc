// heartbeat:install.
#include "cli/heartbeat/install.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "cli/configured.h"
#include "cli/heartbeat/commands.h"
#include "cli/session.h"
#include "cli/text.h"
#include "engine/launch.h"
#include "engine/program.h"
#include "journal/files.h"
#include "journal/real_files.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

/// systemd and cron read lines: a path with a line break cannot be said to them.
std::string one_line(const std::string& path) {
  if (path.find('\n') == std::string::npos) return path;
  throw Error(Exit::kUsage, "INVALID_ARGUMENT",
              "a path with a line break cannot stand in a crontab or a unit: " + shown(path));
}

Installation read_installation(const Arguments& arguments, const Session& session,
                               const Workspace& workspace) {
  const auto file = arguments.value("--environment-file");
  const auto absolute = [&](const fs::path& path) {
    return one_line((path.is_absolute() ? path : fs::path(session.working_dir()) / path)
                        .lexically_normal()
                        .string());
  };
  return {.binary = one_line(fs::read_symlink("/proc/self/exe").string()),
          .home = one_line(workspace.home_path()),
          .environment_file = absolute(file ? *file : workspace.home_path() + "/heartbeat.env"),
          .drives = !arguments.has("--no-drive")};
}

std::string units_folder() {
  const std::string config = environment("XDG_CONFIG_HOME");
  const std::string base = config.starts_with('/') ? config : environment("HOME") + "/.config";
  if (!base.starts_with('/')) {
    throw Error(Exit::kUsage, "NO_USER_FOLDER", "$HOME is not set: where are your units?",
                "set HOME, or XDG_CONFIG_HOME");
  }
  return base + "/systemd/user";
}

/// Whether the file was another one before.
bool write_if_other(const fs::path& path, const std::string& text) {
  const auto folder = open_real_dir(path.parent_path().string(), true);
  if (read_file(*folder, path.filename().string()) == text) return false;
  replace_file(*folder, path.filename().string(), text, true);
  return true;
}

void make_environment_file(const Installation& installation) {
  const fs::path path(installation.environment_file);
  if (fs::exists(path)) return;
  write_if_other(path, environment_text(environment("PATH")));
  ::chmod(path.c_str(), S_IRUSR | S_IWUSR);
}

ProgramEnd run_crontab(const std::string& word, const std::string& input, std::string& output) {
  const Program program{.words = {"crontab", word},
                        .environment = own_environment(),
                        .input = Program::Input::kText,
                        .text = input,
                        .timeout_ms = 30'000};
  const auto take = [&output](bool is_error, std::string_view bytes) {
    if (!is_error) output += bytes;
  };
  ProgramEnd end = run_program(program, take, [] { return true; });
  if (end.problem.empty()) return end;
  throw Error(Exit::kNotFound, "CRON_MISSING", end.problem, "install cron, or use --systemd");
}

/// Whether the crontab was another one before.
bool write_crontab(const Installation& installation) {
  std::string before;
  const ProgramEnd listed = run_crontab("-l", {}, before);
  if (listed.exit_code != 0) before.clear();  // there is none yet
  if (listed.exit_code > 1) {
    throw Error(Exit::kSystem, "CRON_FAILED", "crontab -l: " + listed.err.tail);
  }
  const std::string after = with_crontab_line(before, installation);
  if (after == before) return false;
  std::string said;
  const ProgramEnd end = run_crontab("-", after, said);
  if (end.exit_code == 0) return true;
  throw Error(Exit::kSystem, "CRON_FAILED", "crontab did not take the line: " + end.err.tail,
              "add it by hand: crontab -e");
}

void add_cron(Document& document, const Installation& installation, bool write) {
  document["how"] = "cron";
  document["environmentFile"] = installation.environment_file;
  document["line"] = crontab_line(installation);
  document["written"] = write;
  document["changed"] = write && write_crontab(installation);
  document["next"] = Document::array();
  document["uninstall"] = {"crontab -l | grep -vF " + shell_word(crontab_mark(installation)) +
                           " | crontab -"};
}

void add_systemd(Document& document, const Installation& installation, bool write) {
  const std::string folder = units_folder();
  const std::string name = unit_name(installation);
  document["how"] = "systemd";
  document["environmentFile"] = installation.environment_file;
  document["files"] = {
      {{"path", folder + "/" + name + ".service"}, {"text", service_text(installation)}},
      {{"path", folder + "/" + name + ".timer"}, {"text", timer_text(installation)}}};
  document["written"] = write;
  bool changed = false;
  for (const Document& file : document["files"]) {
    if (write) changed = write_if_other(file["path"].get<std::string>(), file["text"]) || changed;
  }
  document["changed"] = changed;
  document["next"] = {"systemctl --user daemon-reload",
                      "systemctl --user enable --now " + name + ".timer", "loginctl enable-linger"};
  document["uninstall"] = {"systemctl --user disable --now " + name + ".timer",
                           "rm " + shell_word(folder + "/" + name + ".service") + " " +
                               shell_word(folder + "/" + name + ".timer")};
}

std::string steps(const Document& commands) {
  std::string text;
  for (const Document& command : commands) text += "  " + shown(command.get<std::string>()) + "\n";
  return text;
}

}  // namespace

Reply heartbeat_install(const Arguments& arguments) {
  const bool cron = arguments.has("--cron");
  if (cron == arguments.has("--systemd")) {
    throw Error(Exit::kUsage, "INVALID_ARGUMENT", "say --cron or --systemd");
  }
  const Session session(arguments);
  const Workspace workspace = session.workspace_to_read();
  const Installation installation = read_installation(arguments, session, workspace);
  const bool write = arguments.has("--write");
  if (write && installation.drives) require_trust(workspace.home());
  Reply reply{.document = new_document()};
  reply.document["home"] = installation.home;
  if (cron) {
    add_cron(reply.document, installation, write);
  } else {
    add_systemd(reply.document, installation, write);
  }
  if (write) make_environment_file(installation);
  return reply;
}

std::string heartbeat_install_text(const Document& document, const Style& style) {
  std::string out;
  const bool written = document["written"];
  if (written) {
    out += document["changed"] ? "installed\n" : "it was installed already\n";
  } else if (document.contains("line")) {
    out += shown(document["line"].get<std::string>()) + "\n\n--write adds it to your crontab\n";
  }
  for (const Document& file : document.value("files", Document::array())) {
    out += paint(style, Colour::kBold, shown(file["path"].get<std::string>())) + "\n";
    if (!written) out += "\n" + shown_lines(file["text"].get<std::string>()) + "\n";
  }
  if (!written && document.contains("files")) out += "--write writes them\n";
  if (!document["next"].empty()) {
    out += std::string(written ? "to switch it on" : "then, to switch it on") + ":\n" +
           steps(document["next"]);
  }
  return out +
         "credentials of executors: " + shown(document["environmentFile"].get<std::string>()) +
         "\nto remove it:\n" + steps(document["uninstall"]);
}

}  // namespace reprise
