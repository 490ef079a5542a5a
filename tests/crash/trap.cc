// Runs a command and springs a trap at one of its system calls, counted over all its threads
// (strace counts each thread for itself, so it never reaches the calls of a later one).
//
//   crash_trap LOG list COMMAND...                lists every call
//   crash_trap LOG kill:NAME:N COMMAND...         dies before the N-th call of that name
//   crash_trap LOG tear:NAME:N:BYTES COMMAND...   lets that many bytes through, then dies
//   crash_trap LOG short:NAME:N:BYTES COMMAND...  lets that many bytes through, and goes on
//   crash_trap LOG fail:NAME:N:ERRNO COMMAND...   the call does nothing and fails
//   crash_trap LOG fail:NAME:N+:ERRNO COMMAND...  from the N-th on all of them fail
//   crash_trap LOG TRAP,TRAP COMMAND...           several
//
// LOG gets a line for every call: name, "changes" or "reads", bytes, what it is about, apart by
// tabs; and "sprung" when the trap was. Exits as the command does; 128 + signal when it was killed.
#include <fcntl.h>
#include <limits.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

enum class About { kNothing, kFd, kPath, kPathAt, kOpenAt, kOpen, kOpenAt2, kRename };

struct Name {
  long number;
  const char* name;
  bool changes;
  About about;
};

// Calls that are not named here are of no interest one by one; they share the name "other".
constexpr Name kNames[] = {
    {SYS_write, "write", true, About::kFd},
    {SYS_pwrite64, "pwrite64", true, About::kFd},
    {SYS_ftruncate, "ftruncate", true, About::kFd},
    {SYS_fsync, "fsync", true, About::kFd},
    {SYS_fdatasync, "fdatasync", true, About::kFd},
    {SYS_rename, "rename", true, About::kPath},
    {SYS_renameat, "renameat", true, About::kRename},
    {SYS_renameat2, "renameat2", true, About::kRename},
    {SYS_unlink, "unlink", true, About::kPath},
    {SYS_unlinkat, "unlinkat", true, About::kPathAt},
    {SYS_rmdir, "rmdir", true, About::kPath},
    {SYS_mkdir, "mkdir", true, About::kPath},
    {SYS_mkdirat, "mkdirat", true, About::kPathAt},
    {SYS_flock, "flock", true, About::kFd},
    {SYS_open, "open", false, About::kOpen},
    {SYS_openat, "openat", false, About::kOpenAt},
    {SYS_openat2, "openat2", false, About::kOpenAt2},
    {SYS_exit_group, "exit_group", true, About::kNothing},
    {SYS_read, "read", false, About::kFd},
    {SYS_pread64, "pread64", false, About::kFd},
    {SYS_fstat, "fstat", false, About::kFd},
    {SYS_newfstatat, "newfstatat", false, About::kPathAt},
    {SYS_getdents64, "getdents64", false, About::kFd},
    {SYS_close, "close", false, About::kFd},
    {SYS_mmap, "mmap", false, About::kNothing},
    {SYS_munmap, "munmap", false, About::kNothing},
    {SYS_mprotect, "mprotect", false, About::kNothing},
    {SYS_brk, "brk", false, About::kNothing},
    {SYS_getrandom, "getrandom", false, About::kNothing},
    {SYS_clone3, "clone3", false, About::kNothing},
    {SYS_futex, "futex", false, About::kNothing},
};
constexpr Name kOther = {-1, "other", false, About::kNothing};

enum class Action { kList, kKill, kTear, kShort, kFail };

struct Trap {
  Action action = Action::kList;
  std::string name;
  long nth = 0;
  bool onwards = false;
  long value = 0;
};

std::optional<Trap> parse_trap(const std::string& text) {
  const std::map<std::string, Action> actions = {{"list", Action::kList},
                                                 {"kill", Action::kKill},
                                                 {"tear", Action::kTear},
                                                 {"short", Action::kShort},
                                                 {"fail", Action::kFail}};
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ':');) parts.push_back(part);
  const auto action = actions.find(parts.empty() ? "" : parts[0]);
  if (action == actions.end()) return std::nullopt;
  Trap trap;
  trap.action = action->second;
  if (parts.size() > 2) {
    trap.name = parts[1];
    trap.nth = std::atol(parts[2].c_str());
    trap.onwards = parts[2].back() == '+';
  }
  if (parts.size() > 3) trap.value = std::atol(parts[3].c_str());
  return trap;
}

/// Empty when the text makes no sense.
std::vector<Trap> parse_traps(const std::string& text) {
  std::vector<Trap> traps;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) {
    const auto trap = parse_trap(part);
    if (!trap) return {};
    traps.push_back(*trap);
  }
  return traps;
}

class Tracer {
 public:
  Tracer(pid_t child, std::vector<Trap> traps, FILE* log)
      : x_child(child), x_traps(std::move(traps)), x_log(log) {}

  int run();

 private:
  struct Thread {
    bool in_call = false;
    const Trap* sprung = nullptr;  // at its present call
  };

  void stopped(pid_t thread, int status);
  void entered(pid_t thread, Thread& state);
  void left(pid_t thread, Thread& state);
  const Trap* trap_at(const std::string& name);
  void spring(const Trap& trap, pid_t thread, user_regs_struct regs);
  void kill_all() { kill(x_child, SIGKILL); }
  std::string subject(pid_t thread, About about, const user_regs_struct& regs) const;
  std::string fd_path(pid_t thread, unsigned long fd) const;
  std::string path_at(pid_t thread, unsigned long fd, unsigned long path) const;
  std::string read_text(pid_t thread, unsigned long address) const;
  bool creates(pid_t thread, About about, const user_regs_struct& regs) const;

  const pid_t x_child;
  const std::vector<Trap> x_traps;
  FILE* const x_log;
  std::map<pid_t, Thread> x_threads;
  std::map<std::string, long> x_counts;
  bool x_started = false;
};

int Tracer::run() {
  for (;;) {
    int status = 0;
    const pid_t thread = waitpid(-1, &status, __WALL);
    if (thread < 0) return 125;
    if (WIFSTOPPED(status)) {
      stopped(thread, status);
      continue;
    }
    x_threads.erase(thread);
    if (thread != x_child) continue;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }
}

void Tracer::stopped(pid_t thread, int status) {
  const bool known = x_threads.contains(thread);
  Thread& state = x_threads[thread];
  const int signal = WSTOPSIG(status);
  const int event = status >> 16;
  int deliver = 0;
  if (signal == (SIGTRAP | 0x80)) {
    state.in_call = !state.in_call;
    if (x_started) state.in_call ? entered(thread, state) : left(thread, state);
  } else if (event == PTRACE_EVENT_EXEC) {
    x_started = true;
    state.in_call = true;  // the end of execve is still to come
  } else if (event == 0 && (known || signal != SIGSTOP)) {
    deliver = signal;
  }
  ptrace(PTRACE_SYSCALL, thread, nullptr, static_cast<long>(deliver));
}

void Tracer::entered(pid_t thread, Thread& state) {
  user_regs_struct regs{};
  if (ptrace(PTRACE_GETREGS, thread, nullptr, &regs) != 0) return;
  const auto number = static_cast<long>(regs.orig_rax);
  const auto* found = std::find_if(std::begin(kNames), std::end(kNames),
                                   [&](const Name& name) { return name.number == number; });
  const Name& call = found == std::end(kNames) ? kOther : *found;
  if (x_traps.front().action == Action::kList) {
    const bool changes = call.changes || creates(thread, call.about, regs);
    const bool writes = number == SYS_write || number == SYS_pwrite64;
    std::fprintf(x_log, "%s\t%s\t%llu\t%s\n", call.name, changes ? "changes" : "reads",
                 writes ? regs.rdx : 0, subject(thread, call.about, regs).c_str());
    return;
  }
  state.sprung = trap_at(call.name);
  if (state.sprung == nullptr) return;
  std::fprintf(x_log, "sprung\n");
  spring(*state.sprung, thread, regs);
}

const Trap* Tracer::trap_at(const std::string& name) {
  const long count = ++x_counts[name];
  for (const Trap& trap : x_traps) {
    if (trap.name != name) continue;
    if (count == trap.nth || (trap.onwards && count > trap.nth)) return &trap;
  }
  return nullptr;
}

void Tracer::spring(const Trap& trap, pid_t thread, user_regs_struct regs) {
  if (trap.action == Action::kTear || trap.action == Action::kShort) {
    regs.rdx = static_cast<unsigned long long>(trap.value);
  } else {
    regs.orig_rax = static_cast<unsigned long long>(-1);  // no call at all
  }
  ptrace(PTRACE_SETREGS, thread, nullptr, &regs);
  if (trap.action == Action::kKill) kill_all();
}

void Tracer::left(pid_t thread, Thread& state) {
  if (state.sprung == nullptr) return;
  const Trap& trap = *std::exchange(state.sprung, nullptr);
  if (trap.action == Action::kTear) kill_all();
  if (trap.action != Action::kFail) return;
  user_regs_struct regs{};
  ptrace(PTRACE_GETREGS, thread, nullptr, &regs);
  regs.rax = static_cast<unsigned long long>(-trap.value);
  ptrace(PTRACE_SETREGS, thread, nullptr, &regs);
}

std::string Tracer::read_text(pid_t thread, unsigned long address) const {
  char text[PATH_MAX] = {};
  // Up to the end of the page first: the next one may not be there.
  const size_t page = 4096 - address % 4096;
  for (const size_t size : {sizeof text - 1, std::min(page, sizeof text - 1)}) {
    const iovec here{text, size};
    // NOLINTNEXTLINE(performance-no-int-to-ptr): ptrace gives addresses as numbers.
    const iovec there{reinterpret_cast<void*>(address), size};
    if (process_vm_readv(thread, &here, 1, &there, 1, 0) > 0) break;
  }
  return text;
}

std::string Tracer::fd_path(pid_t thread, unsigned long fd) const {
  char path[PATH_MAX] = {};
  const std::string link = "/proc/" + std::to_string(thread) + "/fd/" + std::to_string(fd);
  return readlink(link.c_str(), path, sizeof path - 1) > 0 ? path : "";
}

std::string Tracer::path_at(pid_t thread, unsigned long fd, unsigned long path) const {
  std::string text = read_text(thread, path);
  if (text.starts_with('/') || static_cast<int>(fd) == AT_FDCWD) return text;
  return fd_path(thread, fd) + (text.empty() ? "" : "/" + text);
}

std::string Tracer::subject(pid_t thread, About about, const user_regs_struct& regs) const {
  switch (about) {
    case About::kNothing:
      break;
    case About::kFd:
      return fd_path(thread, regs.rdi);
    case About::kPath:
    case About::kOpen:
      return read_text(thread, regs.rdi);
    case About::kPathAt:
    case About::kOpenAt:
    case About::kOpenAt2:
      return path_at(thread, regs.rdi, regs.rsi);
    case About::kRename:
      return path_at(thread, regs.rdi, regs.rsi) + "\t" + path_at(thread, regs.rdx, regs.r10);
  }
  return {};
}

bool Tracer::creates(pid_t thread, About about, const user_regs_struct& regs) const {
  unsigned long flags = 0;
  if (about == About::kOpen) flags = regs.rsi;
  if (about == About::kOpenAt) flags = regs.rdx;
  if (about == About::kOpenAt2) {
    const iovec here{&flags, sizeof flags};
    // NOLINTNEXTLINE(performance-no-int-to-ptr): ptrace gives addresses as numbers.
    const iovec there{reinterpret_cast<void*>(regs.rdx), sizeof flags};
    process_vm_readv(thread, &here, 1, &there, 1, 0);
  }
  return (flags & (O_CREAT | O_TRUNC)) != 0;
}

int start(char** command) {
  ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
  raise(SIGSTOP);
  execvp(command[0], command);
  std::fprintf(stderr, "crash_trap: %s: %s\n", command[0], std::strerror(errno));
  _exit(127);
}

}  // namespace

int main(int argc, char** argv) {
  const auto traps = argc < 4 ? std::vector<Trap>() : parse_traps(argv[2]);
  if (traps.empty()) {
    std::fprintf(stderr, "usage: crash_trap LOG list|ACTION:NAME:N[:VALUE][,...] COMMAND...\n");
    return 125;
  }
  FILE* log = std::fopen(argv[1], "we");
  if (log == nullptr) {
    std::perror(argv[1]);
    return 125;
  }
  const pid_t child = fork();
  if (child == 0) start(argv + 3);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return 125;
  ptrace(PTRACE_SETOPTIONS, child, nullptr,
         PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
             PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL);
  ptrace(PTRACE_SYSCALL, child, nullptr, 0L);
  const int exit_code = Tracer(child, traps, log).run();
  std::fclose(log);
  return exit_code;
}
