// Boost.Process forks, tells by a pipe what exec says, and calls the handler below between the two:
// there only system calls are made.
#include "engine/launch.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/process/args.hpp>
#include <boost/process/child.hpp>
#include <boost/process/error.hpp>
#include <boost/process/exe.hpp>
#include <boost/process/extend.hpp>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>

namespace reprise {

namespace {

/// A child that got so far and no further.
[[noreturn]] void give_up(const char* what, const char* name) {
  const int why = errno;
  ::dprintf(STDERR_FILENO, "reprise: %s %s: %s\n", what, name, ::strerror(why));
  ::_exit(126);
}

struct Surroundings : boost::process::extend::handler {
  Surroundings(const Launch& launched, std::vector<char*>& variables)
      : program(&launched), environment(&variables), parent(::getpid()) {}

  template <typename Executor>
  void on_setup(Executor& executor) const {
    executor.env = environment->data();
  }

  template <typename Executor>
  void on_exec_setup(Executor&) const {
    ::setpgid(0, 0);
    if (program->dies_with) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent) ::_exit(126);  // it died before it could be told
    }
    if (program->input >= 0) ::dup2(program->input, STDIN_FILENO);
    if (program->output >= 0) ::dup2(program->output, STDOUT_FILENO);
    if (program->error >= 0) ::dup2(program->error, STDERR_FILENO);
    if (program->inherited >= 0) ::fcntl(program->inherited, F_SETFD, 0);
    const auto& folder = program->folder;
    if (!folder.empty() && ::chdir(folder.c_str()) != 0) give_up("cannot enter", folder.c_str());
    for (const int ignored : {SIGPIPE, SIGXFSZ}) ::signal(ignored, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
  }

  const Launch* program;
  std::vector<char*>* environment;
  pid_t parent;
};

Launched failure(const std::string& word, int why) {
  return {0, why == ENOENT ? 127 : 126, "cannot run " + word + ": " + ::strerror(why)};
}

}  // namespace

std::vector<std::string> own_environment() {
  std::vector<std::string> found;
  for (char** at = ::environ; at != nullptr && *at != nullptr; ++at) found.emplace_back(*at);
  return found;
}

const char* find_variable(const std::vector<std::string>& environment, const std::string& name) {
  for (const auto& variable : environment) {
    if (variable.starts_with(name) && variable[name.size()] == '=') {
      return variable.c_str() + name.size() + 1;
    }
  }
  return nullptr;
}

void set_variable(std::vector<std::string>& environment, const std::string& name,
                  const std::string& value) {
  std::erase_if(environment, [&](const std::string& variable) {
    return variable.starts_with(name) && variable[name.size()] == '=';
  });
  environment.push_back(name + "=" + value);
}

std::string find_program(const std::string& word, const std::vector<std::string>& environment) {
  if (word.find('/') != std::string::npos) return word;
  const char* path = find_variable(environment, "PATH");
  return find_in_path(word, path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path);
}

bool is_program(const std::string& path) {
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode) &&
         ::access(path.c_str(), X_OK) == 0;
}

std::string find_in_path(const std::string& word, std::string_view path) {
  std::string_view rest = path;
  while (!word.empty() && !rest.empty()) {
    const auto end = std::min(rest.find(':'), rest.size());
    const auto folder = rest.substr(0, end);
    auto candidate = (folder.empty() ? "." : std::string(folder)) + "/" + word;
    if (is_program(candidate)) return candidate;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

Launched launch(const Launch& program) {
  const auto path = find_program(program.words.front(), program.environment);
  if (path.empty()) return failure(program.words.front(), ENOENT);
  std::vector<char*> variables;
  for (const auto& variable : program.environment) {
    variables.push_back(const_cast<char*>(variable.c_str()));
  }
  variables.push_back(nullptr);
  const std::vector<std::string> rest(program.words.begin() + 1, program.words.end());
  std::error_code error;
  namespace bp = boost::process;
  bp::child child(bp::exe = path, bp::args = rest, Surroundings(program, variables), error);
  if (error) return failure(program.words.front(), error.value());
  const pid_t pid = child.id();
  child.detach();  // whoever supervises it waits for all that is below this process
  return {pid, 0, {}};
}

}  // namespace reprise
