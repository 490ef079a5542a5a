#include "engine/workspace.h"

#include <algorithm>
#include <filesystem>

#include "engine/json_writer.h"
#include "journal/clock.h"
#include "journal/error.h"
#include "journal/ids.h"
#include "journal/json_reader.h"
#include "journal/real_files.h"

namespace reprise {

namespace {

namespace fs = std::filesystem;

constexpr const char* kHomeFolder = ".reprise";

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

std::string locate_runs(const HomeQuery& query) {
  if (!query.runs_dir.empty()) return absolute(query.runs_dir, query.working_dir);
  std::string home = query.home;
  if (home.empty()) home = query.environment_home;
  if (home.empty()) home = nearest_home(query.working_dir);
  if (home.empty() && !query.user_home.empty()) home = query.user_home + "/" + kHomeFolder;
  if (home.empty()) {
    throw Error(Exit::kNotFound, "HOME_NOT_FOUND",
                "there is no home: neither --home nor $REPRISE_HOME nor $HOME is set",
                "say where runs are to be kept: --home DIR");
  }
  return absolute(home, query.working_dir) + "/runs";
}

/// Is it called as a child of one of these runs would be?
bool is_child_of(std::string_view name, const std::vector<std::string>& runs) {
  const auto dot = name.rfind('.');
  if (dot == std::string_view::npos || !parse_effect_id(name.substr(dot + 1))) return false;
  return std::ranges::binary_search(runs, name.substr(0, dot));
}

bool holds_run(Dir& dir) {
  return dir.stat("journal").has_value() || dir.stat("run.json").has_value();
}

}  // namespace

std::string log_path(std::string_view run) { return "logs/" + std::string(run) + ".jsonl"; }

Workspace::Workspace(const HomeQuery& query, bool create)
    : x_runs_path(locate_runs(query)), x_working_dir(query.working_dir) {
  x_runs = open_real_dir(x_runs_path, create);
}

Dir& Workspace::runs() {
  if (x_runs) return *x_runs;
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

void Workspace::append_log(std::string_view run, const std::vector<LogLine>& lines) {
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
    const auto home = open_real_dir(fs::path(x_runs_path).parent_path().string(), false);
    home->make_dir("logs");
    const auto file = home->open(log_path(run), Access::kCreate);
    file->write_at(file->stat().size, text);
  } catch (const Error&) {
    // The iteration is recorded; a log that cannot be written must not undo that.
  }
}

std::vector<LogLine> Workspace::read_log(std::string_view run) {
  std::vector<LogLine> lines;
  const auto home = open_real_dir(fs::path(x_runs_path).parent_path().string(), false);
  const auto text = home ? read_file(*home, log_path(run)).value_or("") : std::string();
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
    throw Error(Exit::kNotFound, "RUN_NOT_FOUND",
                "there is no run \"" + std::string(prefix) + "\" in " + x_runs_path,
                "reprise run:list shows the runs of this home; --home DIR names another");
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
  for (const auto& name : all) {
    if (is_child_of(name, all)) continue;
    const auto folder = runs().stat(name);
    if (!folder || !folder->directory) continue;  // somebody's file
    const auto stat = runs().stat(name + "/inputs.json");
    if (!stat || stat->modified_ms < last_ms) continue;
    last = name;
    last_ms = stat->modified_ms;
  }
  if (!last.empty()) return open(last);
  throw Error(Exit::kNotFound, "RUN_NOT_FOUND", "there is no run in " + x_runs_path,
              "create one: reprise run:create --entry FILE");
}

}  // namespace reprise
