// The thread that the engine lives on: it has the large mapped stack that the recursion check looks
// at, and waits for functions to run between calls.
#pragma once

#include <pthread.h>

#include <condition_variable>
#include <functional>
#include <mutex>

namespace reprise::script {

class EngineThread {
 public:
  /// Starts it. `stack()` is null when that failed.
  EngineThread();
  EngineThread(const EngineThread&) = delete;
  EngineThread& operator=(const EngineThread&) = delete;

  /// The lowest byte of its kStackBytes.
  const char* stack() const { return stack_; }
  /// Runs a function there, to its end.
  void run(const std::function<void()>& work);

 private:
  void serve();

  char* stack_ = nullptr;
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* work_ = nullptr;
};

}  // namespace reprise::script
