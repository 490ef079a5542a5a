// The budgets: CPU time, memory, recursion. Where they end a script depends on the machine, so an
// exceeded budget is sticky: whatever the script made of it (it can catch "out of memory" and "too
// much recursion"), nothing may be recorded any more and the process ends.
//
//   CPU        a one-shot timer on the engine thread's CPU clock asks for an interrupt, which no
//   script can catch; two
//              seconds of CPU later the process ends by itself (some builtins never look at
//              interrupts). Not periodic: an interrupted regular expression starts from its
//              beginning, and fails after some.
//   memory     after each collection, and as commands pile up; behind it RLIMIT_DATA
//   recursion  the engine has no callback for it: if the last eighth of the stack quota was ever
//   touched, it is taken
//              for exhausted, caught or not
#pragma once

#include <js/GCAPI.h>
#include <js/TypeDecls.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>

namespace reprise::script {

inline constexpr size_t kStackBytes = size_t{16} << 20;
inline constexpr size_t kStackQuota = size_t{8} << 20;

enum class Budget : int { kNone, kCpu, kMemory, kRecursion };

class Limits {
 public:
  /// Of the calling thread, whose stack is the kStackBytes at `stack`. The crash texts must stay
  /// valid: they are written to standard error and standard output when the engine crashes or the
  /// hard time limit passes, before _exit(9).
  Limits(JSContext* cx, const char* stack, std::string_view crash_text,
         std::string_view crash_document);
  Limits(const Limits&) = delete;
  Limits& operator=(const Limits&) = delete;

  /// Of what follows; replaces the budget before. 0 takes it away.
  void arm(int64_t cpu_ms);
  void set_heap(uint64_t bytes);
  /// No script is there: what is left of the last one is nobody's fault.
  void release_heap() { heap_bytes_ = 0; }
  /// Before the first code of a script that has so many bytes of source: see limits.cc on cold
  /// functions.
  void set_source(size_t bytes);

  void exceed(Budget budget);
  bool exceeded() const { return budget_.load() != Budget::kNone; }
  /// Looks at what does not announce itself; then exceeded() is the truth.
  void check();
  void check_memory();

  /// {"budget":"cpu|memory|recursion","message":...}
  std::string error_json() const;

 private:
  static void on_timer(int signal);
  static void on_crash(int signal);
  static bool on_interrupt(JSContext* cx);
  static void on_gc(JSContext* cx, JSGCStatus status, JS::GCReason reason, void* limits);
  static void on_out_of_memory(JSContext* cx, void* limits);
  [[noreturn]] void die() const;
  void set_timer(int64_t cpu_ms);
  void install_handlers();
  size_t resident_bytes() const;

  JSContext* cx_;
  const char* stack_;
  std::string_view crash_text_;
  std::string_view crash_document_;
  std::atomic<Budget> budget_ = Budget::kNone;
  std::atomic<bool> timer_fired_ = false;
  timer_t timer_ = {};
  int64_t cpu_ms_ = 0;
  uint64_t heap_bytes_ = 0;
  int statm_ = -1;
  size_t resident_at_start_ = 0;
};

}  // namespace reprise::script
