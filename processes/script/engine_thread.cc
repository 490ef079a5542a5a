#include "processes/script/engine_thread.h"

#include <malloc.h>
#include <signal.h>
#include <sys/mman.h>

#include "processes/script/limits.h"

namespace reprise::script {

EngineThread::EngineThread() {
  mallopt(M_ARENA_MAX, 1);  // a second arena grows page by page, with a system call for each
  void* memory = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return;
  madvise(memory, kStackBytes, MADV_NOHUGEPAGE);  // the recursion check counts small pages
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, memory, kStackBytes);
  pthread_t thread;
  auto main = [](void* self) -> void* {
    static_cast<EngineThread*>(self)->serve();
    return nullptr;
  };
  // It inherits what is blocked: signals that others wait for are not to end here. Those of its own
  // limits and faults are (limits.cc).
  sigset_t of_others;
  sigset_t before;
  sigemptyset(&of_others);
  for (const int signal : {SIGCHLD, SIGINT, SIGTERM}) sigaddset(&of_others, signal);
  pthread_sigmask(SIG_BLOCK, &of_others, &before);
  if (pthread_create(&thread, &attributes, main, this) == 0) {
    pthread_detach(thread);
    stack_ = static_cast<char*>(memory);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
}

void EngineThread::run(const std::function<void()>& work) {
  std::unique_lock lock(mutex_);
  work_ = &work;
  changed_.notify_all();
  changed_.wait(lock, [this] { return !work_; });
}

void EngineThread::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return work_; });
    lock.unlock();
    (*work_)();
    lock.lock();
    work_ = nullptr;
    changed_.notify_all();
  }
}

}  // namespace reprise::script
