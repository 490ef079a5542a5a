// Runs commands in the order in which they are given and says how long each took, start to end.
// The bench puts the commands that it compares in turn (a b c a b c ...), so that what else the
// machine does meets all of them alike.
//
// Standard input: one command a line, its words separated by tabs: NAME PROGRAM ARGUMENT...
// A NAME of "-" runs it without timing it. Standard output:
// {"NAME":{"ms":[...],"cpuMs":[...],"rssKiB":N}}. The first command that does not exit with 0 ends
// it, with exit 1.
//
// A program of its own, and a small one: the kernel counts the memory of whoever starts a command
// into that command's peak.
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace {

struct Timing {
  std::vector<double> ms;
  std::vector<double> cpu_ms;  ///< user and system, all threads
  long rss_kib = 0;
};

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> words(1);
  for (const char c : line) {
    if (c == '\t') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

/// Standard output and input are /dev/null; standard error stays.
class Actions {
 public:
  Actions() {
    posix_spawn_file_actions_init(&x_actions);
    posix_spawn_file_actions_addopen(&x_actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&x_actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  }
  ~Actions() { posix_spawn_file_actions_destroy(&x_actions); }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;
  const posix_spawn_file_actions_t* get() const { return &x_actions; }

 private:
  posix_spawn_file_actions_t x_actions;
};

double milliseconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1000 + static_cast<double>(time.tv_usec) / 1000;
}

/// False, with a message, when the command cannot be started or does not exit with 0.
bool run(std::vector<std::string> words, const Actions& actions, Timing& timing) {
  std::vector<char*> arguments;
  for (size_t i = 1; i < words.size(); ++i) arguments.push_back(words[i].data());
  arguments.push_back(nullptr);
  const auto begin = std::chrono::steady_clock::now();
  pid_t child = 0;
  int status =
      posix_spawnp(&child, arguments[0], actions.get(), nullptr, arguments.data(), environ);
  if (status != 0) {
    std::fprintf(stderr, "%s: %s\n", arguments[0], std::strerror(status));
    return false;
  }
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child) return false;
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  timing.ms.push_back(took.count());
  timing.cpu_ms.push_back(milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime));
  timing.rss_kib = std::max(timing.rss_kib, usage.ru_maxrss);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
  std::fprintf(stderr, "exit %d:", WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
  for (size_t i = 1; i < words.size(); ++i) std::fprintf(stderr, " %s", words[i].c_str());
  std::fprintf(stderr, "\n");
  return false;
}

void print(const char* name, const std::vector<double>& list) {
  std::printf("\"%s\":", name);
  for (size_t i = 0; i < list.size(); ++i) std::printf("%c%.4f", i == 0 ? '[' : ',', list[i]);
  std::printf("],");
}

void print(const std::map<std::string, Timing>& timings) {
  char separator = '{';
  for (const auto& [name, timing] : timings) {
    std::printf("%c\"%s\":{", separator, name.c_str());
    print("ms", timing.ms);
    print("cpuMs", timing.cpu_ms);
    std::printf("\"rssKiB\":%ld}", timing.rss_kib);
    separator = ',';
  }
  std::printf(timings.empty() ? "{}\n" : "}\n");
}

}  // namespace

int main() {
  const Actions actions;
  std::map<std::string, Timing> timings;
  Timing untimed;
  for (std::string line; std::getline(std::cin, line);) {
    const auto words = split(line);
    if (words.size() < 2) return 2;
    if (!run(words, actions, words[0] == "-" ? untimed : timings[words[0]])) return 1;
  }
  print(timings);
  return 0;
}
