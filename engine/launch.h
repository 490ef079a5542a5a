// Starts one program, by Boost.Process, as the leader of a process group of its own
// (docs/decisions/0016-programs-by-boost-process.md).
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace reprise {

struct Launch {
  std::vector<std::string> words;        ///< the first is a path, or looked for in `environment`
  std::vector<std::string> environment;  ///< "NAME=VALUE": all that the program gets
  std::string folder;                    ///< it begins in; empty: that of this process
  int input = -1;                        ///< descriptors that become 0, 1 and 2; -1: that of this
  int output = -1;                       ///< process
  int error = -1;
  int inherited = -1;     ///< one more that it keeps, under its number; -1: none
  bool dies_with = true;  ///< SIGKILL ends it when this process dies
};

struct Launched {
  pid_t pid = 0;        ///< 0: it could not be started
  int exit_code = 0;    ///< then: 127 when there is no such program, else 126
  std::string problem;  ///< then: "cannot run make: No such file or directory"
};

/// The program runs when it returns: what fails before is told here. It gets no signal that this
/// process blocks or ignores as blocked, and SIGPIPE and SIGXFSZ as usual. Only the thread that
/// calls may end when the program shall not, with dies_with.
Launched launch(const Launch& program);

/// The variables of this process, as Launch takes them.
std::vector<std::string> own_environment();
/// The value of one in such a list; nullptr when it is not there.
const char* find_variable(const std::vector<std::string>& environment, const std::string& name);
/// Sets or replaces one.
void set_variable(std::vector<std::string>& environment, const std::string& name,
                  const std::string& value);
/// The program's path, when it can be run: a word with a slash as it is, another one looked for in
/// PATH. Empty: there is none.
std::string find_program(const std::string& word, const std::vector<std::string>& environment);
/// The same for a word without a slash, in folders as PATH lists them.
std::string find_in_path(const std::string& word, std::string_view path);
/// Is it a file that this user may run?
bool is_program(const std::string& path);

}  // namespace reprise
