#include "engine/heartbeat/own_program.h"

#include <poll.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <string_view>
#include <utility>

#include "engine/launch.h"
#include "journal/error.h"
#include "journal/json_reader.h"

namespace reprise {

namespace {

/// The document of a run with 100,000 open effects has 28 MB.
constexpr size_t kLongestLine = size_t{64} << 20;
/// What it started may hold its output open: its end is looked for, too.
constexpr int64_t kLookMs = 100;

/// A document about a run says where it stands; one without that says why the command failed.
std::optional<Error> told_error(const Members& document, Exit exit) {
  if (document.has("status")) return std::nullopt;
  JsonReader reader;
  const auto& error = reader.members_of_copy(document.raw("error"));
  return Error(exit, error.text("code"), error.text("message"), error.text("hint"));
}

}  // namespace

OwnProgram::OwnProgram(std::vector<std::string> words, Life life) : x_life(life) {
  auto pipe = make_pipe();
  words.insert(words.begin(), "/proc/self/exe");
  const auto begun = launch({.words = std::move(words),
                             .environment = own_environment(),
                             .folder = {},
                             .output = pipe.writer.get(),
                             .dies_with = life == Life::kBound});
  if (begun.pid == 0) throw Error(Exit::kSystem, "SYSTEM_ERROR", begun.problem);
  x_pid = begun.pid;
  x_out = std::move(pipe.reader);
}

OwnProgram::OwnProgram(OwnProgram&& other) noexcept
    : x_life(other.x_life),
      x_pid(std::exchange(other.x_pid, 0)),
      x_exit(other.x_exit),
      x_out(std::move(other.x_out)),
      x_line(std::move(other.x_line)),
      x_line_ended(other.x_line_ended) {}

OwnProgram::~OwnProgram() {
  if (x_pid == 0 || x_life == Life::kOwn) return;
  ::kill(x_pid, SIGKILL);
  bury(true);
}

void OwnProgram::stop() {
  if (x_pid != 0) ::kill(x_pid, SIGTERM);
}

bool OwnProgram::wait(int64_t at_most_ms) {
  for (int64_t left_ms = at_most_ms;; left_ms -= kLookMs) {
    if (!x_out.is_open()) return bury(true);
    pollfd ready{x_out.get(), POLLIN, 0};
    const auto slice_ms = std::clamp<int64_t>(left_ms, 0, kLookMs);
    if (::poll(&ready, 1, static_cast<int>(slice_ms)) > 0) take();
    if (x_out.is_open() && bury(false)) return true;
    if (x_out.is_open() && left_ms <= 0) return false;
  }
}

void OwnProgram::take() {
  std::array<char, 65'536> buffer{};
  const auto size = ::read(x_out.get(), buffer.data(), buffer.size());
  if (size < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (size <= 0) return x_out.reset();
  for (std::string_view bytes(buffer.data(), static_cast<size_t>(size)); !bytes.empty();) {
    if (std::exchange(x_line_ended, false)) x_line.clear();
    const auto end = bytes.find('\n');
    const auto part = bytes.substr(0, end);
    x_line.append(part.substr(0, kLongestLine - std::min(kLongestLine, x_line.size())));
    x_line_ended = end != std::string_view::npos;
    bytes.remove_prefix(x_line_ended ? end + 1 : bytes.size());
  }
}

bool OwnProgram::bury(bool wait) {
  if (x_pid == 0) return true;
  int status = 0;
  pid_t found = 0;
  do {
    found = ::waitpid(x_pid, &status, wait ? 0 : WNOHANG);
  } while (found < 0 && errno == EINTR);
  if (found == 0) return false;
  x_exit = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  x_pid = 0;
  while (x_out.is_open()) {
    pollfd ready{x_out.get(), POLLIN, 0};
    if (::poll(&ready, 1, 0) <= 0) break;
    take();
  }
  x_out.reset();
  return true;
}

OwnAnswer read_answer(const OwnProgram& program) {
  const auto exit = static_cast<Exit>(program.exit_code());
  try {
    JsonReader reader;
    const auto& document = reader.members_of_copy(program.last_line());
    return {document.text("status"), document.number("performed"), told_error(document, exit)};
  } catch (const Error&) {
    return {{},
            0,
            Error(Exit::kBug, "COMMAND_DIED",
                  "a command of reprise ended with " + std::to_string(program.exit_code()) +
                      " and said nothing about it")};
  }
}

}  // namespace reprise
