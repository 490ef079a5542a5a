#include "engine/workspace.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "engine/json_writer.h"
#include "engine/put_away.h"
#include "journal/clock.h"
#include "journal/error.h"
#include "journal/foreign_run.h"
#include "journal/ids.h"
#include "journal/json_reader.h"
#include "journal/real_files.h"
#include "journal/segment.h"

namespace reprise {

namespace {

namespace fs = std::filesystem;

constexpr const char* kHomeFolder = ".reprise";
/// A log that is longer begins anew; one older part is kept.
constexpr uint64_t kLongestLog = uint64_t{16} << 20U;

std::string nearest_home(const std::string& working_dir) {
  std::error_code ignored;
  for (fs::path folder = working_dir; !folder.empty(); folder = folder.parent_path()) {
    if (fs::is_directory(folder / kHomeFolder, ignored)) return (folder / kHomeFolder).string();
    if (folder == folder.root_path()) break;
  }
  return {};
}

std::string absolute(const std::string& path, const std::string& working_dir) {
  auto text = (fs::path(working_dir) / path).lexically_normal().string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

/// What a run is called, and whose index learns of its changes, follows from where it really is.
std::string real_path(const std::string& path) {
  std::error_code error;
  const auto real = fs::canonical(path, error);
  return error ? path : real.string();
}

std::string parent_of(const std::string& path) { return fs::path(path).parent_path().string(); }

HomePlace locate_home(const HomeQuery& query) {
  const auto in_user_home = query.user_home.empty() ? "" : query.user_home + "/" + kHomeFolder;
  const auto at = [&](const std::string& path, FoundBy found_by) {
    const auto full = absolute(path, query.working_dir);
    const bool users = !in_user_home.empty() && full == absolute(in_user_home, query.working_dir);
    return HomePlace{full, users ? FoundBy::kUser : found_by};
  };
  if (!query.runs_dir.empty()) {
    return at(parent_of(absolute(query.runs_dir, query.working_dir)), FoundBy::kNamed);
  }
  if (!query.home.empty()) return at(query.home, FoundBy::kNamed);
  if (!query.environment_home.empty()) return at(query.environment_home, FoundBy::kNamed);
  const auto nearest = nearest_home(query.working_dir);
  if (!nearest.empty()) return at(nearest, FoundBy::kAncestor);
  if (!in_user_home.empty()) return at(in_user_home, FoundBy::kUser);
  throw Error(Exit::kNotFound, "HOME_NOT_FOUND",
              "there is no home: neither --home nor $REPRISE_HOME nor $HOME is set",
              "say where runs are to be kept: --home DIR");
}

const char* naming_of(const HomeQuery& query) {
  if (!query.runs_dir.empty()) return "--runs-dir";
  if (!query.home.empty()) return "--home";
  return query.environment_home.empty() ? "" : "$REPRISE_HOME";
}

std::string locate_runs(const HomeQuery& query, const HomePlace& home) {
  return query.runs_dir.empty() ? home.path + "/runs" : absolute(query.runs_dir, query.working_dir);
}

/// `reprise init DIR` makes DIR/.reprise: to be told DIR would mean another home beside it.
void refuse_folder_of_home(const std::string& path) {
  std::error_code ignored;
  const auto home = path + "/" + kHomeFolder;
  if (fs::exists(path + "/runs", ignored) || !fs::is_directory(home + "/runs", ignored)) return;
  throw Error(Exit::kNotFound, "HOME_NOT_FOUND", path + " is no home: it holds one, " + home,
              "name that one: --home " + home);
}

/// A home is not made in a run of another program, by a slip of --home or --runs-dir.
void refuse_foreign_folder(const std::string& path) {
  const auto dir = open_real_dir(path, false);
  if (dir) refuse_foreign_run(*dir);
}

/// The folder of runs, made where it is missing.
std::unique_ptr<Dir> make_runs(const std::string& path) {
  std::string why;
  try {
    refuse_foreign_folder(path);
    refuse_foreign_folder(parent_of(path));
    auto dir = open_real_dir(path, true);
    if (faccessat(AT_FDCWD, path.c_str(), W_OK | X_OK, AT_EACCESS) == 0) return dir;
    why = path + ": " + std::strerror(errno);
  } catch (const Error& error) {
    if (error.code() == kForeignRun) throw;
    why = error.message();
  }
  throw home_not_writable(why);
}

/// Is it called as a child of one of these runs would be?
bool is_child_of(std::string_view name, const std::vector<std::string>& runs) {
  const auto dot = name.rfind('.');
  if (dot == std::string_view::npos || !parse_effect_id(name.substr(dot + 1))) return false;
  return std::ranges::binary_search(runs, name.substr(0, dot));
}

/// Error FOREIGN_RUN for a run of another program.
bool holds_run(Dir& dir) {
  if (dir.stat(segment_path(1))) return true;
  refuse_foreign_run(dir);
  return dir.stat("journal").has_value() || dir.stat("run.json").has_value();
}

}  // namespace

std::string log_path(std::string_view run) { return "logs/" + std::string(run) + ".jsonl"; }

Error home_not_writable(const std::string& why) {
  return {Exit::kSystem, "HOME_NOT_WRITABLE", "the home cannot be written: " + why,
          "make it writable, or name another with --home DIR; nothing is kept elsewhere instead"};
}

Workspace::Workspace(const HomeQuery& query, bool create)
    : x_home(locate_home(query)),
      x_named_by(naming_of(query)),
      x_runs_path(locate_runs(query, x_home)),
      x_working_dir(query.working_dir) {
  if (!x_named_by.empty() && query.runs_dir.empty()) refuse_folder_of_home(x_home.path);
  x_runs = create ? make_runs(x_runs_path) : open_real_dir(x_runs_path, false);
}

HomePlace Workspace::home_of(const RunHandle& run) const {
  const auto runs = parent_of(run.path);
  return runs == x_runs_path ? x_home : HomePlace{parent_of(runs), FoundBy::kRun};
}

void Workspace::require_named() const {
  std::error_code ignored;
  const auto& path = x_named_by == "--runs-dir" ? x_runs_path : x_home.path;
  if (x_named_by.empty() || fs::is_directory(path, ignored)) return;
  throw Error(Exit::kNotFound, "HOME_NOT_FOUND",
              "there is no home at " + path + ", which " + x_named_by + " names",
              "make it with reprise init, or name another with --home DIR");
}

Dir& Workspace::runs() {
  if (x_runs) return *x_runs;
  require_named();
  throw Error(Exit::kNotFound, "HOME_NOT_FOUND",
              "there are no runs: " + x_runs_path + " does not exist",
              "create a run with reprise run:create, or name another home with --home DIR");
}

RunHandle Workspace::find(std::string_view selector) {
  if (selector == "@last") return find_last();
  if (selector.find('/') != std::string_view::npos) return find_by_path(selector);
  if (!valid_run_id(selector)) {
    throw Error(
        Exit::kUsage, "INVALID_RUN_ID", "\"" + std::string(selector) + "\" is no run id",
        "a run is an id (letters, digits, . _ -), a unique prefix of one, a path, or @last");
  }
  if (runs().stat(selector)) return open(std::string(selector));
  return find_by_prefix(selector);
}

std::vector<std::string> Workspace::names() {
  if (!x_runs) return {};
  auto all = x_runs->list("");
  std::erase_if(all, [](const std::string& name) { return !valid_run_id(name); });
  return all;
}

std::unique_ptr<Dir> Workspace::open_home_of_log(const std::string& run_path) const {
  const auto runs = parent_of(run_path);
  if (runs == x_runs_path) return open_real_dir(x_home.path, false);
  auto home = open_real_dir(parent_of(runs), false);
  return home && home->stat("runs") ? std::move(home) : nullptr;
}

void Workspace::append_log(const std::string& run_path, const std::vector<LogLine>& lines) const {
  if (lines.empty()) return;
  std::string text;
  for (const auto& line : lines) {
    text += JsonWriter()
                .text("at", format_time(line.at_ms))
                .text_if("label", line.label)
                .raw("message", line.message)
                .done() +
            "\n";
  }
  try {
    const auto home = open_home_of_log(run_path);
    if (!home) return;
    home->make_dir("logs");
    const auto path = log_path(fs::path(run_path).filename().string());
    const auto there = home->stat(path);
    if (there && there->size > kLongestLog) home->rename(path, path + ".old", true);
    const auto file = home->open(path, Access::kCreate);
    file->write_at(file->stat().size, text);
  } catch (const Error&) {
    // The iteration is recorded; a log that cannot be written must not undo that.
  }
}

std::vector<LogLine> Workspace::read_log(const std::string& run_path) const {
  std::vector<LogLine> lines;
  const auto home = open_home_of_log(run_path);
  const auto path = log_path(fs::path(run_path).filename().string());
  const auto text = home ? read_file(*home, path).value_or("") : std::string();
  JsonReader reader;
  for (std::string_view rest = text; !rest.empty();) {
    const auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    try {
      const auto& log = reader.members_of_copy(line);
      const auto at_ms = parse_time(log.text("at"));
      if (!at_ms || !log.has("message")) continue;
      lines.push_back({*at_ms, log.text("label"), std::string(log.raw("message"))});
    } catch (const Error&) {
      continue;  // cut short when the machine stopped, or edited
    }
  }
  return lines;
}

RunHandle Workspace::open(const std::string& name) {
  auto dir = runs().open_dir(name);
  if (dir && holds_run(*dir)) return {name, x_runs_path + "/" + name, std::move(dir)};
  throw Error(Exit::kNotFound, "RUN_NOT_FOUND",
              x_runs_path + "/" + name + " is no run: it holds no journal");
}

RunHandle Workspace::find_by_path(std::string_view path) {
  const auto full = real_path(absolute(std::string(path), x_working_dir));
  auto dir = open_real_dir(full, false);
  if (dir && holds_run(*dir)) {
    const auto name = fs::path(full).filename().string();
    if (full == real_path(x_runs_path) + "/" + name) return open(name);
    return {name, full, std::move(dir)};
  }
  throw Error(Exit::kNotFound, "RUN_NOT_FOUND",
              full + (dir ? " is no run: it holds no journal" : " does not exist"));
}

RunHandle Workspace::find_by_prefix(std::string_view prefix) {
  std::vector<std::string> found;
  for (auto& name : names()) {
    if (name.starts_with(prefix)) found.push_back(std::move(name));
  }
  const auto all = found;
  std::erase_if(found, [&](const std::string& name) { return is_child_of(name, all); });
  if (found.size() == 1) return open(found.front());
  if (found.empty()) {
    const auto archive = archive_path(x_runs_path);
    throw Error(Exit::kNotFound, "RUN_NOT_FOUND",
                "there is no run \"" + std::string(prefix) + "\" in " + x_runs_path,
                is_archived(x_runs_path, std::string(prefix))
                    ? "it is in the archive: --runs-dir names that, " + archive
                    : "reprise run:list shows the runs of this home; --home DIR names another");
  }
  std::string list;
  for (size_t i = 0; i < std::min<size_t>(found.size(), 5); ++i)
    list += (i == 0 ? "" : ", ") + found[i];
  if (found.size() > 5) list += ", ...";
  throw Error(
      Exit::kUsage, "RUN_AMBIGUOUS",
      "\"" + std::string(prefix) + "\" begins " + std::to_string(found.size()) + " runs: " + list,
      "give more of the id");
}

RunHandle Workspace::find_last() {
  std::string last;
  int64_t last_ms = -1;
  const auto all = names();
  // ULIDs sort by time, so the last name is often the one. A folder is as young as the youngest
  // name in it: one that is older than the best inputs need not be looked into.
  for (auto name = all.rbegin(); name != all.rend(); ++name) {
    if (is_child_of(*name, all)) continue;
    const auto folder = runs().stat(*name);
    if (!folder || !folder->directory || folder->modified_ms < last_ms) continue;
    const auto inputs = runs().stat(*name + "/inputs.json");
    if (!inputs || inputs->modified_ms <= last_ms) continue;
    const auto run = runs().open_dir(*name);
    if (!run || is_foreign_run(*run)) continue;
    last = *name;
    last_ms = inputs->modified_ms;
  }
  if (!last.empty()) return open(last);
  throw Error(Exit::kNotFound, "RUN_NOT_FOUND", "there is no run in " + x_runs_path,
              "create one: reprise run:create --entry FILE");
}

}  // namespace reprise
