#include "processes/script/limits.h"

#include <fcntl.h>
#include <js/Context.h>
#include <js/Interrupt.h>
#include <js/MemoryCallbacks.h>
#include <js/Principals.h>
#include <jsapi.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

namespace reprise::script {

namespace {

constexpr int64_t kGraceMs = 2000;
constexpr size_t kAlternateStackBytes = size_t{64} << 10;

// Cold functions. For its first calls a function is interpreted, without any code made for it: that
// is cheaper for what runs once, which is most of a short command, but such a call has its frame
// not on the native stack, where check() looks for recursion, but on one that the engine limits to
// kInterpreterFrames. A recursion fills that unseen only through very many functions, all of them
// cold. So when a script can have as many, or makes code while it runs, no call is interpreted.
constexpr uint32_t kColdCalls = 10;
constexpr uint32_t kAlwaysCold = 1'000'000;
constexpr size_t kInterpreterFrames = 50'000;
constexpr size_t kShortestFunctionBytes = 4;  // x=>y
constexpr size_t kOurFunctions = 1000;        // of the engine's self-hosted code, and the prelude
constexpr size_t kFewFunctions = kInterpreterFrames / (kColdCalls + 1) - kOurFunctions;

void set_cold_calls(JSContext* cx, uint32_t count) {
  JS_SetGlobalJitCompilerOption(cx, JSJITCOMPILER_BASELINE_INTERPRETER_WARMUP_TRIGGER, count);
}

// eval and new Function.
bool on_new_code(JSContext* cx, JS::RuntimeCode, JS::HandleString) {
  set_cold_calls(cx, 0);
  return true;
}

constexpr JSSecurityCallbacks kSecurityCallbacks = {on_new_code, nullptr};

// Signal handlers get no argument.
Limits* g_limits = nullptr;
pid_t g_thread = 0;

pid_t this_thread() { return static_cast<pid_t>(syscall(SYS_gettid)); }

void write_text(int fd, std::string_view text) {
  while (!text.empty()) {
    ssize_t written = write(fd, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<size_t>(written));
  }
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  sigaction(signal, &action, nullptr);
}

}  // namespace

Limits::Limits(JSContext* cx, const char* stack, std::string_view crash_text,
               std::string_view crash_document)
    : cx_(cx), stack_(stack), crash_text_(crash_text), crash_document_(crash_document) {
  g_limits = this;
  g_thread = this_thread();
  install_handlers();
  struct sigevent event = {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGVTALRM;
  event._sigev_un._tid = g_thread;
  timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer_);
  statm_ = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  set_cold_calls(cx, kAlwaysCold);
  JS_SetSecurityCallbacks(cx, &kSecurityCallbacks);
  JS_AddInterruptCallback(cx, on_interrupt);
  JS_SetGCCallback(cx, on_gc, this);
  JS::SetOutOfMemoryCallback(cx, on_out_of_memory, this);
}

void Limits::install_handlers() {
  handle(SIGVTALRM, on_timer);
#ifndef REPRISE_SANITIZED
  stack_t alternate = {};
  alternate.ss_size = kAlternateStackBytes;
  alternate.ss_sp =
      mmap(nullptr, alternate.ss_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (alternate.ss_sp == MAP_FAILED) return;
  sigaltstack(&alternate, nullptr);
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGFPE, SIGTRAP}) handle(signal, on_crash);
#endif
}

void Limits::set_timer(int64_t cpu_ms) {
  struct itimerspec when = {};
  when.it_value.tv_sec = cpu_ms / 1000;
  when.it_value.tv_nsec = cpu_ms % 1000 * 1'000'000;
  timer_settime(timer_, 0, &when, nullptr);
}

void Limits::arm(int64_t cpu_ms) {
  cpu_ms_ = cpu_ms > 0 ? cpu_ms : 0;
  timer_fired_ = false;
  set_timer(cpu_ms_);
}

void Limits::set_heap(uint64_t bytes) {
  heap_bytes_ = bytes;
  resident_at_start_ = resident_bytes();
#ifndef REPRISE_SANITIZED
  // Collections come late, so the soft limit is overshot; this is where it ends.
  struct rlimit limit;
  rlim_t hard = 3 * bytes + (rlim_t{256} << 20);
  if (getrlimit(RLIMIT_DATA, &limit) == 0 &&
      (limit.rlim_max == RLIM_INFINITY || hard <= limit.rlim_max)) {
    limit.rlim_cur = hard;
    setrlimit(RLIMIT_DATA, &limit);
  }
#endif
}

void Limits::set_source(size_t bytes) {
  set_cold_calls(cx_, bytes / kShortestFunctionBytes < kFewFunctions ? kColdCalls : 0);
}

void Limits::exceed(Budget budget) {
  Budget none = Budget::kNone;
  if (budget_.compare_exchange_strong(none, budget)) JS_RequestInterruptCallback(cx_);
}

void Limits::check_memory() {
  if (heap_bytes_ == 0) return;
  size_t resident = resident_bytes();
  bool over = JS_GetGCParameter(cx_, JSGC_BYTES) > heap_bytes_ ||
              (resident > resident_at_start_ && resident - resident_at_start_ > heap_bytes_);
  if (over) exceed(Budget::kMemory);
}

void Limits::check() {
  constexpr size_t kPage = 4096;
  constexpr size_t kMargin = size_t{256} << 10;
  constexpr size_t kWindow = kStackQuota / 8 + kMargin;
  unsigned char pages[kWindow / kPage];
  const char* bottom = stack_ + kStackBytes - kStackQuota - kMargin;
  if (mincore(const_cast<char*>(bottom), kWindow, pages) != 0) return;
  for (unsigned char page : pages) {
    if (page & 1) return exceed(Budget::kRecursion);
  }
}

std::string Limits::error_json() const {
  std::string budget, used, advice;
  switch (budget_.load()) {
    case Budget::kCpu:
      budget = "cpu";
      used = "used more than " + std::to_string(cpu_ms_) + " ms of CPU time in one go";
      advice = "move the heavy work into a task";
      break;
    case Budget::kMemory:
      budget = "memory";
      used = "used more than " + std::to_string(heap_bytes_ >> 20) + " MiB of memory";
      advice = "keep large data in files that tasks read and write";
      break;
    case Budget::kRecursion:
      budget = "recursion";
      used = "recursed to the limit of the stack";
      advice = "use a loop, or less depth";
      break;
    case Budget::kNone:
      break;
  }
  return R"({"budget":")" + budget + R"(","message":"the process )" + used + ": " + advice +
         R"("})";
}

size_t Limits::resident_bytes() const {
  char text[128];
  ssize_t size = pread(statm_, text, sizeof text - 1, 0);
  if (size <= 0) return 0;
  text[size] = '\0';
  const char* second = std::strchr(text, ' ');
  return second ? std::strtoul(second, nullptr, 10) * static_cast<size_t>(sysconf(_SC_PAGESIZE))
                : 0;
}

void Limits::on_timer(int) {
  int error = errno;
  if (g_limits->timer_fired_.exchange(true)) g_limits->die();
  g_limits->set_timer(kGraceMs);
  g_limits->exceed(Budget::kCpu);
  errno = error;
}

void Limits::on_crash(int signal) {
  if (this_thread() == g_thread) g_limits->die();
  handle(signal, SIG_DFL);  // not the engine's doing
  raise(signal);
}

void Limits::die() const {
  write_text(STDERR_FILENO, crash_text_);
  write_text(STDOUT_FILENO, crash_document_);
  _exit(9);
}

bool Limits::on_interrupt(JSContext*) { return !g_limits->exceeded(); }

void Limits::on_gc(JSContext*, JSGCStatus status, JS::GCReason, void* limits) {
  if (status == JSGC_END) static_cast<Limits*>(limits)->check_memory();
}

void Limits::on_out_of_memory(JSContext*, void* limits) {
  static_cast<Limits*>(limits)->exceed(Budget::kMemory);
}

}  // namespace reprise::script
