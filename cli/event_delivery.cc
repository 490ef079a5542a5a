// The command's exit code is the receipt: 0 is delivered, anything else is tried again.
#include "cli/event_delivery.h"

#include "cli/streams.h"
#include "engine/launch.h"
#include "engine/program.h"
#include "journal/error.h"
#include "journal/real_files.h"

namespace reprise {
namespace {

constexpr int64_t kFirstRetryPauseMs = 250;
constexpr size_t kCursorBytes = 256;

ProgramEnd attempt(const EventCommand& command, const std::string& event) {
  Program program{.words = {"/bin/sh", "-c", command.command},
                  .environment = own_environment(),
                  .input = Program::Input::kText,
                  .text = event + "\n",
                  .timeout_ms = command.timeout_ms,
                  .signals = Program::Signals::kForward};
  program.environment.insert(program.environment.end(), command.environment.begin(),
                             command.environment.end());
  bool is_read = true;
  auto end = run_program(
      program,
      [&](bool is_error, std::string_view bytes) {
        if (is_error) {
          write_err(bytes);
        } else {
          is_read = deliver_out(bytes) && is_read;
        }
      },
      [] { return true; });
  if (!is_read) end.problem = "nobody reads what it prints";
  return end;
}

std::string what_happened(const ProgramEnd& end) {
  if (!end.problem.empty()) return end.problem;
  if (end.timed_out) return "it took too long";
  return "exit code " + std::to_string(end.exit_code);
}

}  // namespace

void run_for_event(const EventCommand& command, const std::string& event, std::string_view id,
                   Host& host) {
  int64_t pause_ms = kFirstRetryPauseMs;
  for (uint64_t tried = 1;; ++tried, pause_ms *= 2) {
    const auto end = attempt(command, event);
    if (end.exit_code == 0 && !end.timed_out && end.problem.empty()) return;
    if (tried < command.attempts) {
      host.pause(pause_ms);
      continue;
    }
    throw Error(Exit::kNo, "EVENT_UNDELIVERED",
                "the command did not take event " + std::string(id) + ": " + what_happened(end) +
                    (tried > 1 ? ", tried " + std::to_string(tried) + " times" : ""),
                "with --cursor-file the same event:tail goes on with this event");
  }
}

CursorFile::CursorFile(const std::string& path, const std::string& working_dir) {
  const auto whole = path.starts_with('/') ? path : working_dir + "/" + path;
  const auto slash = whole.rfind('/');
  x_folder = whole.substr(0, slash + 1);
  x_name = whole.substr(slash + 1);
  if (x_name.empty() || open_real_dir(x_folder, false) == nullptr) {
    throw Error(Exit::kNotFound, "FOLDER_NOT_FOUND",
                "--cursor-file: there is no folder " + x_folder,
                "make it first; the file itself is made when the first event was delivered");
  }
}

std::string CursorFile::read() const {
  auto text = read_file(*existing_real_dir(x_folder), x_name).value_or("");
  if (text.size() > kCursorBytes) {
    throw Error(Exit::kUsage, "INVALID_CURSOR_FILE", x_folder + x_name + " holds no cursor",
                "name a file of event:tail's own, or one that does not exist yet");
  }
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

void CursorFile::write(const std::string& cursor) const {
  // Not synced: what a crash of the machine takes back is delivered once more.
  replace_file(*existing_real_dir(x_folder), x_name, cursor + "\n", false);
}

}  // namespace reprise
